"""Minimum error rate training: weights whose best candidates have the best BLEU (Och 2003,
"Minimum Error Rate Training in Statistical Machine Translation", sections 4 and 5).

Along a line through the weights, the score of each candidate is a line as well, so the best one of
a sentence changes at a few places only; between them BLEU is the same. So the best point of a line
is found exactly, and the search goes from line to line.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tasks.compiled.arrays import Numbers
from tasks.compiled.jit import compiled, inner
from tasks.smt.bleu_counts import Counts, bleu
from tasks.smt.features import Weights
from tasks.smt.mira import Pool

STARTS = 3
"""Searches; the first begins with the weights given, the others near them."""
SWEEPS = 20
"""Most rounds of lines of a search: each feature once, and as many mixed directions."""
GAIN = 1e-5
"""A round that gains less BLEU than this ends its search."""

NARROW = 1e-6
"""A shorter stretch between two changes is no place to stand: which candidate is the best there
may be a matter of rounding."""


class Pooled(NamedTuple):
    """The candidates of all sentences, one sentence behind the other."""

    features: Weights
    """Candidates x features."""
    counts: Counts
    """Candidates x counts."""
    starts: Numbers
    """Where each sentence begins, and where the last one ends."""


def mert(pools: Sequence[Pool], weights: Weights, seed: int) -> Weights:
    """Return weights with better corpus BLEU of the best candidates, or those given; the sum of
    their absolute values is that of those given.

    Args:
        pools: candidates of each sentence, at least one each.
        weights: to start from.
        seed: of the random directions and starts.
    """
    pooled = Pooled(
        np.concatenate([pool.features for pool in pools]),
        np.concatenate([pool.counts for pool in pools]),
        np.cumsum([0, *(len(pool.features) for pool in pools)]),
    )
    chance = np.random.default_rng(seed)
    size = float(np.abs(weights).sum())
    best, best_bleu = weights, _bleu_at(pooled, weights)
    for number in range(STARTS):
        start = weights + (number > 0) * chance.normal(scale=size / len(weights), size=len(weights))
        found, found_bleu = _search(pooled, start, chance)
        if found_bleu > best_bleu + GAIN:
            best, best_bleu = found * (size / np.abs(found).sum()), found_bleu
    return best


def _search(pooled: Pooled, weights: Weights, chance: np.random.Generator) -> tuple[Weights, float]:
    """Go from line to line until nothing is gained."""
    here = _bleu_at(pooled, weights)
    for _ in range(SWEEPS):
        before = here
        for direction in _directions(len(weights), chance):
            step, found = best_step(pooled, weights, direction)
            if found > here:
                weights, here = weights + step * direction, found
        if here < before + GAIN:
            break
    return weights, here


def _directions(size: int, chance: np.random.Generator) -> Iterator[Weights]:
    for place in chance.permutation(size):
        yield np.eye(size)[place]
    yield from chance.normal(size=(size, size))


def _bleu_at(pooled: Pooled, weights: Weights) -> float:
    """Return BLEU, 0 to 1, of the candidates that score best."""
    scores = pooled.features @ weights
    chosen = [
        start + int(np.argmax(scores[start:end]))
        for start, end in zip(pooled.starts[:-1], pooled.starts[1:], strict=True)
    ]
    return float(bleu(pooled.counts[chosen].sum(axis=0)))


def best_step(pooled: Pooled, weights: Weights, direction: Weights) -> tuple[float, float]:
    """Return how far to go along a direction for the best BLEU, and that BLEU.

    The middle of the best stretch is taken; 0 if no place is better than another.
    """
    first, places, before, after = find_changes(
        pooled.features @ weights, pooled.features @ direction, pooled.starts
    )
    if not len(places):
        return 0.0, float(bleu(pooled.counts[first].sum(axis=0)))
    order = np.argsort(places, kind="stable")
    places = places[order]
    change = pooled.counts[after[order]] - pooled.counts[before[order]]
    sums = np.cumsum(np.vstack([pooled.counts[first].sum(axis=0), change]), axis=0)
    found = bleu(sums)
    found[1:-1][np.diff(places) < NARROW] = -1.0
    best = int(np.argmax(found))
    ends = places[max(best - 1, 0)], places[min(best, len(places) - 1)]
    outside = {0: -1.0, len(places): 1.0}.get(best, 0.0)
    return float(ends[0] + ends[1]) / 2 + outside, float(found[best])


@compiled
def find_changes(
    values: Weights, slopes: Weights, starts: Numbers
) -> tuple[Numbers, Weights, Numbers, Numbers]:
    """Follow the best candidate of each sentence along a line.

    Args:
        values: score of each candidate at 0.
        slopes: what its score gains with each step of 1.
        starts: where each sentence begins, and where the last one ends.

    Returns:
        The best candidate of each sentence far on the negative side; then for each change its
        place, the candidate before and the candidate after it.
    """
    first = np.zeros(len(starts) - 1, np.int64)
    places = np.zeros(len(values))
    before, after = np.zeros(len(values), np.int64), np.zeros(len(values), np.int64)
    found = 0
    for sentence in range(len(starts) - 1):
        rows = starts[sentence], starts[sentence + 1]
        here = _far_below(values, slopes, rows)
        first[sentence] = here
        other, place = _next_change(values, slopes, rows, here)
        while other >= 0:
            places[found], before[found], after[found] = place, here, other
            found += 1
            here = other
            other, place = _next_change(values, slopes, rows, here)
    return first, places[:found], before[:found], after[:found]


@inner
def _far_below(values: Weights, slopes: Weights, rows: tuple[int, int]) -> int:
    """Return the candidate that is the best far on the negative side."""
    here = rows[0]
    for other in range(rows[0], rows[1]):
        is_equal = slopes[other] == slopes[here]
        if slopes[other] < slopes[here] or (is_equal and values[other] > values[here]):
            here = other
    return here


@inner
def _next_change(
    values: Weights, slopes: Weights, rows: tuple[int, int], here: int
) -> tuple[int, float]:
    """Return the candidate that takes over from the best one, and where; -1 if none does."""
    nearest, place = -1, np.inf
    for other in range(rows[0], rows[1]):
        if slopes[other] > slopes[here]:
            crossing = (values[here] - values[other]) / (slopes[other] - slopes[here])
            if crossing < place or (crossing == place and slopes[other] > slopes[nearest]):
                nearest, place = other, crossing
    return nearest, place
