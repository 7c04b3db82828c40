"""Tables of mined phrase pairs: counts by key (`storage/phrase_keys.py`), and what they say."""

import pyarrow as pa

from storage.phrase_keys import phrase_key
from storage.table_schema import TEXT, table_schema

MINING = (
    # Counts by text, of before there were keys; kept to read old workspaces.
    table_schema(
        "phrase_counts",
        {"source": TEXT, "target": TEXT, "count": pa.int64()},
        ("source", "target"),
    ),
    table_schema("source_counts", {"source": TEXT, "count": pa.int64()}, ("source",)),
    table_schema("target_counts", {"target": TEXT, "count": pa.int64()}, ("target",)),
    table_schema(
        "pair_counts",
        {"source_key": pa.int64(), "target_key": pa.int64(), "count": pa.int64()},
        ("source_key", "target_key"),
        distinct=("source_key", "target_key"),
    ),
    table_schema(
        "source_phrases",
        {"source_key": pa.int64(), "source": TEXT, "count": pa.int64()},
        ("source_key",),
        distinct=("source_key", "source"),
    ),
    table_schema(
        "target_phrases",
        {"target_key": pa.int64(), "target": TEXT, "count": pa.int64()},
        ("target_key",),
        distinct=("target_key", "target"),
    ),
    table_schema(
        "candidates",
        {
            "source": TEXT,
            "target": TEXT,
            "source_key": pa.int64(),
            "target_key": pa.int64(),
            "pair_count": pa.int64(),
            "source_count": pa.int64(),
            "target_count": pa.int64(),
            "reliability": pa.float64(),
            "reverse": pa.float64(),
        },
        ("source", "target"),
        version=2,
    ),
    # What lexical weights and significance follow from (tasks/lexical.py): by shard, and in all.
    table_schema(
        "link_counts",
        {"source_key": pa.int64(), "target_key": pa.int64(), "count": pa.int64()},
        ("source_key", "target_key"),
        distinct=("source_key", "target_key"),
    ),
    table_schema(
        "alignment_counts",
        {
            "source_key": pa.int64(),
            "target_key": pa.int64(),
            "source_words": TEXT,
            "links": TEXT,
            "count": pa.int64(),
        },
        ("source_key", "target_key", "source_words", "links"),
    ),
    table_schema(
        "sentence_counts",
        {
            "source_key": pa.int64(),
            "target_key": pa.int64(),
            "sentences": pa.int64(),
            "source_sentences": pa.int64(),
            "target_sentences": pa.int64(),
        },
        ("source_key", "target_key"),
        distinct=("source_key", "target_key"),
    ),
    table_schema(
        "alignments",
        {
            "phrase_id": TEXT,
            "source_words": TEXT,
            "target_words": TEXT,
            "links": TEXT,
            "count": pa.int64(),
            "sentences": pa.int64(),
            "source_sentences": pa.int64(),
            "target_sentences": pa.int64(),
            "total_sentences": pa.int64(),
        },
        ("phrase_id",),
    ),
    table_schema(
        "word_links",
        {
            "source": TEXT,
            "target": TEXT,
            "count": pa.int64(),
            "source_count": pa.int64(),
            "target_count": pa.int64(),
        },
        ("source", "target"),
    ),
)


def with_keys(candidates: pa.Table) -> pa.Table:
    """Lift candidates of version 1, which had no keys."""
    lifted, place = candidates, candidates.schema.get_field_index("target")
    for number, side in enumerate(("source", "target"), start=1):
        keys = [phrase_key(text) for text in candidates.column(side).to_pylist()]
        lifted = lifted.add_column(place + number, f"{side}_key", pa.array(keys, pa.int64()))
    return lifted
