"""Look at each place where the source of a likely phrase stands: what is in it and around it.

Everything is a count, so that shards are merged by adding them up by (source, fact, value).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from tasks.compiled.arrays import Sentences, Texts, sentences_of, spelled, texts_of
from tasks.mining.english_shape import as_names
from tasks.mining.function_words import is_punctuation
from tasks.mining.likely import LikelyPhrases
from tasks.mining.word_arrays import Booleans, Integers, WordArrays
from tasks.tagging.matcher import TextFinder

Fact = Literal[
    "words",
    "left",
    "right",
    "unit",
    "cut",
    "covered",
    "rule",
    "before",
    "after",
    "named",
    "opposite",
    "beyond",
]
"""`words`: how it is cut into words. `left`, `right`: the word beside it; empty for a mark or the
end of a sentence. `unit`: hierarchical reducing formed it. `cut`: one of its ends lies inside what
a rule saw. `covered`: it stands inside something longer that a rule saw or a dictionary holds.
`rule`: a rule saw exactly this; the value is the category. `before`, `after`: sentences with a
target opposite, by the word beside it, articles left out. `named`: those with the target, which is
the value, capitalised as a name. `opposite`, `beyond`: see `overhangs.py`."""

ARTICLES = frozenset(["a", "an", "the"])
FACTS = sorted(get_args(Fact))
_NONE = [""]


class English(NamedTuple):
    """What stands opposite some sentences."""

    raw: Texts
    """Each sentence in its own case."""
    words: Sentences
    """The same, lower-cased."""
    vocabulary: list[str]
    """The distinct words, by number."""

    @staticmethod
    def of(sentences: Iterable[tuple[str, Sequence[str]]]) -> "English":
        """Take each sentence in its own case, and its words, lower-cased."""
        listed = list(sentences)
        words, vocabulary = sentences_of([words for _, words in listed], blanks=1)
        return English(texts_of([raw for raw, _ in listed]), words, vocabulary)


class Places(NamedTuple):
    """Where phrases stand: arrays of shape (occurrences,)."""

    phrase: Integers
    """Index of the phrase."""
    start: Integers
    """First word."""
    end: Integers
    """Behind the last word."""


class Facts(NamedTuple):
    """How often something was seen of phrases: arrays of shape (rows,)."""

    fact: Fact
    phrase: Integers
    """Index of the source."""
    value: Integers
    """Index in `values`."""
    values: Sequence[str]
    number: Integers


class FactTable(NamedTuple):
    """Several facts together, sorted by source, fact and value."""

    phrase: Integers
    """Index of the source."""
    fact: Integers
    """Index in `FACTS`."""
    value: Integers
    """Index in `values`."""
    values: list[str]
    number: Integers

    @staticmethod
    def of(facts: Iterable[Facts]) -> "FactTable":
        """Put facts together."""
        parts = list(facts)
        shifts = np.cumsum([0, *(len(part.values) for part in parts)])
        spelled = list(chain.from_iterable(part.values for part in parts))
        nothing = [np.zeros(0, np.int64)]
        phrase, value, count, fact = (
            np.concatenate([*column, *nothing])
            for column in (
                [part.phrase for part in parts],
                [part.value + shift for part, shift in zip(parts, shifts, strict=False)],
                [part.number for part in parts],
                [np.full(len(part.phrase), FACTS.index(part.fact)) for part in parts],
            )
        )
        used, value = np.unique(value, return_inverse=True)
        ranked = sorted(range(len(used)), key=[spelled[place] for place in used].__getitem__)
        rank = np.empty(len(used), np.int64)
        rank[ranked] = np.arange(len(used))
        values = [spelled[used[place]] for place in ranked]
        order = np.argsort((phrase * len(FACTS) + fact) * max(len(used), 1) + rank[value])
        return FactTable(phrase[order], fact[order], rank[value][order], values, count[order])


@dataclass(frozen=True, slots=True)
class PhraseFinder:
    """Finds phrases, given as text without blanks, between the borders of words."""

    finder: TextFinder

    @staticmethod
    def of(texts: Sequence[str]) -> "PhraseFinder":
        """Prepare phrases that are spelled out, each once."""
        return PhraseFinder(TextFinder(texts_of(texts)))

    def find(self, arrays: WordArrays, *, max_words: int) -> Places:
        """Return all occurrences within `max_words` words; no phrase crosses a sentence's end."""
        starts = arrays.starts
        words = texts_of(arrays.vocabulary)
        found = self.finder.find(Sentences(arrays.ids.astype(np.int32), starts, words, 0))
        sentence, start, end, phrase = found.rows.T.astype(np.int64)
        short, base = end - start <= max_words, starts[sentence]
        return Places(phrase[short], (base + start)[short], (base + end)[short])


