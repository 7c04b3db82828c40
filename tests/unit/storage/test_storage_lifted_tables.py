"""Tables of older versions are read as today's, with nothing where nobody knew."""

from typing import Any

import pyarrow as pa

from storage.phrase_keys import phrase_key
from storage.schemas import lift, schema_of


def test_comparisons_of_version_1_lack_the_score_of_the_baseline() -> None:
    schema = schema_of("comparisons")
    new = [f"baseline_{name}" for name in ("value", "low", "high")]
    before = pa.schema([field for field in schema.columns if field.name not in new])
    row = {
        name: 1 if pa.types.is_integer(before.field(name).type) else None for name in before.names
    }
    lifted = lift(pa.Table.from_pylist([row], schema=before), schema, 1)
    assert lifted.schema == schema.columns
    assert lifted.select(new).to_pylist() == [dict.fromkeys(new)]
    assert lifted.select(before.names).to_pylist() == [row]


def test_candidates_of_version_1_get_the_keys_of_their_texts() -> None:
    schema = schema_of("candidates")
    keys = ["source_key", "target_key"]
    before = pa.schema([field for field in schema.columns if field.name not in keys])
    counts = {"pair_count": 3, "source_count": 4, "target_count": 5}
    rows: list[dict[str, Any]] = [
        {"source": source, "target": target, **counts, "reliability": 0.5, "reverse": 0.25}
        for source, target in (("中央银行", "central bank"), ("药", "drug"))
    ]
    lifted = lift(pa.Table.from_pylist(rows, schema=before), schema, 1)
    assert lifted.schema == schema.columns
    assert lifted.select(before.names).to_pylist() == rows
    assert lifted.select(keys).to_pylist() == [
        {"source_key": phrase_key(row["source"]), "target_key": phrase_key(row["target"])}
        for row in rows
    ]
    assert lift(pa.Table.from_pylist([], schema=before), schema, 1).schema == schema.columns
