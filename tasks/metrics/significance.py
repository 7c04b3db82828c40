"""Is one system better than another on these sentences, or is the difference chance?

All tests work on counts of each sentence whose sums give the score, so that no text is read again:
the sign test of Collins et al. (2005), the paired bootstrap of Koehn (2004) with the p-value of
Riezler and Maxwell (2005), and paired approximate randomisation (Riezler and Maxwell 2005). When
several systems are compared with one baseline, p-values are adjusted (Holm 1979).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tasks.metrics.ngram_counts import Counts

Values = NDArray[np.float64]
ScoreOfSums = Callable[[Counts], Values]
"""A score from sums of counts: shape (..., columns) to shape (...)."""

_BLOCK = 64
"""Samples that are drawn together; bounds the memory to 64 x sentences."""


@dataclass(frozen=True, slots=True)
class SignTest:
    """For how many sentences the corpus score rises if their output alone is replaced."""

    better: int
    worse: int
    p_value: float
    """Two-sided binomial; sentences that change nothing are left out."""


@dataclass(frozen=True, slots=True)
class ResamplingTest:
    """How often chance alone makes a difference as large as the observed one."""

    p_value: float
    """Two-sided, at least 1 / (trials + 1)."""
    trials: int
    seed: int


@dataclass(frozen=True, slots=True)
class Interval:
    """A score or difference with its interval over resampled sets of sentences."""

    value: float
    low: float
    high: float
    """2.5 and 97.5 percent points of the bootstrap samples."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A system against the baseline on the same sentences."""

    score: Interval
    difference: Interval
    """System minus baseline, over the same samples."""
    wins: float
    """Share of bootstrap samples in which the system scores higher, between 0 and 1."""
    sign: SignTest
    bootstrap: ResamplingTest
    randomisation: ResamplingTest


def compare(
    counts: Counts, score: ScoreOfSums, *, trials: int = 1000, seed: int = 1
) -> tuple[Interval, list[Comparison]]:
    """Compare systems with a baseline.

    Args:
        counts: shape (1 + systems, sentences, columns); the baseline comes first.
        score: the score of sums of counts.
        trials: bootstrap samples, and trials of the randomisation.
        seed: of the random numbers; the same seed gives the same result.

    Returns:
        The baseline's score, and one comparison for each system.
    """
    if not counts.shape[1]:
        raise ValueError("there are no sentences to compare")
    observed = score(counts.sum(axis=1))
    samples = score(_bootstrap_sums(counts, trials, seed))
    intervals = [_interval(value, row) for value, row in zip(observed, samples, strict=True)]
    comparisons = []
    for system in range(1, len(counts)):
        difference = float(observed[system] - observed[0])
        sampled = samples[system] - samples[0]
        comparisons.append(
            Comparison(
                score=intervals[system],
                difference=_interval(difference, sampled),
                wins=float((sampled > 0).mean()),
                sign=sign_test(counts[0], counts[system], score),
                bootstrap=ResamplingTest(_shifted_p(difference, sampled), trials, seed),
                randomisation=randomisation_test(
                    counts[0], counts[system], score, trials=trials, seed=seed
                ),
            )
        )
    return intervals[0], comparisons


def sign_test(baseline: Counts, system: Counts, score: ScoreOfSums) -> SignTest:
    """Replace one output of the baseline at a time and see which way the corpus score goes
    (Collins, Koehn and Kučerová 2005, section 4).

    Args:
        baseline: counts of shape (sentences, columns).
        system: the same of the other system.
        score: the score of sums of counts.
    """
    total = baseline.sum(axis=0)
    replaced = score(total - baseline + system)
    unchanged = score(total)
    # Equal counts give equal scores; others are compared beyond the last digits of a float.
    margin = 1e-12 * max(1.0, abs(float(unchanged)))
    better = int((replaced > unchanged + margin).sum())
    worse = int((replaced < unchanged - margin).sum())
    return SignTest(better, worse, binomial_p(better, worse))


def binomial_p(better: int, worse: int) -> float:
    """Return the two-sided p-value of so uneven a split, or a more uneven one, of fair coins.

    2 * sum over k >= max(better, worse) of C(n, k) / 2^n, at most 1; 1 where there is nothing.
    """
    number, most = better + worse, max(better, worse)
    terms = [
        math.lgamma(number + 1) - math.lgamma(k + 1) - math.lgamma(number - k + 1)
        for k in range(most, number + 1)
    ]
    log_two = number * math.log(2)
    return min(1.0, 2 * math.fsum(math.exp(term - log_two) for term in terms))


def randomisation_test(
    baseline: Counts, system: Counts, score: ScoreOfSums, *, trials: int, seed: int
) -> ResamplingTest:
    """Exchange the two outputs of each sentence by the toss of a coin, and count the trials whose
    difference is at least the observed one."""
    totals = baseline.sum(axis=0), system.sum(axis=0)
    observed = abs(float(score(totals[1]) - score(totals[0])))
    change = (system - baseline).astype(np.float64)
    reached = 0
    for tosses in _tosses(len(change), trials, seed):
        moved = np.rint(tosses @ change).astype(np.int64)
        differences = score(totals[1] - moved) - score(totals[0] + moved)
        reached += int((np.abs(differences) >= observed - 1e-9).sum())
    return ResamplingTest((reached + 1) / (trials + 1), trials, seed)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust the p-values of several comparisons (Holm 1979); the order is kept."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def _bootstrap_sums(counts: Counts, trials: int, seed: int) -> Counts:
    """Return sums over sentences drawn with replacement, shape (systems, trials, columns).

    All systems get the same draws.
    """
    generator = np.random.default_rng([seed, 0])
    number = counts.shape[1]
    flat = counts.transpose(1, 0, 2).reshape(number, -1).astype(np.float64)
    sums = np.empty((trials, flat.shape[1]))
    for start in range(0, trials, _BLOCK):
        size = min(_BLOCK, trials - start)
        times = np.empty((size, number))
        for row in times:
            row[:] = np.bincount(generator.integers(number, size=number), minlength=number)
        sums[start : start + size] = times @ flat
    shaped = sums.reshape(trials, counts.shape[0], -1).transpose(1, 0, 2)
    return np.rint(shaped).astype(np.int64)


def _tosses(number: int, trials: int, seed: int) -> Iterator[Values]:
    """Yield blocks of tosses, 1 where the outputs of a sentence are exchanged."""
    generator = np.random.default_rng([seed, 1])
    for start in range(0, trials, _BLOCK):
        size = min(_BLOCK, trials - start)
        yield generator.integers(2, size=(size, number), dtype=np.int8).astype(np.float64)


def _shifted_p(difference: float, sampled: Values) -> float:
    """Return how often the samples, shifted to a mean of 0, reach the observed difference."""
    reached = np.abs(sampled - sampled.mean()) >= abs(difference)
    return float((reached.sum() + 1) / (len(sampled) + 1))


def _interval(value: float, sampled: Values) -> Interval:
    low, high = np.percentile(sampled, [2.5, 97.5])
    return Interval(float(value), float(low), float(high))
