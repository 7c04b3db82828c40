"""Laws of tables: rows come back, and the digest sees every value and nothing else."""

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from storage.digests import ContentDigest
from storage.schemas import SCHEMAS
from storage.table_schema import TableSchema
from storage.workspace import Workspace, open_workspace
from tests.support import flip_byte, write_counts

TEXTS = st.text("ab\0 词\U0001f600", max_size=3)
Rows = list[dict[str, Any]]


def values(kind: pa.DataType) -> st.SearchStrategy[Any]:
    """Generate values of an Arrow type, without nulls at the top."""
    if pa.types.is_struct(kind):
        fields = [kind.field(index) for index in range(kind.num_fields)]
        return st.fixed_dictionaries({item.name: nullable(item.type) for item in fields})
    if pa.types.is_list(kind):
        return st.lists(nullable(kind.value_type), max_size=3)
    if pa.types.is_string(kind):
        return TEXTS
    if pa.types.is_boolean(kind):
        return st.booleans()
    if pa.types.is_floating(kind):
        # Minus zero equals zero, but its bytes differ; no step makes it.
        return st.floats(allow_nan=False).filter(lambda value: str(value) != "-0.0")
    bits = kind.bit_width - 1
    return st.integers(-(2**bits), 2**bits - 1)


def nullable(kind: pa.DataType) -> st.SearchStrategy[Any]:
    return st.none() | values(kind)


def rows_of(schema: TableSchema, max_size: int = 4) -> st.SearchStrategy[Rows]:
    """Generate rows of a kind whose keys are unique and without nulls."""
    row = st.fixed_dictionaries(
        {
            field.name: values(field.type) if field.name in schema.sort_by else nullable(field.type)
            for field in schema.columns
        }
    )
    return st.lists(row, max_size=max_size, unique_by=lambda row: key_of(schema, row))


def key_of(schema: TableSchema, row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in schema.sort_by)


def in_order(schema: TableSchema, rows: Rows) -> Rows:
    """Sort rows as storage does: texts by their UTF-8 bytes."""
    return sorted(
        rows,
        key=lambda row: tuple(
            value.encode() if isinstance(value, str) else value for value in key_of(schema, row)
        ),
    )


def digest_of(table: pa.Table, cut: int) -> str:
    digest = ContentDigest(table.schema)
    for batch in table.to_batches(max_chunksize=cut):
        digest.update(batch)
    return digest.hexdigest()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return open_workspace(tmp_path_factory.mktemp("tables") / "workspace")


@pytest.mark.parametrize("kind", SCHEMAS)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_rows_come_back_as_they_were_in_the_order_of_their_key(
    shared: Workspace, kind: str, data: st.DataObject
) -> None:
    schema = SCHEMAS[kind]
    rows = data.draw(rows_of(schema))
    ref = shared.write_rows(kind, rows)
    assert list(shared.read_rows(ref)) == in_order(schema, rows)
    assert ref.rows == len(rows)
    assert shared.why_broken(ref) is None


@pytest.mark.parametrize("kind", SCHEMAS)
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_rows_in_any_order_by_columns_or_by_query_are_the_same_artifact(
    shared: Workspace, kind: str, data: st.DataObject
) -> None:
    schema = SCHEMAS[kind]
    rows = data.draw(rows_of(schema))
    ref = shared.write_rows(kind, rows)
    assert shared.write_rows(kind, data.draw(st.permutations(rows))) == ref
    columns = {name: [row[name] for row in rows] for name in schema.columns.names}
    assert shared.write_columns(kind, columns) == ref
    keys = ", ".join(f'"{name}"' for name in schema.sort_by)
    query = f"SELECT * FROM t ORDER BY {keys}"
    assert shared.write_query(kind, query, {"t": ref}) == ref


@pytest.mark.parametrize("kind", SCHEMAS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_digest_does_not_see_batches_and_sees_every_changed_value(
    kind: str, data: st.DataObject
) -> None:
    schema = SCHEMAS[kind]
    rows = data.draw(rows_of(schema, max_size=5).filter(bool))
    table = pa.Table.from_pylist(rows, schema=schema.columns)
    whole = digest_of(table, len(rows))
    cut = data.draw(st.integers(1, len(rows)))
    assert digest_of(table, cut) == whole

    field = data.draw(st.sampled_from(list(schema.columns)))
    number = data.draw(st.integers(0, len(rows) - 1))
    other = data.draw(nullable(field.type))
    assume(other != rows[number][field.name])
    changed = [dict(row) for row in rows]
    changed[number][field.name] = other
    assert digest_of(pa.Table.from_pylist(changed, schema=schema.columns), cut) != whole


@pytest.mark.parametrize("borders", [2, 3])
@given(words=st.lists(TEXTS, min_size=2, max_size=6), data=st.data())
def test_the_digest_sees_where_lists_end(
    borders: int, words: list[str], data: st.DataObject
) -> None:
    kind = pa.list_(pa.string())

    def cut() -> list[list[str]]:
        places = st.lists(
            st.integers(0, len(words)), min_size=borders - 1, max_size=borders - 1
        ).map(sorted)
        edges = [0, *data.draw(places), len(words)]
        return [words[start:end] for start, end in zip(edges, edges[1:], strict=False)]

    def digest(lists: list[list[str]]) -> str:
        return digest_of(pa.table({"words": pa.array(lists, kind)}), 10)

    one, other = cut(), cut()
    assert (digest(one) == digest(other)) == (one == other)


def test_tables_of_many_row_groups_have_the_digest_of_their_rows(shared: Workspace) -> None:
    rows = [{"source": f"{number:06d}", "count": number} for number in range(140_000)]
    shuffled = random.Random(1).sample(rows, len(rows))
    ref = shared.write_rows("source_counts", shuffled)
    assert shared.write_query("source_counts", "SELECT * FROM t ORDER BY source", {"t": ref}) == ref
    table = pa.Table.from_pylist(rows, schema=SCHEMAS["source_counts"].columns)
    assert digest_of(table, 1000) == ref.digest


@settings(max_examples=60, deadline=None)
@given(
    position=st.integers(0, 10_000), name=st.sampled_from(["part-00000.parquet", "manifest.json"])
)
def test_one_changed_byte_anywhere_is_found(
    tmp_path_factory: pytest.TempPathFactory, position: int, name: str
) -> None:
    workspace = open_workspace(tmp_path_factory.getbasetemp() / "bytes")
    ref = write_counts(workspace, 20)
    path: Path = workspace.folder_of(ref) / name
    flip_byte(path, position)
    assert workspace.why_broken(ref) is not None
    flip_byte(path, position)
    assert workspace.why_broken(ref) is None
