"""Hand-made results of cells, for tests of tables."""

from typing import Any

import numpy as np

from tasks.experiments.config import METRICS
from tasks.experiments.matrix import CellName, PlannedCell, baseline_of
from tasks.experiments.results import Results
from tasks.experiments.statistics import GATE, KINDS, NO_GATE, SOURCE_WORDS, bleu_columns, packed
from tasks.metrics.ngram_counts import NUM_COLUMNS

ALL_KINDS = 0b0010101
"""Of all sentences, without rule spans, without phrases: bits in the order of `SUBSETS`."""


def counts_of(right: list[int], words: int = 10) -> Any:
    """Return counts of sentences of so many words with so many right n-grams of every order."""
    counts = np.zeros((len(right), NUM_COLUMNS), dtype=np.int64)
    counts[:, :2] = words
    for order in range(1, 5):
        counts[:, 1 + order] = np.minimum(right, words - order + 1)
        counts[:, 5 + order] = words - order + 1
    return counts


def kept_of(
    right: list[int],
    *,
    role: str = "test",
    lines: str = "the lines",
    gates: list[int] | None = None,
    source_words: list[int] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return what is kept of one test set; `right` are the right n-grams of each sentence."""
    number = len(right)
    columns: dict[str, Any] = {
        SOURCE_WORDS: np.array(source_words or [8] * number, dtype=np.int32),
        KINDS: np.full(number, ALL_KINDS, dtype=np.int32),
        GATE: np.array(gates or [NO_GATE] * number, dtype=np.int32),
    }
    for metric in METRICS:
        columns |= bleu_columns(metric, counts_of(right))
    return {
        "role": role,
        "lines": lines,
        "sentences": number,
        "decoding": {"words": 10 * number, "seconds": 2.0, "processor_seconds": 1.0},
        "phrase_use": [{"origin": "", "offered": 8, "appeared": 6, "produced": 4}],
        "scores": [
            {"metric": "Values kept", "subset": "all", "value": 50.0, "sentences": number},
            {"metric": "BLEU", "subset": "all", "value": 12.0, "sentences": number},
        ],
        "ngrams": [
            {"subset": "all", "flavour": flavour, "order": 4, "individual": 7.5}
            for flavour in ("v11b", "v13a")
        ],
        "measures": [],
        "lengths": [],
        "statistics": packed(columns),
        **more,
    }


def result_of(
    tests: dict[str, Any], *, parameters: int = 1000, decoder: int = 400, memory: str = "memory"
) -> Any:
    """Return the result of a cell."""
    return {
        "memory_snapshot": memory,
        "parameters": {"all": parameters, "decoder": decoder},
        "training": {
            "target_words": 3000, "steps": 9, "passes": 3, "hours": 0.5, "processor_hours": 0.25,
            "peak_memory_bytes": 5_000_000, "dev_losses": [[1000, 4.0], [2000, 3.0], [3000, 2.5]],
        },
        "ledger": {"sequence": 7, "digest": "0123456789abcdef" * 4},
        "tests": tests,
    }  # fmt: skip


def planned(name: str, seed: int = 1, system: str = "") -> PlannedCell:
    """Return a cell of the matrix."""
    baseline = system or baseline_of(name, {})
    return PlannedCell(CellName("all", name, seed), system or name, baseline)


def results_of(found: dict[PlannedCell, Any], *more: PlannedCell, **options: Any) -> Results:
    """Return results of some cells; those in `more` were planned and not run."""
    return Results(
        "all",
        [*found, *more],
        {item.cell: result for item, result in found.items()},
        options.pop("metric", "BLEU-v13a"),
        **options,
    )
