"""The files of a local copy of a workspace in a bucket: which are shared, and their digests."""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

FOLDER = ".remote"
"""Below the root of a local copy: which place it is a copy of, and its index as last seen."""
MANIFEST = "manifest.json"
_LOCAL = frozenset({FOLDER, ".partial", "prefect", "checkpoints", "tmp", "lease.json"})
_LOCAL_KINDS = frozenset({"checkpoint"})
_ARTIFACT_HOMES = ("models", "reports")


def local_artifacts(root: Path) -> Iterator[str]:
    """Yield the paths of the artifacts that are in this folder."""
    homes = [root / home for home in _ARTIFACT_HOMES]
    kinds = [kind for kind in _folders(root / "warehouse") if kind.name not in _LOCAL_KINDS]
    for home in (*homes, *kinds):
        for folder in _folders(home):
            if (folder / MANIFEST).is_file():
                yield folder.relative_to(root).as_posix()


def local_files(root: Path) -> Iterator[str]:
    """Yield the paths of the files of state in this folder."""
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        if here == root:
            folders[:] = sorted(set(folders) - _LOCAL - {"warehouse"})
        # The files of an artifact are its own.
        folders[:] = [name for name in folders if not (here / name / MANIFEST).is_file()]
        for name in sorted(files):
            path = (here / name).relative_to(root).as_posix()
            if path not in _LOCAL and not name.endswith((".partial", ".lock")):
                yield path


def read(path: Path) -> bytes | None:
    """Return a file, or None if there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sha256_if_any(path: Path) -> str:
    """Return the SHA-256 of a file, empty if there is none."""
    return file_sha256(path) if path.is_file() else ""


def parts(manifest: bytes) -> dict[str, str]:
    """Return the SHA-256 of the files of an artifact, by their names."""
    return {part["name"]: part["sha256"] for part in json.loads(manifest)["parts"]}


def is_as_written(folder: Path) -> bool:
    """Say whether an artifact is in a folder, with every byte of its files."""
    manifest = read(folder / MANIFEST)
    return manifest is not None and all(
        sha256_if_any(folder / name) == digest for name, digest in parts(manifest).items()
    )


def _folders(home: Path) -> list[Path]:
    return sorted(path for path in home.iterdir() if path.is_dir()) if home.is_dir() else []
