"""Write artifacts once: under a temporary name, flushed, then renamed and never changed again."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from storage.columns import (
    Columns,
    as_column,
    ascending,
    ascends,
    in_groups,
    sorted_batches,
)
from storage.datasets import (
    MANIFEST,
    ROW_GROUP_ROWS,
    ArtifactRef,
    Manifest,
    PartFile,
    artifact_folder,
    why_broken,
)
from storage.digests import DIGEST_LENGTH, ContentDigest, file_digest
from storage.files import explained, partial_folder, publish_folder, write_flushed
from storage.schemas import schema_of
from storage.table_schema import Reproducibility, TableSchema

BUNDLE_VERSION = 1
_PACKED_ROWS = 8192
_PART = "part-00000.parquet"


def write_rows(
    root: Path,
    kind: str,
    rows: Iterable[Mapping[str, Any]],
    reproducibility: Reproducibility | None = None,
) -> ArtifactRef:
    """Pack rows into a table as they come, since an object for each value takes many times as much
    memory, and write it; see `write_table`."""
    columns, left = schema_of(kind).columns, iter(rows)
    batches = [
        pa.RecordBatch.from_pylist(piece, schema=columns)
        for piece in iter(lambda: list(islice(left, _PACKED_ROWS)), [])
    ]
    table = pa.Table.from_batches(batches, schema=columns)
    return write_table(root, kind, table, reproducibility)


def write_table(
    root: Path, kind: str, table: pa.Table, reproducibility: Reproducibility | None = None
) -> ArtifactRef:
    """Sort a table by its kind's key and write it as one artifact below `root`.

    Args:
        root: the workspace.
        kind: of the table.
        table: its rows.
        reproducibility: how far it can be made again, if not as far as others of its kind.

    Raises:
        WorkspaceError: the disk is full or cannot be written.
        AssertionError: two rows have the same key, or a column is missing (a defect of the step).
    """
    schema = but_reproducible(schema_of(kind), reproducibility)
    ordered = table.select(schema.columns.names).cast(schema.columns)
    if not ascends(ordered, schema.sort_by):
        ordered = ordered.sort_by([(name, "ascending") for name in schema.sort_by])
        _assert_unique(ordered, schema)
    return write_sorted(root, schema, in_groups(ordered, ROW_GROUP_ROWS))


def write_columns(root: Path, kind: str, columns: Mapping[str, Any]) -> ArtifactRef:
    """Write columns of equal length, see `storage.columns.as_column`, as one table; see
    `write_table`."""
    schema = schema_of(kind)
    arrays = [as_column(columns[field.name], field.type) for field in schema.columns]
    return write_table(root, kind, pa.Table.from_arrays(arrays, schema=schema.columns))


def but_reproducible(schema: TableSchema, reproducibility: Reproducibility | None) -> TableSchema:
    """Return a schema whose tables can be made again so far only; None leaves it as it is."""
    return schema if reproducibility is None else replace(schema, reproducibility=reproducibility)


def write_arrays(root: Path, kind: str, columns: Columns | Iterable[Columns]) -> ArtifactRef:
    """Write columns whose rows already ascend by the kind's key, which must be numbers.

    Args:
        root: the workspace.
        kind: of the table.
        columns: all of them, or pieces that follow each other, of `ROW_GROUP_ROWS` rows each but
            for the last.

    Raises:
        WorkspaceError: the disk is full or cannot be written.
        AssertionError: the rows do not ascend, or a column is missing (a defect of the step).
    """
    schema = schema_of(kind)
    pieces = [columns] if isinstance(columns, Mapping) else columns
    batches = (
        batch
        for piece in ascending(pieces, schema.sort_by)
        for batch in sorted_batches(schema.columns, piece, ROW_GROUP_ROWS)
    )
    return write_sorted(root, schema, batches)


def write_sorted(root: Path, schema: TableSchema, batches: Iterable[pa.RecordBatch]) -> ArtifactRef:
    """Stream batches that are already in the order of the schema's key into one artifact."""
    from pyarrow.parquet import ParquetWriter

    digest, rows = ContentDigest(schema.columns), 0
    with partial_folder(root) as folder:
        target = folder / _PART
        repeating = [name for name in schema.columns.names if name not in schema.distinct]
        options = {"compression": "zstd", "use_dictionary": repeating if schema.distinct else True}
        with ParquetWriter(target, schema.columns, **options) as writer:
            for batch in batches:
                rows += batch.num_rows
                digest.update(batch)
                writer.write_batch(batch, row_group_size=ROW_GROUP_ROWS)
        ref = ArtifactRef(schema.kind, digest.hexdigest(), rows)
        _finish(root, folder, ref, schema.version, schema.reproducibility)
    return ref


def write_bundle(
    root: Path,
    kind: str,
    files: Mapping[str, bytes],
    *,
    reproducibility: Reproducibility = "exact",
) -> ArtifactRef:
    """Write named files as one artifact, whose digest covers names and bytes."""
    whole = hashlib.sha256()
    for name in sorted(files):
        whole.update(f"{name}\0{hashlib.sha256(files[name]).hexdigest()}\n".encode())
    ref = ArtifactRef(kind, whole.hexdigest()[:DIGEST_LENGTH], len(files))
    with partial_folder(root) as folder:
        for name, data in files.items():
            write_flushed(folder / name, data)
        _finish(root, folder, ref, BUNDLE_VERSION, reproducibility)
    return ref


def _finish(
    root: Path, folder: Path, ref: ArtifactRef, version: int, reproducibility: Reproducibility
) -> None:
    parts = tuple(
        PartFile(file.name, file.stat().st_size, file_digest(file))
        for file in sorted(folder.iterdir())
    )
    unsealed = Manifest(
        kind=ref.kind,
        schema_version=version,
        content_digest=ref.digest,
        bytes_digest="",
        rows=ref.rows,
        reproducibility=reproducibility,
        writer=f"pyarrow {pa.__version__}",
        parts=parts,
    )
    manifest = replace(unsealed, bytes_digest=unsealed.seal())
    write_flushed(folder / MANIFEST, manifest.to_bytes())
    final = artifact_folder(root, ref)
    with explained("write", final):
        publish_folder(folder, final, replace=why_broken(root, ref) is not None)


def _assert_unique(ordered: pa.Table, schema: TableSchema) -> None:
    keys = ordered.select(list(schema.sort_by))
    grouped = keys.group_by(list(schema.sort_by)).aggregate([])
    assert grouped.num_rows == keys.num_rows, f"rows of {schema.kind} share a key {schema.sort_by}"
