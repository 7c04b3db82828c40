"""One writer at a time for a workspace in a bucket: a lease that runs out unless it is renewed.

The lease saves two machines the work of finding out late that they both wrote; what keeps the
workspace whole is the conditional write of its index (`storage/mirror.py`).
"""

import contextlib
import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator

from storage.errors import WorkspaceBusy, WorkspaceError
from storage.object_store import ObjectStore, Taken

LEASE = "lease.json"
LASTS_SECONDS = 120.0
RENEW_SECONDS = 30.0
_POLL_SECONDS = 1.0


@contextlib.contextmanager
def hold_remote_lease(store: ObjectStore, url: str, *, wait_seconds: float = 0.0) -> Iterator[str]:
    """Hold the lease of a workspace in a bucket, waiting for at most `wait_seconds`.

    Gives the id of this holding, which stays the same until it ends and never comes again.

    Raises:
        WorkspaceBusy: another machine holds it; the message says which.
        WorkspaceError: the server cannot be asked.
    """
    holder = uuid.uuid4().hex
    held = _Held(store, holder, _acquire(store, url, holder, time.monotonic() + wait_seconds))
    try:
        yield holder
    finally:
        held.release()


def is_held(store: ObjectStore, holder: str) -> bool:
    """Say whether a lease is still that of a holder: it neither gave it back nor lost it.

    One that died keeps it until somebody else takes it.

    Raises:
        WorkspaceError: the server cannot be asked.
    """
    found = store.get(LEASE)
    return found is not None and json.loads(found[0]).get("holder", "") == holder


def _acquire(store: ObjectStore, url: str, holder: str, deadline: float) -> str:
    while True:
        found = store.get(LEASE)
        with contextlib.suppress(Taken):
            if found is None:
                return store.create(LEASE, _claim(holder))
            if json.loads(found[0])["until"] < time.time():
                return store.swap(LEASE, _claim(holder), found[1])
        if time.monotonic() >= deadline:
            raise WorkspaceBusy(_in_use(url, found))
        time.sleep(_POLL_SECONDS)


def _in_use(url: str, found: tuple[bytes, str] | None) -> str:
    holder = json.loads(found[0]) if found else {"process": "?", "host": "another machine"}
    return (
        f"The workspace {url} is in use: process {holder['process']} on {holder['host']} holds its "
        f"lease. Wait until it has finished, or {LASTS_SECONDS:.0f} s after it died; give "
        "--wait SECONDS, or use another workspace."
    )


def _claim(holder: str, seconds: float = LASTS_SECONDS) -> bytes:
    claim = {
        "holder": holder,
        "process": os.getpid(),
        "host": socket.gethostname(),
        "until": time.time() + seconds,
    }
    return json.dumps(claim).encode()


class _Held:
    """A lease that is renewed until it is released, by a thread of its own."""

    def __init__(self, store: ObjectStore, holder: str, tag: str) -> None:
        self._store, self._holder, self._tag = store, holder, tag
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._renew, daemon=True)
        self._thread.start()

    def release(self) -> None:
        """Give the lease back, unless somebody took it since."""
        self._done.set()
        self._thread.join()
        with contextlib.suppress(Taken, WorkspaceError):
            self._store.swap(LEASE, _claim("", 0.0), self._tag)

    def _renew(self) -> None:
        while not self._done.wait(RENEW_SECONDS):
            # A lost lease is found out when the index is written.
            with contextlib.suppress(Taken, WorkspaceError):
                self._tag = self._store.swap(LEASE, _claim(self._holder), self._tag)
