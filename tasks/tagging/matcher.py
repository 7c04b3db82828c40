"""Find every remembered phrase in a sentence, by its characters.

A phrase is known by its unsegmented text, so the automaton runs over the joined words of the
sentence and a hit counts when both of its ends are borders of words. A phrase is therefore found
however its inside happens to be segmented, and never inside a word. Which of the matches become
slots is decided elsewhere (`tasks/tagging/slots.py`).

`find` looks in one sentence with an automaton that is ready at once. `find_all` looks in a whole
shard with compiled loops (`tasks/compiled/matching.py`), which are several times as fast and take a
second to load. Both find the same.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from ahocorasick_rs import AhoCorasick

from tasks.compiled.arrays import (
    Ids,
    Numbers,
    Phrases,
    Sentences,
    Texts,
    sentences_of,
    starts_of,
    texts_of,
)

_SURROGATES = re.compile("[\ud800-\udfff]")
_NO_CHARACTER = "\U0010ffff"
"""Stands for a lone surrogate, which the automaton cannot take; no phrase may hold it."""


FEW_SENTENCES = 500
"""So many are searched one by one before the compiled loops would have been loaded."""


class Match(NamedTuple):
    """Phrase number `phrase` stands on the words `[start, end)`."""

    start: int
    end: int
    phrase: int


@dataclass(frozen=True, slots=True)
class Matches:
    """All matches in some sentences, one behind the other."""

    rows: Ids
    """`(sentence, start, end, phrase)`, sorted; words `[start, end)`."""
    starts: Numbers
    """At which row those of each sentence begin."""

    def __iter__(self) -> Iterator[list[Match]]:
        """Yield the matches of each sentence, as `Matcher.find` returns them."""
        rows, starts = self.rows[:, 1:].tolist(), self.starts.tolist()
        for first, end in zip(starts, starts[1:], strict=False):
            yield [Match(*row) for row in rows[first:end]]


class TextFinder:
    """Finds texts, each different from the others, in sentences that are laid out."""

    def __init__(self, texts: Texts) -> None:
        """Prepare the texts, none of which is empty."""
        from tasks.compiled.matching import add_beginnings, packed

        characters = _num_characters(texts)
        eights = packed(texts)
        cells = np.full(_num_cells(int(characters.sum())), -1, np.int64)
        size = add_beginnings(eights, cells)
        if _num_cells(size) < len(cells):
            cells = np.full(_num_cells(size), -1, np.int64)
            add_beginnings(eights, cells)
        self._table = Phrases(cells, eights, int(characters.max(initial=1)))

    def find(self, sentences: Sentences) -> Matches:
        """Return all places of the texts, overlapping ones included, by number of the text.

        Args:
            sentences: without blanks between words, and in them.
        """
        from tasks.compiled.matching import find_texts

        num_sentences, done = len(sentences.starts) - 1, 0
        starts = np.zeros(num_sentences + 1, np.int64)
        if not len(self._table.texts):
            return Matches(np.zeros((0, 4), np.int32), starts)
        found = np.empty((len(sentences.ids) // 8 + 1, 4), np.int32)
        while (done := find_texts(self._table, sentences, done, found, starts)) < num_sentences:
            written = starts[done]
            likely = int(1.1 * written * num_sentences / max(done, 1))
            wider = np.empty((max(2 * len(found), likely), 4), np.int32)
            wider[:written] = found[:written]
            found = wider
        return Matches(found[: starts[num_sentences]], starts)


class Matcher:
    """Looks for many phrases. It cannot be pickled: build one in each process."""

    def __init__(self, phrases: Iterable[tuple[Sequence[str], int]]) -> None:
        """Prepare the phrases.

        Args:
            phrases: source words of each phrase and its index; how the words are cut has no
                effect, and several indexes may share one text.

        Raises:
            ValueError: a phrase has no characters, or holds a lone surrogate or U+10FFFF.
        """
        self._indexes: list[list[int]] = []
        place: dict[str, int] = {}
        for words, index in phrases:
            text = _joined(words)
            if not text or _SURROGATES.search(text) or _NO_CHARACTER in text:
                raise ValueError(
                    f"phrase {index} is {text!r}; a phrase needs at least one character and only "
                    "valid ones. Take it out of the phrases."
                )
            if place.setdefault(text, len(self._indexes)) == len(self._indexes):
                self._indexes.append([])
            self._indexes[place[text]].append(index)
        self._texts = list(place)

    @cached_property
    def _automaton(self) -> AhoCorasick | None:
        return AhoCorasick(self._texts) if self._texts else None

    @cached_property
    def _finder(self) -> TextFinder:
        return TextFinder(texts_of(self._texts))

    def find_all(self, sentences: Sequence[Sequence[str]]) -> Matches:
        """Return all matches in sentences, overlapping ones included, as arrays.

        Args:
            sentences: words of each sentence.
        """
        numbered, distinct = sentences_of(sentences, blanks=0)
        return self.find_numbered(
            numbered._replace(words=texts_of(["".join(word.split()) for word in distinct]))
        )

    def find_each(self, sentences: Sequence[Sequence[str]]) -> Iterator[list[Match]]:
        """Yield what `find` returns for each sentence, in whichever way is quicker."""
        if len(sentences) < FEW_SENTENCES:
            return map(self.find, sentences)
        return iter(self.find_all(sentences))

    def find_numbered(self, sentences: Sentences) -> Matches:
        """Do what `find_all` does for sentences that are laid out already, without blanks."""
        found = self._finder.find(sentences)
        return self._with_indexes(found.rows, found.starts)

    @cached_property
    def _flat_indexes(self) -> tuple[Ids, Numbers]:
        """The indexes of all texts one behind the other, and where those of each begin."""
        flat = [index for each in self._indexes for index in sorted(each)]
        return np.array(flat, np.int32), starts_of(self._indexes)

    def _with_indexes(self, rows: Ids, starts: Numbers) -> Matches:
        """Give the indexes of each text instead of its number: one row for each."""
        flat, firsts = self._flat_indexes
        if len(flat) == len(self._indexes):
            if not np.array_equal(flat, np.arange(len(flat))):
                rows[:, 3] = flat[rows[:, 3]]
            return Matches(rows, starts)
        numbers = np.diff(firsts)[rows[:, 3]]
        ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(numbers)])
        repeated = np.repeat(rows, numbers, axis=0)
        behind = np.arange(len(repeated)) - np.repeat(ends[:-1], numbers)
        repeated[:, 3] = flat[firsts[repeated[:, 3]] + behind]
        return Matches(repeated, ends[starts])

    def find(self, words: Sequence[str]) -> list[Match]:
        """Return all matches, overlapping ones included, ordered by start, end and index."""
        if self._automaton is None:
            return []
        text, borders = _joined_with_borders(words)
        hits = self._automaton.find_matches_as_indexes(text, overlapping=True)
        found = [
            Match(borders[start], borders[end], index)
            for pattern, start, end in hits
            if borders[start] >= 0 and borders[end] >= 0
            for index in self._indexes[pattern]
        ]
        found.sort()
        return found


def _num_characters(texts: Texts) -> Numbers:
    """Return the number of characters of each text."""
    begins = np.concatenate([np.zeros(1, np.int64), np.cumsum((texts.data & 0xC0) != 0x80)])
    counts: Numbers = np.diff(begins[texts.starts])
    return counts


def _num_cells(beginnings: int) -> int:
    """Return how many cells keep a table at most half full: a power of two."""
    return 1 << (2 * beginnings).bit_length()


def _joined(words: Sequence[str]) -> str:
    """Join words without blanks: the blanks of a phrase say nothing about it."""
    return "".join("".join(words).split())


def _joined_with_borders(words: Sequence[str]) -> tuple[str, list[int]]:
    """Join words; give for each place between characters the number of words before it, or -1."""
    text = "".join(words)
    if text and text.split() != [text]:
        words = ["".join(word.split()) for word in words]
        text = "".join(words)
    if _SURROGATES.search(text):
        text = _SURROGATES.sub(_NO_CHARACTER, text)
    borders = [-1] * (len(text) + 1)
    borders[0] = position = 0
    for number, word in enumerate(words, start=1):
        position += len(word)
        borders[position] = number
    return text, borders
