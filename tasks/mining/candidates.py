"""Count the phrase pairs of one shard: how often each was extracted, alone and together.

The probabilities that follow from these counts are Koehn and Moses' relative frequencies over
*extracted* phrase pairs: p(t|s) = c(s, t) / c(s), where c(s) sums over everything extracted with
source s. So a source that was extracted with many targets is diluted, also by targets that could
never be a phrase themselves. Counts of shards are merged by adding them up by key.

Pairs that no threshold could let pass are not counted as pairs (their frequency is still part of
c(s) and c(t)): that keeps the tables a tenth of their size. What the thresholds decide is in
`selection.py`. The loop is compiled (`tasks/compiled/counting.py`) and works on integers; the slow
and obvious form is `tests/reference/mining_counts.py`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np

from storage.unused_memory import release_unused_memory
from tasks.compiled.arrays import (
    Corpus,
    Found,
    Ids,
    Kinds,
    Numbers,
    Sentences,
    Texts,
    spelled,
)
from tasks.mining.config import ExtractionConfig
from tasks.mining.extraction import (
    LinkedPair,
    corpus_of,
    rule_of,
)
from tasks.mining.sums import Sums

BATCH_PAIRS = 1 << 14
"""Sentence pairs that are laid out for the compiled loops at a time."""
_ROOM = 1 << 21
"""Phrase pairs that are noted before equal ones are added up: 16 MB."""


@dataclass(frozen=True, slots=True)
class PhraseCounts:
    """How often phrases were extracted in some sentence pairs."""

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """c(s, t) by (source text, target text), of the pairs that may become phrases."""
    sources: Counter[str] = field(default_factory=Counter)
    """c(s) over all extracted pairs, of the sources that occur in `pairs` or may."""
    targets: Counter[str] = field(default_factory=Counter)
    """c(t) over all extracted pairs, of the targets that occur in `pairs` or may."""


class SideCounts(NamedTuple):
    """The distinct phrases of one side, sorted by key."""

    keys: Numbers
    """`storage.phrase_keys.phrase_key` of each text."""
    texts: Texts
    counts: Numbers


@dataclass(frozen=True, slots=True)
class PairCounts:
    """The distinct phrase pairs of a shard, by the places of their sides; laid out when asked, in
    pieces, since there may be many millions."""

    _packed: Numbers
    """Place of the target << 32 | count, sorted, those of each source together."""
    _starts: Numbers
    """Where those of each source begin, in the order in which sources were seen."""
    _order: Ids
    """That number of each source, by its place."""

    def __len__(self) -> int:
        """Return how many pairs there are."""
        return len(self._packed)

    def pieces(self, rows: int) -> Iterator[Numbers]:
        """Yield `(place of source, place of target, count)` of the pairs in order, so many rows at
        a time."""
        from tasks.compiled.merging import lay_rows

        ends = np.cumsum(np.diff(self._starts)[self._order])
        for first in range(0, len(self), rows):
            piece = np.empty((min(rows, len(self) - first), 3), np.int64)
            lay_rows(self._packed, self._starts, self._order, ends, first, piece)
            yield piece


class ShardCounts(NamedTuple):
    """What was counted in one shard, sorted by key."""

    sources: SideCounts
    targets: SideCounts
    pairs: PairCounts


def count_phrases(
    linked: Iterable[LinkedPair], config: ExtractionConfig, *, max_words: int
) -> PhraseCounts:
    """Count the phrases of some sentence pairs, by text.

    Args:
        linked: words and links of each sentence pair; English words lower-cased.
        config: longest span that is extracted, and treatment of edges.
        max_words: longest side of what may become a phrase (`MemoryConfig.max_words`).

    Raises:
        ValueError: a link lies outside its sentences.
    """
    counter = PhraseCounter(config, max_words=max_words)
    waiting = iter(linked)
    while batch := list(islice(waiting, BATCH_PAIRS)):
        counter.add(corpus_of(batch))
    counts = counter.counts()
    sources, targets = spelled(counts.sources.texts), spelled(counts.targets.texts)
    rows = (row for piece in counts.pairs.pieces(BATCH_PAIRS) for row in piece.tolist())
    return PhraseCounts(
        Counter({(sources[source], targets[target]): number for source, target, number in rows}),
        Counter(dict(zip(sources, counts.sources.counts.tolist(), strict=True))),
        Counter(dict(zip(targets, counts.targets.counts.tolist(), strict=True))),
    )


class PhraseCounter:
    """Counts of phrases in one shard, added to batch by batch."""

    def __init__(
        self,
        config: ExtractionConfig,
        *,
        max_words: int,
        everything: bool = False,
        room: int = _ROOM,
    ) -> None:
        """Start with no counts.

        Args:
            config: longest span that is extracted, and treatment of edges.
            max_words: longest side of what may become a phrase (`MemoryConfig.max_words`).
            everything: count all that was extracted, also what may not become a phrase.
            room: phrase pairs that are noted before equal ones are added up; no result depends on
                it.
        """
        self._rule = rule_of(config, max_words)
        self._everything = everything
        self._room = room
        self._sides = (_Side(), _Side())
        self._sums = Sums()

    def add(self, corpus: Corpus) -> None:
        """Count the phrases of some sentence pairs."""
        from tasks.compiled.counting import count_pairs
        from tasks.compiled.extraction import most_spans
        from tasks.compiled.hashing import longest_sentence

        if self._everything:
            corpus = corpus._replace(
                source_kinds=_all(corpus.source_kinds), target_kinds=_all(corpus.target_kinds)
            )
        longest = max(longest_sentence(corpus.source), longest_sentence(corpus.target))
        pairs = np.empty(max(self._room, most_spans(longest, self._rule)), np.int64)
        done = 0
        while done < len(corpus.source.starts) - 1:
            for side in self._sides:
                side.make_room(longest * self._rule.longest)
            found = self._sides[0].found, self._sides[1].found
            done, written = count_pairs(corpus, self._rule, found, pairs, done)
            self._sums.add(pairs[:written])
            release_unused_memory()
        self._sides[0].cut(corpus.source)
        self._sides[1].cut(corpus.target)

    def counts(self) -> ShardCounts:
        """Return all counts, sorted by key, and start again with none."""
        from tasks.compiled.merging import pack, starts_of_sources

        (pairs, counts), self._sums = self._sums.total(), Sums()
        sources, source_place = self._sides[0].by_key()
        starts = starts_of_sources(pairs, len(source_place))
        order = np.empty(len(source_place), np.int32)
        order[source_place] = np.arange(len(order), dtype=np.int32)
        targets, target_place = self._sides[1].by_key()
        pack(pairs, counts, starts, target_place)
        return ShardCounts(sources, targets, PairCounts(pairs, starts, order))


class _Side:
    """The distinct phrases of one side, in the order in which they were first seen."""

    def __init__(self) -> None:
        self.found = _nothing_found()
        self._texts = _no_texts()

    def make_room(self, more: int) -> None:
        """Make room for `more` new phrases."""
        from tasks.compiled.counting import has_room, move

        slots, places, size = self.found
        phrases, uncut = int(size[0]), int(size[0] - size[1])
        if has_room(self.found, phrases + more, uncut + more):
            return
        if 2 * (phrases + more) > len(slots):
            slots = np.zeros((1 << (4 * max(phrases, more)).bit_length(), 2), np.int64)
            move(self.found.slots, slots)
        if uncut + more > len(places):
            places = np.empty((2 * max(uncut, more), 3), np.int32)
            places[:uncut] = self.found.places[:uncut]
        self.found = Found(slots, places, size)

    def cut(self, sentences: Sentences) -> None:
        """Cut the texts of new phrases out of the sentences in which they were first seen."""
        from tasks.compiled.laying import cut_texts

        size = self.found.size
        data, starts = cut_texts(sentences, self.found.places[: size[0] - size[1]])
        size[1] = size[0]
        # In place, since texts take most of the memory and would lie in it twice.
        letters, begins = self._texts
        before, number = len(letters), len(begins)
        letters.resize(before + len(data), refcheck=False)
        begins.resize(number + len(starts) - 1, refcheck=False)
        letters[before:], begins[number:] = data, starts[1:] + before

    def by_key(self) -> tuple[SideCounts, Ids]:
        """Return what was found, sorted by key, and the place there of each phrase's number.

        Nothing is left here, so that texts do not lie in memory twice, and the table is freed down
        to its phrases before they are sorted.
        """
        from tasks.compiled.counting import gather
        from tasks.compiled.laying import in_order

        slots, self.found = self.found.slots, _nothing_found()
        slots.resize((gather(slots), 2), refcheck=False)
        order = np.argsort(slots[:, 0])
        keys, counts = slots[order, 0], slots[order, 1]
        del slots, order
        numbers = (counts >> 32) - 1
        counts &= (1 << 32) - 1
        place = np.empty(len(numbers), np.int32)
        place[numbers] = np.arange(len(numbers), dtype=np.int32)
        texts, self._texts = self._texts, _no_texts()
        return SideCounts(keys, in_order(texts, numbers), counts), place


def _nothing_found() -> Found:
    """Make an empty table without room."""
    return Found(np.zeros((1, 2), np.int64), np.zeros((0, 3), np.int32), np.zeros(2, np.int64))


def _no_texts() -> Texts:
    return Texts(np.zeros(0, np.uint8), np.zeros(1, np.int64))


def _all(kinds: Kinds) -> Kinds:
    """Say of all words that they may be phrases."""
    anything = np.ones(len(kinds.is_article), np.bool_)
    return Kinds(anything, anything, kinds.is_article)
