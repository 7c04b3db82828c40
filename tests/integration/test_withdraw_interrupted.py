"""Withdrawals that are interrupted, wait for another process, or reach what people left."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storage.datasets import ArtifactRef
from storage.workspace import Workspace, open_workspace
from tasks import withdraw as work
from tasks import withdraw_state as state
from tasks.lineage.withdrawal import receipt_text
from tasks.pending_records import adopt
from tasks.verify import verify_workspace
from tests.conftest import Command
from tests.integration.commands import environment
from tests.support import ROOT, edit
from tests.withdrawals import OWN, is_found, phrases_of, project_with_owl, take_out


@pytest.fixture(scope="module")
def with_owl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project_with_owl(tmp_path_factory.mktemp("owl") / "tiny")


@pytest.fixture
def project(with_owl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = Path(shutil.copytree(with_owl, tmp_path / "project"))
    monkeypatch.chdir(folder)
    return folder


class Killed(BaseException):
    """Stands for a process that ends here."""


def dying(*arguments: Any, **options: Any) -> Any:
    raise Killed


def after(function: Callable[..., Any]) -> Callable[..., Any]:
    """Die once a function has done its work."""

    def then_die(*arguments: Any, **options: Any) -> Any:
        function(*arguments, **options)
        raise Killed

    return then_die


MOMENTS: list[tuple[Any, str, Callable[..., Any]]] = [
    (work, "mark_models", dying),  # tombstones are written, nothing was rebuilt
    (work, "purge", after),  # what was read is still there
    (state, "write_receipt", after),  # the ledger does not know the receipt
]


@pytest.mark.parametrize("moment", range(len(MOMENTS)))
def test_a_withdrawal_that_was_interrupted_is_completed(
    project: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    place, name, how = MOMENTS[moment]
    with monkeypatch.context() as patch:
        patch.setattr(place, name, how(getattr(place, name)) if how is after else how)
        with pytest.raises(Killed):
            take_out(project, "tiny:owl-1")
    workspace = open_workspace(project / "workspace")
    assert any("was interrupted and has no receipt" in item for item in verify_workspace(workspace))
    begun = state.begun(workspace, "tiny:owl-1")
    assert begun is not None
    assert not begun.finished
    workspace, receipt = take_out(project, "tiny:owl-1")
    assert receipt.is_clean
    assert len(receipt.phrases) == 1
    assert receipt.rows == 4
    assert receipt.removed
    assert receipt.ids_searched == 5
    assert "蓝色风车" not in phrases_of(workspace)
    assert not is_found(workspace, OWN.split("\t")[0])
    assert verify_workspace(workspace) == []
    begun = state.begun(workspace, "tiny:owl-1")
    assert begun is not None
    assert begun.finished
    assert not list(workspace.root.glob("reports/receipts/begun-*"))


def test_a_receipt_is_in_the_ledger_and_a_changed_one_is_named(project: Path) -> None:
    workspace, receipt = take_out(project, "terms:6")
    last = workspace.ledger.last()
    assert last is not None
    assert last.body["decision"] == "receipt"
    path = workspace.root / last.body["receipt"]
    assert state.read_receipt(path) == receipt
    assert path.with_suffix(".md").read_text(encoding="utf-8") == receipt_text(receipt)
    edit(path, '"ann"', '"bob"')
    assert verify_workspace(workspace) == [
        f"record {last.sequence}: its receipt {path} was changed"
    ]
    path.unlink()
    assert verify_workspace(workspace) == [f"record {last.sequence}: its receipt {path} is missing"]


HOLDER = """
import sys, time
from pathlib import Path
from flows.driver import step_window
from flows.pipeline import refresh
from flows.settings import load_settings
from storage.workspace import open_workspace
from tasks.run import Run

settings = load_settings(Path(sys.argv[1]))
workspace = open_workspace(settings.workspace_path)
with workspace.lease():
    print("held", flush=True)
    sys.stdin.readline()
    refresh(Run(workspace, step_window(None, None)), settings)
    print("refreshed", flush=True)
