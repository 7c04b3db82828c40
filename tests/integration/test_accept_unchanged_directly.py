"""A person's claim that changed code does not matter: checked by computing again, then obeyed."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from flows.cli import main
from storage.lineage import lineage_of
from storage.openlineage import events
from storage.workspace import Workspace
from tasks.fingerprint import CodeFingerprint
from tasks.step import Step
from tasks.verify import verify_workspace
from tests.support import content_digests, evaluate_directly


@pytest.fixture
def project(evaluated_tiny: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny")) / "phrasenet.toml"


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return a set of steps that look as if their code had changed, and do the same as before."""
    steps: set[str] = set()
    truly = Step.fingerprint

    def other(self: Step) -> CodeFingerprint:  # type: ignore[type-arg]
        found = truly(self)
        if self.name not in steps:
            return found
        functions = {**found.functions, "tasks.made_up:function": "0" * 16}
        return replace(found, digest="f" + found.digest[1:], functions=functions)

    monkeypatch.setattr(Step, "fingerprint", other)
    return steps


def accept(project: Path, *arguments: str) -> int:
    return main(["accept-unchanged", *arguments, "-c", str(project), "--reason", "a new name"])


def statuses(project: Path, step: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    assert main(["status", "-c", str(project), "--why", step]) == 0
    return capsys.readouterr().out.splitlines()


def test_accepted_results_count_again_and_everything_knows_why(
    project: Path, changed: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = Workspace(project.parent / "workspace")
    changed.add("mine")
    assert any(
        "tasks.made_up:function is new" in line for line in statuses(project, "mine", capsys)
    )
    before = content_digests(workspace, ["pair_counts", "phrases"])
    assert accept(project, "mine", "--checks", "2", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert (
        sorted(answer["calls"]) == sorted(answer["checked"]) == ["mine tiny 1/2", "mine tiny 2/2"]
    )
    told = statuses(project, "mine", capsys)
    assert all("up to date; that its code changed was accepted by" in line for line in told)
    assert all("a new name (record" in line for line in told)
    _, _, run = evaluate_directly(project)
    assert run.counts["computed"] == 0
    assert content_digests(workspace, ["pair_counts", "phrases"]) == before
    assert verify_workspace(workspace) == []
    record = next(r for r in workspace.ledger.records() if r.kind == "decision")
    assert record.body["decision"] == "accept-unchanged"
    assert workspace.ledger.code(record.body["calls"][0]["code"])["tasks.made_up:function"]
    graph = lineage_of(workspace)
    run_node = graph.find(f"run/{record.body['calls'][0]['of']}")
    assert f"decision/{record.sequence}" in graph.below[run_node.node_id]
    assert run_node.sequences[-1] > record.sequence, "its reuse under the new code is known"
    told_elsewhere = events(workspace, namespace="test")
    reused = [event for event in told_elsewhere if event.job.name == "mine tiny"]
    assert len(reused) >= 8, "two shards, each computed and reused, with a start and an end"


def test_several_steps_are_accepted_in_the_order_of_the_flow(
    project: Path, changed: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    changed.update(("select", "mine"))
    assert accept(project, "select") == 2
    assert "select waits for 'mine tiny 1/2'" in capsys.readouterr().err
    assert accept(project, "select", "mine") == 0
    _, _, run = evaluate_directly(project)
    assert run.counts["computed"] == 0
    changed.clear()
    assert accept(project, "mine") == 2, "the code of before counts as well"


def test_a_model_keeps_the_training_that_made_it(project: Path, changed: set[str]) -> None:
    workspace = Workspace(project.parent / "workspace")
    entries = workspace.registry.entries()
    changed.add("train")
    assert accept(project, "train") == 0
    _, _, run = evaluate_directly(project)
    assert run.counts["computed"] == 0
    assert workspace.registry.entries() == entries
    assert verify_workspace(workspace) == []


def test_a_change_that_matters_is_refused_with_the_first_difference(
    project: Path,
    changed: set[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    workspace = Workspace(project.parent / "workspace")
    records = len(list(workspace.ledger.records()))
    changed.add("select")
    rows = Workspace.write_query

    def fewer(self, kind, sql, tables, *more, **named):  # type: ignore[no-untyped-def]
        return rows(self, kind, f"SELECT * FROM ({sql}) LIMIT 1", tables, *more, **named)

    with monkeypatch.context() as patch:
        patch.setattr(Workspace, "write_query", fewer)
        assert accept(project, "select") == 2
    err = capsys.readouterr().err
    assert "select: computed again, it gave something else: candidates" in err
    assert "The change matters" in err
    assert len(list(workspace.ledger.records())) == records
    assert any("would run" in line for line in statuses(project, "select", capsys))


def test_only_changed_code_can_be_accepted(
    project: Path, changed: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert accept(project, "mine") == 2
    assert "there is nothing to accept" in capsys.readouterr().err
    assert accept(project, "mien") == 2
    assert "no such step" in capsys.readouterr().err
    changed.add("mine")
    text = project.read_text("utf-8")
    project.write_text(text.replace("[memory]", "[memory]\nmax_words = 5", 1), "utf-8")
    assert accept(project, "mine") == 2
    assert "not only its code changed, but also its settings" in capsys.readouterr().err
