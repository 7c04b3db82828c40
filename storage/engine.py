"""DuckDB as an engine over Parquet: short-lived, in memory, always with limits.

No `.duckdb` file is ever opened, since one writer would lock out all readers. Queries that compute
something are named constants of the room that owns their meaning; this module only runs them.
"""

import contextlib
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from storage.datasets import is_damaged
from storage.errors import ConfigError, MissingArtifact, WorkspaceError

_SIZE = re.compile(r"\d+(\.\d+)? ?([KMGT]i?)?B", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """How much of the machine a query may use; torch shares the machine."""

    query_memory: str = "2GB"
    """Memory limit of one query, such as "2GB"; what does not fit is spilled to the workspace."""
    query_threads: int = 2

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


@contextlib.contextmanager
def opened(
    tables: Mapping[str, list[Path] | pa.Table], config: EngineConfig, temporary: Path
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a connection that sees lists of Parquet files, or tables, as views of the names given.

    Raises:
        MissingArtifact: a file is gone or damaged.
        WorkspaceError: the query needs more memory, or more room for spilling, than there is.
    """
    # A workspace that can only be read still answers: without the folder nothing can be spilled.
    with contextlib.suppress(OSError):
        temporary.mkdir(parents=True, exist_ok=True)
    connection = duckdb.connect(":memory:")
    try:
        # The bar would stand in the output of our own commands.
        connection.execute("SET enable_progress_bar = false")
        connection.execute("SET memory_limit = $limit", {"limit": config.query_memory})
        connection.execute("SET threads = $threads", {"threads": config.query_threads})
        connection.execute("SET temp_directory = $folder", {"folder": str(temporary)})
        for name, source in tables.items():
            _add_view(connection, name, source)
        yield connection
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
    finally:
        connection.close()
        shutil.rmtree(temporary, ignore_errors=True)


def _damaged(tables: Mapping[str, list[Path] | pa.Table]) -> Iterator[Path]:
    """Yield the files that are not as they were written; DuckDB tells damage in many ways, and
    defects, too."""
    for source in tables.values():
        for path in source if isinstance(source, list) else ():
            if is_damaged(path):
                yield path


def _add_view(
    connection: duckdb.DuckDBPyConnection, name: str, source: list[Path] | pa.Table
) -> None:
    if isinstance(source, pa.Table):
        connection.register(name, source)
        return
    try:
        connection.read_parquet([str(path) for path in source]).create_view(name)
    except (duckdb.IOException, duckdb.InvalidInputException) as error:
        raise MissingArtifact(
            f"A table of {name} is missing or damaged: {error}. Run `phrasenet run`: what is "
            "missing is made again."
        ) from error


def stream(
    connection: duckdb.DuckDBPyConnection,
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
