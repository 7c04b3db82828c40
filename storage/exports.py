"""Files that left the workspace: which ones, and what they hold.

The ledger says of each only a keyed hash of its path and the artifacts in it; the path itself is
kept here, so that a person can be told which files a withdrawal does not reach.
"""

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from storage.datasets import ArtifactRef
from storage.files import write_bytes
from storage.ledger import canonical_json


@dataclass(frozen=True, slots=True)
class Export:
    """One file that was written for others."""

    path: str
    what: str
    """What it is, such as `memory as tbx`."""
    time: str
    """When, ISO 8601 in UTC."""
    artifacts: tuple[ArtifactRef, ...]
    """What it was made from."""


class Exports:
    """The folder `exports` of a workspace: one small file for each file that was written."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "exports"

    def keep(self, name: str, export: Export) -> None:
        """Remember a file under a name of its own; written again, it is remembered anew."""
        value = {
            "path": export.path,
            "what": export.what,
            "time": export.time,
            "artifacts": [ref.to_json() for ref in export.artifacts],
        }
        write_bytes(self._folder / f"{name}.json", canonical_json(value))

    def all(self) -> Iterator[Export]:
        """Yield all files that were written, by path; a damaged entry is left out."""
        found = []
        for path in self._folder.glob("*.json"):
            with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
                found.append(_read(path))
        yield from sorted(found, key=lambda export: (export.path, export.time))

    def holding(self, refs: Sequence[ArtifactRef]) -> list[Export]:
        """Return the files that were made from some of these artifacts."""
        wanted = set(refs)
        return [export for export in self.all() if wanted.intersection(export.artifacts)]


def _read(path: Path) -> Export:
    value = json.loads(path.read_bytes())
    refs = tuple(ArtifactRef.from_json(item) for item in value["artifacts"])
    return Export(value["path"], value["what"], value["time"], refs)
