"""A workspace on S3 and the local folder in which this machine works on it.

The bucket holds the truth: one **index** that names every file of state by its digest and every
artifact by its folder, replaced as a whole with a conditional write. So a reader sees one moment,
and of two writers one wins and the other is told. Artifacts are written once under their own paths
before the index names them, and are fetched when somebody reads them; state, such as the ledger, is
small and is fetched with the index. What a run has not pushed yet is only in the local folder.

Prefect's home, checkpoints and files of a moment stay local.
"""

import contextlib
import datetime
import hashlib
import shutil
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from storage.errors import WorkspaceBusy, WorkspaceError
from storage.files import partial_folder, publish_folder, write_bytes, write_flushed
from storage.local_copy import (
    FOLDER,
    MANIFEST,
    file_sha256,
    is_as_written,
    local_artifacts,
    local_files,
    parts,
    read,
    sha256_if_any,
)
from storage.object_store import ObjectStore, StoredObject, Taken
from storage.remote_index import Index
from storage.remote_lease import hold_remote_lease, is_held
from storage.remote_notes import ARRIVED, LOST, REMOVED, Notes
from storage.withdrawn_elsewhere import is_withdrawn_between

INDEX = "index.json"
_HOLDER = "holder"
"""In `FOLDER`: the id under which a process of this machine holds the lease, while it does."""
_VISITOR = "visitor"
"""In `FOLDER` of a visitor (`storage.visiting`), who has artifacts and no state."""
_SECRET = "ledger/key"
"""Recognises withdrawn texts; nobody else on a machine may read it."""


