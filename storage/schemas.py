"""The tables that a workspace may hold: one versioned Arrow schema a kind, and how old ones are
read.

A kind is only ever extended by raising its version and adding a migration from the version before,
so that a workspace written years ago can still be read. The version that is *written* takes part in
the cache key of every step.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from storage.errors import WorkspaceError

_TEXT = pa.string()
_WORDS = pa.list_(pa.string())
_INDICES = pa.list_(pa.int32())


Reproducibility = Literal["exact", "same-machine", "none"]


@dataclass(frozen=True, slots=True)
class TableSchema:
    """The columns of one kind of dataset and the key by which its rows are sorted."""

    kind: str
    version: int
    columns: pa.Schema
    sort_by: tuple[str, ...]
    """A total order: no two rows of a dataset have the same key."""
    reproducibility: Reproducibility = "exact"
    """How far such a table can be made again; whatever a network computed is same-machine."""


_RULE_SPAN = pa.struct(
    [
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("source", _TEXT),
        ("target", _TEXT),
        ("category", _TEXT),
        ("rule", _TEXT),
    ]
)
_SLOT = pa.struct(
    [
        ("slot", pa.int32()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("source", _TEXT),
        ("target", _TEXT),
        ("category", _TEXT),
        ("origin", _TEXT),
        ("phrase_id", _TEXT),
        ("provider", _TEXT),
        ("target_start", pa.int32()),
        ("target_end", pa.int32()),
    ]
)
_DECISION = pa.struct(
    [
        ("word", _TEXT),
        ("mode", _TEXT),
        ("slot", pa.int32()),
        ("probability", pa.float64()),
        ("attended", pa.int32()),
    ]
)

_PAIR_COLUMNS = {
    "pair_id": _TEXT,
    "corpus": _TEXT,
    "document": _TEXT,
    "position": pa.int64(),
    "source": _TEXT,
    "target": _TEXT,
    "source_words": _WORDS,
    "target_words": _WORDS,
    "rules": pa.list_(_RULE_SPAN),
}
"""Texts are normalised; a rule's span counts source words."""

_MINED_COUNTS = {
    "pair_count": pa.int64(),
    "source_count": pa.int64(),
    "target_count": pa.int64(),
    "found": pa.int64(),
    "occurrences": pa.int64(),
}
"""What a mined phrase rests on (tasks/mining/verification.py); 0 for what was not mined."""


def _schema(
    kind: str,
    columns: dict[str, pa.DataType],
    sort_by: tuple[str, ...],
    reproducibility: Reproducibility = "exact",
) -> TableSchema:
    return TableSchema(kind, 1, pa.schema(list(columns.items())), sort_by, reproducibility)


