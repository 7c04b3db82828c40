"""Tables of older versions are read as today's, with nothing where nobody knew."""

import pyarrow as pa

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
