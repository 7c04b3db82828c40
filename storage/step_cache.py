"""What steps have computed before, by cache key; one small file an entry, below `cache/`.

An entry holds the record of the run that computed it and the references it returned. It is written
after the artifacts are in place, so an entry never promises what is not there yet; whether it still
is there is checked at each use.
"""

import contextlib
import fcntl
import json
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef
from storage.files import explained, write_bytes
from storage.ledger import canonical_json
from storage.plain_json import UNREADABLE


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """One computed result."""

    record: Mapping[str, Any]
    """The body of the ledger's `run` record."""
    result: Any
    """The references that the step returned, as JSON."""


class StepCache:
    """The folder `cache/` of a workspace."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "cache"

    def get(self, step: str, key: str) -> CacheEntry | None:
        """Return the entry of a key, or None if there is none that can be read."""
        try:
            value = json.loads(self._path(step, key).read_bytes())
            return CacheEntry(value["record"], value["result"])
        except UNREADABLE:
            return None

    def entries(self, step: str) -> Iterator[CacheEntry]:
        """Yield all entries of a step that can be read."""
        for path in sorted((self._folder / step).glob("*.json")):
            entry = self.get(step, path.stem)
            if entry is not None:
                yield entry

    def put(self, step: str, key: str, entry: CacheEntry) -> None:
        """Write an entry, replacing an older one."""
        data = canonical_json({"record": dict(entry.record), "result": entry.result})
        write_bytes(self._path(step, key), data)

    def forget(self, refs: Collection[ArtifactRef]) -> None:
        """Drop the entries that promise artifacts which were taken out for good."""
        known = {(ref.kind, ref.digest) for ref in refs}
        for path in self._folder.glob("*/*.json"):
            with contextlib.suppress(*UNREADABLE):
                outputs = json.loads(path.read_bytes())["record"]["outputs"]
                if any((item["kind"], item["digest"]) in known for item in outputs):
                    path.unlink()

    @contextlib.contextmanager
    def locked(self, step: str, key: str) -> Iterator[None]:
        """Hold the key, so that two runs of the same work at once do it only once."""
        path = self._path(step, key).with_suffix(".lock")
        with explained("write", path):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _path(self, step: str, key: str) -> Path:
        return self._folder / step / f"{key}.json"
