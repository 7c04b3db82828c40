"""Which sentence and which systems figure 6 of Context Gates shows: chosen by rule, not by taste.

The paper shows one sentence whose alignment got better. Here it is the sentence of the middle: of
all with 8 to 20 source words, the one with the median gain of the gated system over its baseline.
"""

from collections.abc import Iterator

import numpy as np

from tasks.experiments.matrix import CellName
from tasks.experiments.papers import ALIGNED
from tasks.experiments.results import Results
from tasks.experiments.statistics import GATE, NO_GATE, SOURCE_WORDS, bleu_counts
from tasks.metrics.sentence_bleu import sentence_bleu

FEWEST, MOST = 8, 20
"""Source words of a sentence that can be read in a drawing."""


def gated_pair(results: Results, testset: str) -> tuple[CellName, CellName] | None:
    """Return a baseline and the same system with a context gate, of one seed; the paper's first."""
    return next(_pairs(results, testset), None)


def _pairs(results: Results, testset: str) -> Iterator[tuple[CellName, CellName]]:
    names = [name for name in reversed(ALIGNED) if name in results.names()]
    for name in dict.fromkeys([*names, *results.names()]):
        others = {cell.seed: cell for cell in results.cells(results.plan(name).baseline)}
        for cell in results.cells(name):
            other = others.get(cell.seed)
            if other is not None and _is_gated(results, (other, cell), testset):
                yield other, cell


def _is_gated(results: Results, pair: tuple[CellName, CellName], testset: str) -> bool:
    """Say whether both translated the same sentences and the second alone has a gate."""
    tests = [results.found[cell]["tests"].get(testset) for cell in pair]
    if None in tests or tests[0]["lines"] != tests[1]["lines"]:
        return False
    gates = [(results.columns(cell, testset)[GATE] != NO_GATE).any() for cell in pair]
    return gates == [False, True]


def median_sentence(results: Results, pair: tuple[CellName, CellName], testset: str) -> int | None:
    """Return the number, in the order of ids, of the sentence with the median gain; None if all are
    too short or too long."""
    before, after = (results.columns(cell, testset) for cell in pair)
    lengths = after[SOURCE_WORDS]
    fitting = np.flatnonzero((lengths >= FEWEST) & (lengths <= MOST))
    if not len(fitting):
        return None
    scores = [sentence_bleu(bleu_counts(each, results.metric)) for each in (before, after)]
    gains = (scores[1] - scores[0])[fitting]
    return int(fitting[np.argsort(gains, kind="stable")[(len(fitting) - 1) // 2]])
