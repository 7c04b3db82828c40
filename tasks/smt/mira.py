"""Batch k-best MIRA: finds weights under which good translations score best (Cherry and Foster
2012, "Batch Tuning Strategies for Statistical Machine Translation", section 3.1 and algorithm 1).

For each sentence the *hope* is a candidate that scores well and is good, the *fear* one that scores
well and is bad; the weights move so far that the hope wins by as much as it is better. How good a
candidate is says BLEU together with a decaying sum of the counts of earlier hopes, times the length
of all their references, so that it is in units of one sentence (Chiang, Marton and Resnik 2008).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tasks.smt.bleu_counts import NUM_COUNTS, Counts, bleu
from tasks.smt.features import Weights

LARGEST_STEP = 0.01
"""C of the paper."""
DECAY = 0.999
"""Of the sum of counts, gamma of the paper."""
PASSES = 30


class Pool(NamedTuple):
    """The candidates of one sentence that were found so far."""

    features: Weights
    """Candidates x features."""
    counts: Counts
    """Candidates x `NUM_COUNTS`."""


@dataclass(slots=True)
class _State:
    weights: Weights
    total: Weights
    """Sum of the weights after each sentence."""
    background: Counts
    steps: int = 0


def mira(pools: Sequence[Pool], weights: Weights, seed: int) -> Weights:
    """Return better weights: the mean over the pass whose best candidates have the best BLEU, the
    last of equal ones.

    Args:
        pools: candidates of each sentence, at least one each.
        weights: to start from.
        seed: of the order of the sentences.
    """
    random = np.random.default_rng(seed)
    background = np.ones(NUM_COUNTS)
    state = _State(weights.copy(), np.zeros_like(weights), background)
    best, best_bleu = weights, 0.0
    for _ in range(PASSES):
        state.total[:], state.steps = 0.0, 0
        for number in random.permutation(len(pools)):
            _look_at(pools[number], state)
        mean = state.total / max(state.steps, 1)
        found = corpus_bleu(pools, mean)
        if found >= best_bleu:
            best, best_bleu = mean, found
    return best


def _look_at(pool: Pool, state: _State) -> None:
    """Move the weights by one sentence."""
    scores = pool.features @ state.weights
    within = pool.counts + state.background
    gains = bleu(within) * within[:, -1]
    hope, fear = int(np.argmax(scores + gains)), int(np.argmax(scores - gains))
    difference = pool.features[hope] - pool.features[fear]
    loss = gains[hope] - gains[fear] - (scores[hope] - scores[fear])
    norm = float(difference @ difference)
    if loss > 0 and norm > 0:
        state.weights += min(LARGEST_STEP, loss / norm) * difference
    state.background = DECAY * state.background + pool.counts[hope]
    state.total += state.weights
    state.steps += 1


def corpus_bleu(pools: Sequence[Pool], weights: Weights) -> float:
    """Return BLEU, 0 to 1, of the candidates that score best."""
    chosen = [pool.counts[int(np.argmax(pool.features @ weights))] for pool in pools]
    return float(bleu(np.sum(chosen, axis=0))) if chosen else 0.0
