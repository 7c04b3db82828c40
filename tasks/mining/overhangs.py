"""Tell targets that lack a word by what is linked to their source beyond them.

恐怖活动 has `terrorist` opposite nearly everywhere, and beside it `activities`, which is linked to
the source as well: the target is only a part of what the source is called there. Which word it is
does not matter, so a source that goes on in many ways (`person`, `persons`, `individual`) is told,
too. The places are those of the words, with or without a link to the target: to count only where
the phrase was cut out would leave out just these, since no phrase pair is cut out where a link
leads out of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np

from tasks.compiled.arrays import Corpus, Ids, Numbers, spelled, starts_of, texts_of
from tasks.mining.extraction import TARGET_JOINER
from tasks.tagging.matcher import Matcher

Fact = Literal["opposite", "beyond"]
"""Places of a source with the target, which is the value, opposite; those of them at which a word
of content beyond the target is linked to the source."""

FactCount: TypeAlias = tuple[str, Fact, str, int]
"""Source text, fact, value, number of places, as in `term_contexts.py`."""


class OverhangCounter:
    """Counts, for phrases, where the target stands opposite, and where something is beyond it."""

    def __init__(self, phrases: Mapping[str, Sequence[str]], *, max_words: int) -> None:
        """Prepare phrases.

        Args:
            phrases: source text without blanks to its likely targets.
            max_words: longest source, in words.
        """
        self._sources, self._max_words = list(phrases), max_words
        self._targets = [target for targets in phrases.values() for target in targets]
        self._words = [target.split(TARGET_JOINER) for target in self._targets]
        self._firsts = starts_of(list(phrases.values()))
        self._starts = starts_of(self._words)
        self._matcher = Matcher(([source], place) for place, source in enumerate(self._sources))
        self._found, self._beyond = np.zeros((2, len(self._targets)), np.int64)

    def add(self, corpus: Corpus) -> None:
        """Count in some sentence pairs, beside those counted before."""
        from tasks.compiled.overhangs import Opposite, count_overhangs

        targets = Opposite(self._firsts, self._starts, self._numbered(corpus))
        count_overhangs(corpus, self._places(corpus), targets, self._found, self._beyond)

    def _places(self, corpus: Corpus) -> Ids:
        """Return where the sources stand: rows `(sentence pair, start, end, source)`."""
        words = texts_of(["".join(word.split()) for word in spelled(corpus.source.words)])
        rows = self._matcher.find_numbered(corpus.source._replace(words=words)).rows
        return rows[rows[:, 2] - rows[:, 1] <= self._max_words]

    def _numbered(self, corpus: Corpus) -> Ids:
        """Return the words of all targets as numbers."""
        number = {word: place for place, word in enumerate(spelled(corpus.target.words))}
        return np.array([number.get(word, -1) for words in self._words for word in words], np.int32)

    def counts(self) -> Iterator[FactCount]:
        """Yield what was counted, the target as the value; nothing of targets that stand nowhere
        opposite their source.
        """
        sources = np.repeat(np.arange(len(self._sources)), np.diff(self._firsts))
        yield from self._facts("opposite", sources, self._found)
        yield from self._facts("beyond", sources, self._beyond)

    def _facts(self, fact: Fact, sources: Numbers, counts: Numbers) -> Iterator[FactCount]:
        for place in np.flatnonzero(counts).tolist():
            yield self._sources[sources[place]], fact, self._targets[place], int(counts[place])