def count_contexts(
    arrays: WordArrays,
    phrases: LikelyPhrases,
    names: PhraseFinder,
    english: English,
    *,
    max_words: int,
) -> Iterator[Facts]:
    """Count what some sentences say of the sources of phrases by themselves.

    Args:
        arrays: the words of the sentences.
        phrases: the phrases.
        names: finds the phrases of the dictionaries.
        english: what stands opposite each sentence.
        max_words: longest source, in words.
    """
    places = PhraseFinder(phrases.finder).find(arrays, max_words=max_words)
    closed = arrays.is_closed() & ~arrays.in_rule
    yield _by_word("left", arrays, places.phrase, _beside(arrays, places.start - 1, closed))
    right = _beside(arrays, places.end, closed, border=places.end - 1)
    yield _by_word("right", arrays, places.phrase, right)
    yield from _cuts(arrays, places)
    yield _holding("cut", places.phrase[_is_cut(arrays, places)])
    yield _holding("covered", places.phrase[_is_covered(arrays, places, names)])
    yield _rule_categories(arrays, places)
    yield from _opposite(arrays, phrases, places, english)


def count_units(
    arrays: WordArrays, phrases: LikelyPhrases, units: tuple[Integers, Integers], *, max_words: int
) -> Facts:
    """Count at how many of their places hierarchical reducing forms the sources of phrases.

    Args:
        arrays: the words of some sentences.
        phrases: the phrases.
        units: `[start, end)` of what hierarchical reducing forms there.
        max_words: longest source and longest unit, in words.
    """
    places = PhraseFinder(phrases.finder).find(arrays, max_words=max_words)
    return _holding("unit", places.phrase[_among(places, units, max_words)])


_LONGEST_NAME = 12
"""In words; a longer phrase of a dictionary covers nothing."""


def _cuts(arrays: WordArrays, places: Places) -> Iterator[Facts]:
    """Count in which ways sources are cut into words."""
    lengths, size = places.end - places.start, max(len(arrays.vocabulary), 1)
    for length in np.unique(lengths).tolist():
        here = lengths == length
        phrase, start = places.phrase[here], places.start[here]
        keys = phrase
        for offset in range(length):
            _, keys = np.unique(keys, return_inverse=True)
            keys = keys * size + arrays.ids[start + offset]
        _, first, counts = np.unique(keys, return_index=True, return_counts=True)
        cuts = arrays.ids[start[first, None] + np.arange(length)].tolist()
        spelled = [" ".join([arrays.vocabulary[word] for word in cut]) for cut in cuts]
        yield Facts("words", phrase[first], np.arange(len(first)), spelled, counts)


def _beside(
    arrays: WordArrays, word: Integers, closed: Booleans, border: Integers | None = None
) -> Integers:
    """Return the number of the word beside each place, -1 for a mark or the end of a sentence.

    Args:
        arrays: the words.
        word: the word beside each place.
        closed: of each border, whether nothing is beside it.
        border: the border of each place, if it is not that behind the word.
    """
    border = word if border is None else border
    is_open = (border >= 0) & ~closed[border]
    return np.where(is_open, arrays.ids[np.where(is_open, word, 0)], -1)


def _by_word(fact: Fact, arrays: WordArrays, phrase: Integers, word: Integers) -> Facts:
    """Count by phrase and word; the word -1 is written as ""."""
    return _by_value(fact, phrase, word + 1, ["", *arrays.vocabulary])


