"""The real command in processes of its own, for the tests of this folder."""

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.support import edit

TIMEOUT_SECONDS = 300


def environment(**more: str) -> dict[str, str]:
    """Return an environment without settings of Prefect; torch keeps to one thread."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    return plain | {"OMP_NUM_THREADS": "1"} | more


def start(folder: Path, *arguments: str, **more: str) -> "subprocess.Popen[str]":
    """Start `phrasenet` in a project's folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "flows.cli", *arguments],
        cwd=folder,
        env=environment(**more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def phrasenet(folder: Path, *arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run `phrasenet` in a project's folder and return what it answered."""
    process = start(folder, *arguments, **more)
    out, err = process.communicate(timeout=TIMEOUT_SECONDS)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def wait_for_line(process: "subprocess.Popen[str]", beginning: str) -> str:
    """Read the process's standard error until a line begins so; returns all that was read."""
    assert process.stderr is not None
    read = ""
    while line := process.stderr.readline():
        read += line
        if line.startswith(beginning):
            return read
    raise AssertionError(f"no line begins with {beginning!r}: {read}")


def server_port(text: str) -> int:
    """Return the port of the private server from what a run said."""
    found = re.search(r"watch at http://127\.0\.0\.1:(\d+)", text)
    assert found is not None, text
    return int(found.group(1))


def free_port() -> int:
    """Return a port of this machine on which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def is_served(port: int) -> bool:
    """Say whether something listens on a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def servers_of(port: int) -> list[str]:
    """Return the private servers that still run for a port."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"flows.private_server" in words and str(port).encode() in words:
            found.append(path.parent.name)
    return found


def assert_no_server(text: str, patience_seconds: float = 0.0) -> None:
    """Check that the private server of a run is gone."""
    port = server_port(text)
    deadline = time.monotonic() + patience_seconds
    while servers_of(port) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert servers_of(port) == []
    assert not is_served(port)


def train_briefly(folder: Path) -> None:
    """Let a copy of the tiny example train one small model for one epoch."""
    edit(folder / "phrasenet.toml", "epochs = 5", "epochs = 1")
    with (folder / "phrasenet.toml").open("a") as stream:
        stream.write("\n[evaluation]\nbaselines = []\n")
