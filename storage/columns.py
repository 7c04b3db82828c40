"""Columns of tables as arrays of numbers, for compiled loops; no object for each word."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


class TextColumn(NamedTuple):
    """Texts one behind the other: text k is the UTF-8 bytes `[starts[k], starts[k + 1])`."""

    data: NDArray[np.uint8]
    starts: Numbers


class WordColumn(NamedTuple):
    """A column of lists of words: list k is `ids[starts[k]:starts[k + 1]]`."""

    ids: NDArray[np.int32]
    starts: Numbers
    words: list[str]
    """The distinct words, by number."""
    texts: TextColumn
    """The same."""


class NumberColumn(NamedTuple):
    """A column of lists of numbers: list k is `values[starts[k]:starts[k + 1]]`."""

    values: NDArray[np.int32]
    starts: Numbers


class RecordColumn(NamedTuple):
    """A column of lists of records: those of list k are `[starts[k], starts[k + 1])`."""

    fields: dict[str, Any]
    """Each field of all records, as a column."""
    starts: Numbers


def as_arrays(table: pa.Table) -> dict[str, Any]:
    """Give the columns of a table: lists as arrays, text as a list of strings."""
    return {name: _as_array(table.column(name).combine_chunks()) for name in table.column_names}


def _as_array(column: pa.Array) -> Any:
    if pa.types.is_list(column.type):
        offsets = column.offsets.to_numpy().astype(np.int64)
        values = column.flatten()
        if pa.types.is_string(column.type.value_type):
            encoded = values.dictionary_encode()
            ids = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32)
            words = encoded.dictionary
            return WordColumn(ids, offsets - offsets[0], words.to_pylist(), _texts(words))
        if pa.types.is_struct(column.type.value_type):
            names = [field.name for field in column.type.value_type]
            fields = zip(names, map(_as_array, values.flatten()), strict=True)
            return RecordColumn(dict(fields), offsets - offsets[0])
        return NumberColumn(values.to_numpy(zero_copy_only=False), offsets - offsets[0])
    if pa.types.is_string(column.type):
        return list(column.to_pylist())
    return column.to_numpy(zero_copy_only=False)


def _texts(column: pa.Array) -> TextColumn:
    """Give a column of text, which no other is a part of, as its bytes."""
    _, offsets, data = column.buffers()
    starts = np.frombuffer(offsets, np.int32)[: len(column) + 1].astype(np.int64)
    return TextColumn(np.frombuffer(data or b"", np.uint8), starts)


def in_pieces(tables: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """Cut tables that follow each other into pieces of `rows` rows; the last one may be shorter."""
    waiting: list[pa.Table] = []
    number = 0
    for table in tables:
        waiting.append(table)
        number += table.num_rows
        if number >= rows:
            whole = pa.concat_tables(waiting)
            full = number - number % rows
            yield from (whole.slice(at, rows) for at in range(0, full, rows))
            waiting, number = [whole.slice(full)], number - full
    if number:
        yield pa.concat_tables(waiting)


def sorted_batches(
    schema: pa.Schema, columns: dict[str, Any], rows: int
) -> Iterator[pa.RecordBatch]:
    """Give columns of equal length as batches of a table.

    Args:
        schema: of the table.
        columns: numpy arrays, or `TextColumn` for a column of texts.
        rows: of each batch but the last.
    """
    number = max(map(_length, columns.values()))
    for first in range(0, number, rows):
        end = min(first + rows, number)
        yield pa.RecordBatch.from_arrays(
            [_piece(columns[field.name], field.type, first, end) for field in schema], schema=schema
        )


def assert_ascending(columns: dict[str, Any], key: tuple[str, ...]) -> None:
    """Raise AssertionError unless rows ascend strictly by a key of numbers."""
    assert len(set(map(_length, columns.values()))) == 1, "columns have different lengths"
    greater = np.zeros(max(_length(columns[key[0]]) - 1, 0), np.bool_)
    for name in reversed(key):
        before, behind = columns[name][:-1], columns[name][1:]
        greater = (before < behind) | ((before == behind) & greater)
    assert greater.all(), f"rows are not sorted by {key}, or two share a key"


def _length(column: Any) -> int:
    return len(column.starts) - 1 if isinstance(column, TextColumn) else len(column)


def _piece(column: Any, kind: pa.DataType, first: int, end: int) -> pa.Array:
    if not isinstance(column, TextColumn):
        return pa.array(column[first:end], kind)
    starts = column.starts[first : end + 1]
    offsets = (starts - starts[0]).astype(np.int32)
    data = np.ascontiguousarray(column.data[starts[0] : starts[-1]])
    return pa.StringArray.from_buffers(end - first, pa.py_buffer(offsets), pa.py_buffer(data))


def ascends(table: pa.Table, key: Sequence[str]) -> bool:
    """Say whether rows ascend already, each by more than nothing: then no copy of them is sorted.

    Looked at for keys of one column only.
    """
    if len(key) > 1 or table.column(key[0]).null_count:
        return False
    column, last = table.column(key[0]), max(table.num_rows - 1, 0)
    return pc.all(pc.less(column.slice(0, last), column.slice(1))).as_py() is not False


def in_groups(table: pa.Table, rows: int) -> Iterator[pa.RecordBatch]:
    """Yield a table in batches of `rows` rows, the last one shorter."""
    for start in range(0, table.num_rows, rows):
        yield from table.slice(start, rows).combine_chunks().to_batches()
