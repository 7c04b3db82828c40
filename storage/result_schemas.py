"""The tables of tagged sentences, trainings and evaluations."""

import pyarrow as pa

from storage.table_schema import TEXT, WORDS, TableSchema, table_schema

_SLOT = pa.struct(
    [
        ("slot", pa.int32()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("source", TEXT),
        ("target", TEXT),
        ("category", TEXT),
        ("origin", TEXT),
        ("phrase_id", TEXT),
        ("provider", TEXT),
        ("target_start", pa.int32()),
        ("target_end", pa.int32()),
    ]
)
_DECISION = pa.struct(
    [
        ("word", TEXT),
        ("mode", TEXT),
        ("slot", pa.int32()),
        ("probability", pa.float64()),
        ("attended", pa.int32()),
    ]
)

RESULTS: tuple[TableSchema, ...] = (
    table_schema(
        "tagged",
        {
            "sentence_id": TEXT,
            "source_words": WORDS,
            "target_words": WORDS,
            "slots": pa.list_(_SLOT),
        },
        ("sentence_id",),
    ),
    table_schema(
        "vocabulary",
        {"side": TEXT, "id": pa.int32(), "word": TEXT, "count": pa.int64()},
        ("side", "id"),
    ),
    table_schema(
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
    table_schema(
        "translations",
        {
            "sentence_id": TEXT,
            "source_words": WORDS,
            "words": WORDS,
            "score": pa.float64(),
            "steps": pa.list_(_DECISION),
            "slots": pa.list_(_SLOT),
            "uses": WORDS,
        },
        ("sentence_id",),
        "same-machine",
    ),
    table_schema(
        "scores",
        {
            "testset": TEXT,
            "system": TEXT,
            "subset": TEXT,
            "metric": TEXT,
            "value": pa.float64(),
            "sentences": pa.int64(),
            "signature": TEXT,
        },
        ("testset", "system", "subset", "metric"),
        "same-machine",
    ),
    table_schema(
        "comparisons",
        {
            "testset": TEXT,
            "baseline": TEXT,
            "system": TEXT,
            "subset": TEXT,
            "metric": TEXT,
            "sentences": pa.int64(),
            "baseline_value": pa.float64(),
            "baseline_low": pa.float64(),
            "baseline_high": pa.float64(),
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
            "signature": TEXT,
        },
        ("testset", "baseline", "system", "subset", "metric"),
        "same-machine",
        version=2,
    ),
)
