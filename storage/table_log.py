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
from storage.plain_json import UNREADABLE


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

    def replace(self, number: int, table: ArtifactRef) -> None:
        """Put a table in the place of one that was withdrawn; the caller has recorded both."""
        before = self.path_of(number)
        stem, _, revision = before.stem.partition("-")
        write_bytes(
            self._folder / f"{stem}-{int(revision or 0) + 1}.json",
            canonical_json({"sequence": number, "table": table.to_json()}),
        )
        before.unlink()

    def path_of(self, number: int) -> Path:
        """Return the file of an entry."""
        return self._paths()[number]

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
        except UNREADABLE:
            value, ref = {}, None
        if ref is None or value["sequence"] != number:
            raise MissingArtifact(
                f"{path} is damaged, or one before it is missing: {self._holds} would be lost. "
                "Restore the folder from a backup."
            )
        return ref

    def _paths(self) -> list[Path]:
        """Return one file for each entry: the newest, if one was replaced."""
        newest = {
            path.stem.partition("-")[0]: path
            for path in sorted(self._folder.glob("[0-9]*.json"), key=_revision)
        }
        return [newest[stem] for stem in sorted(newest)]


def _revision(path: Path) -> int:
    return int(path.stem.partition("-")[2] or 0)
