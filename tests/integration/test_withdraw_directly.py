"""Take parts of the tiny example out again: what goes, what stays, and what cannot come back."""

import json
import shutil
from pathlib import Path

import pytest

from flows.workspaces import current_pairs
from storage.errors import InputError, WorkspaceError
from storage.workspace import open_workspace
from tasks.corpus_queries import corpus_stats
from tasks.verify import verify_workspace
from tests.conftest import Command
from tests.support import edit, refresh_directly
from tests.withdrawals import OWN, SHARED, is_found, phrases_of, project_with_owl, take_out


@pytest.fixture(scope="module")
def with_owl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project_with_owl(tmp_path_factory.mktemp("owl") / "tiny")


@pytest.fixture
def project(with_owl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = Path(shutil.copytree(with_owl, tmp_path / "project"))
    monkeypatch.chdir(folder)
    return folder


def stats_of(folder: Path) -> dict[tuple[str, str], int]:
    rows = corpus_stats(*current_pairs(folder / "phrasenet.toml"))
    return {(row["corpus"], row["outcome"]): row["pairs"] for row in rows}


def test_a_withdrawn_document_is_gone_from_every_file(project: Path) -> None:
    before = open_workspace(project / "workspace")
    with before.lease():
        before.seals.make()
    own, shared = OWN.split("\t"), SHARED.split("\t")
    assert "蓝色风车" in phrases_of(before)
    assert is_found(before, own[0])
    assert is_found(before, own[1])
    workspace, receipt = take_out(project, "tiny:owl-1")
    assert receipt.is_clean
    assert receipt.rows == 4
    assert receipt.removed
    assert "蓝色风车" not in phrases_of(workspace)
    assert "中央银行" in phrases_of(workspace)
    assert not is_found(workspace, own[0])
    assert not is_found(workspace, own[1])
    assert is_found(workspace, shared[0])  # law-1 holds it, too
    assert verify_workspace(workspace) == []
    assert stats_of(project)["tiny", "set aside: withdrawn"] == 4


def test_only_what_depends_on_a_document_is_rebuilt(project: Path) -> None:
    workspace = open_workspace(project / "workspace")
    known = {path.name for path in (workspace.root / "warehouse" / "words").iterdir()}
    _, receipt = take_out(project, "tiny:owl-1")
    after = {path.name for path in (workspace.root / "warehouse" / "words").iterdir()}
    assert len(known - after) == len(after - known) == 1  # one of two shards; not the test set
    assert receipt.rebuilt["reused"] >= 5  # dictionary, test set, lexicon, words
    _, _, run = refresh_directly(project / "phrasenet.toml")
    assert run.counts["computed"] == 0


def test_withdrawn_text_does_not_come_back_by_another_file(project: Path) -> None:
    take_out(project, "tiny:owl-1")
    source, target, _ = OWN.split("\t")
    (project / "other.tsv").write_text(
        f"{source.replace('。', '')}\tAnother translation.\tnew\n"
        f"另一句话。\t{target.upper()}\tnew\n"
        "我看见了蓝色风车。\tI saw the blue windmill.\tnew\n" + SHARED.format("new"),
        encoding="utf-8",
    )
    edit(
        project / "phrasenet.toml",
        "[[dictionary]]",
        '[[corpus]]\nname = "other"\npath = "other.tsv"\nformat = "tsv"\n'
        'licence = "Apache-2.0"\n\n[[dictionary]]',
    )
    workspace, _, _ = refresh_directly(project / "phrasenet.toml")
    found = stats_of(project)
    # The short sentence is anybody's, though not in the document that was withdrawn.
    assert found["other", "set aside: withdrawn"] == 2
    assert not is_found(workspace, source)
    assert found["other", "read"] == 4


def test_a_document_stays_out_when_its_file_changes(project: Path) -> None:
    take_out(project, "tiny:owl-1")
    with (project / "pairs.tsv").open("a", encoding="utf-8") as stream:
        stream.write("新的一行。\tA new line.\towl-1\n")
    refresh_directly(project / "phrasenet.toml")
    assert stats_of(project)["tiny", "set aside: withdrawn"] == 5


def test_with_a_replaced_key_nothing_comes_back(project: Path, phrasenet: Command) -> None:
    workspace, _ = take_out(project, "tiny:owl-1")
    key = workspace.root / "ledger" / "key"
    own = key.read_bytes()
    key.write_bytes(bytes(32))
    with (project / "pairs.tsv").open("a", encoding="utf-8") as stream:
        stream.write("新的一行。\tA new line.\towl-1\n")
    with pytest.raises(WorkspaceError, match="made with another ledger/key"):
        refresh_directly(project / "phrasenet.toml")
    ledger = workspace.ledger.digest()
    for named, *options in (("tiny:owl-1",), ("tiny:news-1", "--dry-run"), ("tiny:news-1",)):
        answer = phrasenet("audit", "withdraw", named, "--reason", "a test", *options)
        assert answer.code == 2
        assert "made with another ledger/key" in answer.err
    assert workspace.ledger.digest() == ledger
    key.write_bytes(own)
    refresh_directly(project / "phrasenet.toml")
    assert stats_of(project)["tiny", "set aside: withdrawn"] == 5


def test_a_withdrawn_dictionary_takes_its_phrases_along(project: Path) -> None:
    workspace, receipt = take_out(project, "terms")
    assert receipt.is_clean
    found = phrases_of(workspace)
    assert "雪人" not in found
    assert found["中央银行"] == "active"  # mined as well
    assert verify_workspace(workspace) == []
    assert not is_found(workspace, "snowman")


def test_a_line_of_a_dictionary_and_of_a_corpus_go_alone(project: Path) -> None:
    workspace, receipt = take_out(project, "terms:6")
    assert receipt.is_clean
    assert "雪人" not in phrases_of(workspace)
    lines = (project / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    number = 1 + next(at for at, line in enumerate(lines) if line.startswith(OWN[:6]))
    workspace, receipt = take_out(project, f"tiny:pairs.tsv:{number}")
    assert receipt.is_clean
    assert receipt.rows == 1
    assert not is_found(workspace, OWN.split("\t")[0])
    assert stats_of(project)["tiny", "set aside: withdrawn"] == 1
    assert stats_of(project)["dictionary terms", "set aside: withdrawn"] == 1
    assert verify_workspace(workspace) == []


def test_a_withdrawn_phrase_is_not_used_again(project: Path) -> None:
    workspace, receipt = take_out(project, "中央银行")
    assert receipt.kind == "phrase"
    assert phrases_of(workspace)["中央银行"] == "withdrawn"
    assert verify_workspace(workspace) == []
    with (project / "terms.tsv").open("a", encoding="utf-8") as stream:
        stream.write("中央银行\tcentral bank\tterm\n")
    refresh_directly(project / "phrasenet.toml")
    assert phrases_of(workspace)["中央银行"] == "withdrawn"


def test_reviewers_decisions_are_rewritten(project: Path, phrasenet: Command) -> None:
    note = OWN.split("\t")[1]
    sheet = project / "sheet.csv"
    sheet.write_text(
        "source,target,decision,replacement,category,reason\n"
        f'蓝色风车,blue windmill,accept,,term,"see: {note}"\n'
        "火车站,railway station,accept,,location,fine\n",
        encoding="utf-8",
    )
    answer = phrasenet("memory", "review", "--import", "sheet.csv")
    assert answer.code == 0, answer.err
    refresh_directly(project / "phrasenet.toml")
    workspace, receipt = take_out(project, "tiny:owl-1")
    assert receipt.is_clean
    (table,) = workspace.decisions.tables()
    assert [row["source"] for row in workspace.read_rows(table)] == ["火车站"]
    assert "蓝色风车" not in phrases_of(workspace)
    assert verify_workspace(workspace) == []


def test_models_are_marked_or_removed(evaluated_tiny: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny"))
    workspace, receipt = take_out(folder, "tiny:news-1")
    entries = workspace.registry.entries()
    assert {entry.model_id for entry in entries} == set(receipt.models_marked)
    assert all(workspace.holds(entry.ref) for entry in entries)
    assert receipt.is_clean
    assert not list((workspace.root / "warehouse" / "translations").glob("*"))
    assert verify_workspace(workspace) == []
    workspace, receipt = take_out(folder, "tiny:news-2", purge_models=True)
    assert not any(workspace.holds(entry.ref) for entry in entries)
    assert len(receipt.models_removed) == 2
    assert verify_workspace(workspace) == []


def test_translate_and_list_say_that_a_model_was_trained_on_it(
    evaluated_tiny: Path, tmp_path: Path, phrasenet: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny"))
    monkeypatch.chdir(folder)
    take_out(folder, "tiny:news-1")
    (folder / "in.txt").write_text("利率。\n", encoding="utf-8")
    answer = phrasenet("translate", "in.txt")
    assert answer.code == 0
    assert "was trained on text that was withdrawn" in answer.err
    listed = phrasenet("models", "list", "--json").out.splitlines()
    assert [len(json.loads(line)["withdrawn"]) for line in listed] == [1, 1]


def test_a_dry_run_changes_nothing(project: Path, phrasenet: Command) -> None:
    workspace = open_workspace(project / "workspace")
    ledger = workspace.ledger.digest()
    options = ("--reason", "a test", "--dry-run")
    answer = phrasenet("audit", "withdraw", "tiny:owl-1", *options)
    assert answer.code == 0
    assert "pairs taken out: 4 now, 0 of earlier runs" in answer.out
    assert "phrases that rest on it alone: 1" in answer.out
    (plan,) = phrasenet("audit", "withdraw", "tiny:owl-1", *options, "--json").out.splitlines()
    assert json.loads(plan)["steps"]["ingest"] == 1
    assert workspace.ledger.digest() == ledger
    assert "withdrawn" not in str(stats_of(project))


def test_withdrawing_twice_and_what_is_not_there(project: Path, phrasenet: Command) -> None:
    take_out(project, "tiny:owl-1")
    answer = phrasenet("audit", "withdraw", "tiny:owl-1", "--reason", "again")
    assert answer.code == 0
    assert "nothing to do" in answer.out
    answer = phrasenet("audit", "withdraw", "tiny:news1", "--reason", "a test")
    assert answer.code == 2
    assert "tiny:news-1" in answer.err
    assert phrasenet("audit", "withdraw", "tiny", "--reason", "").code == 2
    with pytest.raises(InputError, match="no sentence pair is left"):
        take_out(project, "tiny")


def test_one_message_while_a_run_holds_the_workspace(project: Path, phrasenet: Command) -> None:
    with open_workspace(project / "workspace").lease():
        answer = phrasenet("audit", "withdraw", "tiny:owl-1", "--reason", "a test")
    assert answer.code == 2
    assert "is in use" in answer.err
