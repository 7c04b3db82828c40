"""Checkpoints of work in progress, by the cache key of the step; gone once the step has its result.

A checkpoint is an artifact of its own and a pointer to it, so that a crash while writing leaves the
one before.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from storage.datasets import ArtifactRef, artifact_folder, read_bundle, why_broken, write_bundle
from storage.files import write_bytes
from storage.ledger import canonical_json


class Checkpoints:
    """The checkpoints of a workspace."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def get(self, key: str) -> dict[str, bytes] | None:
        """Return the files of the newest checkpoint of a key, or None if there is none or it
        broke.
        """
        ref = self._ref(key)
        if ref is None or why_broken(self._root, ref) is not None:
            return None
        return read_bundle(self._root, ref)

    def put(self, key: str, files: Mapping[str, bytes]) -> None:
        """Keep a checkpoint in place of the one before."""
        before = self._ref(key)
        ref = write_bundle(self._root, "checkpoint", files, reproducibility="same-machine")
        write_bytes(self._pointer(key), canonical_json(ref.to_json()))
        if before is not None and before != ref:
            shutil.rmtree(artifact_folder(self._root, before), ignore_errors=True)

    def drop(self, key: str) -> None:
        """Remove the checkpoint of a key."""
        ref = self._ref(key)
        self._pointer(key).unlink(missing_ok=True)
        if ref is not None:
            shutil.rmtree(artifact_folder(self._root, ref), ignore_errors=True)

    def _pointer(self, key: str) -> Path:
        return self._root / "checkpoints" / f"{key}.json"

    def _ref(self, key: str) -> ArtifactRef | None:
        try:
            return ArtifactRef.from_json(json.loads(self._pointer(key).read_bytes()))
        except (OSError, ValueError, KeyError, TypeError):
            return None
