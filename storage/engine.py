"""DuckDB as an engine over Parquet: in memory, each used by one query at a time, with limits.

No `.duckdb` file is ever opened, since one writer would lock out all readers. Queries that compute
something are named constants of the room that owns their meaning; this module only runs them.
"""

import contextlib
import os
import re
import shutil
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from storage.datasets import is_damaged
from storage.errors import ConfigError, MissingArtifact, WorkspaceError

if TYPE_CHECKING:  # it is slow to import, and not every question needs a query
    import duckdb

_SIZE = re.compile(r"\d+(\.\d+)? ?([KMGT]i?)?B", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """How much of the machine a query may use; torch shares the machine."""

    query_memory: str = "2GB"
    """Memory limit of one query, such as "2GB"; what does not fit is spilled to the workspace."""
    query_threads: int = 2
    processes: int = 1
    """How many processes may read a large source side by side."""

    def __post_init__(self) -> None:
        if self.query_threads < 1:
            raise ConfigError(
                f"execution.query_threads is {self.query_threads}; it must be 1 or more."
            )
        if not _SIZE.fullmatch(self.query_memory):
            raise ConfigError(
                f"execution.query_memory is {self.query_memory!r}; expected a number and a unit, "
                'such as "500MB" or "2GB".'
            )


TABLE_NUMBER = "table_number"


@dataclass(frozen=True, slots=True)
class NumberedFiles:
    """Parquet files with a column more, `table_number`."""

    paths: list[Path]
    numbers: list[int]
    """What stands in the column, for each file."""


Files = list[Path] | NumberedFiles
Tables = Mapping[str, Files | pa.Table]
"""What a query reads, by the names that it uses: lists of Parquet files, or rows in memory."""

_idle: "defaultdict[tuple[int, EngineConfig], deque[duckdb.DuckDBPyConnection]]" = defaultdict(
    deque
)
"""Engines that nobody uses, by process and limits: to start one takes longer than a small query."""
_MOST_IDLE = 2
_MOST_READ = 16 << 20
"""Bytes that an engine may have read to be kept: what it holds then only closing gives back."""


class Connection:
    """An engine, on which queries run one after the other, each over its own tables; it is
    taken by the first of them.
    """

    def __init__(self, config: EngineConfig, temporary: Path) -> None:
        """Take what a query may use, and the folder for what is spilled."""
        self._config = config
        self._temporary = temporary
        self._engine: duckdb.DuckDBPyConnection | None = None
        self._views: dict[str, Files | None] = {}
        """The files that a name stands for now; None where it stands for rows in memory."""
        self._read = 0

    @contextlib.contextmanager
    def over(self, tables: Tables) -> "Iterator[duckdb.DuckDBPyConnection]":
        """Show tables, and no others, under the names given.

        Raises:
            MissingArtifact: a file is gone or damaged.
            WorkspaceError: the query needs more memory, or more room for spilling, than there is.
        """
        try:
            with _explained(tables, self._config, self._temporary):
                if self._engine is None:
                    self._engine = _taken(self._config, self._temporary)
                shown = {
                    name
                    for name, files in self._views.items()
                    if files is not None and tables.get(name) == files
                }
                self._hide_all_but(shown)
                for name in tables.keys() - shown:
                    self._show(name, tables[name])
                yield self._engine
        except BaseException:
            self._drop()
            raise

    def _show(self, name: str, source: Files | pa.Table) -> None:
        assert self._engine is not None
        _add_view(self._engine, name, source)
        self._views[name] = None if isinstance(source, pa.Table) else source
        self._read += _size_of(source)

    def _hide_all_but(self, shown: Set[str]) -> None:
        for name in self._views.keys() - shown:
            assert self._engine is not None
            if self._views.pop(name) is None:
                self._engine.unregister(name)
            else:
                self._engine.execute(f'DROP VIEW "{name}"')

    def _drop(self) -> None:
        """Close an engine that nobody may use again."""
        if self._engine is not None:
            self._engine.close()
        self._engine, self._read = None, 0
        self._views.clear()

    def close(self) -> None:
        """Leave the engine to the next query, and remove what was spilled."""
        try:
            if self._engine is not None and self._read <= _MOST_READ:
                self._hide_all_but(set())
                _give_back(self._engine, self._config)
                self._engine = None
        finally:
            self._drop()
            shutil.rmtree(self._temporary, ignore_errors=True)


@contextlib.contextmanager
def opened(
    tables: Tables, config: EngineConfig, temporary: Path
) -> "Iterator[duckdb.DuckDBPyConnection]":
    """Give a connection of their own to queries over some tables; see `Connection.over`."""
    with (
        contextlib.closing(Connection(config, temporary)) as connection,
        connection.over(tables) as opened,
    ):
        yield opened


def _taken(config: EngineConfig, temporary: Path) -> "duckdb.DuckDBPyConnection":
    """Take an engine that nobody uses, or start one."""
    import duckdb

    # A workspace that can only be read still answers: without the folder nothing can be spilled.
    with contextlib.suppress(OSError):
        temporary.mkdir(parents=True, exist_ok=True)
    idle = _idle[os.getpid(), config]
    while True:
        try:
            connection = idle.pop()
        except IndexError:
            return _started(config, temporary)
        try:
            connection.execute("SET temp_directory = $folder", {"folder": str(temporary)})
        except duckdb.Error:  # one that has spilled keeps its folder
            connection.close()
        else:
            return connection


def _started(config: EngineConfig, temporary: Path) -> "duckdb.DuckDBPyConnection":
    import duckdb

    connection = duckdb.connect(":memory:")
    # The bar would stand in the output of our own commands.
    connection.execute("SET enable_progress_bar = false")
    # Files are read anew by each query: they may have been damaged since.
    connection.execute("SET enable_external_file_cache = false")
    connection.execute("SET memory_limit = $limit", {"limit": config.query_memory})
    connection.execute("SET threads = $threads", {"threads": config.query_threads})
    connection.execute("SET temp_directory = $folder", {"folder": str(temporary)})
    return connection


def _give_back(connection: "duckdb.DuckDBPyConnection", config: EngineConfig) -> None:
    """Keep an engine for the next query, unless enough are kept."""
    idle = _idle[os.getpid(), config]
    if len(idle) < _MOST_IDLE:
        idle.append(connection)
    else:
        connection.close()


def _paths(source: Files | pa.Table) -> list[Path]:
    """Return the files of a table; none of rows in memory."""
    if isinstance(source, NumberedFiles):
        return source.paths
    return source if isinstance(source, list) else []


def _size_of(source: Files | pa.Table) -> int:
    """Return the bytes of a table as it lies on disk or in memory; of files that are gone, none."""
    if isinstance(source, pa.Table):
        return int(source.nbytes)
    total = 0
    for path in _paths(source):
        with contextlib.suppress(OSError):
            total += path.stat().st_size
    return total


@contextlib.contextmanager
def _explained(tables: Tables, config: EngineConfig, temporary: Path) -> Iterator[None]:
    """Tell DuckDB's errors as our own."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise WorkspaceError(
            f"A query needs more than the {config.query_memory} that execution.query_memory "
            "grants, "
            f"and could not spill the rest to {temporary.parent}. Raise the limit or free some "
            "space."
        ) from error
    except duckdb.IOException as error:
        raise WorkspaceError(
            f"A query could not read or write below {temporary.parent.parent}: {error}. Free some "
            "space and run the command again; nothing was lost."
        ) from error
    except duckdb.Error as error:
        damaged = next(_damaged(tables), None)
        if damaged is None:
            raise
        raise MissingArtifact(
            f"{damaged} is damaged: {error}. Run `phrasenet run`: what is missing is made again."
        ) from error


def _damaged(tables: Tables) -> Iterator[Path]:
    """Yield the files that are not as they were written; DuckDB tells damage in many ways, and
    defects, too."""
    for source in tables.values():
        for path in _paths(source):
            if is_damaged(path):
                yield path


def _add_view(connection: "duckdb.DuckDBPyConnection", name: str, source: Files | pa.Table) -> None:
    import duckdb

    if isinstance(source, pa.Table):
        connection.register(name, source)
        return
    try:
        relation = connection.read_parquet([str(path) for path in _paths(source)])
        if isinstance(source, NumberedFiles):
            # The engine counts the files from 0 in the order in which they were named.
            number = f"({source.numbers})[file_index::BIGINT + 1] AS {TABLE_NUMBER}"
            relation = relation.project(f"*, {number}")
        relation.create_view(name)
    except (duckdb.IOException, duckdb.InvalidInputException) as error:
        raise MissingArtifact(
            f"A table of {name} is missing or damaged: {error}. Run `phrasenet run`: what is "
            "missing is made again."
        ) from error


def stream(
    connection: "duckdb.DuckDBPyConnection",
    sql: str,
    parameters: Mapping[str, Any],
    schema: pa.Schema,
    batch_rows: int,
) -> Iterator[pa.RecordBatch]:
    """Run a query and yield its rows in batches cast to the columns of `schema`."""
    relation = connection.sql(sql, params=dict(parameters))
    reader = relation.to_arrow_reader(batch_rows)
    for batch in reader:
        table = pa.Table.from_batches([batch]).select(schema.names).cast(schema)
        yield from table.combine_chunks().to_batches()
