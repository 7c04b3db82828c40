"""Translations, finished and unfinished, as search keeps them.

Plain Python; it knows nothing of tensors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from model.requirements import NOTHING, Progress

WORD_MODE = -1
"""Slot of a word that no phrase decision emitted."""


@dataclass(frozen=True, slots=True)
class OutputWord:
    """One word of a translation and how it came about."""

    word_id: int
    """Id of the word; `UNK` inside a phrase stands for a word that only the caller knows."""
    slot: int
    """Number of the offered phrase that it belongs to, or -1 in word mode."""
    offset: int
    """Position in the phrase, 0 in word mode."""
    probability: float
    """Probability of the decision, between 0 and 1; words of a phrase after its first carry 1.0."""
    attended: int
    """Source position with most attention; the end mark's position is the number of source words.
    """


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A finished translation."""

    words: tuple[OutputWord, ...]
    """No end mark."""
    score: float
    """What hypotheses are ranked by: log-probability, per word (end mark included) or whole."""
    log_probability: float


class Candidates(NamedTuple):
    """What the network offers to one hypothesis, as log-probabilities."""

    words: list[int]
    """Best words, best first, then those that are wanted beside."""
    word_scores: list[float]
    end_score: float
    phrase_scores: list[float]
    """One for each offered phrase, minus infinity where its slot is used up; empty without phrase
    mode.
    """

    def only(self, places: Sequence[int]) -> "Candidates":
        """Return the same with some of the words."""
        words = [self.words[place] for place in places]
        return self._replace(words=words, word_scores=[self.word_scores[place] for place in places])


@dataclass(slots=True, eq=False)
class Partial:
    """An unfinished hypothesis."""

    node: int
    """Which word sequence it spells (see `Strings`)."""
    trail: int
    """Which words and live slots it went through: equal trails have equal states of the network."""
    alive: int
    """Bit k is 1 while slot k may be used."""
    score: float
    """Log-probability of all decisions so far."""
    word_id: int
    row: int
    """Row of the batch that it grew from, whose state it has."""
    parent: "Partial | None"
    output: OutputWord | None
    forced: tuple[OutputWord, ...] = ()
    """Words of the current phrase that are still to come."""
    progress: Progress = NOTHING
    """How far required phrases have been spelled out."""
    left: int = 0
    """Words of required phrases that are still to come once the current phrase is over."""

    def words(self) -> tuple[OutputWord, ...]:
        """Return the words so far."""
        found: list[OutputWord] = []
        partial: Partial | None = self
        while partial is not None and partial.output is not None:
            found.append(partial.output)
            partial = partial.parent
        return tuple(reversed(found))


class Strings:
    """Word sequences as numbers: equal sequences, however they were made, have the same number."""

    def __init__(self) -> None:
        self._trails: dict[tuple[int, int, int], int] = {}
        self._children: dict[tuple[int, int], int] = {}
        self._parents: list[tuple[int, int]] = [(-1, -1)]

    def extend(self, node: int, key: int) -> int:
        """Return the number of a sequence with one more word."""
        child = self._children.get((node, key))
        if child is None:
            child = self._children[node, key] = len(self._parents)
            self._parents.append((node, key))
        return child

    def trail(self, before: int, node: int, alive: int) -> int:
        """Return the number of a trail that goes on to a sequence and its live slots."""
        return self._trails.setdefault((before, node, alive), len(self._trails) + 1)

    def ends_with(self, node: int, keys: Sequence[int]) -> bool:
        """Say whether a sequence ends with the given words."""
        for key in reversed(keys):
            node, last = self._parents[node]
            if last != key:
                return False
        return True
