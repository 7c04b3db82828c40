"""What people said, kept for ever: one table for each time that somebody spoke.

The tables hold text and so live in the warehouse; the list of them is append-only, in the order in
which they came. Decisions about phrases are such a list: every refresh reads all of them, so that a
decision survives new data, new dictionaries and new segmenters. Ratings of translations are
another.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from storage.datasets import ArtifactRef
from storage.errors import MissingArtifact
from storage.files import write_bytes
from storage.ledger import canonical_json


@dataclass(frozen=True, slots=True)
class LoggedTable:
    """One time that somebody spoke."""

    sequence: int
    table: ArtifactRef


class TableLog:
    """A folder of a workspace that lists tables."""

    def __init__(self, folder: Path, *, holds: str) -> None:
        """Name the folder and what would be lost with it."""
        self._folder = folder
        self._holds = holds

    def append(self, table: ArtifactRef) -> LoggedTable:
        """Add a table; the caller holds the lease."""
        entry = LoggedTable(len(self._paths()), table)
        write_bytes(
            self._folder / f"{entry.sequence:08d}.json",
            canonical_json({"sequence": entry.sequence, "table": table.to_json()}),
        )
        return entry

    def tables(self) -> tuple[ArtifactRef, ...]:
        """Return all tables, oldest first.

        Raises:
            MissingArtifact: an entry of the list is damaged or missing.
        """
        return tuple(self._read(path, number) for number, path in enumerate(self._paths()))

    def _read(self, path: Path, number: int) -> ArtifactRef:
        try:
            value = json.loads(path.read_bytes())
            ref = ArtifactRef.from_json(value["table"])
        except (ValueError, KeyError, TypeError):
            value, ref = {}, None
        if ref is None or value["sequence"] != number:
            raise MissingArtifact(
                f"{path} is damaged, or one before it is missing: {self._holds} would be lost. "
                "Restore the folder from a backup."
            )
        return ref

    def _paths(self) -> list[Path]:
        return sorted(self._folder.glob("[0-9]*.json"))
