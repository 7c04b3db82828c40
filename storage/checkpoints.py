"""Checkpoints of work in progress, by the cache key of the step; gone once the step has its result.

A checkpoint is an artifact of its own, and a pointer names the newest of a key, so that a crash
while writing leaves the one before. If the newest is damaged, the one before serves.
"""

import json
import logging
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef, artifact_folder, read_bundle, why_broken
from storage.files import write_bytes
from storage.ledger import canonical_json
from storage.plain_json import UNREADABLE
from storage.writing import write_bundle

log = logging.getLogger(__name__)

_KIND = "checkpoint"


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept for a key."""

    refs: tuple[ArtifactRef, ...]
    """Newest first."""
    about: Mapping[str, Any]
    """What the writer said about the newest."""


_NOTHING = Kept((), {})


class Checkpoints:
    """The checkpoints of a workspace."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def get(self, key: str) -> dict[str, bytes] | None:
        """Return the files of the newest whole checkpoint of a key, or None if there is none.

        A damaged one is told in a warning.
        """
        for ref in self._kept(key).refs:
            broken = why_broken(self._root, ref)
            if broken is None:
                return read_bundle(self._root, ref)
            log.warning("A checkpoint is damaged (%s); the one before is taken, if any.", broken)
        return None

    def put(
        self, key: str, files: Mapping[str, bytes], *, about: Mapping[str, Any], keep: int
    ) -> None:
        """Keep a checkpoint, and as many of the key that no more than `keep` are left.

        Args:
            key: names the work.
            files: the checkpoint.
            about: plain facts that can be read without it, see `all_about`.
            keep: at least 1.
        """
        before = self._kept(key).refs
        ref = write_bundle(self._root, _KIND, files, reproducibility="same-machine")
        refs = [ref, *(other for other in before if other != ref)]
        pointer = {"about": about, "kept": [each.to_json() for each in refs[:keep]]}
        write_bytes(self._pointer(key), canonical_json(pointer))
        self._remove(refs[keep:])

    def drop(self, key: str) -> None:
        """Remove the checkpoints of a key."""
        refs = self._kept(key).refs
        self._pointer(key).unlink(missing_ok=True)
        self._remove(refs)

    def finish(self, key: str, label: str) -> None:
        """Remove the checkpoints of a key, and of all others whose `about` has the same label."""
        self.drop(key)
        for other, about in self.all_about().items():
            if about.get("label") == label:
                self.drop(other)

    def all_about(self) -> dict[str, Mapping[str, Any]]:
        """Return what was said about the newest checkpoint of each key."""
        keys = sorted(path.stem for path in self._pointer("").parent.glob("*.json"))
        return {key: self._kept(key).about for key in keys}

    def sweep(self) -> None:
        """Remove checkpoints that no pointer names: their writer died before it could."""
        named = {ref.digest for key in self.all_about() for ref in self._kept(key).refs}
        for folder in artifact_folder(self._root, ArtifactRef(_KIND, "*", 0)).parent.glob("*"):
            if folder.name not in named:
                shutil.rmtree(folder, ignore_errors=True)

    def _remove(self, refs: "list[ArtifactRef] | tuple[ArtifactRef, ...]") -> None:
        for ref in refs:
            shutil.rmtree(artifact_folder(self._root, ref), ignore_errors=True)

    def older_than(self, moment: float) -> Iterator[str]:
        """Yield the keys whose newest checkpoint was written before a time in seconds since
        1970."""
        for path in sorted((self._root / "checkpoints").glob("*.json")):
            if path.stat().st_mtime < moment:
                yield path.stem

    def _pointer(self, key: str) -> Path:
        return self._root / "checkpoints" / f"{key}.json"

    def _kept(self, key: str) -> Kept:
        try:
            value = json.loads(self._pointer(key).read_bytes())
            if "kept" not in value:  # the older form: one, without words
                return Kept((ArtifactRef.from_json(value),), {})
            return Kept(tuple(map(ArtifactRef.from_json, value["kept"])), value["about"])
        except UNREADABLE:
            return _NOTHING
