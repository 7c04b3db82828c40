"""The tables that a workspace may hold: one versioned Arrow schema a kind, and how old ones are
read.

A kind is only ever extended by raising its version and adding a migration from the version before,
so that a workspace written years ago can still be read. The version that is *written* takes part in
the cache key of every step.
"""

from collections.abc import Callable, Mapping

import pyarrow as pa

from storage.analysis_schemas import ANALYSES
from storage.check_schemas import CHECKS
from storage.errors import WorkspaceError
from storage.mining_schemas import MINING, with_keys
from storage.rating_schemas import RATINGS
from storage.result_schemas import RESULTS
from storage.table_schema import INDICES, TEXT, WORDS, TableSchema, table_schema
from storage.term_schemas import TERMS
from storage.withdrawal_schemas import WITHDRAWALS

_RULE_SPAN = pa.struct(
    [
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("source", TEXT),
        ("target", TEXT),
        ("category", TEXT),
        ("rule", TEXT),
    ]
)
_PAIR_COLUMNS = {
    "pair_id": TEXT,
    "corpus": TEXT,
    "document": TEXT,
    "position": pa.int64(),
    "source": TEXT,
    "target": TEXT,
    "source_words": WORDS,
    "target_words": WORDS,
    "rules": pa.list_(_RULE_SPAN),
    "script": TEXT,
    "converter": TEXT,
}
"""Texts are normalised, the Chinese one also converted if there is a converter; a rule's span
counts source words; the script is that of the text as it was read."""

_PLACE = {
    "pair_id": TEXT,
    "corpus": TEXT,
    "document": TEXT,
    "position": pa.int64(),
}
"""Which pair it is."""

_MEASURES = {
    **{
        f"num_{side}_{unit}": pa.int64()
        for unit in ("characters", "words", "symbols", "tags")
        for side in ("source", "target")
    },
    "num_source_han": pa.int64(),
    "num_source_kana": pa.int64(),
    "num_source_other": pa.int64(),
    "num_target_letters": pa.int64(),
    "num_target_latin": pa.int64(),
    "english_permille": pa.int64(),
    "source_damage": TEXT,
    "target_damage": TEXT,
    "numbers_clash": TEXT,
    "identical": pa.bool_(),
    "exact_key": TEXT,
    "normalised_key": TEXT,
    "overlap_testset": TEXT,
    "overlap_sentence_id": TEXT,
    "overlap_side": TEXT,
    "overlap_kind": TEXT,
    "overlap_digest": TEXT,
}
"""What cleaning judges by (tasks/text/quality.py)."""

_USES = {
    "found": pa.int64(),
    "occurrences": pa.int64(),
    "found_documents": pa.int64(),
    "documents": pa.int64(),
}
"""How often a phrase is right where its source stands (tasks/mining/uses.py)."""

_MINED_COUNTS = {
    "pair_count": pa.int64(),
    "source_count": pa.int64(),
    "target_count": pa.int64(),
    **_USES,
}
"""What a mined phrase rests on (tasks/mining/verification.py); 0 for what was not counted."""


