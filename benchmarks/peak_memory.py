"""The peak memory of each process of a session, noted while they run (Linux)."""

import contextlib
import json
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path

_EVERY_SECONDS = 1.0
_RESIDENT = re.compile(r"VmRSS:\s+(\d+) kB")


@contextlib.contextmanager
def watched(session: int, file: Path) -> Iterator[None]:
    """Note the largest resident memory of each process of a session, by its id, in a JSON file.

    What a file of an earlier run says is kept: it is the same work, taken up again.
    """
    peaks: dict[str, int] = json.loads(file.read_text()) if file.exists() else {}
    done = threading.Event()
    watcher = threading.Thread(target=_watch, args=(session, file, peaks, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(session: int, file: Path, peaks: dict[str, int], done: threading.Event) -> None:
    while not done.wait(_EVERY_SECONDS):
        for process, resident in _resident(session):
            name = f"{session}-{process}"
            peaks[name] = max(peaks.get(name, 0), resident)
        file.write_text(json.dumps(peaks))


def _resident(session: int) -> Iterator[tuple[int, int]]:
    """Yield the processes of a session and their resident bytes."""
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            process = int(folder.name)
            if os.getsid(process) != session:
                continue
            found = _RESIDENT.search((folder / "status").read_text())
            if found:
                yield process, 1024 * int(found[1])
