"""Reading the tables of one part of the sources; see `tasks/mining/key_parts.py`."""

from collections.abc import Iterator, Mapping
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Source, Workspace
from tasks.mining.key_parts import SOURCE_AT, Part, within_part


class PartTables:
    """The tables of a workspace, as far as they speak of the sources of one part."""

    def __init__(self, workspace: Workspace, candidates: ArtifactRef, part: Part) -> None:
        """Find the borders of a part of the candidates."""
        self._workspace = workspace
        first, last = part.borders(candidates.rows) if candidates.rows else (None, None)
        self._low = _source_at(workspace, candidates, first)
        self._high = _source_at(workspace, candidates, last)
        # Without candidates there is one part, and the others are empty.
        self._open = last is None and (bool(candidates.rows) or part.number == 0)

    def rows(
        self,
        sql: str,
        tables: Mapping[str, Source],
        parameters: Mapping[str, Any] | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Run a query over the part's rows of tables, which all have a column `source`."""
        limits = {"low": self._low, "high": self._high, "open": self._open}
        whole = {f"all_{name}": source for name, source in tables.items()}
        return self._workspace.stream(
            within_part(sql, *tables), whole, {**limits, **(parameters or {})}
        )

    def holds(self, source: str) -> bool:
        """Say whether a source is of this part; texts are in the order of their characters."""
        return self._low <= source and (self._open or source < self._high)


def _source_at(workspace: Workspace, candidates: ArtifactRef, place: int | None) -> str:
    if place is None:
        return ""
    (row,) = workspace.query(SOURCE_AT, {"candidates": candidates}, {"place": place})
    return str(row["source"])
