"""Write-once artifacts: folders named by their content, each with a manifest.

An artifact is a *table* (sorted Parquet parts of one kind) or a *bundle* (named files, such as a
model or a report). Either is written under a temporary name and renamed, and never changed again.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from storage.columns import in_pieces
from storage.digests import DIGEST_LENGTH, file_digest
from storage.errors import MissingArtifact
from storage.mirror import mirror_of
from storage.plain_json import UNREADABLE, plain_record
from storage.schemas import lift, schema_of
from storage.table_schema import Reproducibility

MANIFEST = "manifest.json"
ROW_GROUP_ROWS = 1 << 16
_HOMES = {"model": "models", "report": "reports"}


@dataclass(frozen=True, slots=True)
class ArtifactRef:
    """A reference that travels between steps in place of the data."""

    kind: str
    digest: str
    """Canonical content digest, 32 hex digits."""
    rows: int
    """Rows of a table, files of a bundle."""

    def to_json(self) -> dict[str, Any]:
        """Return the form that ledger and cache store."""
        return {"kind": self.kind, "digest": self.digest, "rows": self.rows}

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> "ArtifactRef":
        """Read the form that `to_json` writes.

        Raises:
            ValueError, TypeError, KeyError: it is none.
        """
        ref = ArtifactRef(value["kind"], value["digest"], value["rows"])
        if (type(ref.kind), type(ref.digest), type(ref.rows)) != (str, str, int):
            raise ValueError("no reference to an artifact")
        return ref


@dataclass(frozen=True, slots=True)
class PartFile:
    """One file of an artifact with the digest of its bytes."""

    name: str
    bytes: int
    sha256: str

    def __post_init__(self) -> None:
        """Refuse a name that leads out of the artifact's folder."""
        if self.name != Path(self.name).name or self.name in ("", ".", ".."):
            raise ValueError(f"{self.name!r} is no name of a file")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an artifact's folder must hold; nothing in it depends on when or where it was
    written.
    """

    kind: str
    schema_version: int
    content_digest: str
    bytes_digest: str
    """Digest of the parts' bytes and of all other fields here, so that none can change unnoticed.
    """
    rows: int
    reproducibility: Reproducibility
    writer: str
    parts: tuple[PartFile, ...]

    def seal(self) -> str:
        """Return what `bytes_digest` must be."""
        fields = {name: value for name, value in asdict(self).items() if name != "bytes_digest"}
        return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[
            :DIGEST_LENGTH
        ]

    def to_bytes(self) -> bytes:
        """Return the manifest as JSON text."""
        return json.dumps(asdict(self), indent=1, sort_keys=True).encode() + b"\n"

    @staticmethod
    def read(folder: Path) -> "Manifest":
        """Read an artifact's manifest.

        Raises:
            MissingArtifact: there is none, it cannot be read, or it was changed.
        """
        try:
            manifest = Manifest.parse(folder)
            if manifest.bytes_digest != manifest.seal():
                raise ValueError(f"{MANIFEST} was changed")
        except UNREADABLE as error:
            raise MissingArtifact(
                f"{folder}: there is no readable {MANIFEST} ({type(error).__name__}). "
                f"{_how_to_mend(folder)}"
            ) from error
        return manifest

    @staticmethod
    def parse(folder: Path) -> "Manifest":
        """Read an artifact's manifest, which may have been changed.

        Raises:
            OSError: there is none, or it cannot be read.
            ValueError, TypeError, KeyError: it is no manifest.
        """
        value = dict(json.loads((folder / MANIFEST).read_bytes()))
        parts = tuple(plain_record(PartFile, part) for part in value.pop("parts"))
        return plain_record(Manifest, {**value, "parts": parts})


def artifact_folder(root: Path, ref: ArtifactRef) -> Path:
    """Return where an artifact lies below a workspace's root; `models/` and `reports/` have their
    own.
    """
    return root / _HOMES.get(ref.kind, f"warehouse/{ref.kind}") / ref.digest


def local_folder(root: Path, ref: ArtifactRef) -> Path:
    """Return where an artifact lies, fetched if the workspace is in a bucket and has it there.

    Raises:
        WorkspaceError: the server cannot be asked.
    """
    folder = artifact_folder(root, ref)
    if not folder.is_dir() and (mirror := mirror_of(root)):
        mirror.fetch(folder.relative_to(root).as_posix())
    return folder


def _is_elsewhere(root: Path, folder: Path) -> bool:
    """Say whether the workspace has an artifact in a bucket."""
    mirror = mirror_of(root)
    return mirror is not None and mirror.holds(folder.relative_to(root).as_posix())


def read_pieces(root: Path, ref: ArtifactRef, columns: list[str], rows: int) -> Iterator[pa.Table]:
    """Read a table in pieces of `rows` rows, with little more than a piece in memory at a time.

    Raises:
        MissingArtifact: a file of it is gone.
        WorkspaceError: it was written by a newer phrasenet.
    """
    folder = local_folder(root, ref)
    manifest = Manifest.read(folder)
    if manifest.schema_version != schema_of(ref.kind).version:
        yield from in_pieces([read_table(root, ref, columns)], rows)
        return
    yield from in_pieces(_row_groups(folder, manifest, columns), rows)


def _row_groups(folder: Path, manifest: Manifest, columns: list[str]) -> Iterator[pa.Table]:
    with damage_explained(folder):
        for part in manifest.parts:
            with _parquet().ParquetFile(folder / part.name) as file:
                for group in range(file.num_row_groups):
                    yield file.read_row_group(group, columns=columns)
    # Arrow would keep what it used for the next table, and hide it from everything else.
    pa.default_memory_pool().release_unused()


@contextlib.contextmanager
def damage_explained(folder: Path) -> Iterator[None]:
    """Turn an error in reading an artifact's files into `MissingArtifact`."""
    try:
        yield
    except (OSError, pa.ArrowInvalid) as error:
        raise MissingArtifact(f"{folder} is damaged: {error}. {_how_to_mend(folder)}") from error


