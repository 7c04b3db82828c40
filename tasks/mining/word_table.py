"""The table of word pairs that stand opposite each other in a corpus, and what rare words borrow
from words that look like them.

Words are numbered in the order of their text, and entries are sorted, so the table does not depend
on the order of the pairs.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import Ids, Numbers
from tasks.compiled.word_links import Pairs, Reals
from tasks.mining.renderings import renderings

Words = Sequence[str]
WordPair = tuple[Words, Words]

_CELLS_AT_ONCE = 1 << 23
"""Cells whose distinct values are found together: bounds the memory of building the table."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one side by number, and their numbers."""

    words: list[str]
    number: dict[str, int]

    @classmethod
    def of(cls, words: list[str]) -> "Vocabulary":
        """Number words in the order given."""
        return cls(words, {word: place for place, word in enumerate(words)})

    def numbers(self, sentences: Sequence[Words]) -> tuple[Ids, Numbers]:
        """Return the numbers of the words, -1 for an unknown one, and where each sentence
        starts."""
        sizes = np.fromiter(map(len, sentences), np.int64, len(sentences))
        found = (self.number.get(word, -1) for word in chain.from_iterable(sentences))
        ids = np.fromiter(found, np.int32, int(sizes.sum()))
        return ids, np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])


@dataclass(frozen=True, slots=True)
class WordTable:
    """Distinct word pairs, sorted by source and target word."""

    source: Vocabulary
    target: Vocabulary
    starts: Numbers
    """The entries of source word s are `[starts[s], starts[s + 1])`."""
    sources: Ids
    """Source word of each entry."""
    targets: Ids
    """Target word of each entry."""

    @classmethod
    def of_pairs(cls, pairs: Sequence[WordPair]) -> "WordTable":
        """Find every word pair of a corpus."""
        source, target = (
            Vocabulary.of(sorted({word for pair in pairs for word in pair[side]}))
            for side in (0, 1)
        )
        numbered = number_pairs(pairs, source, target)
        return cls.of_keys(source, target, _distinct_cells(numbered, len(target.words)))

    @classmethod
    def of_keys(cls, source: Vocabulary, target: Vocabulary, keys: Numbers) -> "WordTable":
        """Make a table of sorted keys `source x number of targets + target`."""
        sources = (keys // len(target.words)).astype(np.int32)
        targets = (keys % len(target.words)).astype(np.int32)
        starts = np.searchsorted(sources, np.arange(len(source.words) + 1)).astype(np.int64)
        return cls(source, target, starts, sources, targets)

    def keys(self) -> Numbers:
        """Return one sorted number for each entry."""
        return self.sources.astype(np.int64) * len(self.target.words) + self.targets

    def only(self, kept: NDArray[np.bool_]) -> "WordTable":
        """Return the table without some of its entries."""
        return self.of_keys(self.source, self.target, self.keys()[kept])

    def both_sides(self, holds: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Say of each entry whether something holds of both its words."""
        source, target = (
            np.fromiter(map(holds, side.words), np.bool_, len(side.words))
            for side in (self.source, self.target)
        )
        found: NDArray[np.bool_] = source[self.sources] & target[self.targets]
        return found

    def known(self) -> NDArray[np.bool_]:
        """Say of each entry whether its words are known to translate each other."""
        flags = np.zeros(len(self.targets), np.bool_)
        for number, word in enumerate(self.source.words):
            start, end = self.starts[number], self.starts[number + 1]
            wanted = sorted(
                self.target.number[other]
                for other in renderings(word)
                if other in self.target.number
            )
            places = np.searchsorted(self.targets[start:end], wanted)
            for place, other in zip(places.tolist(), wanted, strict=True):
                if place < end - start and self.targets[start + place] == other:
                    flags[start + place] = True
        return flags


def number_pairs(pairs: Sequence[WordPair], source: Vocabulary, target: Vocabulary) -> Pairs:
    """Number the words of pairs."""
    return Pairs(
        *source.numbers([pair[0] for pair in pairs]), *target.numbers([pair[1] for pair in pairs])
    )


def _distinct_cells(pairs: Pairs, num_targets: int) -> Numbers:
    """Return the sorted keys of all word pairs, with bounded memory."""
    found = np.zeros(0, np.int64)
    waiting: list[Numbers] = []
    size = 0
    for cells in _cells(pairs, num_targets):
        waiting.append(cells)
        size += len(cells)
        if size >= _CELLS_AT_ONCE:
            found = np.union1d(found, np.concatenate(waiting))
            waiting, size = [], 0
    return np.union1d(found, np.concatenate([np.zeros(0, np.int64), *waiting]))


def _cells(pairs: Pairs, num_targets: int) -> Iterator[Numbers]:
    for k in range(len(pairs.source_starts) - 1):
        source = pairs.source[pairs.source_starts[k] : pairs.source_starts[k + 1]]
        target = pairs.target[pairs.target_starts[k] : pairs.target_starts[k + 1]]
        yield (source.astype(np.int64)[:, None] * num_targets + target).ravel()


class Resemblance:
    """Estimates of p(target | source) and p(source | target) from words that look alike.

    A Chinese word resembles those with the same last or the same first character (all that end in
    省 are provinces), an English word those with the same four first letters (its inflections). The
    estimates are means of Dirichlet priors in the manner of MacKay and Peto (1995).
    """

    def __init__(self, table: WordTable) -> None:
        """Group the entries of a table."""
        self._source, self._target = table.sources, table.targets
        self._by_source = [
            _groups([word[part] for word in table.source.words], self._source, self._target)
            for part in (slice(-1, None), slice(1))
        ]
        self._by_target = [
            _groups([word[:4] for word in table.target.words], self._target, self._source)
        ]

    def estimates(self, forward: Reals, backward: Reals) -> tuple[Reals, Reals]:
        """Return both estimates for each entry, from the expected links of each direction."""
        words = self._source, self._target
        return (
            _mean(forward, self._by_source, self._by_target, words),
            _mean(backward, self._by_target, self._by_source, (words[1], words[0])),
        )


def _groups(classes: list[str], words: Ids, others: Ids) -> tuple[Ids, Ids]:
    """Return the number of each entry's class, and that of its class with the word opposite."""
    number = {name: place for place, name in enumerate(dict.fromkeys(classes))}
    own = np.array([number[name] for name in classes], np.int32)[words]
    with_other = own.astype(np.int64) * (int(others.max(initial=0)) + 1) + others
    return own, np.unique(with_other, return_inverse=True)[1].astype(np.int32)


def _mean(
    links: Reals,
    given: list[tuple[Ids, Ids]],
    made: list[tuple[Ids, Ids]],
    words: tuple[Ids, Ids],
) -> Reals:
    """Average p(made word | class of the given word) and p(class of the made word | given word)
    p(made word | its class)."""
    given_words, made_words = words
    total = np.zeros(len(links))
    for own, with_other in given:
        total += _summed(links, with_other) / _summed(links, own)
    for own, with_other in made:
        of_class = _summed(links, with_other) / _summed(links, given_words)
        total += of_class * _summed(links, made_words) / _summed(links, own)
    return total / (len(given) + len(made))


def _summed(links: Reals, groups: Ids) -> Reals:
    """Return, for each entry, the links of its group; never 0, since each entry has some."""
    return np.bincount(groups, links)[groups].astype(np.float64)
