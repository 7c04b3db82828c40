"""What one kind of table is: its columns, its key, and how far it can be made again."""

from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

TEXT = pa.string()
WORDS = pa.list_(pa.string())
INDICES = pa.list_(pa.int32())

Reproducibility = Literal["exact", "same-machine", "none"]


@dataclass(frozen=True, slots=True)
class TableSchema:
    """The columns of one kind of dataset and the key by which its rows are sorted."""

    kind: str
    version: int
    columns: pa.Schema
    sort_by: tuple[str, ...]
    """A total order: no two rows of a dataset have the same key."""
    reproducibility: Reproducibility = "exact"
    """How far such a table can be made again; whatever a network computed is same-machine."""
    distinct: tuple[str, ...] = ()
    """Columns whose values hardly ever repeat, so that a dictionary of them would only cost."""


def table_schema(
    kind: str,
    columns: dict[str, pa.DataType],
    sort_by: tuple[str, ...],
    reproducibility: Reproducibility = "exact",
    version: int = 1,
    distinct: tuple[str, ...] = (),
) -> TableSchema:
    """Make the schema of a kind from its columns and its key."""
    return TableSchema(
        kind, version, pa.schema(list(columns.items())), sort_by, reproducibility, distinct
    )
