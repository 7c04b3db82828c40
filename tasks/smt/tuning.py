"""Tune weights on dev: translate it, find better weights for all candidates so far, and again.

Each round starts from the weights that translated best. Better ones are sought by MIRA, which
changes all weights at once, and from there by exact line searches for BLEU itself.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tasks.smt.bleu_counts import Counts, References, bleu
from tasks.smt.features import Weights
from tasks.smt.mert import mert
from tasks.smt.mira import Pool, mira
from tasks.smt.translator import Candidate

Decode = Callable[[Weights], Sequence[Sequence[Candidate]]]
"""Translates all sentences with some weights; the best candidate of each first."""

SHARE = 0.3
"""How far the next weights go from the best ones so far towards those that the candidates ask for,
which know nothing of translations that nobody has made yet (Hopkins and May 2011, section 5.2)."""


@dataclass(frozen=True, slots=True)
class Round:
    """One translation of dev."""

    number: int
    weights: Weights
    bleu: float
    """BLEU, 0 to 1, of the translations with these weights."""


def tune(
    decode: Decode, references: Sequence[References], first: Weights, rounds: int, seed: int
) -> Iterator[Round]:
    """Yield the weights of each round and how well they translated.

    Args:
        decode: translates the sentences.
        references: of each sentence.
        first: the weights to begin with.
        rounds: how often better weights are sought.
        seed: of the order of the sentences.

    Yields:
        One more than `rounds`; the first weights come first.
    """
    gathered: list[dict[tuple[float, ...], Counts]] = [{} for _ in references]
    best, weights = Round(-1, first, -1.0), first
    for number in range(rounds + 1):
        here = Round(number, weights, _gather(decode(weights), references, gathered))
        yield here
        best = best_round([best, here])
        if number < rounds:
            better = _better(gathered, best.weights, seed + number)
            weights = best.weights + SHARE * (better - best.weights)


def _gather(
    found: Sequence[Sequence[Candidate]],
    references: Sequence[References],
    gathered: Sequence[dict[tuple[float, ...], Counts]],
) -> float:
    """Add candidates to those of earlier rounds; returns the BLEU of the best ones."""
    chosen = []
    for candidates, reference, known in zip(found, references, gathered, strict=True):
        counted = [reference.counts(each.words) for each in candidates]
        chosen += counted[:1]
        for each, counts in zip(candidates, counted, strict=True):
            known.setdefault(tuple(each.features.tolist()), counts)
    return float(bleu(np.sum(chosen, axis=0))) if chosen else 0.0


def _better(
    gathered: Sequence[dict[tuple[float, ...], Counts]], weights: Weights, seed: int
) -> Weights:
    """Return better weights for all candidates so far."""
    pools = [
        Pool(np.array(list(known)), np.array(list(known.values()))) for known in gathered if known
    ]
    return mert(pools, mira(pools, weights, seed), seed)


def best_round(rounds: Sequence[Round]) -> Round:
    """Return the round with the best BLEU, the first of equal ones."""
    return max(rounds, key=lambda each: (each.bleu, -each.number))
