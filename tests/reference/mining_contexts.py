"""What stands at the places of phrases, looked at one by one: the judge of `term_contexts.py`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tasks.mining.english_shape import as_name
from tasks.mining.function_words import is_punctuation
from tasks.mining.term_contexts import ARTICLES

Spans = Sequence[tuple[int, int, str]]
Pair = tuple[Sequence[str], Spans, str]
"""Chinese words, what the rules saw there, and the English sentence, its words cut by blanks."""


def contexts_plainly(
    pairs: Sequence[Pair], phrases: Mapping[str, Sequence[str]], names: Sequence[str], longest: int
) -> Counter[tuple[str, str, str]]:
    """Count by source, fact and value."""
    found: Counter[tuple[str, str, str]] = Counter()
    for words, rules, english in pairs:
        for source, targets in phrases.items():
            places = list(_places(words, source, longest))
            for start, end in places:
                found.update((source, *fact) for fact in _at(words, rules, names, start, end))
            for target in targets if places else ():
                found.update((source, *fact) for fact in _opposite(english, target))
    return found


def _places(words: Sequence[str], text: str, longest: int) -> Iterator[tuple[int, int]]:
    for start in range(len(words)):
        for end in range(start + 1, min(start + longest, len(words)) + 1):
            if "".join(words[start:end]) == text:
                yield start, end


def _at(
    words: Sequence[str], rules: Spans, names: Sequence[str], start: int, end: int
) -> Iterator[tuple[str, str]]:
    inside = {border for first, past, _ in rules for border in range(first + 1, past)}
    yield "words", " ".join(words[start:end])
    yield "left", _beside(words, start - 1, start, inside)
    yield "right", _beside(words, end, end, inside)
    if start in inside or end in inside:
        yield "cut", ""
    longer = [(first, past) for first, past, _ in rules]
    longer += [place for name in names for place in _places(words, name, 12)]
    if any(
        first <= start and end <= past and (first, past) != (start, end) for first, past in longer
    ):
        yield "covered", ""
    for category in ({(first, past): kind for first, past, kind in rules}.get((start, end), ""),):
        if category:
            yield "rule", category


def _beside(words: Sequence[str], place: int, border: int, inside: set[int]) -> str:
    """Return the word beside a border; inside what a rule saw there is one in any case."""
    if not 0 <= place < len(words):
        return ""
    other = words[border - 1] if place == border else words[border]
    if border not in inside and (is_punctuation(words[place]) or is_punctuation(other)):
        return ""
    return words[place]


def _opposite(english: str, target: str) -> Iterator[tuple[str, str]]:
    words, wanted = english.lower().split(), target.split()
    for start in range(len(words) - len(wanted) + 1):
        if words[start : start + len(wanted)] == wanted:
            break
    else:
        return
    before, after = words[max(start - 3, 0) : start][::-1], words[start + len(wanted) :][:1]
    for fact, beside in (("before", before), ("after", after)):
        word = next((word for word in beside if word not in ARTICLES), "")
        yield fact, "" if is_punctuation(word) else word
    rest = english if len(wanted) > 1 else english[1:]
    if as_name(target) in rest or target.upper() in rest:
        yield "named", target