def _how_to_mend(folder: Path) -> str:
    if folder.parent.name == "decisions":
        return "It holds what people decided, which nothing makes again: restore it from a backup."
    return "Run `phrasenet run`: what is missing is made again."


def read_table(root: Path, ref: ArtifactRef, columns: list[str] | None = None) -> pa.Table:
    """Read a table, lifted to the schema of today.

    Raises:
        MissingArtifact: a file of it is gone.
        WorkspaceError: it was written by a newer phrasenet.
    """
    folder = local_folder(root, ref)
    manifest = Manifest.read(folder)
    schema = schema_of(ref.kind)
    with damage_explained(folder):
        if manifest.schema_version == schema.version:
            return _whole(folder, manifest, columns)
        whole = _whole(folder, manifest)
    lifted = lift(whole, schema, manifest.schema_version)
    return lifted.select(columns) if columns else lifted


def _whole(folder: Path, manifest: Manifest, columns: list[str] | None = None) -> pa.Table:
    return pa.concat_tables(
        _parquet().ParquetFile(folder / part.name).read(columns=columns) for part in manifest.parts
    )


def _parquet() -> Any:
    """Return Arrow's reader and writer, which is slow to import, and which no query needs."""
    from pyarrow import parquet

    return parquet


def read_bundle(root: Path, ref: ArtifactRef) -> dict[str, bytes]:
    """Read all files of a bundle.

    Raises:
        MissingArtifact: a file of it is gone.
    """
    folder = local_folder(root, ref)
    try:
        return {
            part.name: (folder / part.name).read_bytes() for part in Manifest.read(folder).parts
        }
    except OSError as error:
        raise MissingArtifact(f"{folder} is incomplete: {error}. {_how_to_mend(folder)}") from error


def query_source(root: Path, refs: Iterable[ArtifactRef]) -> list[Path] | pa.Table:
    """Return what a query reads: the tables' files, or all rows in memory if some are of an old
    schema.

    Raises:
        MissingArtifact: a manifest is gone.
        WorkspaceError: a table was written by a newer phrasenet.
    """
    listed = list(refs)
    folders = [local_folder(root, ref) for ref in listed]
    manifests = [Manifest.read(folder) for folder in folders]
    if all(item.schema_version == schema_of(item.kind).version for item in manifests):
        return [
            folder / part.name
            for folder, manifest in zip(folders, manifests, strict=True)
            for part in manifest.parts
        ]
    return pa.concat_tables(read_table(root, ref) for ref in listed)


def why_broken(root: Path, ref: ArtifactRef) -> str | None:
    """Say what is wrong with an artifact on disk, or None if every byte is as it was written.

    One that is only in a bucket yet is checked when it is fetched.
    """
    folder = artifact_folder(root, ref)
    if not folder.is_dir():
        return None if _is_elsewhere(root, folder) else f"{folder} is missing"
    try:
        manifest = Manifest.parse(folder)
    except UNREADABLE as error:
        return f"{folder}: there is no readable {MANIFEST} ({type(error).__name__})"
    if (manifest.kind, manifest.content_digest, manifest.rows) != (ref.kind, ref.digest, ref.rows):
        return f"{folder / MANIFEST} describes another artifact"
    if manifest.bytes_digest != manifest.seal():
        return f"{folder / MANIFEST} was changed after it was written"
    return next(_broken_files(folder, manifest), None)


def is_damaged(path: Path) -> bool:
    """Say whether a file of an artifact is not as it was written; no for files of no artifact."""
    try:
        manifest = Manifest.read(path.parent)
    except MissingArtifact:
        return False
    return any(str(path) in broken for broken in _broken_files(path.parent, manifest))


def _broken_files(folder: Path, manifest: Manifest) -> Iterator[str]:
    for part in manifest.parts:
        path = folder / part.name
        if not path.is_file():
            yield f"{path} is missing"
        elif path.stat().st_size != part.bytes or file_digest(path) != part.sha256:
            yield f"{path} was changed after it was written"
