"""Look at each place where the source of a likely phrase stands: what is in it and around it.

Everything is a count, so that shards are merged by adding them up by (source, fact, value).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from tasks.mining.english_shape import as_name
from tasks.mining.function_words import is_punctuation
from tasks.mining.word_arrays import Booleans, Integers, WordArrays

Fact = Literal[
    "words", "left", "right", "unit", "cut", "covered", "rule", "before", "after", "named"
]
"""`words`: how it is cut into words. `left`, `right`: the word beside it; empty for a mark or the
end of a sentence. `unit`: hierarchical reducing formed it. `cut`: one of its ends lies inside what
a rule saw. `covered`: it stands inside something longer that a rule saw or a dictionary holds.
`rule`: a rule saw exactly this; the value is the category. `before`, `after`: sentences with a
target opposite, by the word beside it, articles left out. `named`: those with the target, which is
the value, capitalised as a name."""

English: TypeAlias = tuple[str, Sequence[str]]
"""A sentence in its own case, and its words, lower-cased."""

ARTICLES = frozenset(["a", "an", "the"])

FactCount: TypeAlias = tuple[str, Fact, str, int]
"""Source text, fact, value, number of occurrences."""


class Places(NamedTuple):
    """Where phrases stand: arrays of shape (occurrences,)."""

    phrase: Integers
    """Index of the phrase."""
    start: Integers
    """First word."""
    end: Integers
    """Behind the last word."""


@dataclass(frozen=True, slots=True)
class PhraseFinder:
    """Finds phrases, given as text without blanks, between the borders of words."""

    prefixes: Mapping[str, int]
    """Everything that a phrase begins with, numbered; "" is 0."""
    spelled: Sequence[str]
    """The same, by number."""
    is_phrase: Integers
    """Index of the phrase that is all of a beginning, or -1, by number."""

    @staticmethod
    def of(texts: Sequence[str]) -> "PhraseFinder":
        """Prepare phrases, each once."""
        prefixes = _numbered_prefixes(texts)
        is_phrase = np.full(len(prefixes), -1, np.int64)
        is_phrase[[prefixes[text] for text in texts]] = np.arange(len(texts))
        return PhraseFinder(prefixes, list(prefixes), is_phrase)

    def find(self, arrays: WordArrays, *, max_words: int) -> Places:
        """Return all occurrences within `max_words` words; no phrase crosses a sentence's end.

        All places are tried at once, one word longer in each round. What no phrase begins with is
        given up, which leaves few places after the first round.
        """
        prefixes, spelled, is_phrase = self.prefixes, self.spelled, self.is_phrase
        size = max(len(arrays.vocabulary), 1)
        starts = np.arange(len(arrays.ids))
        state = np.zeros(len(starts), np.int64)
        found: list[Places] = []
        for length in range(max_words):
            keys = state * size + arrays.ids[starts + length]
            distinct, back = np.unique(keys, return_inverse=True)
            following = np.asarray(
                [
                    prefixes.get(spelled[key // size] + arrays.vocabulary[key % size], -1)
                    for key in distinct.tolist()
                ],
                np.int64,
            )
            state = following[back] if len(distinct) else state
            starts, state = starts[state >= 0], state[state >= 0]
            complete = is_phrase[state] >= 0
            here = starts[complete]
            found.append(Places(is_phrase[state][complete], here, here + length + 1))
            going = ~arrays.is_last[starts + length]
            starts, state = starts[going], state[going]
        return Places(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _numbered_prefixes(texts: Sequence[str]) -> dict[str, int]:
    """Number everything that a phrase begins with; "" is 0."""
    prefixes = {"": 0}
    for text in texts:
        for length in range(1, len(text) + 1):
            prefixes.setdefault(text[:length], len(prefixes))
    return prefixes


def count_contexts(
    arrays: WordArrays,
    phrases: Mapping[str, Sequence[str]],
    names: PhraseFinder,
    english: Sequence[English],
    *,
    max_words: int,
) -> Iterator[FactCount]:
    """Count what some sentences say of the sources of phrases by themselves.

    Args:
        arrays: the words of the sentences.
        phrases: source text without blanks to its likely targets, lower-cased.
        names: finds the phrases of the dictionaries.
        english: what stands opposite each sentence.
        max_words: longest source, in words.
    """
    sources = list(phrases)
    places = PhraseFinder.of(sources).find(arrays, max_words=max_words)
    left = _beside(arrays, places.start - 1, places.start - 1)
    right = _beside(arrays, places.end, places.end - 1)
    yield from _by_word("left", sources, places.phrase, left, arrays.vocabulary)
    yield from _by_word("right", sources, places.phrase, right, arrays.vocabulary)
    yield from _cuts(arrays, sources, places)
    yield from _holding("cut", sources, places.phrase[_is_cut(arrays, places)])
    yield from _holding("covered", sources, places.phrase[_is_covered(arrays, places, names)])
    yield from _rule_categories(arrays, sources, places)
    yield from _opposite(arrays, phrases, places, english)


def count_units(
    arrays: WordArrays,
    sources: Sequence[str],
    units: tuple[Integers, Integers],
    *,
    max_words: int,
) -> Iterator[FactCount]:
    """Count at how many of their places hierarchical reducing forms the sources of phrases.

    Args:
        arrays: the words of some sentences.
        sources: the texts, without blanks.
        units: `[start, end)` of what hierarchical reducing forms there.
        max_words: longest source, in words.
    """
    places = PhraseFinder.of(sources).find(arrays, max_words=max_words)
    yield from _holding("unit", sources, places.phrase[_among(places, *units)])


_LONGEST_NAME = 12
"""In words; a longer phrase of a dictionary covers nothing."""


def _cuts(arrays: WordArrays, sources: Sequence[str], places: Places) -> Iterator[FactCount]:
    """Count in which ways sources are cut into words."""
    lengths = places.end - places.start
    for length in np.unique(lengths).tolist():
        here = lengths == length
        words = arrays.ids[places.start[here, None] + np.arange(length)]
        rows = np.column_stack([places.phrase[here], words])
        distinct, counts = np.unique(rows, axis=0, return_counts=True)
        for (phrase, *cut), count in zip(distinct.tolist(), counts.tolist(), strict=True):
            spelled = " ".join([arrays.vocabulary[word] for word in cut])
            yield sources[phrase], "words", spelled, count


def _beside(arrays: WordArrays, word: Integers, border: Integers) -> Integers:
    """Return the number of the word beside each place, -1 for a mark or the end of a sentence."""
    is_open = (border >= 0) & ~(arrays.is_closed() & ~arrays.in_rule)[border]
    return np.where(is_open, arrays.ids[np.where(is_open, word, 0)], -1)


def _by_word(
    fact: Fact, sources: Sequence[str], phrase: Integers, word: Integers, vocabulary: Sequence[str]
) -> Iterator[FactCount]:
    """Count by phrase and word; the word -1 is written as ""."""
    size, spelled = len(vocabulary) + 1, ["", *vocabulary]
    distinct, counts = np.unique(phrase * size + word + 1, return_counts=True)
    for key, count in zip(distinct.tolist(), counts.tolist(), strict=True):
        yield sources[key // size], fact, spelled[key % size], count


def _holding(fact: Fact, sources: Sequence[str], phrase: Integers) -> Iterator[FactCount]:
    """Count by phrase the places of which a fact holds."""
    distinct, counts = np.unique(phrase, return_counts=True)
    for place, count in zip(distinct.tolist(), counts.tolist(), strict=True):
        yield sources[place], fact, "", count


def _among(places: Places, starts: Integers, ends: Integers) -> Booleans:
    """Say of each place whether it is one of the spans."""
    return np.isin(_span_keys(places.start, places.end), _span_keys(starts, ends))


def _span_keys(starts: Integers, ends: Integers) -> Integers:
    return starts * 64 + (ends - starts)


def _is_cut(arrays: WordArrays, places: Places) -> Booleans:
    before = places.start - 1
    return ((before >= 0) & arrays.in_rule[before]) | arrays.in_rule[places.end - 1]


def _is_covered(arrays: WordArrays, places: Places, names: PhraseFinder) -> Booleans:
    """Say of each place whether a longer name, or a longer span of a rule, holds it."""
    held = names.find(arrays, max_words=_LONGEST_NAME)
    seen = np.asarray(arrays.rule_spans, dtype=object).reshape(-1, 3)[:, :2].astype(np.int64)
    starts = np.concatenate([held.start, seen[:, 0]])
    ends = np.concatenate([held.end, seen[:, 1]])
    reach = np.zeros(len(arrays.ids) + 1, np.int64)
    np.maximum.at(reach, starts, ends)
    from_before = np.maximum.accumulate(np.append(0, reach))
    return (reach[places.start] > places.end) | (from_before[places.start] >= places.end)


def _rule_categories(
    arrays: WordArrays, sources: Sequence[str], places: Places
) -> Iterator[FactCount]:
    """Count as what the rules saw exactly the places of sources."""
    seen = {(start, end): category for start, end, category in arrays.rule_spans}
    spans = zip(places.start.tolist(), places.end.tolist(), strict=True)
    found = zip(places.phrase.tolist(), map(seen.get, spans), strict=True)
    for (phrase, category), count in Counter(found).items():
        if category is not None:
            yield sources[phrase], "rule", category, count


def _opposite(
    arrays: WordArrays,
    phrases: Mapping[str, Sequence[str]],
    places: Places,
    english: Sequence[English],
) -> Iterator[FactCount]:
    """Look at the sentences that hold a target opposite its source."""
    sources = list(phrases)
    found: Counter[tuple[int, Fact, str]] = Counter()
    shapes = [[_TargetShape.of(target) for target in targets] for targets in phrases.values()]
    pairs = np.unique(np.stack([arrays.sentence[places.start], places.phrase], axis=1), axis=0)
    last, padded = -1, ""
    for sentence, phrase in pairs.tolist():
        raw, words = english[sentence]
        if sentence != last:
            last, padded = sentence, f" {' '.join(words)} "
        for shape in shapes[phrase]:
            found.update((phrase, fact, value) for fact, value in shape.facts(raw, padded))
    for (phrase, fact, value), count in found.items():
        yield sources[phrase], fact, value, count


@dataclass(frozen=True, slots=True)
class _TargetShape:
    """A target, ready to be looked for."""

    target: str
    padded: str
    """With a blank on either side."""
    forms: tuple[str, str]
    """As names are written."""
    least: int
    """First character at which capitals tell a name: a sentence begins with one anyway."""

    @staticmethod
    def of(target: str) -> "_TargetShape":
        """Prepare a target."""
        forms = as_name(target), target.upper()
        return _TargetShape(target, f" {target} ", forms, int(" " not in target))

    def facts(self, raw: str, padded: str) -> Iterator[tuple[Fact, str]]:
        """Yield what one sentence says of its first occurrence; nothing if there is none."""
        place = padded.find(self.padded)
        if place < 0:
            return
        yield "before", _edge_word(reversed(padded[:place].split()[-3:]))
        yield "after", _edge_word(padded[place + len(self.padded) :].split(" ", 1)[:1])
        if any(raw.find(form, self.least) >= 0 for form in self.forms):
            yield "named", self.target


def _edge_word(words: Iterable[str]) -> str:
    """Return the first word that is no article; "" for a mark or nothing."""
    word = next((word for word in words if word not in ARTICLES), "")
    return "" if is_punctuation(word) else word
