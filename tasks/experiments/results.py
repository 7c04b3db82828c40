"""The results of an experiment, asked by cell: scores of parts of test sets, and comparisons."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tasks.experiments.config import Metric
from tasks.experiments.matrix import CellName, PlannedCell
from tasks.experiments.papers import SMT
from tasks.experiments.statistics import FLAVOURS, bleu_counts, inside, unpacked
from tasks.metrics.mteval import bleu_of_sums
from tasks.metrics.ngram_counts import Counts
from tasks.metrics.significance import Comparison, compare

CERTAIN = 0.05
"""Differences with a smaller p of the bootstrap are marked."""
ALL = "all"
POOL = "all tests"
"""The sentences of all tests of the domain together."""
Result = Mapping[str, Any]


@dataclass
class Results:
    """What is known of the cells of one set of texts."""

    data: str
    planned: Sequence[PlannedCell]
    found: Mapping[CellName, Result]
    metric: Metric
    out_of_domain: Sequence[str] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    """What went wrong, by cell, in the run at hand."""
    _columns: dict[tuple[CellName, str], dict[str, NDArray[np.int32]]] = field(default_factory=dict)
    _compared: dict[tuple[CellName, CellName, str, str], Comparison | None] = field(
        default_factory=dict
    )

    def names(self) -> list[str]:
        """Return the systems and variants of the matrix, in its order."""
        return list(dict.fromkeys(item.cell.name for item in self.planned))

    def plan(self, name: str) -> PlannedCell:
        """Return the first cell of a system or variant that is in the matrix."""
        return next(item for item in self.planned if item.cell.name == name)

    def of_system(self, system: str) -> list[str]:
        """Return a system and its variants, as far as the matrix has them."""
        names = dict.fromkeys(i.cell.name for i in self.planned if i.system == system)
        return sorted(names, key=lambda name: name != system)

    def cells(self, name: str) -> list[CellName]:
        """Return the cells of a system or variant that have a result, by seed."""
        return sorted(item.cell for item in self.planned
                      if item.cell.name == name and item.cell in self.found)  # fmt: skip

    def testsets(self) -> list[str]:
        """Return the test sets of the results: tests of the domain, others, and dev sets."""
        roles = self._roles()
        return sorted(roles, key=lambda name: (roles[name] == "dev", name in self.out_of_domain))

    def in_domain(self) -> list[str]:
        """Return the tests that count in averages."""
        roles = self._roles()
        return [
            name
            for name in self.testsets()
            if roles[name] == "test" and name not in self.out_of_domain
        ]

    def _roles(self) -> dict[str, str]:
        return {
            name: test["role"]
            for result in self.found.values()
            for name, test in result["tests"].items()
        }

    def score(self, cell: CellName, testset: str, subset: str = ALL) -> float | None:
        """Return BLEU on the sentences of a kind, or None where there are none."""
        if testset not in self.found[cell]["tests"]:
            return None
        columns = self._of(cell, testset)
        counts = bleu_counts(columns, self.metric)[inside(columns, subset)]
        if not len(counts):
            return None
        return float(bleu_of_sums(counts.sum(axis=0), FLAVOURS[self.metric]))

    def mean_score(self, name: str, testset: str, subset: str = ALL) -> float | None:
        """Return the mean over the seeds."""
        scores = [self.score(cell, testset, subset) for cell in self.cells(name)]
        known = [score for score in scores if score is not None]
        return sum(known) / len(known) if known else None

    def average(self, name: str) -> float | None:
        """Return the mean over the tests of the domain, and over the seeds."""
        scores = [self.mean_score(name, testset) for testset in self.in_domain()]
        known = [score for score in scores if score is not None]
        return sum(known) / len(known) if known and len(known) == len(scores) else None

    def comparisons(
        self, name: str, baseline: str, testset: str, subset: str = ALL
    ) -> Iterator[tuple[int, Comparison]]:
        """Yield seed and comparison for each seed that both have a result of.

        A baseline that is no network stands with its first result for every seed.
        """
        others = {cell.seed: cell for cell in self.cells(baseline)}
        usual = next(iter(others.values()), None) if baseline in SMT else None
        for cell in self.cells(name):
            other = others.get(cell.seed, usual)
            found = self.compare(cell, other, testset, subset) if other else None
            if found is not None:
                yield cell.seed, found

    def compare(
        self, cell: CellName, baseline: CellName, testset: str, subset: str = ALL
    ) -> Comparison | None:
        """Compare two cells on the same sentences, or on those of all tests (`POOL`).

        None where they did not translate the same sentences, or none of the kind.
        """
        key = (cell, baseline, testset, subset)
        if key not in self._compared:
            testsets = self.in_domain() if testset == POOL else [testset]
            self._compared[key] = self._comparison(cell, baseline, testsets, subset)
        return self._compared[key]

    def _comparison(
        self, cell: CellName, baseline: CellName, testsets: Sequence[str], subset: str
    ) -> Comparison | None:
        counts = []
        for testset in testsets:
            both = [self.found[each]["tests"].get(testset) for each in (baseline, cell)]
            if None in both or both[0]["lines"] != both[1]["lines"]:
                return None
            counts.append(self._counts_of_both(cell, baseline, testset, subset))
        joined = np.concatenate(counts, axis=1) if counts else np.zeros((2, 0, 1), dtype=np.int64)
        if not joined.shape[1]:
            return None
        flavour = FLAVOURS[self.metric]
        return compare(joined, lambda sums: bleu_of_sums(sums, flavour))[1][0]

    def _counts_of_both(
        self, cell: CellName, baseline: CellName, testset: str, subset: str
    ) -> Counts:
        """Return counts of the sentences that are of a kind for the baseline."""
        chosen = inside(self._of(baseline, testset), subset)
        return np.stack(
            [bleu_counts(self._of(each, testset), self.metric)[chosen] for each in (baseline, cell)]
        )

    def columns(self, cell: CellName, testset: str) -> Mapping[str, NDArray[np.int32]]:
        """Return the numbers of each sentence."""
        return self._of(cell, testset)

    def _of(self, cell: CellName, testset: str) -> dict[str, NDArray[np.int32]]:
        key = (cell, testset)
        if key not in self._columns:
            self._columns[key] = unpacked(self.found[cell]["tests"][testset]["statistics"])
        return self._columns[key]


def are_certain(comparisons: Sequence[Comparison]) -> bool:
    """Say whether every seed's difference goes the same way and is unlikely to be chance."""
    signs = {comparison.difference.value > 0 for comparison in comparisons}
    return len(signs) == 1 and all(c.bootstrap.p_value < CERTAIN for c in comparisons)
