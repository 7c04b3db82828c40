"""A person approves a promotion, or declines it; whoever waits holds no lease meanwhile."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from flows import approval
from flows.approval import Approval, with_approval
from flows.settings import load_settings
from storage.errors import InputError
from storage.workspace import Workspace
from tests.integration.commands import environment
from tests.support import ROOT, edit, evaluate_directly


@pytest.fixture
def project(evaluated_tiny: Path, tmp_path: Path) -> Path:
    path = Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny")) / "phrasenet.toml"
    asked = "[promotion]\nautomatic = true\napproval = true\n\n[training]"
    edit(path, "[training]", asked)
    return path


def answered(
    project: Path, told: dict[str, Any], answer: Approval, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any]:
    """Return what the flow tells at its end, once somebody answered."""
    workspace = Workspace(project.parent / "workspace")

    def ask(asked: Any, hours: float) -> Approval:
        with workspace.lease():  # nobody holds it while the person thinks
            assert (asked, hours) == (told["promotion"], 72.0)
        return answer

    monkeypatch.setattr(approval, "_ask", ask)
    found = with_approval(load_settings(project), workspace, told)
    promotion: dict[str, Any] = found["promotion"]
    return promotion


def test_a_model_goes_into_production_once_a_person_agrees(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, _, run = evaluate_directly(project)
    assert run.told["promotion"]["outcome"] == "waits for approval"
    assert workspace.production.current() is None
    agreed = Approval(approve=True, name="the chief editor", reason="names are right")
    told = answered(project, run.told, agreed, monkeypatch)
    assert told["outcome"] == "promoted"
    assert workspace.production.current() == told["model"]
    last = workspace.ledger.last()
    assert last is not None
    body = last.body
    assert (body["author"], body["reason"]) == ("the chief editor", "names are right")
    assert (body["approved"], body["forced"]) == (True, False)
    _, _, run = evaluate_directly(project)
    assert run.told["promotion"]["outcome"] == "in production"


def test_whoever_declines_is_not_asked_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, _, run = evaluate_directly(project)
    declined = Approval(approve=False, name="the chief editor", reason="not this week")
    assert answered(project, run.told, declined, monkeypatch)["outcome"] == "refused"
    records = len(list(workspace.ledger.records()))
    _, _, run = evaluate_directly(project)
    assert run.told["promotion"]["outcome"] == "refused"
    assert run.told["promotion"]["rules"] == []
    kinds = [r.kind for r in workspace.ledger.records()][records:]
    assert "decision" not in kinds


def test_what_was_judged_against_another_model_is_not_promoted(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, _, run = evaluate_directly(project)
    workspace.production.promote(workspace.registry.entries()[0].model_id, "meanwhile", 0)
    agreed = Approval(approve=True, name="someone", reason="yes")
    with pytest.raises(InputError, match="Another model went into production"):
        answered(project, run.told, agreed, monkeypatch)


SCENARIO = """
import json, sys, threading, time
from pathlib import Path
from flows.private_server import prefect_server
from flows.settings import load_settings
from storage.workspace import Workspace

settings, told = load_settings(Path(sys.argv[1])), json.loads(sys.argv[2])
workspace = Workspace(settings.workspace_path)
with prefect_server(workspace.root) as server:
    from prefect import flow
    from prefect.client.orchestration import get_client
    from prefect.runtime import flow_run
    from flows import approval
    from flows.session import _hand_over
    server.wait()
    approval._POLL_SECONDS = 0.5
    runs = []

    @flow(name="approval")
    def asking():
        runs.append(flow_run.id)
        return approval.with_approval(settings, workspace, told)

    def answer():
        while not runs:
            time.sleep(0.1)
        with get_client(sync_client=True) as client:
            while not client.read_flow_run(runs[0]).state.is_paused():
                time.sleep(0.1)
            time.sleep(0.5)
            client.resume_flow_run(
                runs[0], run_input={"approve": True, "name": "an editor", "reason": "read it"}
            )

    thread = threading.Thread(target=answer)
    thread.start()
    found = asking()
    thread.join()
    _hand_over()
print(json.dumps(found))
"""


@pytest.mark.server
@pytest.mark.slow
def test_the_answer_comes_through_a_real_server(project: Path) -> None:
    workspace, _, run = evaluate_directly(project)
    done = subprocess.run(
        [sys.executable, "-c", SCENARIO, str(project), json.dumps(run.told)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(),
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1])["promotion"]["outcome"] == "promoted"
    assert workspace.production.current() == run.told["promotion"]["model"]
