"""Files that are there whole or not at all, and file system errors that say what to do.

Everything is written under a temporary name, flushed to the disk and renamed; a crash leaves at
most a folder in `.partial`, which the next holder of the lease sweeps away.
"""

import contextlib
import errno
import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

from storage.errors import WorkspaceError

PARTIAL = ".partial"
READ = "read"
"""The action of `explained` that writes nothing."""

_NOT_OURS = "Permission denied. Choose a workspace that you may write to, or mend its rights."
_NO_FOLDER = "A folder was expected and a file is there. Move the file away."
_GONE = "Something removed it while it was in use. Run the command again: what is missing is made."
_REMEDIES = {
    errno.ENOSPC: "The disk is full. Free some space and run the command again; nothing was lost.",
    errno.EDQUOT: "The disk quota is used up. Free some space and run the command again.",
    errno.EROFS: "The file system is read-only. Choose a workspace that can be written to.",
    errno.EACCES: _NOT_OURS,
    errno.EPERM: _NOT_OURS,
    errno.ENOTDIR: _NO_FOLDER,
    errno.EEXIST: _NO_FOLDER,
    errno.EISDIR: "A file was expected and a folder is there. Move the folder away.",
    errno.ENOENT: _GONE,
    errno.EFBIG: "The file would pass the size limit that is set for this process (ulimit -f).",
}


@contextlib.contextmanager
def explained(action: str, path: Path) -> Iterator[None]:
    """Turn file system errors that patience does not mend into a `WorkspaceError`.

    What is not there to be read is left to the caller, who knows what that means.

    Raises:
        WorkspaceError: the disk is full, read-only, not ours to write to, or the folder is gone.
    """
    try:
        yield
    except OSError as error:
        if action == READ and error.errno == errno.ENOENT:
            raise
        remedy = _REMEDIES.get(error.errno or 0)
        if remedy is None:
            raise
        # Arrow's own text for the same number is long and speaks of its insides.
        cause = os.strerror(error.errno or 0)
        raise WorkspaceError(f"Could not {action} {path}: {cause}. {remedy}") from error


def fsync_folder(folder: Path) -> None:
    """Flush a folder's entries, so that a rename in it survives a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_bytes(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write a file that is complete or absent, replacing an older one.

    Args:
        path: the file; its folder is made if need be.
        data: all of its bytes.
        mode: rights that the file is created with, less the umask.
    """
    with explained("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.partial")
        try:
            write_flushed(partial, data, mode=mode)
            os.replace(partial, path)
            fsync_folder(path.parent)
        finally:
            partial.unlink(missing_ok=True)


def write_flushed(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write and flush a file under the name given."""
    with open(path, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


@contextlib.contextmanager
def partial_folder(root: Path) -> Iterator[Path]:
    """Give a fresh folder below `root/.partial`, removed at the end unless it was moved away."""
    folder = root / PARTIAL / uuid.uuid4().hex
    with explained("write below", root):
        folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def publish_folder(partial: Path, final: Path, *, replace: bool) -> None:
    """Rename a finished folder to its final name; with `replace`, an older one makes way first."""
    for file in partial.iterdir():
        handle = os.open(file, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    fsync_folder(partial)
    final.parent.mkdir(parents=True, exist_ok=True)
    if replace and final.exists():
        os.replace(final, partial.with_name(partial.name + ".old"))
        shutil.rmtree(partial.with_name(partial.name + ".old"), ignore_errors=True)
    try:
        os.replace(partial, final)
    except OSError as error:
        # Another writer published the same content first: the name is the content, so all is well.
        # A link to a folder of another workspace is told as a file.
        is_there = error.errno == errno.ENOTDIR and final.is_dir()
        if not is_there and error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
    fsync_folder(final.parent)


def sweep_partial(root: Path) -> None:
    """Remove what crashed writers left behind; only the holder of the lease may call this."""
    shutil.rmtree(root / PARTIAL, ignore_errors=True)
    for leftover in root.rglob(".*.partial"):
        if leftover.is_file():
            leftover.unlink(missing_ok=True)
