"""A private Prefect server inside the workspace, for as long as one command runs.

The server is a child process that watches the pipe of its parent: whatever ends the parent, Ctrl-C,
an error or `kill -9`, closes the pipe, and the server stops. If the server alone dies, as when the
system ran out of memory, another one with the same port and database takes its place: Prefect's
client asks again for a minute, so the run goes on. It listens on the loopback interface only, on a
free port. With `PREFECT_API_URL` set, none is started.
"""

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from storage.errors import WorkspaceError
from storage.files import explained
from storage.secret_urls import without_secrets

START_TIMEOUT_SECONDS = 180
STOP_TIMEOUT_SECONDS = 20
MAX_REVIVALS = 3
"""How often a private server that died is started again in one command."""
_POLL_SECONDS = 0.1
_ROOM_BYTES = 1 << 20
"""With less room on its disk a server that did not start is taken to have failed for that."""

_SERVER_SETTINGS = {
    # Nothing leaves the machine.
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    # A private server schedules nothing and dies with its command: these services have no work.
    "PREFECT_SERVER_SERVICES_SCHEDULER_ENABLED": "false",
    "PREFECT_SERVER_SERVICES_LATE_RUNS_ENABLED": "false",
    "PREFECT_SERVER_SERVICES_CANCELLATION_CLEANUP_ENABLED": "false",
    "PREFECT_SERVER_SERVICES_PAUSE_EXPIRATIONS_ENABLED": "false",
    "PREFECT_SERVER_SERVICES_FOREMAN_ENABLED": "false",
    "PREFECT_SERVER_SERVICES_REPOSSESSOR_ENABLED": "false",
    # Task runs are recorded in batches, at once.
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
}
_CLIENT_SETTINGS = {
    "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "false",
    "DO_NOT_TRACK": "1",
    "PREFECT_LOGGING_EXTRA_LOGGERS": "flows,tasks,model,storage",
    # The command line tells people itself what happens; the full log goes to the server.
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_INTERNAL_LEVEL": "CRITICAL",
}


@dataclass(slots=True)
class PrefectServer:
    """A Prefect API: a private one that may still be starting, or the user's own."""

    url: str
    log: Path
    process: "subprocess.Popen[bytes] | None"
    """The private server; None for the user's own."""
    has_started: bool = False
    """Whether it answered, so that its death is no failure to start."""

    def wait(self) -> None:
        """Return once the API answers; meanwhile the caller may import Prefect.

        Raises:
            WorkspaceError: it does not.
        """
        if self.process is not None:
            _wait_until_healthy(self.process, self.url, self.log)
            self.has_started = True
        elif not is_healthy(self.url):
            raise WorkspaceError(
                f"PREFECT_API_URL is {without_secrets(self.url)}, and no Prefect server answers "
                "there. Start it (`prefect server start`), correct the variable, or unset it to "
                "use a private one."
            )


@contextlib.contextmanager
def prefect_server(workspace: Path) -> Iterator[PrefectServer]:
    """Give a Prefect API, and set the environment so that Prefect, not yet imported, uses it."""
    home = workspace / "prefect"
    os.environ.update(_CLIENT_SETTINGS)
    os.environ["PREFECT_RESULTS_LOCAL_STORAGE_PATH"] = str(home / "results")
    given = os.environ.get("PREFECT_API_URL")
    if given:
        yield PrefectServer(given, home, None)
        return
    os.environ["PREFECT_HOME"] = str(home)
    with explained("write", home):
        home.mkdir(parents=True, exist_ok=True)
    port = _free_port()
    url = f"http://127.0.0.1:{port}/api"
    start = partial(_start, port, url, home / "server.log")
    (home / "server.log").unlink(missing_ok=True)
    server = PrefectServer(url, home / "server.log", start())
    os.environ["PREFECT_API_URL"] = url
    try:
        with _kept_alive(server, start):
            yield server
    finally:
        os.environ.pop("PREFECT_API_URL", None)
        assert server.process is not None, "a private server is a process"
        _stop(server.process)


def _start(port: int, url: str, log: Path) -> "subprocess.Popen[bytes]":
    with log.open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "flows.private_server", str(port)],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            start_new_session=True,
            env=os.environ | _SERVER_SETTINGS | {"PREFECT_API_URL": url},
        )


@contextlib.contextmanager
def _kept_alive(
    server: PrefectServer, start: "Callable[[], subprocess.Popen[bytes]]"
) -> Iterator[None]:
    """Start a server again that dies after it started; after a few times there is no point."""
    ended = threading.Event()

    def watch() -> None:
        for _ in range(MAX_REVIVALS):
            while not _has_died(server):
                if ended.wait(_POLL_SECONDS):
                    return
            server.process = start()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _has_died(server: PrefectServer) -> bool:
    return server.has_started and server.process is not None and server.process.poll() is not None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(process: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        if is_healthy(url):
            return
        time.sleep(_POLL_SECONDS)
    _must_have_room(log)
    raise WorkspaceError(
        f"The private Prefect server did not start. Its log is {log}. If that speaks of the "
        f"database, remove {log.parent} (only Prefect's own history is lost) and run again."
    )


def _must_have_room(log: Path) -> None:
    """Refuse a full disk by its name: the log that would say so may not have been written.

    A file is written for the answer and removed again.

    Raises:
        WorkspaceError: the disk is full, or the quota used up.
    """
    probe = log.with_name(f".{log.name}.probe")
    try:
        with explained("write", log.parent):
            probe.write_bytes(bytes(_ROOM_BYTES))
    finally:
        probe.unlink(missing_ok=True)


def is_healthy(url: str) -> bool:
    """Say whether a Prefect API answers."""
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Close the pipe, which asks the server to stop, and make sure that it did."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(STOP_TIMEOUT_SECONDS)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        process.kill()
        process.wait()


def serve(port: int) -> None:
    """Run the server until the parent's end of standard input closes."""
    import uvicorn
    from prefect.server.api.server import create_app

    server = uvicorn.Server(
        uvicorn.Config(create_app(), host="127.0.0.1", port=port, log_level="warning")
    )

    def stop_with_parent() -> None:
        sys.stdin.buffer.read()
        server.should_exit = True
        # A client that holds a connection open must not keep a server without an owner alive.
        time.sleep(STOP_TIMEOUT_SECONDS / 2)
        os._exit(0)

    threading.Thread(target=stop_with_parent, daemon=True).start()
    server.run()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
