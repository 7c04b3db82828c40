"""The private server without one: which API is taken, and how a start that fails is told."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from flows import private_server
from flows.private_server import PrefectServer, prefect_server
from storage.errors import WorkspaceError


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PREFECT_")]:
        monkeypatch.delenv(name)
    # Whatever a test sets through os.environ is undone with the dictionary itself.
    monkeypatch.setattr(os, "environ", os.environ.copy())


def test_the_users_own_server_is_taken_and_none_is_started(tmp_path: Path) -> None:
    os.environ["PREFECT_API_URL"] = "http://127.0.0.1:9/api"
    with prefect_server(tmp_path) as server:
        assert (server.url, server.process) == ("http://127.0.0.1:9/api", None)
        with pytest.raises(WorkspaceError, match="no Prefect server answers there"):
            server.wait()
    assert os.environ["PREFECT_API_URL"] == "http://127.0.0.1:9/api"
    assert not (tmp_path / "prefect").exists()


def test_a_server_that_ends_at_once_is_a_message_with_its_log(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    process.wait()
    server = PrefectServer("http://127.0.0.1:9/api", tmp_path / "server.log", process)
    with pytest.raises(WorkspaceError, match=r"did not start. Its log is .*server.log"):
        server.wait()


def test_a_server_that_does_not_stop_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private_server, "STOP_TIMEOUT_SECONDS", 0.2)
    process = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(600)"], stdin=subprocess.PIPE
    )
    private_server._stop(process)
    assert process.poll() == -9


def test_the_environment_is_as_before_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with prefect_server(tmp_path) as server:
        assert os.environ["PREFECT_API_URL"] == server.url
        assert server.url.startswith("http://127.0.0.1:")
        assert os.environ["PREFECT_HOME"] == str(tmp_path / "prefect")
    assert "PREFECT_API_URL" not in os.environ


def test_a_server_that_did_not_start_on_a_full_disk_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    dead = subprocess.Popen(["false"])
    dead.wait()
    with pytest.raises(WorkspaceError, match="did not start"):
        private_server._wait_until_healthy(dead, "http://127.0.0.1:9/api", tmp_path / "server.log")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(WorkspaceError, match="The disk is full"):
        private_server._wait_until_healthy(dead, "http://127.0.0.1:9/api", tmp_path / "server.log")
