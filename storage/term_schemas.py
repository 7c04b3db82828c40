"""Tables by which terms are told from fragments (tasks/terms.py); scores are whole thousandths."""

import pyarrow as pa

from storage.table_schema import TEXT, WORDS, table_schema

TERMS = (
    table_schema("sequence_counts", {"words": TEXT, "count": pa.int64()}, ("words",)),
    table_schema(
        "neighbour_counts",
        {"first": TEXT, "second": TEXT, "count": pa.int64()},
        ("first", "second"),
    ),
    table_schema(
        "neighbours",
        {
            "first": TEXT,
            "second": TEXT,
            "count": pa.int64(),
            "first_count": pa.int64(),
            "second_count": pa.int64(),
            "total": pa.int64(),
        },
        ("first", "second"),
    ),
    table_schema(
        "term_contexts",
        {"source": TEXT, "fact": TEXT, "value": TEXT, "count": pa.int64()},
        ("source", "fact", "value"),
    ),
    # What single terms are compared with: how the sources are nested in longer candidates, and
    # which words stand beside the best terms.
    table_schema(
        "nestings",
        {
            "source": TEXT,
            "words": TEXT,
            "count": pa.int64(),
            "nested": pa.int64(),
            "holders": pa.int64(),
        },
        ("source", "words"),
    ),
    table_schema("context_weights", {"word": TEXT, "terms": pa.int64()}, ("word",)),
    table_schema(
        "terms",
        {
            "source": TEXT,
            "target": TEXT,
            "category": TEXT,
            "methods": WORDS,
            "fragment": TEXT,
            "words": TEXT,
            "c_value": pa.int64(),
            "nc_value": pa.int64(),
            "keyness": pa.int64(),
            "left_entropy": pa.int64(),
            "right_entropy": pa.int64(),
        },
        ("source", "target"),
    ),
)
