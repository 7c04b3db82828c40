"""As many sentence pairs as wanted: a corpus, then the same again with other numbers.

In each further round every numeral that the rules read in the Chinese text is another one, and the
English text has what the rules write for it in its place. A pair in which nothing can be changed
gets an article's number in front. So phrases stay as they are, and no pair is a duplicate.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from storage.records import RuleMatch
from tasks.rules.grammar import find

_NUMERALS = ("一二三四五六七八九", "123456789")
MOST_ROUNDS = len(_NUMERALS[0])
"""With more, the numerals would be those of a round before."""

Pair = tuple[str, str, str]
"""Source, target, document."""


def texts(pairs: Iterable[Pair], number: int) -> Iterator[Pair]:
    """Yield `number` pairs.

    Raises:
        ValueError: there are too few to make as many of.
    """
    first = list(islice(pairs, number))
    if len(first) * MOST_ROUNDS < number:
        raise ValueError(f"{len(first):,} pairs make at most {len(first) * MOST_ROUNDS:,}.")
    for place in range(number):
        turn, index = divmod(place, len(first))
        source, target, document = first[index]
        if not turn:
            yield first[index]
            continue
        yield *changed(source, target, turn, index), f"{document}-{turn}"


def changed(source: str, target: str, turn: int, index: int) -> tuple[str, str]:
    """Return a pair with other numerals.

    Args:
        source: Chinese.
        target: English.
        turn: by how much each numeral is raised, from 1 to 8; 9 is followed by 1.
        index: of the pair in the corpus.
    """
    start, parts = 0, []
    for match in find(source):
        new = _raised(source[match.start : match.end], match, turn)
        replaced = _replaced(target, match.target, new.target) if new else None
        if new is None or replaced is None:
            continue
        parts += [source[start : match.start], new.source]
        start, target = match.end, replaced
    if parts:
        return "".join([*parts, source[start:]]), target
    lead = f"第{100 * turn + index % 97 + 1}条"
    (article,) = find(lead)
    return f"{lead}：{source}", f"{article.target}: {target}"


def _raised(text: str, match: RuleMatch, turn: int) -> RuleMatch | None:
    """Read what stands there with other numerals; None if that is nothing of the kind."""
    other = text
    for row in _NUMERALS:
        other = other.translate(str.maketrans(row, row[turn:] + row[:turn]))
    found = find(other) if other != text else []
    if len(found) != 1 or found[0].category != match.category or found[0].source != other:
        return None
    return found[0]


def _replaced(target: str, old: str, new: str) -> str | None:
    """Put another rendering in place of one that stands in the text once."""
    places = [*re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", target, re.IGNORECASE)]
    if len(places) != 1 or not old:
        return None
    start, end = places[0].span()
    written = new[:1].upper() + new[1:] if target[start].isupper() else new
    return target[:start] + written + target[end:]
