"""As many sentence pairs as wanted: a corpus, then the same again with other numbers and names.

In each further round every numeral and every place that the rules read in the Chinese text is
another one, and the English text has what the rules write for it in its place. A pair in which
nothing can be changed gets an article's number in front, in the first round as well: numbers take
the rules long, so pairs of all rounds must hold as many. So phrases stay as they are, no pair is a
duplicate, and each round costs the same.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from storage.records import RuleMatch
from tasks.rules.gazetteer import all_forms, look_up
from tasks.rules.grammar import find
from tasks.rules.ordinary_words import simplified
from tasks.rules.style import RuleStyle

_NUMERALS = ("一二三四五六七八九", "123456789")
MOST_ROUNDS = len(_NUMERALS[0])
"""With more, the numerals would be those of a round before."""
_STYLE = RuleStyle(place_names=True)
"""The rules read persons only where the region is known, and the laws name hardly any."""

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
        name = f"{document}-{turn}" if turn else document
        yield *changed(source, target, turn, index), name


def changed(source: str, target: str, turn: int, index: int) -> tuple[str, str]:
    """Return a pair with other numerals and places, or with a number in front.

    Args:
        source: Chinese.
        target: English.
        turn: by how much each numeral is raised, from 0 to 8; 9 is followed by 1.
        index: of the pair in the corpus.
    """
    found = _with_others(source, target, turn or 1)
    if found:
        return found if turn else (source, target)
    lead = f"第{100 * turn + index % 97 + 1}条"
    (article,) = find(lead)
    return f"{lead}：{source}", f"{article.target}: {target}"


def _with_others(source: str, target: str, turn: int) -> tuple[str, str] | None:
    """Change the numerals and places of a pair; None if there is nothing to change."""
    start, parts = 0, []
    for match in find(source, _STYLE):
        new = _renamed(match, turn) if match.category == "location" else _raised(match, turn)
        replaced = _replaced(target, match.target, new.target) if new else None
        if new is None or replaced is None:
            continue
        parts += [source[start : match.start], new.source]
        start, target = match.end, replaced
    return ("".join([*parts, source[start:]]), target) if parts else None


def _raised(match: RuleMatch, turn: int) -> RuleMatch | None:
    """Read what stands there with other numerals; None if that is nothing of the kind."""
    other = match.source
    for row in _NUMERALS:
        other = other.translate(str.maketrans(row, row[turn:] + row[:turn]))
    found = find(other) if other != match.source else []
    if len(found) != 1 or found[0].category != match.category or found[0].source != other:
        return None
    return found[0]


def _renamed(match: RuleMatch, turn: int) -> RuleMatch | None:
    """Return another place of the same kind, in the same script; None if there are too few."""
    kind = _kind(match)
    names = _places().get(kind, ())
    if match.source not in names or len(names) < MOST_ROUNDS:
        return None
    other = names[(names.index(match.source) + turn) % len(names)]
    known = look_up(other, _STYLE.region)
    return replace(match, source=other, target=known.english) if known else None


@lru_cache(maxsize=1)
def _places() -> dict[tuple[str, bool], tuple[str, ...]]:
    """Return the places that the rules find where they stand alone, sorted, by kind."""
    kinds: dict[tuple[str, bool], list[str]] = {}
    for name in sorted(all_forms()):
        found = find(name, _STYLE)
        if len(found) == 1 and found[0].source == name and found[0].category == "location":
            kinds.setdefault(_kind(found[0]), []).append(name)
    return {kind: tuple(names) for kind, names in kinds.items()}


def _kind(match: RuleMatch) -> tuple[str, bool]:
    """Return which rule found a place, and whether it is written in Simplified characters."""
    return match.rule, simplified(match.source) == match.source


def _replaced(target: str, old: str, new: str) -> str | None:
    """Put another rendering in place of one that stands in the text once."""
    places = [*re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", target, re.IGNORECASE)]
    if len(places) != 1 or not old:
        return None
    start, end = places[0].span()
    written = new[:1].upper() + new[1:] if target[start].isupper() else new
    return target[:start] + written + target[end:]
