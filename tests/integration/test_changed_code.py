"""Edits to a copied project: what an edit can shape is out of date, and `status` names it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from flows.pipeline import PROMOTE, PUBLISH, REPORT, STEPS
from tests.integration.commands import environment
from tests.support import ROOT, copy_tiny, edit

NOT_ASKED_FOR = {
    *("units", "code", "gold", "test-terms", "scaling", "tag_terms", "term_settings", "gate"),
    *("smt-table", "smt-tune", "smt-translate", "smt-record", "moses-train", "moses-translate"),
}
OF_PAIRS_ALONE = {"casing", "neighbours"}
NOT_AFTER_MINE = {PUBLISH, REPORT, PROMOTE} | NOT_ASKED_FOR | OF_PAIRS_ALONE
"""`publish` and `promote` only move a pointer, and the report is a view: none is a step's call."""
MINE_AND_LATER = set(STEPS[STEPS.index("mine") :]) - NOT_AFTER_MINE

RUN = """
import json, sys
from pathlib import Path
from flows.driver import step_window
from flows.stages import evaluate_stages
from flows.settings import load_settings
from storage.workspace import open_workspace
from tasks.observer import Silent
from tasks.run import Run

class Listener(Silent):
    computed = []
    def finished(self, call, outcome):
        if outcome.how == "computed":
            self.computed.append(call.step.name)

settings = load_settings(Path("phrasenet.toml"))
workspace = open_workspace(settings.workspace_path, settings.execution.engine)
with workspace.lease():
    evaluate_stages(Run(workspace, step_window(None, None), observer=Listener()), settings)
print(json.dumps(sorted(set(Listener.computed))))
"""


class Project:
    """A copy of the rooms and of the tiny example, run without Prefect."""

    def __init__(self, folder: Path) -> None:
        self.code = folder / "code"
        self.data = copy_tiny(folder / "tiny")
        for room in ("flows", "tasks", "model", "storage"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / room, self.code / room, ignore=ignored)
        edit(self.data / "phrasenet.toml", "epochs = 5", "epochs = 1")

    def python(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.data,
            env=environment(PYTHONPATH=str(self.code)),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(self) -> set[str]:
        """Run everything; returns the steps that were computed."""
        return set(json.loads(self.python("-c", RUN)))

    def out_of_date(self) -> dict[str, list[str]]:
        """Return the reasons of each call that would run."""
        lines = self.python("-m", "flows.cli", "status", "--json").splitlines()
        return {item["call"]: item["reasons"] for item in map(json.loads, lines) if item["reasons"]}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    made = Project(tmp_path_factory.mktemp("changed"))
    assert "mine" in made.run()
    return made


def test_nothing_is_out_of_date_after_a_run(project: Project) -> None:
    assert project.out_of_date() == {}


def test_comments_docstrings_layout_and_machinery_leave_everything_up_to_date(
    project: Project,
) -> None:
    for room in ("tasks/mining", "tasks/text", "model"):
        for path in (project.code / room).glob("*.py"):
            text = path.read_text()
            path.write_text(
                text.replace('"""', '"""Reworded: ', 1) + "\n\n# A comment at the end.\n"
            )
    for name in ("tasks/mine.py", "tasks/collect.py", "tasks/train.py"):
        path = project.code / name
        path.write_text(path.read_text() + "\n\ndef not_used_by_any_step() -> int:\n    return 1\n")
    for name in ("tasks/progress.py", "storage/files.py", "storage/ledger.py", "flows/terminal.py"):
        path = project.code / name
        path.write_text(path.read_text() + "\n\nNOT_USED = 1\n")
    assert project.out_of_date() == {}


def test_a_report_template_is_no_reason_to_run_anything(project: Project) -> None:
    files = [path for path in (project.code / "tasks" / "reports").glob("*.py")]
    before = {path: path.read_text() for path in files}
    for path, text in before.items():
        path.write_text(text + "\n\nNOT_USED = 1\n")
    found = project.out_of_date()
    for path, text in before.items():
        path.write_text(text)
    assert found == {}


def test_a_changed_helper_of_mining_runs_mining_and_what_follows(project: Project) -> None:
    path = project.code / "tasks" / "mining" / "extraction.py"
    text = path.read_text()
    # Without the longest phrases, every later step gets other inputs.
    assert "def rule_of(" in text
    path.write_text(
        text.replace("def rule_of(", "def _rule_before(")
        + "\n\ndef rule_of(config, longest):\n"
        + "    return _rule_before(config, _shorter(longest))\n"
        + "\n\ndef _shorter(longest):\n    return min(longest, 1)\n"
    )
    why = project.python("-m", "flows.cli", "status", "--why", "mine")
    assert "function tasks.mining.extraction:rule_of changed" in why
    assert "function tasks.mining.extraction:_shorter is new" in why
    computed = project.run()
    assert computed == MINE_AND_LATER
    assert project.out_of_date() == {}
