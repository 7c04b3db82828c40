"""A workspace in a bucket, used like one on disk: fetched before it is used, pushed after."""

import contextlib
import itertools
import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from storage.datasets import ArtifactRef, artifact_folder
from storage.lease import holder_of
from storage.ledger import Ledger
from storage.mirror import Mirror, mirror_of


def bring(root: Path, remote: str) -> None:
    """Bring the state of a workspace in a bucket here, unless a process of this machine works on
    it: then its local copy is newer.

    Raises:
        WorkspaceError: the folder is a copy of another place, or the server cannot be asked.
    """
    mirror = Mirror(root, remote)
    if not holder_of(root):
        mirror.pull()


@contextlib.contextmanager
def shared(
    held: AbstractContextManager[None], mirror: Mirror, ledger: Ledger, wait_seconds: float
) -> Iterator[None]:
    """Hold the lease of the local copy and that of the bucket, and push in the end.

    Args:
        held: the lease of the local copy.
        mirror: of the workspace.
        ledger: of the workspace.
        wait_seconds: how long to wait for the lease of the bucket.

    Raises:
        WorkspaceBusy: another machine holds the lease, or changed the workspace all the same.
        WorkspaceError: the server cannot be asked.
    """
    with held, mirror.lease(wait_seconds):
        try:
            yield
        finally:
            share(mirror.root, ledger)


def share(root: Path, ledger: Ledger) -> None:
    """Push what was made in a local copy; nothing happens in a folder that is none.

    Raises:
        WorkspaceBusy: another machine changed the workspace.
        WorkspaceError: the server cannot be asked.
    """
    mirror = mirror_of(root)
    if mirror is not None:
        pushed = sum(path.startswith("ledger/records/") for path in mirror.seen.files)
        mirror.push(_purged_since(root, ledger, pushed))


def remove(root: Path, refs: Iterable[ArtifactRef]) -> None:
    """Remove artifacts for good: not fetched again, and out of a bucket at the next push."""
    folders = [artifact_folder(root, ref) for ref in refs]
    mirror = mirror_of(root)
    if mirror is not None:
        mirror.remove(folder.relative_to(root).as_posix() for folder in folders)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _purged_since(root: Path, ledger: Ledger, sequence: int) -> list[str]:
    """Return the folders of the artifacts that records from `sequence` on say are removed."""
    newest = itertools.takewhile(lambda record: record.sequence >= sequence, ledger.newest_first())
    return [
        artifact_folder(root, ArtifactRef.from_json(value)).relative_to(root).as_posix()
        for record in newest
        for value in record.body.get("purged", ())
    ]