def _by_value(fact: Fact, phrase: Integers, value: Integers, values: Sequence[str]) -> Facts:
    """Count by phrase and value."""
    size = max(len(values), 1)
    distinct, counts = np.unique(phrase * size + value, return_counts=True)
    return Facts(fact, distinct // size, distinct % size, values, counts)


def _holding(fact: Fact, phrase: Integers) -> Facts:
    """Count by phrase the places of which a fact holds."""
    return _by_value(fact, phrase, np.zeros(len(phrase), np.int64), _NONE)


def _among(places: Places, units: tuple[Integers, Integers], longest: int) -> Booleans:
    """Say of each place whether it is one of the units; no word of either is behind the `longest`
    words from its first."""
    size = int(max(places.end.max(initial=0), units[1].max(initial=0))) + 1
    is_unit = np.zeros((size, longest + 1), np.bool_)
    starts, ends = units
    is_unit[starts, ends - starts] = True
    among: Booleans = is_unit[places.start, places.end - places.start]
    return among


def _span_key(start: Any, end: Any) -> Any:
    """Return a number for each span, or for one."""
    return (start << 20) + (end - start)


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


def _rule_categories(arrays: WordArrays, places: Places) -> Facts:
    """Count as what the rules saw exactly the places of sources."""
    seen = {_span_key(start, end): category for start, end, category in arrays.rule_spans}
    categories = sorted(set(seen.values()))
    keys = np.asarray(sorted(seen), np.int64)
    kind = np.asarray([categories.index(seen[key]) for key in keys.tolist()], np.int64)
    spans = _span_key(places.start, places.end)
    at = np.searchsorted(keys, spans)
    same = at < len(keys)
    same[same] = keys[at[same]] == spans[same]
    return _by_value("rule", places.phrase[same], kind[at[same]], categories)


def _opposite(
    arrays: WordArrays, phrases: LikelyPhrases, places: Places, english: English
) -> Iterator[Facts]:
    """Look at the sentences that hold a target opposite its source."""
    from tasks.compiled.opposite import Standing, find_opposite, room_for

    size = max(len(phrases.first) - 1, 1)
    held = np.unique(arrays.sentence[places.start] * size + places.phrase)
    standing = Standing(held // size, held % size)
    opposite = room_for(standing, phrases.first)
    find_opposite(standing, phrases.targets, english.words, opposite)
    here = np.flatnonzero(opposite.times)
    row, target = opposite.row[here], opposite.target[here]
    sentence, phrase = standing.sentence[row], standing.source[row]
    spelled = ["", *english.vocabulary]
    before, after = _edges(english, sentence, opposite.start[here], opposite.end[here])
    yield _by_value("before", phrase, before, spelled)
    yield _by_value("after", phrase, after, spelled)
    yield _named(phrases, english, sentence, phrase, target)


def _edges(
    english: English, sentence: Integers, start: Integers, end: Integers
) -> tuple[Integers, Integers]:
    """Return the first word before, and that behind, some places that is no article: its number
    plus one, 0 for a mark or nothing."""
    words = english.words
    is_article = np.asarray([word in ARTICLES for word in english.vocabulary], np.bool_)
    is_mark = np.asarray([is_punctuation(word) for word in english.vocabulary], np.bool_)
    value = np.where(is_mark, 0, np.arange(1, len(is_mark) + 1))
    first, past = words.starts[sentence], words.starts[sentence + 1]
    before, after = np.zeros(len(start), np.int64), np.zeros(len(start), np.int64)
    waiting = np.arange(len(start))
    for distance in range(1, 4):
        waiting = waiting[start[waiting] - distance >= first[waiting]]
        there = words.ids[start[waiting] - distance]
        before[waiting] = np.where(is_article[there], 0, value[there])
        waiting = waiting[is_article[there]]
    inside = end < past
    there = words.ids[end[inside]]
    after[inside] = np.where(is_article[there], 0, value[there])
    return before, after


def _named(
    phrases: LikelyPhrases,
    english: English,
    sentence: Integers,
    phrase: Integers,
    target: Integers,
) -> Facts:
    """Count the places at which targets are written as names are: with capitals, and not only at
    the beginning of a sentence, which begins with one anyway."""
    from tasks.compiled.laying import in_order
    from tasks.compiled.opposite import stand_inside

    distinct, which = np.unique(target, return_inverse=True)
    targets = spelled(in_order(phrases.targets, distinct))
    alone = np.asarray([" " not in text for text in targets], np.bool_)
    is_named = np.zeros(len(target), np.int32)
    for forms in (as_names(targets), "\n".join(targets).upper().split("\n")):
        is_named |= stand_inside(english.raw, sentence, texts_of(forms), which, alone)
    named = np.flatnonzero(is_named)
    return _by_value("named", phrase[named], which[named], targets)
