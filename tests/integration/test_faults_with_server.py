"""Ten random schedules of faults on the real command, with a real Prefect server.

A fault strikes as soon as a run said that it is through with a certain step, so that a slow machine
sees the same places as a fast one. Each kind of fault strikes equally often.
"""

import os
import random
import resource
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from benchmarks.fault_points import damage_artifact
from tests.integration.commands import (
    TIMEOUT_SECONDS,
    phrasenet,
    server_port,
    servers_of,
    start,
    wait_for_line,
)
from tests.integration.jumping_clock import JumpingClock, jump_by
from tests.integration.prefect_site import Site, prefect_site
from tests.support import assert_whole, copy_tiny, files_below

pytestmark = [pytest.mark.server, pytest.mark.slow]

SCHEDULES = 10
FAULTS = ("crash", "full disk", "unreadable file", "lost server", "clock jump", "second writer")
TIMES = 2
"""How often each kind strikes; that is more than there are schedules, so some have several."""
STEPS = 42
"""Lines of the terminal, one for each call of a step."""
_SMALL_FILES = 6_000
"""Bytes: small tables fit, the larger ones do not."""


Schedule = list[tuple[str, int, int]]
"""Kinds of faults, with the step after which they strike and a number that chooses among files or
days.
"""


def schedules(seed: int) -> list[Schedule]:
    """Return faults for each schedule."""
    moment = random.Random(seed)
    kinds = [kind for kind in FAULTS for _ in range(TIMES)]
    moment.shuffle(kinds)
    made: list[Schedule] = [[] for _ in range(SCHEDULES)]
    for number, kind in enumerate(kinds):
        made[number % SCHEDULES].append((kind, moment.randrange(STEPS), moment.randrange(1 << 30)))
    return made


def named(schedule: Schedule) -> str:
    """Return the name of a schedule's test."""
    return ", ".join(f"{kind} after {step} steps" for kind, step, _ in schedule)


def results(folder: Path) -> list[str]:
    return [
        name
        for name in files_below(folder / "workspace")
        if name.endswith("manifest.json") and "/checkpoint/" not in name
    ]


@dataclass
class Faults:
    """Lets faults strike at runs that use one server, and counts what came of it."""

    site: Site
    clock: JumpingClock
    ended: "Counter[tuple[str, str]]" = field(default_factory=Counter)

    def disturb(self, folder: Path, kind: str, step: int, choice: int) -> None:
        """Let a fault strike at a refresh once a number of steps are done."""
        jump = folder / f"jump-{choice}"
        variables = self.site.variables | self.clock.variables(jump)
        process = start(folder, "refresh", **variables)
        wait_for_line(process, "Workspace")
        assert process.stderr is not None
        for _ in range(step):
            process.stderr.readline()
        self._strike(kind, folder, process, jump, choice)
        _, err = process.communicate(timeout=TIMEOUT_SECONDS)
        assert "Traceback" not in err
        assert "a defect" not in err
        self.ended[kind, "went on" if process.returncode == 0 else "stopped"] += 1

    def _strike(
        self, kind: str, folder: Path, process: "subprocess.Popen[str]", jump: Path, choice: int
    ) -> None:
        if kind == "crash":
            process.kill()
        elif kind == "lost server":
            self.site.lose_server()
            self.site.start_server()
        elif kind == "second writer":
            answer = phrasenet(folder, "refresh", **self.site.variables)
            if process.poll() is None:
                assert answer.returncode == 2
                assert "is in use" in answer.stderr
        elif kind == "full disk":
            # No file may grow any more, which the kernel tells as it tells a full disk.
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (_SMALL_FILES, _SMALL_FILES))
        elif kind == "unreadable file":
            damage_artifact(folder / "workspace", choice)
        elif kind == "clock jump":
            jump_by(jump, (-400, -1, 1, 400)[choice % 4])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with prefect_site(tmp_path_factory.mktemp("site")) as made:
        yield made


@pytest.fixture(scope="module")
def faults(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faults]:
    made = Faults(site, JumpingClock.build(tmp_path_factory.mktemp("clock")))
    yield made
    print({f"{kind}, run {end}": n for (kind, end), n in sorted(made.ended.items())})  # noqa: T201


@pytest.fixture(scope="module")
def undisturbed(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_tiny(tmp_path_factory.mktemp("undisturbed") / "tiny")
    assert site.phrasenet(folder, "refresh").returncode == 0
    return folder


@pytest.mark.parametrize("schedule", schedules(1), ids=named)
def test_a_schedule_on_the_real_command_loses_nothing(
    schedule: Schedule, undisturbed: Path, faults: Faults, tmp_path: Path
) -> None:
    folder = copy_tiny(tmp_path / "tiny")
    for fault in schedule:
        faults.disturb(folder, *fault)
        if fault[0] != "unreadable file":
            assert_head_is_whole(folder)
    answer = faults.site.phrasenet(folder, "refresh")
    assert answer.returncode == 0, answer.stderr
    assert set(results(undisturbed)) <= set(results(folder))
    heads = [(item / "workspace/memory/HEAD").read_text() for item in (folder, undisturbed)]
    assert heads[0] == heads[1]
    assert_whole(folder / "workspace")
    assert phrasenet(folder, "audit", "verify").returncode == 0


def test_every_kind_of_fault_strikes_in_ten_schedules() -> None:
    made = schedules(1)
    assert (len(made), min(map(len, made))) == (SCHEDULES, 1)
    assert {kind for schedule in made for kind, _, _ in schedule} == set(FAULTS)


def assert_head_is_whole(folder: Path) -> None:
    """Check that the memory can be read, if there is one."""
    if (folder / "workspace" / "memory" / "HEAD").exists():
        assert phrasenet(folder, "memory", "stats").returncode == 0


def test_a_private_server_that_dies_is_started_again(tmp_path: Path) -> None:
    folder = copy_tiny(tmp_path / "tiny")
    process = start(folder, "refresh")
    port = server_port(wait_for_line(process, "Workspace"))
    wait_for_line(process, "lexicon")
    [server] = servers_of(port)
    os.kill(int(server), signal.SIGKILL)
    _, err = process.communicate(timeout=TIMEOUT_SECONDS)
    assert process.returncode == 0, err
    assert "Done: 42 steps computed" in err
    assert servers_of(port) == []


def test_a_server_that_is_gone_for_good_is_one_message(site: Site, tmp_path: Path) -> None:
    folder = copy_tiny(tmp_path / "tiny")
    process = start(folder, "refresh", **site.variables, PREFECT_CLIENT_MAX_RETRIES="1")
    wait_for_line(process, "lexicon")
    site.lose_server()
    lost = time.monotonic()
    _, err = process.communicate(timeout=TIMEOUT_SECONDS)
    took = time.monotonic() - lost
    assert process.returncode == 2, err
    [message] = [line for line in err.splitlines() if line.startswith("phrasenet: ")]
    assert message.startswith(f"phrasenet: The Prefect server at {site.url} was lost")
    assert "Error logging to API" not in err
    assert took < 90, "nobody waits for events that nobody takes"
    site.start_server()
    answer = site.phrasenet(folder, "refresh")
    assert answer.returncode == 0
    assert "Everything is up to date" in answer.stderr
