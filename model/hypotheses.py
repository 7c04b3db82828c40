"""The beam of one sentence: stacks by number of words, phrases on their idle run, recombination,
finished translations.

Plain Python on scores that the network computed; it knows nothing of tensors.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from model.config import DecodingConfig
from model.vocabulary import EOS, UNK

WORD_MODE = -1
"""Slot of a word that no phrase decision emitted."""


@dataclass(frozen=True, slots=True)
class OutputWord:
    """One word of a translation and how it came about."""

    word_id: int
    """Id of the word; `UNK` inside a phrase stands for a word that only the caller knows."""
    slot: int
    """Slot of the phrase that it belongs to, or -1 in word mode."""
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
    """Best words, best first."""
    word_scores: list[float]
    end_score: float
    phrase_scores: list[float]
    """One for each slot, minus infinity where it may not be used; empty without phrase mode."""


@dataclass(slots=True, eq=False)
class Partial:
    """An unfinished hypothesis."""

    node: int
    """Which word sequence it spells (see `_Strings`)."""
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

    def words(self) -> tuple[OutputWord, ...]:
        """Return the words so far."""
        found: list[OutputWord] = []
        partial: Partial | None = self
        while partial is not None and partial.output is not None:
            found.append(partial.output)
            partial = partial.parent
        return tuple(reversed(found))


class _Strings:
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


@dataclass(slots=True)
class Beam:
    """The search of one sentence."""

    phrases: tuple[tuple[int, ...], ...]
    """Target words of each slot."""
    num_source: int
    config: DecodingConfig
    rows: list[Partial] = field(init=False)
    """Hypotheses whose last word the network reads next: first those that decide, then those in an
    idle run.
    """
    _length: int = field(init=False, default=0)
    _finished: list[tuple[Partial, int]] = field(init=False, default_factory=list)
    """Ended hypotheses and their numbers of words."""
    _strings: _Strings = field(init=False, default_factory=_Strings)
    _max_length: int = field(init=False)
    _min_length: int = field(init=False)

    def __post_init__(self) -> None:
        self._max_length = max(1, math.floor(self.config.max_length_ratio * self.num_source))
        self._min_length = math.ceil(self.config.min_length_ratio * self.num_source)
        everything = (1 << len(self.phrases)) - 1
        self.rows = [Partial(0, 0, everything, 0.0, EOS, -1, None, None)]

    def advance(
        self, first_row: int, candidates: Sequence[Candidates | None], attended: Sequence[int]
    ) -> None:
        """Replace `rows` by their best successors.

        Args:
            first_row: row of the batch where this sentence begins.
            candidates: for each row what it may decide, or None in an idle run.
            attended: for each row the source position with most attention.
        """
        words: list[Partial] = []
        phrases: list[tuple[int, Partial]] = []
        idle: list[tuple[int, Partial]] = []
        for offset, (partial, found) in enumerate(zip(self.rows, candidates, strict=True)):
            row = first_row + offset
            if found is None:
                idle.append(self._walk(partial, row, attended[offset]))
                continue
            if self._length >= self._min_length or self._length == self._max_length:
                words.append(self._ended(partial, found))
            if self._length < self._max_length:
                words.extend(self._word_successors(partial, found, row, attended[offset]))
                phrases.extend(self._phrase_successors(partial, found, row, attended[offset]))
        phrases.sort(key=lambda item: -item[1].score)
        self._length += 1
        self._select(words, phrases[: self.config.beam] + idle)

    def _select(self, words: list[Partial], travelling: list[tuple[int, Partial]]) -> None:
        """Prune the stack of the next number of words, and what is under way to later stacks."""
        stack, under_way = words, dict[int, list[Partial]]()
        for arrival, partial in travelling:
            if arrival == self._length:
                stack.append(partial)
            else:
                under_way.setdefault(arrival, []).append(partial)
        places = self._places([*stack, *(item for _, item in travelling)])
        best = self._best(stack, places)
        self._finished.extend((item, self._length - 1) for item in best if item.word_id == EOS)
        self.rows = [item for item in best if item.word_id != EOS]
        places = self._places([*self.rows, *(item for _, item in travelling)])
        del self.rows[places:]
        for arrival in sorted(under_way):
            self.rows.extend(self._best(under_way[arrival], places, merge=False))

    def _places(self, live: list[Partial]) -> int:
        """Return how many hypotheses a stack may keep: each finished translation takes a place.

        When all are taken, one place stays as long as a live hypothesis is more probable than the
        best finished one: a phrase on its idle run must not lose to a translation that only ended
        before it arrived.
        """
        left = self.config.beam - len(self._finished)
        if left > 0:
            return left
        best, _ = max(self._finished, key=lambda item: self._rank(*item))
        return int(any(partial.score > best.score for partial in live))

    def _rank(self, ended: Partial, length: int) -> float:
        """Return the score that finished hypotheses are ranked by."""
        return (
            ended.score / (length + 1) if self.config.length_rule == "normalised" else ended.score
        )

    def _best(self, stack: list[Partial], places: int, *, merge: bool = True) -> list[Partial]:
        """Recombine equal hypotheses and keep the best."""
        stack.sort(key=lambda partial: -partial.score)
        if not merge:
            return stack[:places]
        kept: dict[int, Partial] = {}
        for partial in stack:
            same = kept.setdefault(partial.trail, partial)
            if same is not partial and self.config.recombine:
                same.score = _log_add(same.score, partial.score)
        return sorted(kept.values(), key=lambda partial: -partial.score)[:places]

    def _word_successors(
        self, partial: Partial, found: Candidates, row: int, attended: int
    ) -> list[Partial]:
        successors = []
        for word_id, score in zip(found.words, found.word_scores, strict=True):
            if word_id == EOS:
                continue
            node = self._strings.extend(partial.node, word_id)
            output = OutputWord(word_id, WORD_MODE, 0, math.exp(score), attended)
            alive = self._alive_after_word(node, word_id, partial.alive)
            trail = self._strings.trail(partial.trail, node, alive)
            successors.append(
                Partial(node, trail, alive, partial.score + score, word_id, row, partial, output)
            )
        return successors

    def _alive_after_word(self, node: int, word_id: int, alive: int) -> int:
        """Clear the longest live slot whose phrase has just been spelled out word by word."""
        if not alive or word_id == UNK or not self.config.clear_on_word_match:
            return alive
        best = -1
        for slot, phrase in enumerate(self.phrases):
            if phrase[-1] == word_id and alive >> slot & 1 and UNK not in phrase:
                longer = best < 0 or len(phrase) > len(self.phrases[best])
                if longer and self._strings.ends_with(node, phrase):
                    best = slot
        return alive if best < 0 else alive & ~(1 << best)

    def _phrase_successors(
        self, partial: Partial, found: Candidates, row: int, attended: int
    ) -> list[tuple[int, Partial]]:
        successors = []
        for slot, phrase in enumerate(self.phrases):
            arrival = self._length + len(phrase)
            if not found.phrase_scores or arrival > self._max_length:
                continue
            score = found.phrase_scores[slot]
            if score == -math.inf:
                continue
            words = [OutputWord(word_id, slot, at, 1.0, -1) for at, word_id in enumerate(phrase)]
            first = OutputWord(phrase[0], slot, 0, math.exp(score), attended)
            step = Partial(
                partial.node,
                partial.trail,
                partial.alive,
                partial.score + score,
                phrase[0],
                row,
                partial,
                first,
                tuple(words[1:]),
            )
            successors.append((arrival, self._arrived(step)))
        return successors

    def _walk(self, partial: Partial, row: int, attended: int) -> tuple[int, Partial]:
        """Take the next word of an idle run."""
        word, *rest = partial.forced
        output = OutputWord(word.word_id, word.slot, word.offset, 1.0, attended)
        step = Partial(
            partial.node,
            partial.trail,
            partial.alive,
            partial.score,
            word.word_id,
            row,
            partial,
            output,
            tuple(rest),
        )
        return self._length + len(partial.forced), self._arrived(step)

    def _arrived(self, step: Partial) -> Partial:
        """Name the new sequence; at the end of a phrase its slot is used up."""
        assert step.output is not None
        step.node = self._strings.extend(step.node, self._key(step.output))
        if not step.forced:
            step.alive &= ~(1 << step.output.slot)
        step.trail = self._strings.trail(step.trail, step.node, step.alive)
        return step

    def _key(self, word: OutputWord) -> int:
        """Return what tells a word from others; unknown words of different phrases differ."""
        if word.word_id != UNK:
            return word.word_id
        return -2 - (word.slot << 32) - word.offset

    def _ended(self, partial: Partial, found: Candidates) -> Partial:
        """End a hypothesis; those that spell the same are recombined whatever slots they used."""
        node = self._strings.extend(partial.node, EOS)
        return Partial(node, -node, 0, partial.score + found.end_score, EOS, -1, partial, None)

    def results(self) -> list[Hypothesis]:
        """Return the finished translations, best first."""
        found = []
        for ended, length in self._finished:
            assert ended.parent is not None
            rank = self._rank(ended, length)
            found.append(Hypothesis(ended.parent.words(), rank, ended.score))
        return sorted(found, key=lambda hypothesis: -hypothesis.score)


def _log_add(first: float, second: float) -> float:
    """Return log(exp(first) + exp(second))."""
    high, low = max(first, second), min(first, second)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))
