"""The tables of what an evaluation finds beside scores: phrases, alignment, gates, lengths.

Every table is about one system on one test set.
"""

import pyarrow as pa

from storage.table_schema import TEXT, WORDS, TableSchema, table_schema

_ABOUT = {"testset": TEXT, "system": TEXT}
_KINDS_OF_USE = ("offered", "appeared", "produced", "exact", "misplaced", "spelled", "ignored")

ANALYSES: tuple[TableSchema, ...] = (
    table_schema(
        "records",
        {
            "sentence_id": TEXT,
            "side": TEXT,
            "source_words": WORDS,
            "source_known": pa.list_(pa.bool_()),
            "words": WORDS,
            "classes": WORDS,
            "attention": pa.list_(pa.int32()),
            "gates": pa.list_(pa.float64()),
        },
        ("sentence_id", "side"),
        "same-machine",
    ),
    table_schema(
        "slot_outcomes",
        {
            "sentence_id": TEXT,
            "slot": pa.int32(),
            "category": TEXT,
            "origin": TEXT,
            "phrase_id": TEXT,
            "source": TEXT,
            "target": TEXT,
            "use": TEXT,
            "outcome": TEXT,
            "start": pa.int32(),
            "end": pa.int32(),
        },
        ("sentence_id", "slot"),
        "same-machine",
    ),
    table_schema(
        "phrase_use",
        {
            **_ABOUT,
            "category": TEXT,
            "origin": TEXT,
            **dict.fromkeys(_KINDS_OF_USE, pa.int64()),
        },
        ("testset", "system", "category", "origin"),
        "same-machine",
    ),
    table_schema(
        "sentence_measures",
        {
            "sentence_id": TEXT,
            "source_length": pa.int64(),
            "length": pa.int64(),
            "bleu": pa.float64(),
            "baseline_bleu": pa.float64(),
            "gate": pa.float64(),
            "left_out": pa.int64(),
            "said_twice": pa.int64(),
            "repeated": pa.int64(),
        },
        ("sentence_id",),
        "same-machine",
    ),
    table_schema(
        "measures",
        {
            **_ABOUT,
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
        "ngram_scores",
        {
            **_ABOUT,
            "subset": TEXT,
            "flavour": TEXT,
            "order": pa.int32(),
            "individual": pa.float64(),
            "cumulative": pa.float64(),
            "brevity_penalty": pa.float64(),
            "hypothesis_words": pa.int64(),
            "reference_words": pa.int64(),
            "signature": TEXT,
        },
        ("testset", "system", "subset", "flavour", "order"),
        "same-machine",
    ),
    table_schema(
        "length_buckets",
        {
            **_ABOUT,
            "low": pa.int64(),
            "high": pa.int64(),
            "sentences": pa.int64(),
            "bleu_v11b": pa.float64(),
            "bleu_v13a": pa.float64(),
            "source_words": pa.float64(),
            "hypothesis_words": pa.float64(),
            "reference_words": pa.float64(),
            "signature": TEXT,
        },
        ("testset", "system", "low"),
        "same-machine",
    ),
    table_schema(
        "gate_classes",
        {
            **_ABOUT,
            "side": TEXT,
            "word_class": TEXT,
            "words": pa.int64(),
            "mean": pa.float64(),
            "deviation": pa.float64(),
        },
        ("testset", "system", "side", "word_class"),
        "same-machine",
    ),
    table_schema(
        "scaling_curve",
        {
            **_ABOUT,
            "source_scale": pa.float64(),
            "target_scale": pa.float64(),
            "sentences": pa.int64(),
            "bleu_v11b": pa.float64(),
            "bleu_v13a": pa.float64(),
            "hypothesis_words": pa.float64(),
            "signature": TEXT,
        },
        ("testset", "system", "source_scale", "target_scale"),
        "same-machine",
    ),
    table_schema(
        "test_terms",
        {
            "dictionary": TEXT,
            "sentence_id": TEXT,
            "part": pa.int32(),
            "source": TEXT,
            "targets": WORDS,
        },
        ("dictionary", "sentence_id", "part"),
    ),
    table_schema(
        "gold_links",
        {
            "sentence_id": TEXT,
            "sure": pa.list_(pa.list_(pa.int32())),
            "possible": pa.list_(pa.list_(pa.int32())),
        },
        ("sentence_id",),
    ),
)
