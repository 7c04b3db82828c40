"""Where two artifacts of one kind begin to differ: the first row of a table, the first file of a
bundle.

Rows are compared by their content digest, so that two of them are equal exactly if the digests of
their tables would say so. Texts are never repeated here: what is said may be kept.
"""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

import pyarrow as pa

from storage.datasets import ROW_GROUP_ROWS, ArtifactRef, read_bundle, read_pieces
from storage.digests import ContentDigest
from storage.schemas import SCHEMAS, schema_of
from storage.table_schema import TableSchema


def first_difference(
    root: Path, ref: ArtifactRef, other_root: Path, other: ArtifactRef
) -> str | None:
    """Say in which row or file two artifacts differ first, or None if they hold the same.

    What the two claim to hold plays no part: what they hold is read.

    Args:
        root: where the first one lies.
        ref: the first one, which is written in the form of today.
        other_root: where the other one lies.
        other: of the same kind.

    Raises:
        MissingArtifact: a file of one of them is gone or cannot be read.
    """
    if ref.kind not in SCHEMAS:
        return _first_file(read_bundle(root, ref), read_bundle(other_root, other))
    schema = schema_of(ref.kind)
    first = 0
    for left, right in zip_longest(_pieces(root, ref, schema), _pieces(other_root, other, schema)):
        if left is None or right is None or _digest(left) != _digest(right):
            return _first_row(schema, first, left, right)
        first += len(left)
    return None


def _pieces(root: Path, ref: ArtifactRef, schema: TableSchema) -> Iterator[pa.Table]:
    """Yield a table in pieces of the same numbers of rows, whatever its row groups are."""
    return read_pieces(root, ref, schema.columns.names, ROW_GROUP_ROWS)


def _digest(table: pa.Table) -> str:
    digest = ContentDigest(table.schema)
    for batch in table.to_batches():
        digest.update(batch)
    return digest.hexdigest()


def _first_row(
    schema: TableSchema, first: int, left: pa.Table | None, right: pa.Table | None
) -> str:
    """Say which row of two pieces differs, the number of their first row being `first`."""
    if left is None or right is None:
        here = left if left is not None else right
        return _alone(schema, first, here, 0, is_ours=right is None)
    common = min(len(left), len(right))
    place = _first_unequal(left.slice(0, common), right.slice(0, common))
    if place == common:
        here = left if len(left) > common else right
        return _alone(schema, first, here, common, is_ours=here is left)
    columns = [
        name
        for name in schema.columns.names
        if _digest(left.select([name]).slice(place, 1))
        != _digest(right.select([name]).slice(place, 1))
    ]
    return f"{_named(schema, first, left, place)} differs in {', '.join(columns)}"


def _first_unequal(left: pa.Table, right: pa.Table) -> int:
    """Return the first row in which two tables of one length differ; their length if in none."""
    low, high = 0, len(left)
    while low < high:
        middle = (low + high) // 2
        size = middle + 1 - low
        if _digest(left.slice(low, size)) == _digest(right.slice(low, size)):
            low = middle + 1
        else:
            high = middle
    return low


def _alone(schema: TableSchema, first: int, table: pa.Table, place: int, *, is_ours: bool) -> str:
    word = "is not made again" if is_ours else "is made now and is not kept"
    return f"{_named(schema, first, table, place)} {word}"


def _named(schema: TableSchema, first: int, table: pa.Table, place: int) -> str:
    """Name a row by its number, from 1, and by those parts of its key that are no text."""
    parts = [
        f"{name} {table.column(name)[place].as_py()}"
        for name in schema.sort_by
        if name.endswith("_id") or pa.types.is_integer(table.schema.field(name).type)
    ]
    return f"row {first + place + 1:,}" + (f" ({', '.join(parts)})" if parts else "")


def _first_file(left: Mapping[str, bytes], right: Mapping[str, bytes]) -> str | None:
    for name in sorted(left.keys() | right.keys()):
        if name not in right:
            return f"file {name} is not made again"
        if name not in left:
            return f"file {name} is made now and is not kept"
        if left[name] != right[name]:
            return f"file {name} differs from byte {_first_byte(left[name], right[name]):,} on"
    return None


def _first_byte(left: bytes, right: bytes) -> int:
    """Return the first place, from 0, in which two unequal files differ."""
    pairs = zip(left, right, strict=False)
    unequal = (place for place, (one, other) in enumerate(pairs) if one != other)
    return next(unequal, min(len(left), len(right)))
