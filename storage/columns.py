"""Columns of tables as arrays of numbers, for compiled loops; no object for each word."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Columns = Mapping[str, Any]
"""Columns of equal length, by name: numpy arrays, or `TextColumn` for one of texts."""


class TextColumn(NamedTuple):
    """Texts one behind the other: text k is the UTF-8 bytes `[starts[k], starts[k + 1])`."""

    data: NDArray[np.uint8]
    starts: Numbers


class PickedTexts(NamedTuple):
    """A column of texts of which most stand in many rows: row k is `texts[numbers[k]]`."""

    texts: TextColumn | Sequence[str]
    numbers: Numbers


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


def as_texts(table: pa.Table) -> dict[str, TextColumn]:
    """Give the columns of a table, which are all of text, as their bytes."""
    return {name: _texts(table.column(name).combine_chunks()) for name in table.column_names}


def _texts(column: pa.Array) -> TextColumn:
    """Give a column of text as its bytes."""
    if not len(column):
        return TextColumn(np.zeros(0, np.uint8), np.zeros(1, np.int64))
    _, offsets, data = column.buffers()
    here = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
    letters = np.frombuffer(data or b"", np.uint8)[here[0] : here[-1]]
    return TextColumn(letters, here.astype(np.int64) - here[0])


def as_column(values: Any, kind: pa.DataType) -> pa.Array:
    """Give a list, a numpy array, a `TextColumn` or `PickedTexts` as a column of a table."""
    if isinstance(values, PickedTexts):
        return as_column(values.texts, kind).take(pa.array(values.numbers))
    if isinstance(values, TextColumn):
        return _piece(values, kind, 0, _length(values))
    return pa.array(values, type=kind)


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


def sorted_batches(schema: pa.Schema, columns: Columns, rows: int) -> Iterator[pa.RecordBatch]:
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


def ascending(pieces: Iterable[Columns], key: tuple[str, ...]) -> Iterator[Columns]:
    """Yield pieces of columns; AssertionError unless their rows ascend strictly by a key of
    numbers."""
    last: tuple[int, ...] = ()
    for piece in pieces:
        assert len(set(map(_length, piece.values()))) == 1, "columns have different lengths"
        size = _length(piece[key[0]])
        greater = np.zeros(max(size - 1, 0), np.bool_)
        for name in reversed(key):
            before, behind = piece[name][:-1], piece[name][1:]
            greater = (before < behind) | ((before == behind) & greater)
        first = tuple(int(piece[name][0]) for name in key) if size else last
        ascends_here = greater.all() and (not size or last < first)
        assert ascends_here, f"rows are not sorted by {key}, or two share a key"
        last = tuple(int(piece[name][-1]) for name in key) if size else last
        yield piece


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
    """Say whether rows ascend already, each by more than nothing: then no sorted copy is made."""
    last = max(table.num_rows - 1, 0)
    greater: Any = pa.scalar(False)
    for name in reversed(key):
        column = table.column(name)
        if column.null_count:
            return False
        before, behind = column.slice(0, last), column.slice(1)
        same = pc.and_(pc.equal(before, behind), greater)
        greater = pc.or_(pc.less(before, behind), same)
    return pc.all(greater).as_py() is not False


def in_groups(table: pa.Table, rows: int) -> Iterator[pa.RecordBatch]:
    """Yield a table in batches of `rows` rows, the last one shorter."""
    for start in range(0, table.num_rows, rows):
        yield from table.slice(start, rows).combine_chunks().to_batches()
