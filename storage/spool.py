"""Rows on their way to a table, kept on disk until all are there, so that memory does not grow."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from storage.schemas import schema_of

_BATCH_ROWS = 4096


class Spool:
    """Rows of one kind in the order in which they come; closed before it is queried."""

    def __init__(self, kind: str, path: Path) -> None:
        from pyarrow import parquet  # slow to import, and questions write no rows

        self.kind = kind
        self.path = path
        self.rows = 0
        self._schema = schema_of(kind).columns
        self._waiting: list[Mapping[str, Any]] = []
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row; its columns are those of the kind."""
        self._waiting.append(row)
        self.rows += 1
        if len(self._waiting) == _BATCH_ROWS:
            self.flush()

    def close(self) -> None:
        """Finish the file; no row may follow."""
        self.flush()
        self._writer.close()

    def flush(self) -> None:
        """Write what waits for more rows."""
        if self._waiting:
            self._writer.write_batch(pa.RecordBatch.from_pylist(self._waiting, self._schema))
            self._waiting = []
