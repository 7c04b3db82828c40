"""What lies in a workspace: every artifact with its size and its time, whoever knows of it."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from storage.datasets import MANIFEST, ArtifactRef, Manifest
from storage.errors import MissingArtifact

CHECKPOINT = "checkpoint"
_HOMES = ("warehouse/*/*", "models/*", "reports/*")


@dataclass(frozen=True, slots=True)
class Held:
    """One artifact on disk."""

    ref: ArtifactRef
    bytes: int
    written: float
    """When its folder was written, in seconds since 1970."""


def artifacts(root: Path) -> Iterator[Held]:
    """Yield the artifacts of a workspace that have a readable manifest, but no checkpoints."""
    for pattern in _HOMES:
        for folder in sorted(root.glob(pattern)):
            held = _held(folder)
            if held is not None and held.ref.kind != CHECKPOINT:
                yield held


def _held(folder: Path) -> Held | None:
    try:
        manifest = Manifest.read(folder)
    except MissingArtifact:
        return None
    ref = ArtifactRef(manifest.kind, manifest.content_digest, manifest.rows)
    size = sum(part.bytes for part in manifest.parts)
    return Held(ref, size, (folder / MANIFEST).stat().st_mtime)


def idle_locks(root: Path, seconds: float) -> list[Path]:
    """Return the locks of the step cache that have no entry and were not touched for so long; only
    the holder of the lease may remove them.
    """
    now = time.time()
    return [
        path
        for path in sorted((root / "cache").glob("*/*.lock"))
        if not path.with_suffix(".json").exists() and now - path.stat().st_mtime >= seconds
    ]
