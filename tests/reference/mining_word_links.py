"""Link probabilities of one direction by going through every alignment, one at a time."""

from collections.abc import Sequence
from itertools import product

import numpy as np


def link_probabilities_plainly(
    emit: Sequence[Sequence[float]],
    empty_emit: Sequence[float],
    empty: float,
    weights: Sequence[float],
) -> tuple[np.ndarray, np.ndarray]:
    """Return p(i and j are linked), J x I, and the expected jumps, from -w to w.

    Args:
        emit: p(word j of the second side | word i of the first), J x I.
        empty_emit: p(word j | empty word).
        empty: probability of the empty word.
        weights: weight of each jump from -w to w.
    """
    num_second, num_first = len(emit), len(emit[0])
    reach = (len(weights) - 1) // 2
    # A state is (place in the first side, is the word linked to it or to its empty word).
    states = [(i, full) for full in (True, False) for i in range(num_first)]
    total = 0.0
    links, jumps = np.zeros((num_second, num_first)), np.zeros(len(weights))
    for path in product(states, repeat=num_second):
        probability, taken = 1.0, []
        for j, (i, full) in enumerate(path):
            before = path[j - 1][0] if j else -1
            if full:
                taken.append(i - before)
                probability *= (1 - empty) * emit[j][i]
            else:
                probability *= empty * empty_emit[j]
            probability *= _move(before, i, num_first, weights) if full or j == 0 else i == before
        total += probability
        for j, (i, full) in enumerate(path):
            links[j, i] += probability * full
        for jump in taken:
            jumps[_clipped(jump, reach)] += probability
    return links / total, jumps / total


def _clipped(jump: int, reach: int) -> int:
    return min(max(jump, -reach), reach) + reach


def _move(before: int, i: int, size: int, weights: Sequence[float]) -> float:
    reach = (len(weights) - 1) // 2
    whole = sum(weights[_clipped(other - before, reach)] for other in range(size))
    return weights[_clipped(i - before, reach)] / whole
