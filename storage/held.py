"""A few rows of a table that are kept in memory, to be written elsewhere more than once."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from storage import writing
from storage.datasets import ROW_GROUP_ROWS, ArtifactRef, read_pieces
from storage.schemas import schema_of


@dataclass(frozen=True, slots=True)
class Held:
    """Some rows of a kind, in the order of its key."""

    kind: str
    rows: pa.Table

    def write(self, root: Path) -> ArtifactRef:
        """Write them as one table of a workspace."""
        return writing.write_table(root, self.kind, self.rows)


def hold_rows(root: Path, ref: ArtifactRef, column: str, values: Iterable[str]) -> Held:
    """Read the rows of a table that have one of some values in a column of text.

    Args:
        root: the workspace.
        ref: the table.
        column: one of its columns.
        values: what is looked for.

    Raises:
        MissingArtifact: a file of the table is gone or damaged.
    """
    from pyarrow import compute as pc

    columns = schema_of(ref.kind).columns
    wanted = pa.array(values, pa.string())
    pieces = (
        piece.filter(pc.is_in(piece.column(column), value_set=wanted))
        for piece in read_pieces(root, ref, columns.names, ROW_GROUP_ROWS)
    )
    return Held(ref.kind, pa.concat_tables([columns.empty_table(), *pieces]))
