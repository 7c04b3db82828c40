"""Ten random schedules of faults on the real command with its private Prefect server."""

import os
import random
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

from benchmarks.fault_points import damage_artifact
from tests.integration.commands import phrasenet, server_port, servers_of, start, wait_for_line
from tests.support import assert_whole, copy_tiny, files_below

pytestmark = [pytest.mark.server, pytest.mark.slow]

SCHEDULES = 10
FAULTS = ("death", "lost server", "second writer", "unreadable file", "full disk", "death")
_SMALL_FILES = 6_000
"""Bytes: small tables fit, the larger ones do not."""


def results(folder: Path) -> list[str]:
    return [
        name
        for name in files_below(folder / "workspace")
        if name.endswith("manifest.json") and "/checkpoint/" not in name
    ]


def strike(kind: str, folder: Path, process: "subprocess.Popen[str]", said: str) -> None:
    """Let a fault strike a run in progress."""
    if kind == "death":
        process.kill()
    elif kind == "lost server":
        for server in servers_of(server_port(said)):
            os.kill(int(server), signal.SIGKILL)
    elif kind == "second writer":
        answer = phrasenet(folder, "refresh")
        if process.poll() is None:
            assert answer.returncode == 2
            assert "is in use" in answer.stderr
    elif kind == "full disk":
        # No file may grow any more, which the kernel tells as it tells a full disk.
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (_SMALL_FILES, _SMALL_FILES))
    elif kind == "unreadable file":
        damage_artifact(folder / "workspace", random.Random(said).randrange(1 << 30))


def disturb(kind: str, folder: Path, moment: random.Random) -> None:
    process = start(folder, "refresh")
    said = wait_for_line(process, "Workspace")
    time.sleep(moment.uniform(0, 12))
    strike(kind, folder, process, said)
    _, err = process.communicate(timeout=300)
    assert "Traceback" not in err


def assert_head_is_whole(folder: Path) -> None:
    head = folder / "workspace" / "memory" / "HEAD"
    if head.exists():
        assert phrasenet(folder, "memory", "stats").returncode == 0


def test_ten_schedules_on_the_real_command_lose_nothing(tmp_path: Path) -> None:
    undisturbed = copy_tiny(tmp_path / "undisturbed" / "tiny")
    assert phrasenet(undisturbed, "refresh").returncode == 0
    struck = []
    for seed in range(SCHEDULES):
        moment, folder = random.Random(seed), copy_tiny(tmp_path / str(seed) / "tiny")
        for _ in range(moment.randint(1, 2)):
            kind = moment.choice(FAULTS)
            struck.append(kind)
            disturb(kind, folder, moment)
            if kind != "unreadable file":
                assert_head_is_whole(folder)
        answer = phrasenet(folder, "refresh")
        assert answer.returncode == 0, f"seed {seed} after {struck}: {answer.stderr}"
        assert set(results(undisturbed)) <= set(results(folder))
        heads = [(item / "workspace/memory/HEAD").read_text() for item in (folder, undisturbed)]
        assert heads[0] == heads[1]
        assert_whole(folder / "workspace")
        assert phrasenet(folder, "audit", "verify").returncode == 0
    print(f"struck: {', '.join(struck)}")  # noqa: T201
