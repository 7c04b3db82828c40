"""What is kept of a cell of an experiment: one JSON of numbers, never a word of the texts.

The tables of all later reports are made from these files alone: scores, what was measured beside
them, what it took, and numbers of each sentence from which tests of significance are made.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.experiments.config import METRICS, Metric
from tasks.experiments.statistics import (
    FLAVOURS,
    GATE,
    GATE_UNITS,
    KINDS,
    NO_GATE,
    SOURCE_WORDS,
    bleu_columns,
    kinds_of,
    packed,
)
from tasks.metrics.mteval import count_corpus
from tasks.metrics.ngram_counts import Counts
from tasks.report_tables import weight_sizes
from tasks.run import Run
from tasks.subsets import with_unknown
from tasks.text.detokenise import detokenise
from tasks.text.english import tokenise
from tasks.text.script import normalise

Tables = Mapping[str, ArtifactRef]
Row = Mapping[str, Any]

_KEPT = ("scores", "ngrams", "measures", "lengths", "gates", "scaling", "term_settings")
"""Tables that are kept row by row, where a system has them."""
_OF_THE_CELL = ("testset", "system")


def test_result(
    workspace: Workspace, role: str, lines: ArtifactRef, tables: Tables, made: Row
) -> dict[str, Any]:
    """Return what is kept of one system's outputs on one test set.

    Args:
        workspace: where the tables are.
        role: `test` or `dev`.
        lines: the lines of the test set, with references.
        tables: the tables of `flows/evaluation.py` by name.
        made: the record of the run that translated.
    """
    rows = with_unknown(
        workspace.read_rows(tables["translations"]), workspace.read_rows(tables["records"])
    )
    return {
        "role": role,
        "lines": lines.digest,
        "sentences": len(rows),
        "records": tables["records"].to_json(),
        "decoding": {
            "words": sum(len(row["words"]) for row in rows),
            "seconds": made["seconds"],
            "processor_seconds": made["processor_seconds"],
        },
        "phrase_use": _phrase_use(workspace, tables["phrase_use"]),
        **{
            name: [
                _without(row, _OF_THE_CELL)
                for row in workspace.read_rows(tables[name])
                if name != "ngrams" or row["subset"] == "all"
            ]
            for name in _KEPT
            if name in tables
        },
        "statistics": packed(_statistics(workspace, lines, tables, rows)),
    }


def _without(row: Row, names: Iterable[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def _phrase_use(workspace: Workspace, ref: ArtifactRef) -> list[dict[str, Any]]:
    """Keep what became of all offered phrases, and of those of each origin."""
    return [
        _without(row, (*_OF_THE_CELL, "category"))
        for row in workspace.read_rows(ref)
        if not row["category"]
    ]


def _statistics(
    workspace: Workspace, lines: ArtifactRef, tables: Tables, rows: Sequence[Row]
) -> dict[str, Any]:
    """Return the columns of numbers of each sentence."""
    references = {row["sentence_id"]: row["references"] for row in workspace.read_rows(lines)}
    streams = list(zip(*(references[row["sentence_id"]] for row in rows), strict=True))
    gates = {
        row["sentence_id"]: row["gate"]
        for row in workspace.read_rows(tables["sentences"], ["sentence_id", "gate"])
    }
    columns: dict[str, Any] = {
        SOURCE_WORDS: np.array([len(row["source_words"]) for row in rows], dtype=np.int32),
        KINDS: kinds_of(rows),
        GATE: np.array([_in_units(gates[row["sentence_id"]]) for row in rows], dtype=np.int32),
    }
    for metric in METRICS:
        columns |= bleu_columns(metric, _counts(metric, [row["words"] for row in rows], streams))
    return columns


def _in_units(gate: float | None) -> int:
    return NO_GATE if gate is None else round(gate * GATE_UNITS)


def _counts(
    metric: Metric, outputs: Sequence[Sequence[str]], streams: Sequence[Sequence[str]]
) -> Counts:
    """Count what a metric needs of each sentence."""
    if not outputs:
        return np.zeros((0, 10), dtype=np.int64)
    flavour = FLAVOURS[metric]
    if metric == "BLEU of words":
        words = [" ".join(each) for each in outputs]
        in_words = [[" ".join(tokenise(normalise(text))) for text in stream] for stream in streams]
        corpus = count_corpus([words], in_words, flavour=flavour, in_words=True)
    else:
        corpus = count_corpus([[detokenise(each) for each in outputs]], streams, flavour=flavour)
    counts: Counts = corpus.counts[0]
    return counts


def training_result(workspace: Workspace, log: ArtifactRef | None, made: Row) -> dict[str, Any]:
    """Return what a training took, and its losses on dev.

    Args:
        workspace: where the log is.
        log: rows of `training_log`; the log of a system that is no network tells none of it.
        made: the record of the run that trained.
    """
    rows = list(workspace.read_rows(log)) if log and log.kind == "training_log" else []
    return {
        "target_words": rows[-1]["target_words"] if rows else 0,
        "steps": rows[-1]["step"] if rows else 0,
        "passes": rows[-1]["epoch"] if rows else 0,
        "hours": round(made["seconds"] / 3600, 4),
        "processor_hours": round(made["processor_seconds"] / 3600, 4),
        "peak_memory_bytes": made["peak_memory_bytes"],
        "dev_losses": [
            [row["target_words"], row["dev_loss"]] for row in rows if row["dev_loss"] is not None
        ],
    }


def parameters_of(workspace: Workspace, model: ArtifactRef) -> dict[str, int]:
    """Count a model's parameters: all, and those of the decoder without its embeddings; what is no
    network has none."""
    sizes = weight_sizes(workspace, model) if model.kind == "model" else {}
    decoder = [
        size
        for name, size in sizes.items()
        if name.startswith("decoder.") and not name.startswith("decoder.embedding")
    ]
    return {"all": sum(sizes.values()), "decoder": sum(decoder)}


def record_of(run: Run, ref: ArtifactRef) -> Row:
    """Return the record of the call of this run that made an artifact, now or earlier."""
    for _, outcome in run.handed_on or ():
        for output in outcome.record["outputs"]:
            if (output["kind"], output["digest"]) == (ref.kind, ref.digest):
                return outcome.record
    raise AssertionError(f"no call of this run made {ref}")
