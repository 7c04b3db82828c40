"""Shards on the workers of a real Dask scheduler: lost, slow and foreign workers."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.integration.commands import TIMEOUT_SECONDS, environment
from tests.integration.dask_site import Worker, cluster
from tests.support import ROOT

pytest.importorskip("prefect_dask", reason="pip install -e '.[dask]' brings prefect-dask")
pytestmark = [pytest.mark.server, pytest.mark.slow]

STEPS = """
import os
import time

from tasks.step import step


@step(writes=("source_counts",))
def count(workspace, *, number, sleeper):
    mark = workspace.root / f"pid-{number}"
    is_first = not mark.exists()
    mark.write_text(str(os.getpid()))
    if number == sleeper and is_first:
        time.sleep(3600)
    return workspace.write_rows("source_counts", [{"source": str(number), "count": number}])
"""

SCENARIO = """
import json, os, signal, sys, threading, time
from pathlib import Path
from flows.private_server import prefect_server
from storage.workspace import open_workspace

workspace = open_workspace(Path(sys.argv[1]))
address, foreign = sys.argv[2:]


def kill_who_runs(number):
    mark = workspace.root / f"pid-{number}"
    while not mark.exists() or not mark.read_text():
        time.sleep(0.05)
    os.kill(int(mark.read_text()), signal.SIGKILL)


with prefect_server(workspace.root) as server:
    from prefect import flow
    from prefect.runtime import flow_run
    from dask_steps import count
    from tasks import dask_calls
    from tasks.execution import ExecutionConfig
    from tasks.run import Run
    from tasks.window import StepWindow
    dask_calls.STRAGGLER_SECONDS = 1.0
    server.wait()
    answers, heard = {}, []

    class Ear:
        def progress(self, progress):
            heard.append([progress.done, progress.total])
        def __getattr__(self, name):
            return lambda *_: None

    def run_on(address, numbers, sleeper):
        config = ExecutionConfig(runner="dask", address=address)
        with dask_calls.Cluster(config) as cluster:
            run = Run(workspace, StepWindow(("count",)), str(flow_run.id), "prefect", Ear())
            run.cluster = cluster
            calls = [run.prepare(count, str(n), number=n, sleeper=sleeper) for n in numbers]
            return [ref.digest for ref in run.all(calls)]

    @flow
    def scenario():
        answers["slow"] = run_on(address, [0, 1, 2, 3], 3)
        answers["heard"] = heard[:]
        threading.Thread(target=kill_who_runs, args=(13,), daemon=True).start()
        answers["lost"] = run_on(address, [10, 11, 12, 13], 13)
        try:
            run_on(foreign, [20, 21], -1)
        except Exception as error:
            answers["foreign"] = f"{type(error).__name__}: {error}"

    scenario()
    direct = Run(workspace, StepWindow(("count",)))
    for name, first, sleeper in (("slow", 0, 3), ("lost", 10, 13)):
        answers[f"{name} here"] = [
            direct.one(count, f"here {n}", number=n, sleeper=sleeper).digest
            for n in range(first, first + 4)
        ]
answers["reused"] = direct.counts
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("dask")
    (folder / "dask_steps.py").write_text(STEPS)
    (folder / "scenario.py").write_text(SCENARIO)
    (folder / "other").mkdir()
    (folder / "other" / "dask_steps.py").write_text(STEPS.replace("time.sleep(3600)", "pass"))
    with (
        cluster(folder, *[Worker(folder)] * 3) as address,
        cluster(folder, Worker(folder / "other")) as foreign,
    ):
        done = subprocess.run(
            [sys.executable, "scenario.py", str(folder / "workspace"), address, foreign],
            cwd=folder,
            env=environment(PYTHONPATH=f"{ROOT}:{folder}"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_SECONDS,
        )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_a_shard_that_takes_too_long_is_run_elsewhere_too(answers: dict[str, Any]) -> None:
    assert answers["slow"] == answers["slow here"]
    assert answers["heard"][-1] == [4, 4]


def test_a_shard_whose_worker_is_killed_is_run_by_another(answers: dict[str, Any]) -> None:
    assert answers["lost"] == answers["lost here"]
    assert answers["reused"] == {"computed": 0, "reused": 8}


def test_a_worker_with_other_code_is_refused(answers: dict[str, Any]) -> None:
    assert answers["foreign"].startswith("WorkspaceError: Step count: this worker's code")
