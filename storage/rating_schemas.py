"""The tables of what people say of translations."""

import pyarrow as pa

from storage.table_schema import TEXT, TableSchema, table_schema

_COMPARED = {
    "testset": TEXT,
    "baseline": TEXT,
    "system": TEXT,
    "baseline_outputs": TEXT,
    "system_outputs": TEXT,
}

RATINGS: tuple[TableSchema, ...] = (
    table_schema(
        "worksheets",
        {
            "worksheet": TEXT,
            "number": pa.int32(),
            "sentence_id": TEXT,
            "first": TEXT,
            "seed": pa.int64(),
            **_COMPARED,
        },
        ("worksheet", "number"),
    ),
    table_schema(
        "ratings",
        {
            "worksheet": TEXT,
            "number": pa.int32(),
            "rater": TEXT,
            "sentence_id": TEXT,
            **_COMPARED,
            "rated": TEXT,
            "adequacy": pa.int32(),
            "fluency": pa.int32(),
            "comment": TEXT,
        },
        ("worksheet", "number", "rater"),
    ),
)
