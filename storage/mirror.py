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
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from storage.errors import WorkspaceBusy, WorkspaceError
from storage.files import partial_folder, publish_folder, write_bytes, write_flushed
from storage.object_store import ObjectStore, StoredObject, Taken
from storage.remote_index import Index
from storage.remote_lease import hold_remote_lease

FOLDER = ".remote"
"""Below the root of a local copy: which place it is a copy of, and its index as last seen."""
INDEX, MANIFEST = "index.json", "manifest.json"
_REMOVED = "removed"
"""In `FOLDER`: paths of artifacts that were removed here and are in the bucket until the push."""
_ARRIVED = "arrived"
"""In `FOLDER`: paths of artifacts that are in the bucket and in no index until the push."""
_VISITOR = "visitor"
"""In `FOLDER` of a visitor (`storage.visiting`), who has artifacts and no state."""
_LOCAL = frozenset({FOLDER, ".partial", "prefect", "checkpoints", "tmp", "lease.json"})
_LOCAL_KINDS = frozenset({"checkpoint"})
_ARTIFACT_HOMES = ("models", "reports")
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
        known = _read(root / FOLDER / "url")
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
        data = _read(self.root / FOLDER / INDEX)
        return Index.from_bytes(data) if data else Index()

    @property
    def removed(self) -> frozenset[str]:
        """Return the artifacts that were removed here for good since the last push."""
        return frozenset((_read(self.root / FOLDER / _REMOVED) or b"").decode().splitlines())

    @property
    def arrived(self) -> frozenset[str]:
        """Return the artifacts that reached the bucket since the last push."""
        return frozenset((_read(self.root / FOLDER / _ARRIVED) or b"").decode().splitlines())

    def become_visitor(self) -> None:
        """Take what is in the bucket for there, whether an index names it yet or not."""
        write_bytes(self.root / FOLDER / _VISITOR, b"")

    def note_arrived(self, paths: Iterable[str]) -> None:
        """Remember artifacts that somebody put into the bucket for this machine."""
        found = frozenset(paths)
        self._note(_ARRIVED, self.arrived, self.arrived | found)
        # What was removed and made again is there again.
        self._note(_REMOVED, self.removed, self.removed - found)

    def deliver(self, paths: Iterable[str]) -> None:
        """Send artifacts that the bucket lacks before any index names them.

        Raises:
            WorkspaceError: the server cannot be asked.
        """
        for path in sorted(frozenset(paths) - self.seen.artifacts - self.arrived):
            if not self._is_whole(path):
                self._send_artifact(path)

    def remove(self, paths: Iterable[str]) -> None:
        """Never fetch artifacts again that are removed for good; the next push removes them."""
        self._note(_REMOVED, self.removed, self.removed | frozenset(paths))

    def holds(self, path: str) -> bool:
        """Say whether an artifact is in the bucket, by the path of its folder."""
        if path in self.removed:
            return False
        if path in self.seen.artifacts or path in self.arrived:
            return True
        is_visitor = (self.root / FOLDER / _VISITOR).exists()
        return is_visitor and self._store.has(f"{path}/{MANIFEST}")

    def pull(self) -> None:
        """Bring the files of state to what the bucket says.

        If the bucket changed, what was changed here and not pushed gives way, but for results in
        the cache. If it did not, nothing happens, and a run that was interrupted goes on.

        Raises:
            WorkspaceError: the server cannot be asked.
        """
        self._forget_vanished()
        found = self._store.get(INDEX)
        if found is None or found[1] == self._tag():
            return
        index, before = Index.from_bytes(found[0]), self.seen
        for path, digest in index.files.items():
            if digest != _digest_of(self.root / path):
                mode = 0o600 if path == _SECRET else 0o666
                write_bytes(self.root / path, self._state(path, digest), mode=mode)
        for path in set(self._local_files()) - index.files.keys():
            # Results that were computed here are good for whatever happened elsewhere.
            if not path.startswith("cache/") or path in before.files:
                (self.root / path).unlink(missing_ok=True)
        gone = before.artifacts - index.artifacts
        for path in gone:
            shutil.rmtree(self.root / path, ignore_errors=True)
        self._note(_ARRIVED, self.arrived, self.arrived - gone)
        self._remember(index, found[1])

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
        here = frozenset(self._local_artifacts())
        files = {path: _digest(self.root / path) for path in self._local_files()}
        gone = (frozenset(purged) | self.removed) - here
        there = before.artifacts | self.arrived
        index = Index(files, here | (there - gone))
        if index == before:
            return
        for path in sorted(index.artifacts - there):
            self._send_artifact(path)
        sent = set(before.files.values())
        for path, digest in files.items():
            if digest not in sent:
                self._store.put(f"state/{digest}", (self.root / path).read_bytes())
                sent.add(digest)
        self._remember(index, self._swap(index))
        self._store.delete(f"state/{d}" for d in set(before.files.values()) - set(files.values()))
        for path in there - index.artifacts:
            self._delete_artifact(path)
        for name in (_REMOVED, _ARRIVED):
            (self.root / FOLDER / name).unlink(missing_ok=True)

    def fetch(self, path: str) -> bool:
        """Fetch an artifact by the path of its folder; False if the bucket lacks a part of it.

        Raises:
            WorkspaceError: the server cannot be asked, or a part is not what the manifest says.
        """
        if not self.holds(path):
            return False
        manifest = self._store.get(f"{path}/{MANIFEST}")
        if manifest is None:
            return False
        with partial_folder(self.root) as folder:
            write_flushed(folder / MANIFEST, manifest[0])
            for name, digest in _parts(manifest[0]).items():
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
        with hold_remote_lease(self._store, self.url, wait_seconds=wait_seconds):
            self.pull()
            yield

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
        """Somebody may have removed what arrived before a crash: no index named it."""
        arrived = self.arrived
        self._note(_ARRIVED, arrived, frozenset(filter(self._is_whole, arrived)))

    def _note(self, name: str, before: frozenset[str], after: frozenset[str]) -> None:
        """Keep paths in a file of `FOLDER`."""
        if after != before:
            write_bytes(self.root / FOLDER / name, "\n".join(sorted(after)).encode())

    def _is_whole(self, path: str) -> bool:
        """Say whether all files of an artifact are in the bucket."""
        manifest = self._store.get(f"{path}/{MANIFEST}")
        return manifest is not None and all(
            self._store.has(f"{path}/{name}") for name in _parts(manifest[0])
        )

    def _state(self, path: str, digest: str) -> bytes:
        found = self._store.get(f"state/{digest}")
        if found is None:
            raise WorkspaceError(
                f"The workspace {self.url} changed while it was read ({path} is gone). Run the "
                "command again."
            )
        return found[0]

    def _send_artifact(self, path: str) -> None:
        """Send the files of an artifact, its manifest last."""
        folder = self.root / path
        names = _parts((folder / MANIFEST).read_bytes())
        for name in (*names, MANIFEST):
            self._store.put(f"{path}/{name}", (folder / name).read_bytes())

    def _delete_artifact(self, path: str) -> None:
        """Delete the files of an artifact, its manifest first: half of one is none."""
        manifest = self._store.get(f"{path}/{MANIFEST}")
        names = list(_parts(manifest[0])) if manifest else []
        self._store.delete(f"{path}/{name}" for name in (MANIFEST, *names))

    def _local_artifacts(self) -> Iterator[str]:
        """Yield the paths of the artifacts that are in this folder."""
        homes = [self.root / home for home in _ARTIFACT_HOMES]
        kinds = [
            kind for kind in _folders(self.root / "warehouse") if kind.name not in _LOCAL_KINDS
        ]
        for home in (*homes, *kinds):
            for folder in _folders(home):
                if (folder / MANIFEST).is_file():
                    yield folder.relative_to(self.root).as_posix()

    def _local_files(self) -> Iterator[str]:
        """Yield the paths of the files of state in this folder."""
        for folder, folders, files in os.walk(self.root):
            here = Path(folder)
            if here == self.root:
                folders[:] = sorted(set(folders) - _LOCAL - {"warehouse"})
            # The files of an artifact are its own.
            folders[:] = [name for name in folders if not (here / name / MANIFEST).is_file()]
            for name in sorted(files):
                path = (here / name).relative_to(self.root).as_posix()
                if path not in _LOCAL and not name.endswith((".partial", ".lock")):
                    yield path

    def _tag(self) -> str:
        return (_read(self.root / FOLDER / "tag") or b"").decode()

    def _remember(self, index: Index, tag: str) -> None:
        # The tag last: after a crash in between, the next pull reads the index once more.
        write_bytes(self.root / FOLDER / INDEX, index.to_bytes())
        write_bytes(self.root / FOLDER / "tag", tag.encode())


def mirror_of(root: Path) -> Mirror | None:
    """Return the mirror that a local folder is part of, or None."""
    url = _read(root / FOLDER / "url")
    return Mirror(root, url.decode()) if url else None


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _digest_of(path: Path) -> str:
    return _digest(path) if path.is_file() else ""


def _parts(manifest: bytes) -> dict[str, str]:
    """Return the SHA-256 of the files of an artifact, by their names."""
    return {part["name"]: part["sha256"] for part in json.loads(manifest)["parts"]}


def _folders(home: Path) -> list[Path]:
    return sorted(path for path in home.iterdir() if path.is_dir()) if home.is_dir() else []
