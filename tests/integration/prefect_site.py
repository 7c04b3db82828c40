"""A Prefect server of its own with workers, as a company has it, for the tests of deployments."""

import contextlib
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.integration.commands import environment, phrasenet
from tests.support import ROOT

PATIENCE_SECONDS = 600
_POLL_SECONDS = 1.0
_POSTGRES = Path("/usr/lib/postgresql")
_BUSY = 503
ENDED = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}


def free_port() -> int:
    """Return a port of loopback that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Site:
    """A running server and what was started beside it."""

    folder: Path
    url: str
    variables: dict[str, str]
    server: "subprocess.Popen[bytes] | None" = None
    workers: "list[subprocess.Popen[bytes]]" = field(default_factory=list)

    def start_server(self) -> None:
        """Start the server, or start it again after it was lost, and wait until it answers."""
        port = self.url.removesuffix("/api").rpartition(":")[2]
        command = ["-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", port]
        log = self.folder / "server.log"
        with log.open("ab") as output:
            self.server = subprocess.Popen(
                [sys.executable, *command],
                env=environment(**self.variables),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        wait_until(lambda: _answers(self.url), f"the server; see {log}", 180)

    def lose_server(self) -> None:
        """Kill the server, as when its machine breaks down."""
        assert self.server is not None
        end_group(self.server, signal.SIGKILL)

    def end(self) -> None:
        """End what runs."""
        for process in (*self.workers, self.server):
            if process is not None:
                end_group(process)

    def ask(self, path: str, body: Any = None, method: str = "") -> Any:
        """Ask the API; a body is sent with POST."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}{path}",
            data,
            {"Content-Type": "application/json"},
            method=method or ("GET" if data is None else "POST"),
        )
        text = _answer(request)
        return json.loads(text) if text else None

    def phrasenet(self, project: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a command of phrasenet against this server."""
        return phrasenet(project, *arguments, **self.variables)

    def deploy(self, project: Path, prefect_file: Path = ROOT / "prefect.yaml") -> dict[str, Any]:
        """Deploy a project and return what there is."""
        answer = self.phrasenet(project, "deploy", "--prefect-file", str(prefect_file), "--json")
        assert answer.returncode == 0, answer.stderr
        found: dict[str, Any] = json.loads(answer.stdout)
        return found

    def start_worker(self, pool: str) -> "subprocess.Popen[bytes]":
        """Start a worker in a process group of its own."""
        command = ["-m", "prefect", "worker", "start", "--pool", pool, "--limit", "4"]
        with (self.folder / f"worker-{pool}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *command],
                env=environment(**self.variables),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.workers.append(process)
        return process

    def run(self, flow: str, name: str, **parameters: Any) -> str:
        """Start a run of a deployment; returns its id."""
        deployment = self.ask(f"/deployments/name/{flow}/{name}")
        body = {"parameters": deployment["parameters"] | parameters}
        return str(self.ask(f"/deployments/{deployment['id']}/create_flow_run", body)["id"])

    def state(self, run: str) -> dict[str, Any]:
        """Return the state of a flow run."""
        found: dict[str, Any] = self.ask(f"/flow_runs/{run}")["state"]
        return found

    def wait_for(self, run: str, kind: str = "COMPLETED") -> dict[str, Any]:
        """Wait until a flow run ended as expected; returns its state."""
        wait_until(lambda: self.state(run)["type"] in ENDED, f"the end of run {run}")
        state = self.state(run)
        assert state["type"] == kind, f"{state['type']}: {state['message']}\n{self.logs(run)}"
        return state

    def logs(self, run: str) -> str:
        """Return what a flow run logged."""
        chosen = {"logs": {"flow_run_id": {"any_": [run]}}, "sort": "TIMESTAMP_ASC"}
        return "\n".join(item["message"] for item in self.ask("/logs/filter", chosen))

    def runs_of(self, flow: str, name: str) -> list[dict[str, Any]]:
        """Return the runs of a deployment, oldest first."""
        deployment = self.ask(f"/deployments/name/{flow}/{name}")
        chosen = {"deployments": {"id": {"any_": [deployment["id"]]}}, "sort": "START_TIME_ASC"}
        found: list[dict[str, Any]] = self.ask("/flow_runs/filter", chosen)
        return found


def _answer(request: urllib.request.Request) -> bytes:
    """Return what the server answers; a busy one is asked again, as Prefect's client does."""
    for wait in (1, 2, 4, 8, 16, None):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                found: bytes = answer.read()
            return found
        except urllib.error.HTTPError as error:
            if error.code != _BUSY or wait is None:
                raise
            time.sleep(wait)
    raise AssertionError("the last try returns or raises")


def wait_until(is_so: Callable[[], bool], what: str, seconds: float = PATIENCE_SECONDS) -> None:
    """Wait until something is so, or fail."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, f"waited {seconds:.0f} s for {what}"
        time.sleep(_POLL_SECONDS)


@contextlib.contextmanager
def prefect_site(folder: Path, **more: str) -> Iterator[Site]:
    """Give a server on loopback, with everything of it below a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    variables = {
        "PREFECT_HOME": str(folder / "home"),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "PYTHONPATH": str(ROOT),
        **more,
    }
    site = Site(folder, variables["PREFECT_API_URL"], variables)
    try:
        site.start_server()
        yield site
    finally:
        site.end()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def end_group(process: "subprocess.Popen[bytes]", number: int = signal.SIGTERM) -> None:
    """End a process and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)


def find_postgres() -> Path:
    """Return the folder of Postgres' programs; skip the test where there is none."""
    found = sorted(_POSTGRES.glob("*/bin/initdb"))
    if not found:
        pytest.skip("no Postgres in /usr/lib/postgresql; Debian's package `postgresql` is used")
    return found[-1].parent


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """Give the address of an empty database in a server of its own."""
    programs, port = find_postgres(), free_port()
    # Postgres refuses to run as root, and another user cannot enter the folders of the tests.
    folder = Path(tempfile.mkdtemp(prefix="phrasenet-postgres-"))
    owner = _owner()
    if owner:
        shutil.chown(folder, owner)
    as_owner: Mapping[str, Any] = {"user": owner, "cwd": folder} if owner else {"cwd": folder}
    data = folder / "data"
    try:
        subprocess.run(
            [programs / "initdb", "-D", data, "-U", "prefect", "--auth", "trust", "--no-sync"],
            check=True,
            capture_output=True,
            **as_owner,
        )
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port), "-k", folder],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **as_owner,
        )
        try:
            wait_until(lambda: _is_open(port), "Postgres", 60)
            yield f"postgresql+asyncpg://prefect@127.0.0.1:{port}/postgres"
        finally:
            end_group(server, signal.SIGINT)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _owner() -> str | None:
    """Return who runs Postgres in place of root; None for the user of the tests."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
