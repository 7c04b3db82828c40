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
            "learning_rate": pa.float64(),
            "dev_loss": pa.float64(),
            "dev_bleu": pa.float64(),
        },
        ("step",),
        "same-machine",
        version=2,
    ),
    table_schema(
        "tuning_log",
        {
            "round": pa.int32(),
            "bleu": pa.float64(),
            "weights": pa.list_(pa.float64()),
            "chosen": pa.bool_(),
        },
        ("round",),
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
    table_schema(
        "gate_findings",
        {
            "rule": TEXT,
            "testset": TEXT,
            "subject": TEXT,
            "verdict": TEXT,
            "production": pa.float64(),
            "candidate": pa.float64(),
            "limit": pa.float64(),
            "p_value": pa.float64(),
            "number": pa.int64(),
            "detail": TEXT,
        },
        ("rule", "testset", "subject"),
        "same-machine",
    ),
)
