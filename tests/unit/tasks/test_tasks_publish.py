"""A person's rollback stands until the memory changes or the person chooses anew."""

from pathlib import Path

import pytest

from flows.cli import main
from tests.support import copy_tiny, edit, refresh_directly


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copy_tiny(tmp_path / "tiny") / "phrasenet.toml"


def test_a_refresh_does_not_undo_a_rollback(project: Path) -> None:
    workspace, first, _ = refresh_directly(project)
    edit(project, "min_count = 2", "min_count = 3")
    _, second, _ = refresh_directly(project)
    assert workspace.memory.head() == second.snapshot != first.snapshot
    target = first.snapshot.snapshot_id
    assert main(["memory", "rollback", "-c", str(project), "--reason", "worse", target]) == 0
    _, again, _ = refresh_directly(project)
    assert workspace.memory.head() == first.snapshot
    assert again.snapshot == first.snapshot, "later steps use what is current"
    decision = [r.body for r in workspace.ledger.records() if r.kind == "decision"][-1]
    assert (decision["decision"], decision["to"], decision["reason"]) == (
        "rollback",
        target,
        "worse",
    )
    # A memory that differs from the rejected one is published as ever.
    edit(project, "min_count = 3", "min_count = 4")
    _, third, _ = refresh_directly(project)
    assert workspace.memory.head() == third.snapshot
    # And so is the rejected one, once a person chooses it again.
    back = second.snapshot.snapshot_id
    assert main(["memory", "rollback", "-c", str(project), back]) == 0
    edit(project, "min_count = 4", "min_count = 3")
    _, fourth, _ = refresh_directly(project)
    assert workspace.memory.head() == fourth.snapshot == second.snapshot


def test_evidence_names_its_corpus_and_a_slot_who_proposes_it(project: Path) -> None:
    workspace, refreshed, _ = refresh_directly(project)
    evidence = list(workspace.read_rows(refreshed.snapshot.evidence))
    mined = [row for row in evidence if row["origin"] == "mined"]
    assert mined
    assert {(row["provider"], row["licence"]) for row in mined} == {("tiny", "Apache-2.0")}
    assert all(row["methods"][0] == "alignment" for row in mined)
    assert any(len(row["methods"]) > 1 for row in mined)
    phrases = {row["phrase_id"]: row for row in workspace.read_rows(refreshed.snapshot.phrases)}
    assert {row["phrase_id"] for row in mined} <= set(phrases)
    for row in mined:
        # One corpus alone has all the counts.
        phrase = phrases[row["phrase_id"]]
        assert (row["found"], row["occurrences"]) == (phrase["found"], phrase["occurrences"])
        assert row["pair_count"] == phrase["pair_count"]


def test_the_memory_tells_why_it_holds_a_phrase(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refresh_directly(project)
    for arguments in (
        ["memory", "lookup", "中央银行"],
        ["memory", "lookup", "大学"],
        ["memory", "stats"],
        ["memory", "history"],
        ["corpus", "stats"],
        ["corpus", "dropped"],
        ["corpus", "sample", "-n", "2"],
        ["audit", "verify"],
        ["status", "--why", "mine"],
    ):
        assert main([*arguments, "-c", str(project)]) == 0
        shown = capsys.readouterr().out
        assert shown, arguments
        if arguments[-1] == "中央银行":
            assert "because: dictionary terms, line 1 (Apache-2.0)" in shown
        if arguments[-1] == "大学":
            assert "because: mined from tiny: the Chinese stood" in shown
    for command, message in (
        (["memory", "lookup", "没有"], "The memory holds nothing for"),
        (["memory", "lookup", "0a1b2c3d", "--json"], "no phrase's id begins so"),
        (["audit", "explain", "没有", "--json"], "Neither the memory nor a"),
        (["audit", "explain", "0a1b2c3d"], "no model is called so"),
        (["audit", "trace", "没有"], "Sources by name: "),
        (["audit", "impact", "没有", "--json"], "Nothing here is called '没有'"),
    ):
        assert main([*command, "-c", str(project)]) == 2
        told = capsys.readouterr()
        assert (told.out, len(told.err.splitlines())) == ("", 1)
        assert message in told.err


def test_entries_that_differ_in_case_alone_are_no_defect(project: Path) -> None:
    terms = project.parent / "terms.tsv"
    added = (
        "DNA鉴定\tDNA test\tterm\ndna鉴定\tdna  test\tterm\n"
        "大楼\tBuilding\tterm\n大楼\tbuilding\tterm\n"
    )
    terms.write_text(terms.read_text("utf-8") + added, "utf-8")
    workspace, refreshed, _ = refresh_directly(project)
    rows = list(workspace.read_rows(refreshed.snapshot.phrases))
    found = {row["source"] for row in rows if row["target"] == "dna test"}
    assert found == {"DNA鉴定", "dna鉴定"}
    assert [row["state"] for row in rows if row["source"] == "大楼"] == ["active"]