SCHEMAS: Mapping[str, TableSchema] = {
    schema.kind: schema
    for schema in (
        table_schema(
            "raw_pairs",
            {
                "pair_id": TEXT,
                "corpus": TEXT,
                "document": TEXT,
                "position": pa.int64(),
                "file": TEXT,
                "line": pa.int64(),
                "source": TEXT,
                "target": TEXT,
                "licence": TEXT,
            },
            ("pair_id",),
            version=2,
        ),
        table_schema(
            "set_aside",
            {
                "corpus": TEXT,
                "number": pa.int64(),
                "file": TEXT,
                "line": pa.int64(),
                "reason": TEXT,
                "text": TEXT,
            },
            ("number",),
        ),
        table_schema(
            "test_lines",
            {
                "sentence_id": TEXT,
                "testset": TEXT,
                "position": pa.int64(),
                "source": TEXT,
                "references": WORDS,
            },
            ("sentence_id",),
        ),
        table_schema("words", _PAIR_COLUMNS, ("pair_id",), version=2),
        table_schema("pairs", _PAIR_COLUMNS, ("pair_id",), version=2),
        table_schema("quality", {**_PLACE, **_MEASURES}, ("pair_id",), "same-machine"),
        table_schema(
            "verdicts",
            {**_PLACE, "reason": TEXT, "detail": TEXT, "repeat_key": TEXT},
            ("pair_id",),
        ),
        # Pairs like one that comes before them, which is kept.
        table_schema("repeats", {"pair_id": TEXT, "first_id": TEXT}, ("pair_id",)),
        table_schema(
            "dropped", {**_PLACE, "reason": TEXT, "detail": TEXT}, ("pair_id",), version=2
        ),
        table_schema(
            "links",
            {"pair_id": TEXT, "source_index": INDICES, "target_index": INDICES},
            ("pair_id",),
        ),
        *MINING,
        table_schema(
            "entries",
            {
                "dictionary": TEXT,
                "line": pa.int64(),
                "part": pa.int32(),
                "source": TEXT,
                "target": TEXT,
                "category": TEXT,
                "licence": TEXT,
            },
            ("dictionary", "line", "part"),
        ),
        table_schema("listed", {"source": TEXT, "target": TEXT}, ("source", "target")),
        # Entries as they are looked up, by source; an empty target is none that can be.
        table_schema(
            "listings",
            {
                "source": TEXT,
                "target": TEXT,
                "dictionary": TEXT,
                "line": pa.int64(),
                "part": pa.int32(),
                "category": TEXT,
                "licence": TEXT,
            },
            ("source", "dictionary", "line", "part"),
        ),
        table_schema(
            "decisions",
            {
                "line": pa.int64(),
                "source": TEXT,
                "target": TEXT,
                "verdict": TEXT,
                "category": TEXT,
                "author": TEXT,
                "decided": TEXT,
                "reason": TEXT,
            },
            ("line",),
        ),
        *TERMS,
        table_schema(
            "use_counts",
            {"source": TEXT, "target": TEXT, **_USES},
            ("source", "target"),
            version=2,
        ),
        # What all shards of one corpus say of the candidates.
        table_schema(
            "corpus_counts",
            {"source": TEXT, "target": TEXT, "pair_count": pa.int64(), **_USES},
            ("source", "target"),
        ),
        table_schema("rule_counts", {"rule": TEXT, "shape": TEXT, **_USES}, ("rule", "shape")),
        table_schema(
            "evidence",
            {
                "phrase_id": TEXT,
                "origin": TEXT,
                "provider": TEXT,
                "methods": WORDS,
                "line": pa.int64(),
                "part": pa.int32(),
                "category": TEXT,
                "licence": TEXT,
                "pair_count": pa.int64(),
                **_USES,
                "rejects": pa.bool_(),
                "author": TEXT,
                "decided": TEXT,
                "reason": TEXT,
            },
            ("phrase_id", "origin", "provider", "line", "part"),
            version=3,
        ),
        table_schema(
            "phrases",
            {
                "phrase_id": TEXT,
                "source": TEXT,
                "target": TEXT,
                "category": TEXT,
                "origin": TEXT,
                "provider": TEXT,
                "state": TEXT,
                "reliability": pa.float64(),
                **_MINED_COUNTS,
                "evidence_count": pa.int64(),
                "note": TEXT,
            },
            ("phrase_id",),
            version=2,
        ),
        *RESULTS,
        *ANALYSES,
        *RATINGS,
        *WITHDRAWALS,
        *CHECKS,
    )
}


def _with_script(pairs: pa.Table) -> pa.Table:
    """Lift words of version 1, whose script nobody looked at and nobody changed."""
    unknown = pa.array(["unknown"] * len(pairs), TEXT)
    nothing = pa.array([""] * len(pairs), TEXT)
    return pairs.append_column("script", unknown).append_column("converter", nothing)


def _with_detail(dropped: pa.Table) -> pa.Table:
    """Lift dropped pairs of version 1, which knew no detail of the reason."""
    return dropped.append_column("detail", pa.array([""] * len(dropped), TEXT))


def _with_file(raw_pairs: pa.Table) -> pa.Table:
    """Lift raw pairs of version 1, which knew their line and not their file."""
    nothing = pa.array([""] * len(raw_pairs), TEXT)
    return raw_pairs.add_column(raw_pairs.schema.get_field_index("line"), "file", nothing)


def _with_baseline_score(comparisons: pa.Table) -> pa.Table:
    """Lift comparisons of version 1, which kept the baseline's own score nowhere."""
    place = comparisons.schema.get_field_index("value")
    unknown = pa.nulls(len(comparisons), pa.float64())
    for name in ("baseline_high", "baseline_low", "baseline_value"):
        comparisons = comparisons.add_column(place, name, unknown)
    return comparisons


def _with_documents(counts: pa.Table) -> pa.Table:
    """Lift counts of version 1, when nobody counted documents."""
    nothing = pa.array([0] * len(counts), pa.int64())
    place = counts.schema.get_field_index("occurrences") + 1
    with_found = counts.add_column(place, "found_documents", nothing)
    return with_found.add_column(place + 1, "documents", nothing)


def _with_methods(evidence: pa.Table) -> pa.Table:
    """Lift evidence of version 2, which knew one method or none."""
    place = evidence.schema.get_field_index("method")
    methods = [[name] if name else [] for name in evidence.column("method").to_pylist()]
    lists = pa.array(methods, WORDS)
    return evidence.set_column(place, pa.field("methods", WORDS), lists)


def _with_step_size(log: pa.Table) -> pa.Table:
    """Lift a training log of version 1, which knew neither step size nor BLEU."""
    unknown = pa.nulls(len(log), pa.float64())
    place = log.schema.get_field_index("dev_loss")
    return log.add_column(place, "learning_rate", unknown).append_column("dev_bleu", unknown)


MIGRATIONS: Mapping[tuple[str, int], Callable[[pa.Table], pa.Table]] = {
    ("raw_pairs", 1): _with_file,
    ("words", 1): _with_script,
    ("pairs", 1): _with_script,
    ("dropped", 1): _with_detail,
    ("comparisons", 1): _with_baseline_score,
    ("candidates", 1): with_keys,
    ("use_counts", 1): _with_documents,
    ("training_log", 1): _with_step_size,
    ("evidence", 1): _with_documents,
    ("evidence", 2): _with_methods,
    ("phrases", 1): _with_documents,
}
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
