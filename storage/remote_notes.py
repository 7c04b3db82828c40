"""What the local copy of a workspace in a bucket remembers of artifacts between two pushes.

One small file a note, with the paths of the folders of artifacts, one a line.
"""

from collections.abc import Iterable
from pathlib import Path

from storage.files import write_bytes

REMOVED = "removed"
"""Artifacts that were removed here and are in the bucket until the push."""
ARRIVED = "arrived"
"""Artifacts that are in the bucket and in no index until the push."""
LOST = "lost"
"""Artifacts of which the bucket lacks a part, whatever its index says."""


class Notes:
    """The notes of one local copy."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: str) -> frozenset[str]:
        """Return the paths of a note; none if there is no such note."""
        try:
            return frozenset((self._folder / name).read_text().splitlines())
        except FileNotFoundError:
            return frozenset()

    def put(self, name: str, paths: Iterable[str]) -> None:
        """Replace a note."""
        wanted = frozenset(paths)
        if wanted != self.get(name):
            write_bytes(self._folder / name, "\n".join(sorted(wanted)).encode())

    def add(self, name: str, paths: Iterable[str]) -> None:
        """Add paths to a note."""
        self.put(name, self.get(name) | frozenset(paths))

    def drop(self, name: str, paths: Iterable[str]) -> None:
        """Take paths out of a note."""
        self.put(name, self.get(name) - frozenset(paths))
