"""The beam of one sentence: stacks by number of words, phrases on their idle run, recombination,
finished translations.

Plain Python on scores that the network computed; it knows nothing of tensors.

Where phrases are required, a stack is shared out among banks: hypotheses that hold equally many
words of required phrases compete with each other alone, each bank gives its best in turn, and a
bank that has no more leaves its places to the others (dynamic beam allocation, Post and Vilar
2018, in the order of Hu et al. 2019). Finished translations then take no places: the first ones
are those that hurried through what was required.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from model.growth import Growth
from model.hypotheses import Candidates, Hypothesis, Partial
from model.vocabulary import EOS

_NO_WORDS: frozenset[int] = frozenset()


@dataclass(slots=True)
class Beam:
    """The search of one sentence."""

    growth: Growth
    rows: list[Partial] = field(init=False)
    """Hypotheses whose last word the network reads next: first those that decide, then those in an
    idle run.
    """
    _total: int = field(init=False)
    """Words of all required phrases."""
    _length: int = field(init=False, default=0)
    _finished: list[tuple[Partial, int]] = field(init=False, default_factory=list)
    """Ended hypotheses and their numbers of words."""

    def __post_init__(self) -> None:
        root = self.growth.root()
        self.rows, self._total = [root], root.left

    def wanted(self, partial: Partial) -> frozenset[int]:
        """Return the words that a hypothesis may need for what is required, probable or not."""
        spelled = self.growth.required.spelled
        return spelled.wanted(partial.progress) if spelled.phrases else _NO_WORDS

    def advance(
        self, first_row: int, candidates: Sequence[Candidates | None], attended: Sequence[int]
    ) -> None:
        """Replace `rows` by their best successors.

        Args:
            first_row: row of the batch where this sentence begins.
            candidates: for each row what it may decide, or None in an idle run.
            attended: for each row the source position with most attention.
        """
        rows = list(zip(self.rows, range(first_row, first_row + len(self.rows)), attended,
                        strict=True))  # fmt: skip
        travelling = self._travelling(rows, candidates)
        if not self._total and all(item.forced for item in travelling):
            candidates = self._best_words(candidates)
        growth, length = self.growth, self._length
        words: list[Partial] = []
        for (partial, row, position), found in zip(rows, candidates, strict=True):
            if found is None:
                continue
            if growth.may_end(partial, length):
                words.append(growth.end(partial, found.end_score))
            words.extend(growth.words(partial, found, row, position, length))
        self._length += 1
        self._select(words, travelling)

    def _travelling(
        self, rows: Sequence[tuple[Partial, int, int]], candidates: Sequence[Candidates | None]
    ) -> list[Partial]:
        """Return the best hypotheses that begin a phrase, then all that are in an idle run."""
        growth = self.growth
        phrases: list[Partial] = []
        idle: list[Partial] = []
        for (partial, row, position), found in zip(rows, candidates, strict=True):
            if found is None:
                idle.append(growth.walk(partial, row, position))
                continue
            for number, score in enumerate(found.phrase_scores[: len(growth.phrases)]):
                if score > -math.inf and growth.may_use(partial, number, self._length):
                    phrases.append(growth.phrase(partial, number, score, row, position))
        return self._first(phrases, growth.config.beam) + idle

    def _best_words(self, candidates: Sequence[Candidates | None]) -> list[Candidates | None]:
        """Leave out words that cannot be among the best of the sentence.

        That is so where no phrase arrives at the next stack: then no two words of it can be
        recombined, since the hypotheses that they follow differ.
        """
        scores = [
            (-partial.score - score, row, place)
            for row, (partial, found) in enumerate(zip(self.rows, candidates, strict=True))
            if found is not None
            for place, (word, score) in enumerate(zip(found.words, found.word_scores, strict=True))
            if word != EOS
        ]
        chosen: list[list[int]] = [[] for _ in candidates]
        for _, row, place in sorted(scores)[: self.growth.config.beam]:
            chosen[row].append(place)
        return [
            found if found is None else found.only(sorted(places))
            for found, places in zip(candidates, chosen, strict=True)
        ]

    def _arrival(self, partial: Partial) -> int:
        """Return the number of words once the current phrase is over."""
        return self._length + len(partial.forced)

    def _select(self, words: list[Partial], travelling: list[Partial]) -> None:
        """Prune the stack of the next number of words, and what is under way to later stacks."""
        stack, under_way = words, dict[int, list[Partial]]()
        for partial in travelling:
            if partial.forced:
                under_way.setdefault(self._arrival(partial), []).append(partial)
            else:
                stack.append(partial)
        best = self._best(stack, self._places([*stack, *travelling]))
        self._finished.extend((item, self._length - 1) for item in best if item.word_id == EOS)
        self.rows = [item for item in best if item.word_id != EOS]
        places = self._places([*self.rows, *travelling])
        del self.rows[places:]
        for arrival in sorted(under_way):
            self.rows.extend(self._first(under_way[arrival], places))

    def _places(self, live: list[Partial]) -> int:
        """Return how many hypotheses a stack may keep: each finished translation takes a place.

        When all are taken, one place stays as long as a live hypothesis is more probable than the
        best finished one: a phrase on its idle run must not lose to a translation that only ended
        before it arrived. With required phrases all places stay as long as a live hypothesis ranks
        above the last of the best finished ones.
        """
        beam = self.growth.config.beam
        left = beam - len(self._finished)
        if self._total:
            ranks = sorted((self._rank(*item) for item in self._finished), reverse=True)
            hopeful = left > 0 or any(
                self._rank(item, self._arrival(item)) > ranks[beam - 1] for item in live
            )
            return beam if hopeful else 0
        if left > 0:
            return left
        best, _ = max(self._finished, key=lambda item: self._rank(*item))
        return int(any(partial.score > best.score for partial in live))

    def _rank(self, partial: Partial, length: int) -> float:
        """Return the score that finished hypotheses are ranked by."""
        return ranking(partial.score, length, self.growth.config.length_rule)

    def _best(self, stack: list[Partial], places: int) -> list[Partial]:
        """Recombine equal hypotheses and keep the best."""
        stack.sort(key=lambda partial: -partial.score)
        kept: dict[int, Partial] = {}
        for partial in stack:
            same = kept.setdefault(partial.trail, partial)
            if same is not partial and self.growth.config.recombine:
                same.score = _log_add(same.score, partial.score)
        return self._first(list(kept.values()), places)

    def _first(self, stack: list[Partial], places: int) -> list[Partial]:
        """Keep the best, bank by bank in turn where phrases are required."""
        stack.sort(key=lambda partial: -partial.score)
        if not self._total or len(stack) <= places:
            return stack[:places]
        taken = [0] * (self._total + 1)
        turns = []
        for partial in stack:
            turns.append((taken[partial.left], partial.left))
            taken[partial.left] += 1
        order = sorted(range(len(stack)), key=turns.__getitem__)[:places]
        return [stack[index] for index in sorted(order)]

    def results(self) -> list[Hypothesis]:
        """Return the finished translations, best first."""
        found = []
        for ended, length in self._finished:
            assert ended.parent is not None
            rank = self._rank(ended, length)
            found.append(Hypothesis(ended.parent.words(), rank, ended.score))
        return sorted(found, key=lambda hypothesis: -hypothesis.score)


def ranking(log_probability: float, length: int, rule: str) -> float:
    """Return what translations of so many words are ranked by; the end mark counts as a word."""
    return log_probability / (length + 1) if rule == "normalised" else log_probability


def _log_add(first: float, second: float) -> float:
    """Return log(exp(first) + exp(second))."""
    high, low = max(first, second), min(first, second)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))
