"""Steps as Prefect task runs: retried by kind of error, shown as cached, with progress."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.integration.commands import environment
from tests.support import ROOT

pytestmark = pytest.mark.server

STEPS = """
import errno
import os
from pathlib import Path

from storage.errors import InputError
from tasks.progress import track
from tasks.step import step

ERRORS = {
    "passing": lambda: OSError(errno.EIO, "Input/output error"),
    "full": lambda: OSError(errno.ENOSPC, "No space left on device"),
    "wrong": lambda: InputError("line 3 is wrong"),
    "defect": lambda: ValueError("a defect"),
}


@step(writes=("source_counts",), retry_delays_seconds=(0.1, 0.1))
def flaky(workspace, *, kind, failures):
    with (workspace.root / f"attempts-{kind}").open("a") as stream:
        stream.write("x")
    if (workspace.root / f"attempts-{kind}").stat().st_size <= failures:
        raise ERRORS[kind]()
    for _ in track(range(3), total=3, unit="words"):
        pass
    return workspace.write_rows("source_counts", [{"source": kind, "count": 1}])
"""

SCENARIO = """
import json, sys
from pathlib import Path
from flows.private_server import prefect_server
from storage.workspace import open_workspace

workspace = open_workspace(Path(sys.argv[1]))
with prefect_server(workspace.root) as server:
    from prefect import flow
    from prefect.client.orchestration import get_client
    from flows.session import _hand_over, _wait_for_records
    from prefect.runtime import flow_run
    from tasks import progress
    from tasks.run import Run
    from tasks.window import StepWindow
    from flaky_steps import flaky
    progress.FIRST_AFTER_SECONDS = progress.EVERY_SECONDS = 0.0
    server.wait()
    answers = {}

    @flow
    def scenario():
        run = Run(workspace, StepWindow(("flaky",)), str(flow_run.id), "prefect")
        for kind, failures in (("passing", 2), ("full", 9), ("wrong", 9), ("defect", 9)):
            try:
                run.one(flaky, kind, kind=kind, failures=failures)
                answers[kind] = "fine"
            except BaseException as error:
                answers[kind] = type(error).__name__
        try:
            run.one(flaky, "open file", kind=sys.stdin, failures=0)
        except BaseException as error:
            answers["open file"] = f"{type(error).__name__}: {error}"
        run.all([run.prepare(flaky, f"{n}", kind="passing", failures=n) for n in (0, 1, 2)])
        return str(flow_run.id)

    identity = scenario()
    _hand_over()
    _wait_for_records(server.url, identity, 8)
    with get_client(sync_client=True) as client:
        answers["states"] = sorted(
            [run.name, run.state.name, run.run_count] for run in client.read_task_runs()
        )
        answers["artifacts"] = len(client.read_artifacts())
answers["attempts"] = {p.name[9:]: p.stat().st_size for p in workspace.root.glob("attempts-*")}
answers["records"] = [record.kind for record in workspace.ledger.records()]
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("calls")
    (folder / "flaky_steps.py").write_text(STEPS)
    (folder / "scenario.py").write_text(SCENARIO)
    done = subprocess.run(
        [sys.executable, "scenario.py", str(folder / "workspace")],
        cwd=folder,
        env=environment(PYTHONPATH=f"{ROOT}:{folder}"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_a_passing_fault_is_tried_again_until_it_passes(answers: dict[str, Any]) -> None:
    assert answers["passing"] == "fine"
    assert ["flaky passing", "Completed", 3] in answers["states"]


@pytest.mark.parametrize(
    ("kind", "error"), [("full", "OSError"), ("wrong", "InputError"), ("defect", "ValueError")]
)
def test_what_patience_does_not_mend_is_tried_once(
    answers: dict[str, Any], kind: str, error: str
) -> None:
    assert answers[kind] == error
    assert answers["attempts"][kind] == 1
    assert [f"flaky {kind}", "Failed", 1] in answers["states"]


def test_an_argument_that_cannot_be_hashed_fails_the_step_by_name(answers: dict[str, Any]) -> None:
    assert answers["open file"].startswith("UnhashableArgument: argument kind is a TextIOWrapper")


def test_a_reused_result_is_shown_as_cached(answers: dict[str, Any]) -> None:
    # The third of the three calls is the very first one of all.
    assert ["flaky 2", "Cached", 1] in answers["states"]
    assert [state for name, state, _ in answers["states"] if name in ("flaky 0", "flaky 1")] == [
        "Completed",
        "Completed",
    ]


def test_only_the_driver_writes_the_ledger_in_the_order_of_the_calls(
    answers: dict[str, Any],
) -> None:
    assert answers["records"] == ["run", "run", "run", "reuse"]


def test_progress_can_be_looked_at(answers: dict[str, Any]) -> None:
    assert answers["artifacts"] >= 1
