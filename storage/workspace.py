"""A workspace: one folder that holds everything a project made, and nothing of it anywhere else."""

import contextlib
import json
import shutil
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from storage import datasets, engine, sharing, writing
from storage.checkpoints import Checkpoints
from storage.columns import Columns, TextColumn, as_arrays, as_texts
from storage.datasets import ArtifactRef
from storage.engine import Connection, EngineConfig, Files
from storage.errors import WorkspaceError
from storage.exports import Exports
from storage.files import explained, sweep_partial, write_bytes
from storage.lease import hold_lease
from storage.ledger import Ledger
from storage.memory import PhraseMemory
from storage.mirror import mirror_of
from storage.numbered import Numbered, NumberedSpools
from storage.pending import PendingRecords
from storage.production import Production
from storage.registry import ModelRegistry
from storage.schemas import schema_of
from storage.seals import Seals
from storage.sharing import bring
from storage.spool import Spool
from storage.table_log import TableLog
from storage.table_schema import Reproducibility
from storage.tombstones import Tombstones


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A table of another workspace, which a query reads where it lies."""

    root: Path
    ref: ArtifactRef


Source = ArtifactRef | Spool | Elsewhere | Numbered | NumberedSpools | Iterable[ArtifactRef]
"""What a query may read as one table."""

_ABANDONED_SECONDS = 24 * 3600
_PIECE_ROWS = 8192
MARKER = "phrasenet-workspace.json"
FORMAT = 1
"""Version of the layout of a workspace; raised only together with a way to read the older one."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace that exists; make one with `open_workspace`."""

    root: Path
    engine: EngineConfig = field(default_factory=EngineConfig)
    connection: Connection | None = field(default=None, compare=False, repr=False)
    """What the queries of one question share; see `storage.asking`."""

    @property
    def ledger(self) -> Ledger:
        """Return the ledger."""
        return Ledger(self.root)

    @property
    def memory(self) -> PhraseMemory:
        """Return the phrase memory."""
        return PhraseMemory(self.root)

    @property
    def decisions(self) -> TableLog:
        """Return what people decided about phrases."""
        folder = self.root / "memory" / "decisions"
        return TableLog(folder, holds="people's decisions about phrases")

    @property
    def worksheets(self) -> TableLog:
        """Return the keys of the worksheets that were given to raters."""
        return TableLog(self.root / "ratings" / "worksheets", holds="what raters compare")

    @property
    def ratings(self) -> TableLog:
        """Return how people rated translations."""
        return TableLog(self.root / "ratings", holds="people's ratings of translations")

    @property
    def translations(self) -> TableLog:
        """Return the translations that users asked for and that are kept."""
        return TableLog(self.root / "translations", holds="what users translated")

    @property
    def pending(self) -> PendingRecords:
        """Return the records that wait for their place in the ledger."""
        return PendingRecords(self.root)

    @property
    def exports(self) -> Exports:
        """Return which files were written for others."""
        return Exports(self.root)

    @property
    def registry(self) -> ModelRegistry:
        """Return the model registry."""
        return ModelRegistry(self.root)

    @property
    def production(self) -> Production:
        """Return which model is in production."""
        return Production(self.root)

    @property
    def seals(self) -> Seals:
        """Return the seals."""
        return Seals(self.root)

    @property
    def tombstones(self) -> Tombstones:
        """Return what was withdrawn."""
        return Tombstones(self.root)

    @property
    def checkpoints(self) -> Checkpoints:
        """Return the checkpoints of work in progress."""
        return Checkpoints(self.root)

    @property
    def identity(self) -> str:
        """Return a name that is the workspace's own: 12 hex digits of its ledger's first record."""
        first = next(self.ledger.records(), None)
        return "0" * 12 if first is None else first.digest()[:12]

    def lease(self, *, wait_seconds: float = 0.0) -> AbstractContextManager[None]:
        """Return the right to write, to be held with `with`.

        A workspace in a bucket is brought here first, and what was made is pushed in the end.
        """
        held = hold_lease(self.root, wait_seconds=wait_seconds)
        mirror = mirror_of(self.root)
        return sharing.shared(held, mirror, self.ledger, wait_seconds) if mirror else held

    def share(self) -> None:
        """Push what was made here, if the workspace is in a bucket; see `sharing.share`."""
        sharing.share(self.root, self.ledger)

    def sweep(self) -> None:
        """Remove what crashed writers left; the caller holds the lease.

        Spilled data of queries is left alone for a day: a reader needs no lease.
        """
        sweep_partial(self.root)
        self.checkpoints.sweep()
        for folder in self._temporary.glob("*"):
            with contextlib.suppress(OSError):
                if time.time() - folder.stat().st_mtime > _ABANDONED_SECONDS:
                    shutil.rmtree(folder)

    @contextlib.contextmanager
    def scratch(self) -> Iterator[Path]:
        """Give a folder for files of a moment, removed at the end."""
        folder = self._temporary / uuid.uuid4().hex
        with explained("write", folder):
            folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextlib.contextmanager
    def aside(self) -> Iterator["Workspace"]:
        """Give a workspace for tables of a moment, removed at the end."""
        with self.scratch() as folder:
            yield Workspace(folder, self.engine)

    def borrow(self, other: "Workspace", refs: Iterable[ArtifactRef]) -> None:
        """Make artifacts and the ledger of another workspace readable here, where they lie."""
        folders = {self.folder_of(ref): other.folder_of(ref) for ref in refs}
        folders[self.root / "ledger"] = other.root / "ledger"
        for here, there in folders.items():
            here.parent.mkdir(parents=True, exist_ok=True)
            here.symlink_to(there.resolve(), target_is_directory=True)

    def write_rows(
        self,
        kind: str,
        rows: Iterable[Mapping[str, Any]],
        *,
        reproducibility: Reproducibility | None = None,
    ) -> ArtifactRef:
        """Write rows as one table of a kind, sorted by its key."""
        return writing.write_rows(self.root, kind, rows, reproducibility)

    def write_columns(self, kind: str, columns: Mapping[str, Any]) -> ArtifactRef:
        """Write columns (see `storage.columns.as_column`) as one table of a kind."""
        return writing.write_columns(self.root, kind, columns)

    def write_arrays(self, kind: str, columns: Columns | Iterable[Columns]) -> ArtifactRef:
        """Write columns, or pieces of them, which ascend by the kind's key; it must be numbers."""
        return writing.write_arrays(self.root, kind, columns)

    def write_query(
        self,
        kind: str,
        sql: str,
        tables: Mapping[str, Source],
        parameters: Mapping[str, Any] | None = None,
        *,
        reproducibility: Reproducibility | None = None,
    ) -> ArtifactRef:
        """Write the result of a query, which must be in the order of the kind's key."""
        schema = writing.but_reproducible(schema_of(kind), reproducibility)
        with self._opened(tables) as connection:
            batches = engine.stream(
                connection, sql, parameters or {}, schema.columns, datasets.ROW_GROUP_ROWS
            )
            return writing.write_sorted(self.root, schema, batches)

    def query(
        self,
        sql: str,
        tables: Mapping[str, Source],
        parameters: Mapping[str, Any] | None = None,
    ) -> list[dict[str, Any]]:
        """Run a query over tables and return its rows."""
        with self._opened(tables, self.connection) as connection:
            found = connection.sql(sql, params=dict(parameters or {})).to_arrow_table()
        return list(found.to_pylist())

    def query_arrays(self, sql: str, tables: Mapping[str, Source]) -> dict[str, Any]:
        """Run a query over tables and return its columns as arrays; see `storage.columns`."""
        with self._opened(tables, self.connection) as connection:
            return as_arrays(connection.sql(sql).to_arrow_table())

    @contextlib.contextmanager
    def spools(self, kind: str, number: int) -> Iterator[list[Spool]]:
        """Give places for rows that are too many for memory, removed at the end."""
        with self.scratch() as folder:
            yield [Spool(kind, folder / f"{kind}-{index}.parquet") for index in range(number)]

    def stream(
        self,
        sql: str,
        tables: Mapping[str, Source],
        parameters: Mapping[str, Any] | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Run a query and yield its rows as they come."""
        with self._opened(tables) as connection:
            rows = connection.sql(sql, params=dict(parameters or {}))
            for batch in rows.to_arrow_reader(_PIECE_ROWS):
                yield from batch.to_pylist()

    def read_rows(
        self, ref: ArtifactRef, columns: list[str] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table in the order of its key, with few of them in memory."""
        wanted = columns or schema_of(ref.kind).columns.names
        for piece in datasets.read_pieces(self.root, ref, wanted, _PIECE_ROWS):
            yield from piece.to_pylist()

    def read_columns(self, ref: ArtifactRef, columns: list[str]) -> dict[str, list[Any]]:
        """Read some columns of a table as lists."""
        table = datasets.read_table(self.root, ref, columns)
        return {name: table.column(name).to_pylist() for name in columns}

    def read_arrays(
        self, ref: ArtifactRef, columns: list[str], rows: int
    ) -> Iterator[dict[str, Any]]:
        """Read columns as arrays, `rows` rows at a time; see `storage.columns`."""
        for piece in datasets.read_pieces(self.root, ref, columns, rows):
            yield as_arrays(piece)

    def read_texts(self, ref: ArtifactRef, columns: list[str]) -> dict[str, TextColumn]:
        """Read columns of text as their bytes."""
        return as_texts(datasets.read_table(self.root, ref, columns))

    def write_bundle(
        self,
        kind: str,
        files: Mapping[str, bytes],
        *,
        reproducibility: Reproducibility = "exact",
    ) -> ArtifactRef:
        """Write named files as one artifact."""
        return writing.write_bundle(self.root, kind, files, reproducibility=reproducibility)

    def read_bundle(self, ref: ArtifactRef) -> dict[str, bytes]:
        """Read the files of a bundle."""
        return datasets.read_bundle(self.root, ref)

    def folder_of(self, ref: ArtifactRef) -> Path:
        """Return the folder in which an artifact lies."""
        return datasets.local_folder(self.root, ref)

    def holds(self, ref: ArtifactRef) -> bool:
        """Say whether an artifact is there, without reading its bytes; see `why_broken`."""
        return (self.folder_of(ref) / datasets.MANIFEST).is_file()

    def why_broken(self, ref: ArtifactRef) -> str | None:
        """Say what is wrong with an artifact on disk, or None."""
        return datasets.why_broken(self.root, ref)

    @property
    def _temporary(self) -> Path:
        return self.root / "tmp"

    def _opened(
        self, tables: Mapping[str, Source], shared: Connection | None = None
    ) -> AbstractContextManager[Any]:
        sources = {name: self._source(source) for name, source in tables.items()}
        if shared is not None:
            return shared.over(sources)
        return engine.opened(sources, self.engine, self._temporary / uuid.uuid4().hex)

    def _source(self, source: Source) -> Files | pa.Table:
        if isinstance(source, Spool):
            return [source.path]
        if isinstance(source, Numbered | NumberedSpools):
            return source.source(self.root)
        if isinstance(source, Elsewhere):
            return datasets.query_source(source.root, [source.ref])
        refs = [source] if isinstance(source, ArtifactRef) else source
        return datasets.query_source(self.root, refs)


def open_workspace(root: Path, config: EngineConfig | None = None, remote: str = "") -> Workspace:
    """Open a workspace, making it if the folder is absent or empty.

    Args:
        root: its folder, or the local copy of one in a bucket.
        config: what a query may use.
        remote: the `s3://` of a workspace in a bucket, whose state is fetched.

    Raises:
        WorkspaceError: the folder holds something else, cannot be written, or is of a newer format.
    """
    marker = root / MARKER
    if remote:
        bring(root, remote)
    if not marker.exists():
        _create(root, marker)
    found = _format_of(marker)
    if found > FORMAT:
        raise WorkspaceError(
            f"The workspace {root} has format {found}, and this phrasenet knows formats up to "
            f"{FORMAT}. Update phrasenet, or use another workspace."
        )
    return Workspace(root, config or EngineConfig())


def existing_workspace(
    root: Path, config: EngineConfig | None = None, remote: str = ""
) -> Workspace:
    """Open a workspace that must be there; see `open_workspace`.

    Raises:
        WorkspaceError: there is none at `root`.
    """
    if remote:
        bring(root, remote)
    if not (root / MARKER).exists():
        raise WorkspaceError(
            f"There is no workspace at {remote or root}. Run `phrasenet run` first, or correct "
            "workspace.path in the settings file."
        )
    return open_workspace(root, config)


def _create(root: Path, marker: Path) -> None:
    try:
        with explained("create the workspace", root):
            root.mkdir(parents=True, exist_ok=True)
            strangers = [path.name for path in root.iterdir() if not path.name.startswith(".")]
    except OSError as error:
        raise WorkspaceError(
            f"Could not create the workspace {root}: {error.strerror}. Choose another folder as "
            "workspace.path."
        ) from error
    if strangers:
        raise WorkspaceError(
            f"{root} is not a workspace and not empty (it holds {sorted(strangers)[0]!r}). "
            "Choose an empty or new folder as workspace.path."
        )
    write_bytes(marker, json.dumps({"format": FORMAT}).encode() + b"\n")


def _format_of(marker: Path) -> int:
    try:
        return int(json.loads(marker.read_bytes())["format"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WorkspaceError(
            f'{marker} is damaged: expected {{"format": {FORMAT}}}. Restore exactly that text.'
        ) from error
