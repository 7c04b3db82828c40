"""Tables of one kind that a query reads as one, and that it can still tell apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from storage.datasets import ArtifactRef, query_source, read_table
from storage.engine import TABLE_NUMBER, NumberedFiles


@dataclass(frozen=True, slots=True)
class Numbered:
    """Tables with a column more, `table_number`: in which of them, from 0, a row lies."""

    refs: tuple[ArtifactRef, ...]

    def source(self, root: Path) -> NumberedFiles | pa.Table:
        """Return what a query reads; see `datasets.query_source`."""
        found = [query_source(root, [ref]) for ref in self.refs]
        files = [item for item in found if isinstance(item, list)]
        if len(files) == len(found):
            return _files(files)
        return pa.concat_tables(_rows(root, ref, at) for at, ref in enumerate(self.refs))


@dataclass(frozen=True, slots=True)
class NumberedSpools:
    """Closed spools with a column more, `table_number`, that holds a number of each."""

    paths: tuple[Path, ...]
    numbers: tuple[int, ...]

    def source(self, root: Path) -> NumberedFiles:
        """Return what a query reads, which lies where it was spooled."""
        return NumberedFiles(list(self.paths), list(self.numbers))


def _files(tables: Sequence[list[Path]]) -> NumberedFiles:
    """Name the files of all tables, and the table of each."""
    numbered = [(path, at) for at, paths in enumerate(tables) for path in paths]
    return NumberedFiles([path for path, _ in numbered], [at for _, at in numbered])


def _rows(root: Path, ref: ArtifactRef, number: int) -> pa.Table:
    table = read_table(root, ref)
    return table.append_column(TABLE_NUMBER, pa.array([number] * len(table), pa.int64()))
