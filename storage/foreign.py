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

_BATCH_ROWS = 8192


def read_text_columns(
    file: Any, kind: TableFormat, columns: tuple[str, ...], name: str
) -> Iterator[tuple[str, ...]]:
    """Yield the texts of some columns, row by row; null is the empty text.

    Args:
        file: a path, or an open file in which one can jump about.
        kind: `parquet`, or `arrow` for the IPC file (Feather 2) and stream formats.
        columns: names; a dotted path goes into structs, and "" gives empty texts.
        name: names the file in messages.

    Raises:
        InputError: it is not such a file, or a column is missing or no text.
    """
    with _explained(name, kind):
        for batch in _batches(file, kind, columns):
            texts = [_texts(batch, column, name).to_pylist() for column in columns]
            yield from zip(*texts, strict=True)


@contextmanager
def _explained(name: str, kind: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
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


def _texts(batch: pa.RecordBatch, column: str, name: str) -> pa.Array:
    if not column:
        return pa.array([""] * batch.num_rows)
    found: Any = _column(batch, column)
    if found is None:
        raise InputError(
            f"{name}: there is no column {column!r}; there are "
            f"{', '.join(map(repr, batch.schema.names))}. Mend source_column, target_column or "
            "document_column."
        )
    if pa.types.is_dictionary(found.type):
        found = found.dictionary_decode()
    if not (pa.types.is_string(found.type) or pa.types.is_large_string(found.type)):
        if not (pa.types.is_string_view(found.type) or pa.types.is_integer(found.type)):
            raise InputError(
                f"{name}: column {column!r} is of type {found.type}; expected texts. Name another."
            )
        found = found.cast(pa.string())
    return pc.fill_null(found, "")


def _column(batch: pa.RecordBatch, column: str) -> pa.Array | None:
    if column in batch.schema.names:
        return batch.column(column)
    first, *inner = column.split(".")
    if first not in batch.schema.names:
        return None
    found = batch.column(first)
    for field in inner:
        if not pa.types.is_struct(found.type) or found.type.get_field_index(field) < 0:
            return None
        found = pc.struct_field(found, field)
    return found
