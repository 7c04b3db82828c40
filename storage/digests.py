"""The canonical content digest: what a dataset *says*, whatever wrote the file.

Rows are taken in their sorted order and every column is hashed as plain values (little-endian
numbers, UTF-8 text, lengths, nulls), so the digest survives an upgrade of Arrow or Parquet and does
not depend on row groups, batches, threads or shards. The digest of the bytes, which finds
tampering, is a plain SHA-256 of each file and lives in `datasets.py`.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

DIGEST_LENGTH = 32
"""Hex digits of the digest of an artifact: 128 bits."""

_SCALARS = {
    pa.string(): "text",
    pa.binary(): "bytes",
    pa.bool_(): "truth",
    pa.int16(): "int16",
    pa.int32(): "int32",
    pa.int64(): "int64",
    pa.float32(): "float32",
    pa.float64(): "float64",
}
"""The plain types that a table may hold, by the names that are digested."""

_CHUNK_BYTES = 1 << 20


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes as 64 hex digits."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, shortened to the length of an artifact's digest."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:DIGEST_LENGTH]


class ContentDigest:
    """Accumulate batches of sorted rows; where the batches are cut does not matter."""

    def __init__(self, schema: pa.Schema) -> None:
        self._names = schema.names
        self._columns = [_ColumnDigest(field.type) for field in schema]
        self._rows = 0

    def update(self, batch: pa.RecordBatch) -> None:
        """Add the rows of one batch, which must have the columns of the schema in its order."""
        self._rows += batch.num_rows
        for digest, column in zip(self._columns, batch.columns, strict=True):
            digest.update(column)

    def hexdigest(self) -> str:
        """Return the digest of all rows so far as 32 hex digits."""
        whole = hashlib.sha256(str(self._rows).encode())
        for name, column in zip(self._names, self._columns, strict=True):
            whole.update(f"\0{name}\0{column.hexdigest()}".encode())
        return whole.hexdigest()[:DIGEST_LENGTH]


class _ColumnDigest:
    """Hash one column: one stream of nulls, one of lengths, one of values, and the children's.

    The streams are apart, since each batch adds to all of them: mixed, they would show its borders.
    """

    def __init__(self, kind: pa.DataType) -> None:
        self._kind = kind
        self._nulls = hashlib.sha256()
        self._lengths = hashlib.sha256()
        self._values = hashlib.sha256()
        self._children = [_ColumnDigest(child) for child in _child_types(kind)]

    def update(self, array: pa.Array) -> None:
        from pyarrow import compute as pc  # slow to import, and a question digests no columns

        self._nulls.update(pc.is_null(array).to_numpy(zero_copy_only=False).tobytes())
        if pa.types.is_struct(self._kind):
            for child, values in zip(self._children, array.flatten(), strict=True):
                child.update(values)
        elif _is_list(self._kind):
            self._add_lengths(pc.list_value_length(array))
            self._children[0].update(pc.list_flatten(array))
        elif _is_text(self._kind):
            self._add_lengths(pc.binary_length(array))
            self._values.update(_text_bytes(pc.drop_null(array)))
        else:
            filled = pc.fill_null(array, _zero(self._kind)).to_numpy(zero_copy_only=False)
            self._values.update(np.ascontiguousarray(_little_endian(filled)).tobytes())

    def _add_lengths(self, lengths: pa.Array) -> None:
        filled = lengths.fill_null(0).cast(pa.int64()).to_numpy(zero_copy_only=False)
        self._lengths.update(_little_endian(filled).tobytes())

    def hexdigest(self) -> str:
        streams = (self._nulls, self._lengths, self._values)
        parts = [_type_name(self._kind), *(stream.hexdigest() for stream in streams)]
        parts += [child.hexdigest() for child in self._children]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _child_types(kind: pa.DataType) -> Iterable[pa.DataType]:
    if pa.types.is_struct(kind):
        return [kind.field(index).type for index in range(kind.num_fields)]
    return [kind.value_type] if _is_list(kind) else []


def _text_bytes(array: pa.Array) -> memoryview:
    """Return the bytes of all values of a text column without nulls, one after the other."""
    if len(array) == 0:
        return memoryview(b"")
    _, offsets, data = array.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int32)
    start, end = bounds[array.offset], bounds[array.offset + len(array)]
    return memoryview(data)[start:end] if data is not None else memoryview(b"")


def _type_name(kind: pa.DataType) -> str:
    """Name a type in our own words, since the digest must not depend on Arrow's."""
    if pa.types.is_struct(kind):
        fields = (kind.field(index) for index in range(kind.num_fields))
        inner = ",".join(f"{field.name}:{_type_name(field.type)}" for field in fields)
        return f"struct({inner})"
    if _is_list(kind):
        return f"list({_type_name(kind.value_type)})"
    return _SCALARS[kind]


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_binary(kind))


def _zero(kind: pa.DataType) -> bool | int | float:
    if pa.types.is_boolean(kind):
        return False
    return 0.0 if pa.types.is_floating(kind) else 0


def _little_endian(values: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    return values.astype(values.dtype.newbyteorder("<"), copy=False)
