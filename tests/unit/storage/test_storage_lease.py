"""One writer at a time, named to the second one, and no dead process keeps the lease."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from storage.errors import WorkspaceBusy, WorkspaceError
from storage.workspace import Workspace

HOLD = """
import sys, time
from pathlib import Path
from storage.workspace import open_workspace
with open_workspace(Path(sys.argv[1])).lease():
    print("held", flush=True)
    time.sleep(600)
"""


@contextmanager
def holder(workspace: Workspace) -> "Iterator[subprocess.Popen[str]]":
    """Hold the lease in another process."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(workspace.root)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_the_second_process_is_told_who_holds_the_lease(workspace: Workspace) -> None:
    with holder(workspace) as process:
        with pytest.raises(WorkspaceBusy) as caught, workspace.lease():
            pass
        message = str(caught.value)
        assert f"process {process.pid} on " in message
        assert "(`-c " in message
        assert "--wait SECONDS" in message


def test_a_killed_holder_leaves_the_lease_to_the_next(workspace: Workspace) -> None:
    with holder(workspace) as process:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        with workspace.lease():
            assert (
                json.loads((workspace.root / "lease.json").read_bytes())["process"] == os.getpid()
            )


def test_the_second_waits_as_long_as_it_was_asked_to(workspace: Workspace) -> None:
    with holder(workspace) as process:
        start = time.monotonic()
        with (
            pytest.raises(WorkspaceBusy, match=f"process {process.pid}"),
            workspace.lease(wait_seconds=0.5),
        ):
            pass
        assert 0.5 <= time.monotonic() - start < 3
        threading.Timer(0.3, process.kill).start()
        with workspace.lease(wait_seconds=30):
            pass


def test_the_lease_is_given_back_after_success_and_after_an_error(workspace: Workspace) -> None:
    with workspace.lease():
        pass
    assert (workspace.root / "lease.json").read_bytes() == b""
    with pytest.raises(ZeroDivisionError), workspace.lease():
        raise ZeroDivisionError
    with workspace.lease():
        pass


def test_a_holder_that_did_not_say_its_name_is_a_holder_too(workspace: Workspace) -> None:
    with workspace.lease():
        (workspace.root / "lease.json").write_bytes(b"[]")
        with pytest.raises(WorkspaceBusy, match="another process holds its lease"):
            workspace.lease().__enter__()


def test_readers_never_ask_for_the_lease(workspace: Workspace) -> None:
    ref = workspace.write_rows("source_counts", [{"source": "词", "count": 1}])
    with holder(workspace):
        assert list(workspace.read_rows(ref)) == [{"source": "词", "count": 1}]
        assert workspace.query("SELECT * FROM t", {"t": ref}) == [{"source": "词", "count": 1}]
        assert workspace.memory.head() is None


def test_a_workspace_that_cannot_be_written_is_a_message(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(*_: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "open", read_only)
    with pytest.raises(WorkspaceError, match="Choose a workspace that can be written to"):
        workspace.lease().__enter__()
