"""The list of withdrawals: what must not come back, and which sources need not be asked again.

One small file a withdrawal, below `ledger/tombstones`, never rewritten. It names a table of keyed
hashes, so that nobody without the workspace's key learns from it what was withdrawn.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from storage.datasets import ArtifactRef
from storage.errors import MissingArtifact
from storage.files import write_bytes
from storage.ledger import canonical_json
from storage.plain_json import UNREADABLE, plain_record


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """One time that something was withdrawn."""

    sequence: int
    target: str
    """Keyed hash of what was asked for."""
    table: ArtifactRef
    """The `tombstones`."""
    is_phrase: bool
    """Whether it names phrases, which the memory has to know, or text, which the readers have."""
    cleared: frozenset[str]
    """Keys of the readings (files and form) that were seen to hold nothing of it."""


class Tombstones:
    """The folder `ledger/tombstones` of a workspace."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "ledger" / "tombstones"

    def append(
        self, target: str, table: ArtifactRef, cleared: frozenset[str], *, is_phrase: bool
    ) -> Withdrawal:
        """Add a withdrawal; the caller holds the lease."""
        entry = Withdrawal(len(self._paths()), target, table, is_phrase, cleared)
        value = {
            "sequence": entry.sequence,
            "target": target,
            "table": table.to_json(),
            "is_phrase": is_phrase,
            "cleared": sorted(cleared),
        }
        write_bytes(self._folder / f"{entry.sequence:08d}.json", canonical_json(value))
        return entry

    def all(self) -> list[Withdrawal]:
        """Return all withdrawals, oldest first.

        Raises:
            MissingArtifact: one of them is damaged or missing.
        """
        return [_read(path, number) for number, path in enumerate(self._paths())]

    def of_reading(self, key: str) -> tuple[ArtifactRef, ...]:
        """Return what a reading of some files has to obey; nothing if it was cleared of all."""
        return tuple(
            item.table for item in self.all() if not item.is_phrase and key not in item.cleared
        )

    def of_phrases(self) -> tuple[ArtifactRef, ...]:
        """Return what the phrase memory has to obey."""
        return tuple(item.table for item in self.all() if item.is_phrase)

    def _paths(self) -> list[Path]:
        return sorted(self._folder.glob("[0-9]*.json"))


def _read(path: Path, number: int) -> Withdrawal:
    try:
        value = json.loads(path.read_bytes())
        entry = Withdrawal(
            value["sequence"],
            value["target"],
            ArtifactRef.from_json(value["table"]),
            value["is_phrase"],
            frozenset(value["cleared"]),
        )
        entry = plain_record(Withdrawal, asdict(entry) | {"table": entry.table})
    except UNREADABLE:
        entry = None
    if entry is None or entry.sequence != number:
        raise MissingArtifact(
            f"{path} is damaged, or one before it is missing: what was withdrawn could come back. "
            "Restore the folder from a backup."
        )
    return entry
