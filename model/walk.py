"""One translation of a sentence, decision by decision: always the most probable outcome (greedy),
or an outcome drawn at random (sampling).

Plain Python on scores that the network computed. A decision is among all words, the end mark and
the phrases of live slots together; rules of length and of phrases are those of the beam.
"""

import math
import random
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from model.beam import ranking
from model.growth import Growth
from model.hypotheses import Hypothesis, Partial
from model.vocabulary import EOS


@dataclass(slots=True)
class Walk:
    """The translation of one sentence as it grows."""

    growth: Growth
    draws: random.Random | None
    """None for greedy search."""
    rows: list[Partial] = field(init=False)
    """The hypothesis whose last word the network reads next, until it ends."""
    _length: int = field(init=False, default=0)
    _found: list[Hypothesis] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.rows = [self.growth.root()]

    def advance(self, row: int, scores: NDArray[np.float64] | None, attended: int) -> None:
        """Take one more word or end.

        Args:
            row: row of the batch that has this sentence.
            scores: log-probability of each word, then of each offered phrase; None in an idle run.
            attended: source position with most attention.
        """
        (partial,) = self.rows
        if scores is None:
            self.rows = [self.growth.walk(partial, row, attended)]
        else:
            self._decide(partial, scores, row, attended)
        self._length += 1

    def _decide(
        self, partial: Partial, scores: NDArray[np.float64], row: int, attended: int
    ) -> None:
        growth, length = self.growth, self._length
        num_words = len(scores) - len(growth.phrases)
        open_scores = np.array(scores)
        if not growth.may_end(partial, length):
            open_scores[EOS] = -math.inf
        if length >= growth.max_length:
            open_scores[EOS + 1 :] = -math.inf
        for number in range(len(growth.phrases)):
            if not growth.may_use(partial, number, length):
                open_scores[num_words + number] = -math.inf
        outcome = self._choose(open_scores)
        score = float(scores[outcome])
        if outcome == EOS:
            total = partial.score + score
            rank = ranking(total, length, growth.config.length_rule)
            self._found = [Hypothesis(partial.words(), rank, total)]
            self.rows = []
        elif outcome < num_words:
            grown = growth.word(partial, outcome, score, row, attended)
            assert grown is not None
            self.rows = [grown]
        else:
            self.rows = [growth.phrase(partial, outcome - num_words, score, row, attended)]

    def _choose(self, scores: NDArray[np.float64]) -> int:
        if self.draws is None:
            return int(scores.argmax())
        scaled = (scores - scores.max()) / self.growth.config.temperature
        reached = np.exp(scaled).cumsum()
        drawn = self.draws.random() * reached[-1]
        # Rounding must not choose an outcome of probability 0 behind the last that is open.
        last = int(np.flatnonzero(scaled > -math.inf)[-1])
        return min(int(np.searchsorted(reached, drawn, side="right")), last)

    def results(self) -> list[Hypothesis]:
        """Return the translation, once it has ended."""
        return self._found


def stream_of(source_ids: NDArray[np.int32], seed: int, number: int) -> random.Random:
    """Return the random numbers of one sample of a sentence.

    They depend on the sentence's words, the seed and the number of the sample alone, so neither
    the size of batches nor the other sentences change what is drawn.
    """
    return random.Random(f"{seed} {number} " + " ".join(str(word) for word in source_ids))
