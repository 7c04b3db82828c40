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


def lease_of(workspace: Workspace) -> str:
    """Return the id under which this machine holds the lease of a workspace in a bucket."""
    holder = _mirror(workspace).holder
    assert holder, "the caller holds the lease"
    return holder


def deliver(workspace: Workspace, refs: Iterable[ArtifactRef], holder: str = "") -> None:
    """Put artifacts into the bucket that it lacks, before any push.

    Args:
        workspace: where they are.
        refs: the artifacts.
        holder: id of the holder of the lease for whom they are (`lease_of`), unless that is this
            machine.

    Raises:
        WorkspaceBusy: the holder has the lease no more; nothing more is sent.
        WorkspaceError: the server cannot be asked.
    """
    _mirror(workspace).deliver(_paths(workspace, refs), holder)


def note_arrived(workspace: Workspace, refs: Iterable[ArtifactRef]) -> None:
    """Take artifacts for part of the workspace that visitors put into the bucket."""
    _mirror(workspace).note_arrived(_paths(workspace, refs))


def note_lost(workspace: Workspace, refs: Iterable[ArtifactRef]) -> None:
    """Look which artifacts the bucket lacks parts of, so that they are sent or made again; nothing
    happens if the workspace is in none.

    Raises:
        WorkspaceError: the server cannot be asked.
    """
    mirror = mirror_of(workspace.root)
    if mirror is not None:
        mirror.note_lost(_paths(workspace, refs))


def is_any_lost(workspace: Workspace, refs: Iterable[ArtifactRef]) -> bool:
    """Say whether the bucket was found to lack a part of some artifact."""
    return not _mirror(workspace).lost.isdisjoint(_paths(workspace, refs))


def _paths(workspace: Workspace, refs: Iterable[ArtifactRef]) -> list[str]:
    root = workspace.root
    return [artifact_folder(root, ref).relative_to(root).as_posix() for ref in refs]


def _mirror(workspace: Workspace) -> Mirror:
    mirror = mirror_of(workspace.root)
    assert mirror is not None, "the workspace is in a bucket"
    return mirror
