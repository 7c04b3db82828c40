"""A workspace in a bucket, seen from a machine that only lends its processors.

A visitor fetches artifacts by their digests into a folder of its own and puts its own ones into the
bucket. It neither reads nor writes state: ledger, memory and index are the business of the machine
that holds the lease, which enters what arrived with its next push.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from storage.datasets import ArtifactRef, artifact_folder
from storage.engine import EngineConfig
from storage.mirror import Mirror, mirror_of
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Place:
    """Where the artifacts of a workspace are, and what a query over them may use."""

    url: str
    """The `s3://` of the workspace."""
    engine: EngineConfig


def place_of(workspace: Workspace) -> Place | None:
    """Return where visitors find a workspace, or None if it is not in a bucket."""
    mirror = mirror_of(workspace.root)
    return None if mirror is None else Place(mirror.url, workspace.engine)


def visit(place: Place, below: Path) -> Workspace:
    """Open a place as a visitor.

    Args:
        place: of the workspace.
        below: folder of this machine; what is fetched stays there for the next visit.
    """
    root = below / f"phrasenet-{hashlib.sha256(place.url.encode()).hexdigest()[:12]}"
    Mirror(root, place.url).become_visitor()
    return Workspace(root, place.engine)


def deliver(workspace: Workspace, refs: Iterable[ArtifactRef]) -> None:
    """Put artifacts into the bucket that it lacks, before any push.

    Raises:
        WorkspaceError: the server cannot be asked.
    """
    _mirror(workspace).deliver(_paths(workspace, refs))


def note_arrived(workspace: Workspace, refs: Iterable[ArtifactRef]) -> None:
    """Take artifacts for part of the workspace that visitors put into the bucket."""
    _mirror(workspace).note_arrived(_paths(workspace, refs))


def _paths(workspace: Workspace, refs: Iterable[ArtifactRef]) -> list[str]:
    root = workspace.root
    return [artifact_folder(root, ref).relative_to(root).as_posix() for ref in refs]


def _mirror(workspace: Workspace) -> Mirror:
    mirror = mirror_of(workspace.root)
    assert mirror is not None, "the workspace is in a bucket"
    return mirror
