"""Read some text columns of Parquet and Arrow files that others wrote, a batch at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import ipc

from storage.errors import InputError

TableFormat = Literal["parquet", "arrow"]

Cell = str | bytes
"""The text of a cell, or its bytes where they are no UTF-8."""

_SERVER = "AWS Error"
_BATCH_ROWS = 8192


def read_text_columns(
    file: Any, kind: TableFormat, columns: tuple[str, ...], name: str
) -> Iterator[tuple[Cell, ...]]:
    """Yield the texts of some columns, row by row; null is the empty text.

    Args:
        file: a path, or an open file in which one can jump about.
        kind: `parquet`, or `arrow` for the IPC file (Feather 2) and stream formats.
        columns: names; a dotted path goes into structs, and "" gives empty texts.
        name: names the file in messages.

    Raises:
        InputError: it is not such a file, or a column is missing, there twice or no text.
    """
    with _explained(name, kind):
        for batch in _batches(file, kind, columns):
            # A damaged file may say that a text ends outside of its memory.
            batch.validate()
            texts = [_texts(batch, column, name) for column in columns]
            yield from zip(*texts, strict=True)


@contextmanager
def _explained(name: str, kind: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
        if isinstance(error, OSError) and (error.errno is not None or _SERVER in str(error)):
            raise  # the disk or the server, and not what is in the file
        cause = str(error).splitlines()[0].rstrip(".")
        raise InputError(
            f"{name}: not a readable file of format {kind} ({cause}). Check format and path, or "
            "copy the file again."
        ) from None


def _batches(file: Any, kind: TableFormat, columns: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
    if kind == "parquet":
        with pq.ParquetFile(file, memory_map=False, pre_buffer=False) as parquet:
            known = parquet.schema_arrow.names
            wanted = sorted({top for column in columns if (top := _top(column, known))})
            # A column that is not there is reported with what there is.
            chosen = wanted if set(wanted) <= set(known) else None
            yield from parquet.iter_batches(batch_size=_BATCH_ROWS, columns=chosen)
        return
    with _open_arrow(file) as reader:
        if isinstance(reader, ipc.RecordBatchStreamReader):
            yield from reader
        else:
            for index in range(reader.num_record_batches):
                yield reader.get_batch(index)


def _open_arrow(file: Any) -> Any:
    source = pa.OSFile(file) if isinstance(file, str) else pa.PythonFile(file, mode="r")
    try:
        return ipc.open_file(source)
    except pa.ArrowInvalid:
        source.seek(0)
        return ipc.open_stream(source)


def _top(column: str, known: list[str]) -> str:
    return column if column in known else column.partition(".")[0]


def _texts(batch: pa.RecordBatch, column: str, name: str) -> list[Cell]:
    if not column:
        return [""] * batch.num_rows
    found = _column(batch, column, name)
    if found is None:
        raise InputError(
            f"{name}: there is no column {column!r}; there are "
            f"{', '.join(map(repr, batch.schema.names))}. Mend source_column, target_column or "
            "document_column."
        )
    if pa.types.is_dictionary(found.type):
        found = _undictionaried(found)
    if pa.types.is_integer(found.type):
        found = found.cast(pa.string())
    wide = pa.types.is_large_string(found.type) or pa.types.is_large_binary(found.type)
    if pa.types.is_string_view(found.type):
        found.validate(full=True)
        found = found.cast(pa.string())
    if not (wide or pa.types.is_string(found.type) or pa.types.is_binary(found.type)):
        raise InputError(
            f"{name}: column {column!r} is of type {found.type}; expected texts. Name another."
        )
    found = found.view(pa.large_binary() if wide else pa.binary())
    found.validate(full=True)
    return [_decoded(text or b"") for text in found.to_pylist()]


def _undictionaried(array: Any) -> Any:
    """Return the values that a dictionary array stands for.

    Raises:
        ArrowInvalid: an index points outside of the dictionary.
    """
    array.indices.validate(full=True)
    found = pc.min_max(array.indices)
    lowest, highest = found["min"].as_py(), found["max"].as_py()
    if lowest is not None and not 0 <= lowest <= highest < len(array.dictionary):
        raise pa.ArrowInvalid("an index points outside of its dictionary")
    array.dictionary.validate()
    return array.dictionary_decode()


def _decoded(text: bytes) -> Cell:
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text


def _column(batch: pa.RecordBatch, column: str, name: str) -> pa.Array | None:
    first, *inner = [column] if column in batch.schema.names else column.split(".")
    places = batch.schema.get_all_field_indices(first)
    if len(places) > 1:
        raise InputError(
            f"{name}: {len(places)} columns are named {first!r}; expected one. Rename the others."
        )
    if not places:
        return None
    found = batch.column(places[0])
    for field in inner:
        if not pa.types.is_struct(found.type) or found.type.get_field_index(field) < 0:
            return None
        found = pc.struct_field(found, field)
    return found