SCHEMAS: Mapping[str, TableSchema] = {
    schema.kind: schema
    for schema in (
        _schema(
            "raw_pairs",
            {
                "pair_id": _TEXT,
                "corpus": _TEXT,
                "document": _TEXT,
                "position": pa.int64(),
                "line": pa.int64(),
                "source": _TEXT,
                "target": _TEXT,
                "licence": _TEXT,
            },
            ("pair_id",),
        ),
        _schema(
            "test_lines",
            {
                "sentence_id": _TEXT,
                "testset": _TEXT,
                "position": pa.int64(),
                "source": _TEXT,
                "references": _WORDS,
            },
            ("sentence_id",),
        ),
        _schema("words", _PAIR_COLUMNS, ("pair_id",)),
        _schema("pairs", _PAIR_COLUMNS, ("pair_id",)),
        _schema(
            "dropped",
            {
                "pair_id": _TEXT,
                "corpus": _TEXT,
                "document": _TEXT,
                "position": pa.int64(),
                "reason": _TEXT,
            },
            ("pair_id",),
        ),
        _schema(
            "links",
            {"pair_id": _TEXT, "source_index": _INDICES, "target_index": _INDICES},
            ("pair_id",),
        ),
        _schema(
            "phrase_counts",
            {"source": _TEXT, "target": _TEXT, "count": pa.int64()},
            ("source", "target"),
        ),
        _schema("source_counts", {"source": _TEXT, "count": pa.int64()}, ("source",)),
        _schema("target_counts", {"target": _TEXT, "count": pa.int64()}, ("target",)),
        _schema(
            "entries",
            {
                "dictionary": _TEXT,
                "line": pa.int64(),
                "part": pa.int32(),
                "source": _TEXT,
                "target": _TEXT,
                "category": _TEXT,
                "licence": _TEXT,
            },
            ("dictionary", "line", "part"),
        ),
        _schema(
            "decisions",
            {
                "line": pa.int64(),
                "source": _TEXT,
                "target": _TEXT,
                "verdict": _TEXT,
                "category": _TEXT,
                "author": _TEXT,
                "decided": _TEXT,
                "reason": _TEXT,
            },
            ("line",),
        ),
        _schema(
            "candidates",
            {
                "source": _TEXT,
                "target": _TEXT,
                "pair_count": pa.int64(),
                "source_count": pa.int64(),
                "target_count": pa.int64(),
                "reliability": pa.float64(),
                "reverse": pa.float64(),
            },
            ("source", "target"),
        ),
        _schema(
            "use_counts",
            {"source": _TEXT, "target": _TEXT, "found": pa.int64(), "occurrences": pa.int64()},
            ("source", "target"),
        ),
        _schema(
            "evidence",
            {
                "phrase_id": _TEXT,
                "origin": _TEXT,
                "provider": _TEXT,
                "method": _TEXT,
                "line": pa.int64(),
                "part": pa.int32(),
                "category": _TEXT,
                "licence": _TEXT,
                "pair_count": pa.int64(),
                "found": pa.int64(),
                "occurrences": pa.int64(),
                "rejects": pa.bool_(),
                "author": _TEXT,
                "decided": _TEXT,
                "reason": _TEXT,
            },
            ("phrase_id", "origin", "provider", "line", "part"),
        ),
        _schema(
            "phrases",
            {
                "phrase_id": _TEXT,
                "source": _TEXT,
                "target": _TEXT,
                "category": _TEXT,
                "origin": _TEXT,
                "provider": _TEXT,
                "state": _TEXT,
                "reliability": pa.float64(),
                **_MINED_COUNTS,
                "evidence_count": pa.int64(),
                "note": _TEXT,
            },
            ("phrase_id",),
        ),
        _schema(
            "tagged",
            {
                "sentence_id": _TEXT,
                "source_words": _WORDS,
                "target_words": _WORDS,
                "slots": pa.list_(_SLOT),
            },
            ("sentence_id",),
        ),
        _schema(
            "vocabulary",
            {"side": _TEXT, "id": pa.int32(), "word": _TEXT, "count": pa.int64()},
            ("side", "id"),
        ),
        _schema(
            "training_log",
            {
                "step": pa.int64(),
                "epoch": pa.int64(),
                "loss": pa.float64(),
                "gradient_norm": pa.float64(),
                "target_words": pa.int64(),
                "dev_loss": pa.float64(),
            },
            ("step",),
            "same-machine",
        ),
        _schema(
            "translations",
            {
                "sentence_id": _TEXT,
                "source_words": _WORDS,
                "words": _WORDS,
                "score": pa.float64(),
                "steps": pa.list_(_DECISION),
                "slots": pa.list_(_SLOT),
                "uses": _WORDS,
            },
            ("sentence_id",),
            "same-machine",
        ),
        _schema(
            "scores",
            {
                "testset": _TEXT,
                "system": _TEXT,
                "subset": _TEXT,
                "metric": _TEXT,
                "value": pa.float64(),
                "sentences": pa.int64(),
                "signature": _TEXT,
            },
            ("testset", "system", "subset", "metric"),
            "same-machine",
        ),
        _schema(
            "comparisons",
            {
                "testset": _TEXT,
                "baseline": _TEXT,
                "system": _TEXT,
                "subset": _TEXT,
                "metric": _TEXT,
                "sentences": pa.int64(),
                "value": pa.float64(),
                "low": pa.float64(),
                "high": pa.float64(),
                "difference": pa.float64(),
                "difference_low": pa.float64(),
                "difference_high": pa.float64(),
                "wins": pa.float64(),
                "better": pa.int64(),
                "worse": pa.int64(),
                "p_sign": pa.float64(),
                "p_bootstrap": pa.float64(),
                "p_bootstrap_adjusted": pa.float64(),
                "p_randomisation": pa.float64(),
                "signature": _TEXT,
            },
            ("testset", "baseline", "system", "subset", "metric"),
            "same-machine",
        ),
    )
}

MIGRATIONS: Mapping[tuple[str, int], Callable[[pa.Table], pa.Table]] = {}
"""(kind, version) to the function that lifts a table of that version to the next one."""


def schema_of(kind: str) -> TableSchema:
    """Return the schema of a kind; asking for an unknown one is a defect."""
    return SCHEMAS[kind]


def lift(
    table: pa.Table,
    schema: TableSchema,
    version: int,
    migrations: Mapping[tuple[str, int], Callable[[pa.Table], pa.Table]] | None = None,
) -> pa.Table:
    """Bring a table that was written as `version` to the version of `schema`.

    Raises:
        WorkspaceError: it was written by a newer phrasenet, or no migration leads from there.
    """
    steps = MIGRATIONS if migrations is None else migrations
    if version > schema.version:
        raise WorkspaceError(
            f"A dataset of kind {schema.kind!r} has schema version {version}, and this "
            "phrasenet knows "
            f"versions up to {schema.version}. Update phrasenet, or use another workspace."
        )
    for current in range(version, schema.version):
        step = steps.get((schema.kind, current))
        if step is None:
            raise WorkspaceError(
                f"A dataset of kind {schema.kind!r} has schema version {current}, which this "
                "phrasenet "
                f"can no longer read. Remove the workspace's folder warehouse/{schema.kind} and "
                "run `phrasenet run`: it is made again from its sources."
            )
        table = step(table)
    return table