class Mirror:
    """A local folder that works on a workspace in a bucket."""

    def __init__(self, root: Path, url: str) -> None:
        """Join a local folder, which may be new, and a place in a bucket.

        Raises:
            WorkspaceError: the folder is a copy of another place.
        """
        self.root, self.url = root, url
        self._notes = Notes(root / FOLDER)
        known = read(root / FOLDER / "url")
        if known and known.decode() != url:
            raise WorkspaceError(
                f"{root} is a local copy of {known.decode()}, not of {url}. Remove the folder, "
                "which loses nothing that was pushed, or correct workspace.path."
            )
        if not known:
            write_bytes(root / FOLDER / "url", url.encode())

    @cached_property
    def _store(self) -> ObjectStore:
        return ObjectStore(self.url)

    @property
    def seen(self) -> Index:
        """Return the index as this folder last saw it."""
        data = read(self.root / FOLDER / INDEX)
        return Index.from_bytes(data) if data else Index()

    @property
    def removed(self) -> frozenset[str]:
        """Return the artifacts that were removed here for good since the last push."""
        return self._notes.get(REMOVED)

    @property
    def arrived(self) -> frozenset[str]:
        """Return the artifacts that reached the bucket since the last push."""
        return self._notes.get(ARRIVED)

    @property
    def lost(self) -> frozenset[str]:
        """Return the artifacts of which the bucket was found to lack a part."""
        return self._notes.get(LOST)

    @property
    def holder(self) -> str:
        """Return the id under which this machine holds the lease; empty if it does not."""
        return (read(self.root / FOLDER / _HOLDER) or b"").decode()

    def become_visitor(self) -> None:
        """Take what is in the bucket for there, whether an index names it yet or not."""
        write_bytes(self.root / FOLDER / _VISITOR, b"")

    def note_arrived(self, paths: Iterable[str]) -> None:
        """Remember artifacts that somebody put into the bucket for this machine."""
        found = frozenset(paths)
        self._notes.add(ARRIVED, found)
        # What was removed or lost and made again is there again.
        self._notes.drop(REMOVED, found)
        self._notes.drop(LOST, found)

    def note_lost(self, paths: Iterable[str]) -> None:
        """Remember of which artifacts the bucket lacks a part; if they are here, or are made
        again, they are sent again.

        Raises:
            WorkspaceError: the server cannot be asked.
        """
        there = self.seen.artifacts | self.arrived
        lost = frozenset(path for path in there.intersection(paths) if not self._is_whole(path))
        self._notes.add(LOST, lost)
        self._notes.drop(ARRIVED, lost)

    def deliver(self, paths: Iterable[str], holder: str = "") -> None:
        """Send artifacts that the bucket lacks before any index names them.

        Args:
            paths: of the folders of the artifacts.
            holder: id of the holder of the lease for whom they are; this machine itself if empty.

        Raises:
            WorkspaceBusy: the holder has the lease no more; nothing more is sent.
            WorkspaceError: the server cannot be asked.
        """
        idle = (self.seen.artifacts | self.arrived | self.lost) - self._sendable()
        for path in sorted(frozenset(paths) - idle):
            if not self._is_whole(path):
                self._send_artifact(path, holder or self.holder)

    def remove(self, paths: Iterable[str]) -> None:
        """Never fetch artifacts again that are removed for good; the next push removes them."""
        self._notes.add(REMOVED, paths)

    def holds(self, path: str) -> bool:
        """Say whether an artifact is in the bucket, by the path of its folder."""
        if path in self.removed or path in self.lost:
            return False
        if path in self.seen.artifacts or path in self.arrived:
            return True
        is_visitor = (self.root / FOLDER / _VISITOR).exists()
        return is_visitor and self._store.has(f"{path}/{MANIFEST}")

    def pull(self) -> None:
        """Bring the files of state to what the bucket says.

        If the bucket changed, what was changed here and not pushed gives way, but for artifacts and
        results in the cache. These go, too, if something was withdrawn since: they may have been
        made of it, and nothing but their making again tells. If the bucket did not change, nothing
        happens, and a run that was interrupted goes on.

        Raises:
            WorkspaceError: the server cannot be asked.
        """
        self._forget_vanished()
        found = self._store.get(INDEX)
        if found is None or found[1] == self._tag():
            return
        index, before = Index.from_bytes(found[0]), self.seen
        self._take_files(index)
        is_withdrawn = is_withdrawn_between(self.root, before, index)
        for path in set(local_files(self.root)) - index.files.keys():
            # Results that were computed here are good for whatever else happened elsewhere.
            if is_withdrawn or not path.startswith("cache/") or path in before.files:
                (self.root / path).unlink(missing_ok=True)
        gone = before.artifacts - index.artifacts
        if is_withdrawn:
            gone |= (frozenset(local_artifacts(self.root)) | self.arrived) - index.artifacts
        self._drop_artifacts(gone)
        self._remember(index, found[1])

    def _take_files(self, index: Index) -> None:
        """Fetch the files of state that are not here as an index names them."""
        for path, digest in index.files.items():
            if digest != sha256_if_any(self.root / path):
                mode = 0o600 if path == _SECRET else 0o666
                write_bytes(self.root / path, self._state(path, digest), mode=mode)

    def _drop_artifacts(self, paths: Iterable[str]) -> None:
        """Remove artifacts from this folder, and what is noted of them."""
        gone = frozenset(paths)
        for path in gone:
            shutil.rmtree(self.root / path, ignore_errors=True)
        for name in (ARRIVED, LOST):
            self._notes.drop(name, gone)

    def push(self, purged: Iterable[str] = ()) -> None:
        """Bring the bucket to what this folder says; nothing is sent if nothing changed.

        Args:
            purged: paths of artifacts that were removed for good. Others that are not here were
                only never fetched.

        Raises:
            WorkspaceBusy: another machine changed the workspace since this folder last saw it.
            WorkspaceError: the server cannot be asked.
        """
        before = self.seen
        here = frozenset(local_artifacts(self.root))
        files = {path: file_sha256(self.root / path) for path in local_files(self.root)}
        gone = (frozenset(purged) | self.removed) - here
        there = before.artifacts | self.arrived
        index = Index(files, here | (there - gone))
        again = self._sendable() & index.artifacts
        for path in sorted((index.artifacts - there) | again):
            self._send_artifact(path, self.holder)
        self._notes.drop(LOST, again)
        if index == before:
            return
        self._assert_held(self.holder)
        sent = set(before.files.values())
        for path, digest in files.items():
            if digest not in sent:
                self._store.put(f"state/{digest}", (self.root / path).read_bytes())
                sent.add(digest)
        self._remember(index, self._swap(index))
        self._store.delete(f"state/{d}" for d in set(before.files.values()) - set(files.values()))
        for path in there - index.artifacts:
            self._delete_artifact(path)
        self._notes.drop(LOST, there - index.artifacts)
        for name in (REMOVED, ARRIVED):
            self._notes.put(name, ())

    def fetch(self, path: str) -> bool:
        """Fetch an artifact by the path of its folder; False if the bucket lacks a part of it.

        Raises:
            WorkspaceError: the server cannot be asked, or a part is not what the manifest says.
        """
        if not self.holds(path):
            return False
        is_whole = self._fetch(path)
        if not is_whole:
            self.note_lost([path])
        return is_whole

    def _fetch(self, path: str) -> bool:
        manifest = self._store.get(f"{path}/{MANIFEST}")
        if manifest is None:
            return False
        with partial_folder(self.root) as folder:
            write_flushed(folder / MANIFEST, manifest[0])
            for name, digest in parts(manifest[0]).items():
                part = self._store.get(f"{path}/{name}")
                if part is None:
                    return False
                if hashlib.sha256(part[0]).hexdigest() != digest:
                    raise WorkspaceError(
                        f"{self.url}/{path}/{name} is not as it was written. Restore the object, "
                        "or remove it: what is missing is made again by `phrasenet run`."
                    )
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                write_flushed(folder / name, part[0])
            publish_folder(folder, self.root / path, replace=False)
        return True

    def strays(self, before: datetime.datetime) -> list[StoredObject]:
        """Return the objects that the index does not name and that were written before a moment.

        A crash after the index was replaced leaves what it named before, and a writer that came
        second what it sent. Younger objects may be those of a push that is under way.

        Raises:
            WorkspaceError: the server cannot be asked.
        """
        listed = [found for found in self._store.list() if found.written < before]
        # The index is read after the list: what was named in between is no stray.
        index = self._index()
        lacking = [] if index is None else [item for item in listed if index.lacks(item.path)]
        return sorted(lacking, key=lambda item: item.path)

    def remove_strays(self, paths: Iterable[str]) -> None:
        """Remove objects unless the index names them by now; the caller holds the lease.

        Raises:
            WorkspaceError: the server cannot be asked.
        """
        wanted, index = list(paths), self._index()
        if wanted and index is not None:
            self._store.delete(path for path in wanted if index.lacks(path))

    def read_stray(self, path: str) -> bytes:
        """Return an object, empty if it is gone.

        Raises:
            WorkspaceError: the server cannot be asked.
        """
        found = self._store.get(path)
        return found[0] if found else b""

    def _index(self) -> Index | None:
        """Return the index as it is in the bucket now."""
        found = self._store.get(INDEX)
        return Index.from_bytes(found[0]) if found else None

    @contextlib.contextmanager
    def lease(self, wait_seconds: float) -> Iterator[None]:
        """Hold the lease of the workspace in the bucket, and begin with what it says.

        Raises:
            WorkspaceBusy: another machine holds it.
            WorkspaceError: the server cannot be asked.
        """
        with hold_remote_lease(self._store, self.url, wait_seconds=wait_seconds) as holder:
            write_bytes(self.root / FOLDER / _HOLDER, holder.encode())
            try:
                self.pull()
                yield
            finally:
                (self.root / FOLDER / _HOLDER).unlink(missing_ok=True)

    def _swap(self, index: Index) -> str:
        tag = self._tag()
        try:
            if not tag:
                return self._store.create(INDEX, index.to_bytes())
            return self._store.swap(INDEX, index.to_bytes(), tag)
        except Taken as error:
            raise WorkspaceBusy(
                f"Another machine changed the workspace {self.url} while this one worked on it. "
                "Nothing of it was overwritten, and what was computed here is kept in "
                f"{self.root}. Run the command again: it goes on from there."
            ) from error

    def _forget_vanished(self) -> None:
        """Somebody may have removed what arrived before a crash, as no index named it, or sent what
        was lost."""
        self._notes.put(ARRIVED, filter(self._is_whole, self.arrived))
        self._notes.drop(LOST, filter(self._is_whole, self.lost))

    def _sendable(self) -> frozenset[str]:
        """Return the artifacts that the bucket lost and that are whole here."""
        return frozenset(path for path in self.lost if is_as_written(self.root / path))

    def _assert_held(self, holder: str) -> None:
        """Refuse to go on for a holder of the lease who has it no more; who names none may.

        What is sent after another machine withdrew something would be found by nobody.
        """
        if holder and not is_held(self._store, holder):
            raise WorkspaceBusy(
                f"The command that this work is for no longer holds the lease of {self.url}: it "
                "ended, or another one took the lease. Nothing more of the work was sent to the "
                "bucket. Run the command again: it goes on from what was kept."
            )

    def _is_whole(self, path: str) -> bool:
        """Say whether all files of an artifact are in the bucket."""
        manifest = self._store.get(f"{path}/{MANIFEST}")
        return manifest is not None and all(
            self._store.has(f"{path}/{name}") for name in parts(manifest[0])
        )

    def _state(self, path: str, digest: str) -> bytes:
        found = self._store.get(f"state/{digest}")
        if found is None:
            raise WorkspaceError(
                f"The workspace {self.url} changed while it was read ({path} is gone). Run the "
                "command again."
            )
        return found[0]

    def _send_artifact(self, path: str, holder: str) -> None:
        """Send the files of an artifact, its manifest last, as long as the holder has the lease."""
        folder = self.root / path
        names = parts((folder / MANIFEST).read_bytes())
        for name in (*names, MANIFEST):
            self._assert_held(holder)
            self._store.put(f"{path}/{name}", (folder / name).read_bytes())

    def _delete_artifact(self, path: str) -> None:
        """Delete the files of an artifact, its manifest first: half of one is none."""
        manifest = self._store.get(f"{path}/{MANIFEST}")
        names = list(parts(manifest[0])) if manifest else []
        self._store.delete(f"{path}/{name}" for name in (MANIFEST, *names))

    def _tag(self) -> str:
        return (read(self.root / FOLDER / "tag") or b"").decode()

    def _remember(self, index: Index, tag: str) -> None:
        # The tag last: after a crash in between, the next pull reads the index once more.
        write_bytes(self.root / FOLDER / INDEX, index.to_bytes())
        write_bytes(self.root / FOLDER / "tag", tag.encode())


def mirror_of(root: Path) -> Mirror | None:
    """Return the mirror that a local folder is part of, or None."""
    url = read(root / FOLDER / "url")
    return Mirror(root, url.decode()) if url else None