"""


def test_a_withdrawal_waits_for_a_refresh_in_another_process(
    project: Path, phrasenet: Command
) -> None:
    with (project / "pairs.tsv").open("a", encoding="utf-8") as stream:
        stream.write("新的一行。\tA new line.\tlaw-2\n")
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(project / "phrasenet.toml")],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdin is not None
    assert other.stdout is not None
    try:
        assert other.stdout.readline() == "held\n"
        answer = phrasenet("audit", "withdraw", "tiny:owl-1", "--reason", "a test", "--wait", "0.1")
        assert answer.code == 2
        assert f"process {other.pid} on " in answer.err
        other.stdin.write("go\n")
        other.stdin.flush()
        workspace, receipt = take_out(project, "tiny:owl-1", wait_seconds=300)
        assert other.wait(60) == 0
    finally:
        other.kill()
        other.communicate()
    assert receipt.is_clean
    assert not is_found(workspace, OWN.split("\t")[0])
    assert verify_workspace(workspace) == []
    kinds = [record.body.get("decision") for record in workspace.ledger.records()]
    assert kinds.count("withdraw") == kinds.count("receipt") == 1


def test_what_was_withdrawn_and_is_given_again_is_named_with_its_reason(project: Path) -> None:
    from flows.driver import step_window
    from flows.pipeline import refresh
    from flows.settings import load_settings
    from tasks.observer import Silent
    from tasks.run import Run

    workspace, receipt = take_out(project, "tiny:owl-1")
    source, target, _ = OWN.split("\t")
    (project / "other.tsv").write_text(
        f"{source}\tAnother translation.\tnew\n另一句话。\tAnother sentence.\tnew\n",
        encoding="utf-8",
    )
    edit(
        project / "phrasenet.toml",
        "[[dictionary]]",
        '[[corpus]]\nname = "other"\npath = "other.tsv"\nformat = "tsv"\n'
        'licence = "Apache-2.0"\n\n[[dictionary]]',
    )
    told: list[str] = []

    class Told(Silent):
        def note(self, text: str) -> None:
            told.append(text)

    for _ in range(2):
        run = Run(workspace, step_window(None, None), observer=Told())
        with workspace.lease():
            refresh(run, load_settings(project / "phrasenet.toml"))
    day = receipt.time[:10]
    assert told == [
        "other: 1 lines of other.tsv were withdrawn and are not taken in again (record "
        f"{receipt.record} of {day}, ann: the owner asked)"
    ]


def test_recorded_translations_and_comments_lose_the_text(
    evaluated_tiny: Path, tmp_path: Path, phrasenet: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny"))
    monkeypatch.chdir(folder)
    workspace = open_workspace(folder / "workspace")
    lines = (folder / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    own = next(line.split("\t") for line in lines if line.endswith("\tnews-1") and len(line) > 80)
    (folder / "in.txt").write_text(f"你好。\n{own[0]}\n", encoding="utf-8")
    with workspace.lease():
        held = phrasenet("translate", "in.txt", "--record")
    assert held.code == 0, held.err
    assert "the ledger is in use and takes it in with the next run" in held.err
    assert phrasenet("translate", "in.txt").code == 0  # not recorded
    assert not workspace.translations.tables()
    with workspace.lease():
        adopt(workspace)
        rated(workspace, own[1])
    (table,) = workspace.translations.tables()
    rows = list(workspace.read_rows(table))
    assert len(rows) == 2
    chain = json.loads(phrasenet("audit", "trace", rows[1]["sentence_id"], "--down", "--json").out)
    assert chain["branches"][0]["id"] == f"translations/{table.digest}"
    exported = phrasenet("memory", "export", "memory.tsv")
    assert exported.code == 0, exported.err
    assert verify_workspace(workspace) == []
    options = ("--reason", "a test", "--dry-run")
    plan = phrasenet("audit", "withdraw", "tiny:news-1", *options)
    assert "ratings that lose a comment: 1; recorded translations taken out: 1" in plan.out
    assert f"    {folder / 'memory.tsv'} (memory as tsv)" in plan.out
    workspace, receipt = take_out(folder, "tiny:news-1")
    assert receipt.is_clean
    assert receipt.exports == (f"{folder / 'memory.tsv'} (memory as tsv)",)
    (left,) = workspace.translations.tables()
    assert [row["sentence_id"] for row in workspace.read_rows(left)] == [rows[0]["sentence_id"]]
    (ratings,) = workspace.ratings.tables()
    assert [row["comment"] for row in workspace.read_rows(ratings)] == ["", "fine"]
    answer = phrasenet("audit", "trace", rows[0]["sentence_id"], "--down")
    assert left.digest in answer.out
    assert verify_workspace(workspace) == []


def rated(workspace: Workspace, quoted: str) -> ArtifactRef:
    """Keep two ratings, one of which quotes a sentence."""
    columns = ("testset", "baseline", "system", "baseline_outputs", "system_outputs", "rated")
    base = {
        "worksheet": "w",
        "rater": "li",
        "adequacy": 1,
        "fluency": 1,
        **dict.fromkeys(columns, ""),
    }
    table = workspace.write_rows(
        "ratings",
        [
            {**base, "number": 1, "sentence_id": "a", "comment": f"cf. {quoted.upper()}"},
            {**base, "number": 2, "sentence_id": "b", "comment": "fine"},
        ],
    )
    workspace.ratings.append(table)
    body = {"decision": "ratings", "sequence": 0, "table": table.to_json(), "items": 2}
    workspace.ledger.append("decision", body)
    return table


def test_models_lose_production_where_it_is_asked_for(evaluated_tiny: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny"))
    asked: list[int] = []

    def demote(workspace: Workspace, model_ids: Any, record: Any) -> Any:
        asked.append(record.sequence)
        return model_ids[:1]

    _, receipt = take_out(folder, "tiny:news-2", demote=demote)
    assert asked == [receipt.record]
    assert receipt.models_demoted == receipt.models_marked[:1]
