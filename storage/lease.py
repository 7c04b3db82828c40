"""One writer at a time: a lease on the workspace that no dead process can keep.

The lease is a lock that the kernel holds for the process, so it ends with its holder, however that
one dies. Beside it stands who the holder is, for the message to the one who comes second. Readers
never ask for it: what they read is written once.
"""

import contextlib
import fcntl
import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from storage.errors import WorkspaceBusy
from storage.files import explained
from storage.moments import shown, this_moment
from storage.plain_json import UNREADABLE
from storage.secret_urls import without_secrets

LEASE = "lease.json"
_POLL_SECONDS = 0.2


@contextlib.contextmanager
def hold_lease(root: Path, *, wait_seconds: float = 0.0) -> Iterator[None]:
    """Hold the lease of the workspace at `root`, waiting for at most `wait_seconds`.

    Raises:
        WorkspaceBusy: another process holds it; the message says which.
        WorkspaceError: the workspace cannot be written to.
    """
    path = root / LEASE
    with explained("write", path):
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _acquire(handle, path, time.monotonic() + wait_seconds)
        _describe_holder(handle)
        yield
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _acquire(handle: int, path: Path, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise WorkspaceBusy(
                    f"The workspace {path.parent} is in use: {_holder(path)}. Wait until it has "
                    "finished, give --wait SECONDS, or use another workspace."
                ) from None
            time.sleep(_POLL_SECONDS)
        else:
            return


def _describe_holder(handle: int) -> None:
    holder = {
        "process": os.getpid(),
        "host": socket.gethostname(),
        "command": without_secrets(" ".join([Path(sys.argv[0]).name, *sys.argv[1:]])),
        "since": this_moment(),
    }
    data = json.dumps(holder).encode() + b"\n"
    os.ftruncate(handle, 0)
    os.pwrite(handle, data, 0)


def holder_of(root: Path) -> str:
    """Say who holds the lease of a workspace; empty if nobody does. Nothing is changed."""
    path = root / LEASE
    try:
        if path.stat().st_size == 0:  # its last holder has ended well; do not even touch the lock
            return ""
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return ""
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder(path)
    finally:
        os.close(handle)
    return ""


def _holder(path: Path) -> str:
    try:
        holder = json.loads(path.read_bytes())
        said = "process {process} on {host} (`{command}`) holds its lease since {since}"
        return said.format(**holder | {"since": shown(holder["since"])})
    except UNREADABLE:
        return "another process holds its lease"
