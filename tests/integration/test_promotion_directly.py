"""The gate before production on models that were really trained, without Prefect."""

import itertools
import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from flows.cli import main
from flows.driver import step_window
from flows.settings import load_settings
from flows.stages import retrain_stages
from storage.workspace import Workspace, open_workspace
from tasks.run import Run
from tasks.verify import verify_workspace
from tests.support import edit

SUBJECTS = {"政府": "the government", "银行": "the bank", "工厂": "the factory",
            "学校": "the school", "医院": "the hospital", "公司": "the company"}  # fmt: skip
VERBS = {"支持": "supports", "购买": "buys", "批评": "criticises", "检查": "inspects",
         "需要": "needs"}  # fmt: skip
OBJECTS = {"设备": "equipment", "汽车": "cars", "粮食": "grain", "学生": "students",
           "药品": "medicine", "煤炭": "coal"}  # fmt: skip
NUM_HELD_OUT = 40

SETTINGS = """
[[corpus]]
name = "made-up"
path = "pairs.tsv"
format = "tsv"
licence = "Apache-2.0"

[[testset]]
name = "held-out"
source = "test.zh"
references = ["test.en"]

[memory]
min_count = 2
count_by = "sentences"

[model]
system = "rnnsearch"
embedding = 24
hidden = 24
initial_values = "scaled"

[training]
batch_size = 10
epochs = 12
seed = 1

[decoding]
beam = 2

[evaluation]
baselines = []

[promotion]
automatic = true
"""


def sentences() -> list[tuple[str, str]]:
    made = [
        (f"{s}{v}{o}。", f"{SUBJECTS[s]} {VERBS[v]} {OBJECTS[o]}.")
        for s, v, o in itertools.product(SUBJECTS, VERBS, OBJECTS)
    ]
    random.Random(1).shuffle(made)
    return made


def write_pairs(folder: Path, *, shuffled: bool) -> None:
    """Write the training pairs; shuffled, every source has the target of another one."""
    kept = sentences()[NUM_HELD_OUT:]
    targets = [target for _, target in kept]
    if shuffled:
        random.Random(2).shuffle(targets)
    lines = [f"{source}\t{target}\td\n" for (source, _), target in zip(kept, targets, strict=True)]
    (folder / "pairs.tsv").write_text("".join(lines), "utf-8")


def make_project(folder: Path) -> Path:
    folder.mkdir()
    held_out = sentences()[:NUM_HELD_OUT]
    (folder / "test.zh").write_text("".join(f"{s}\n" for s, _ in held_out), "utf-8")
    (folder / "test.en").write_text("".join(f"{t}\n" for _, t in held_out), "utf-8")
    (folder / "phrasenet.toml").write_text(SETTINGS, "utf-8")
    return folder / "phrasenet.toml"


def retrained(project: Path) -> tuple[Workspace, dict[str, Any]]:
    """Refresh, train and ask the gate in this process; returns what the flow tells."""
    settings = load_settings(project)
    workspace = open_workspace(settings.workspace_path)
    run = Run(workspace, step_window(None, None))
    with workspace.lease():
        retrain_stages(run, settings)
    return workspace, {**run.told["promotion"], "computed": run.counts["computed"]}


def decisions(workspace: Workspace) -> list[str]:
    return [r.body["decision"] for r in workspace.ledger.records() if r.kind == "decision"]


def test_a_better_model_is_promoted_a_worse_one_refused_and_a_rollback_is_quick(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = make_project(tmp_path / "project")
    write_pairs(project.parent, shuffled=False)
    edit(project, "epochs = 12", "epochs = 1")
    workspace, first = retrained(project)
    assert (first["outcome"], first["from"]) == ("promoted", None)
    edit(project, "epochs = 1", "epochs = 12")
    _, better = retrained(project)
    assert (better["outcome"], better["from"]) == ("promoted", first["model"])
    assert workspace.production.current() == better["model"]

    write_pairs(project.parent, shuffled=True)
    _, worse = retrained(project)
    assert worse["outcome"] == "refused"
    assert worse["rules"] == ["test set"]
    assert "BLEU-v13a on held-out went from" in worse["reasons"][0]
    assert workspace.production.current() == better["model"]

    # The same again is judged by what is kept, and is not recorded twice.
    before = decisions(workspace)
    _, again = retrained(project)
    assert (again["computed"], again["outcome"]) == (0, "refused")
    assert decisions(workspace) == before == ["promote", "promote", "refuse-promotion"]

    started = time.monotonic()
    assert main(["models", "rollback", "-c", str(project), "--reason", "names are wrong"]) == 0
    assert time.monotonic() - started < 1
    assert workspace.production.current() == first["model"]
    _rolled_back_is_not_promoted_again_by_itself(project, better["model"], capsys)
    assert verify_workspace(workspace) == []


def _rolled_back_is_not_promoted_again_by_itself(
    project: Path, model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pairs(project.parent, shuffled=False)
    workspace, told = retrained(project)
    assert (told["model"], told["rules"]) == (model, ["rolled back"])
    capsys.readouterr()
    asked = ["models", "promote", model[:12], "-c", str(project), "--reason", "it was right"]
    assert main([*asked, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["outcome"], answer["forced"], answer["rules"]) == ("promoted", False, [])
    assert workspace.production.current() == model
