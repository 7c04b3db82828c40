"""What a workspace in a bucket holds at one moment: the object that a push replaces as a whole."""

import json
import re
from dataclasses import dataclass, field

from storage.errors import WorkspaceError

FORMAT = 1
_OURS = re.compile(r"(state/[0-9a-f]{64})|((warehouse/[^/]+|models|reports)/[0-9a-f]{32})/[^/]+")
"""Paths of objects that a workspace writes, beside the index; nothing else is ever a stray."""


@dataclass(frozen=True, slots=True)
class Index:
    """What a workspace holds at one moment."""

    files: dict[str, str] = field(default_factory=dict)
    """SHA-256 of each file of state by its path."""
    artifacts: frozenset[str] = frozenset()
    """Paths of the folders of artifacts."""

    @property
    def digests(self) -> frozenset[str]:
        """Return the SHA-256 of all files of state."""
        return frozenset(self.files.values())

    def to_bytes(self) -> bytes:
        """Return the form that is stored."""
        value = {"format": FORMAT, "files": self.files, "artifacts": sorted(self.artifacts)}
        return json.dumps(value, sort_keys=True, indent=0).encode()

    def lacks(self, path: str) -> bool:
        """Say whether an object is one of a workspace, and yet not of what this index names."""
        found = _OURS.fullmatch(path)
        if found is None:
            return False
        state, artifact = found[1], found[2]
        if state:
            return state.removeprefix("state/") not in self.digests
        return artifact not in self.artifacts

    @staticmethod
    def from_bytes(data: bytes) -> "Index":
        """Read the form that `to_bytes` writes.

        Raises:
            WorkspaceError: it is of a newer format.
        """
        value = json.loads(data)
        if value["format"] > FORMAT:
            raise WorkspaceError(
                f"The workspace has an index of format {value['format']}, and this phrasenet knows "
                f"formats up to {FORMAT}. Update phrasenet."
            )
        return Index(value["files"], frozenset(value["artifacts"]))
