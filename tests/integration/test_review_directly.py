"""A terminologist's decisions on the tiny example: obeyed, kept, and seen in the difference."""

import csv
import datetime
import gzip
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Command
from tests.support import assert_whole, copy_tiny, edit, refresh_directly


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_tiny(tmp_path_factory.mktemp("reviewed") / "tiny")
    refresh_directly(folder / "phrasenet.toml")
    return folder


@pytest.fixture
def project(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = Path(shutil.copytree(finished, tmp_path / "tiny"))
    monkeypatch.chdir(folder)
    return folder


TODAY = datetime.datetime.now(datetime.UTC).date().isoformat()
"""Stands for its end, so for the newest snapshot."""
DECISIONS = {
    "利率": {"decision": "replace", "replacement": "Interest Rate", "reason": "singular"},
    "医院": {"decision": "reject"},
    "图书馆": {"decision": "accept"},
}


def decide(phrasenet: Command, decisions: Mapping[str, Mapping[str, str]]) -> None:
    """Export a sheet, fill it in and read it."""
    assert phrasenet("memory", "review", "--export", "sheet.csv").code == 0
    with Path("sheet.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row.update(decisions.get(row["source"], {}))
    with Path("sheet.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    answer = phrasenet("memory", "review", "--import", "sheet.csv", "--author", "T. Reviewer")
    assert answer.code == 0, answer.err


def active(project: Path) -> dict[str, tuple[str, str]]:
    """Refresh; return target and origin of each phrase that is offered."""
    workspace, refreshed, _ = refresh_directly(project / "phrasenet.toml")
    return {
        row["source"]: (row["target"], row["origin"])
        for row in workspace.read_rows(refreshed.snapshot.phrases)
        if row["state"] == "active"
    }


def test_decisions_are_obeyed_and_survive(project: Path, phrasenet: Command) -> None:
    before = active(project)
    assert {"利率", "医院", "图书馆"} <= before.keys()
    decide(phrasenet, DECISIONS)
    after = active(project)
    assert after["利率"] == ("interest rate", "review")
    assert after["图书馆"] == (before["图书馆"][0], "review")
    assert "医院" not in after
    with (project / "terms.tsv").open("a", encoding="utf-8") as stream:
        stream.write("医院\thospital\tterm\n")
    edit(project / "phrasenet.toml", "[memory]", '[text]\nsegmenter = "characters"\n\n[memory]')
    changed = active(project)
    assert changed["利率"] == ("interest rate", "review")
    assert "医院" not in changed
    assert_whole(project / "workspace")


def test_decisions_appear_in_the_difference(project: Path, phrasenet: Command) -> None:
    first = phrasenet("memory", "history").out.split()[0]
    decide(phrasenet, DECISIONS)
    active(project)
    told = phrasenet("memory", "diff", first).out
    assert "0 added, 1 removed, 1 changed, 1 recounted" in told
    assert "~ 利率\tinterest rates -> interest rate" in told
    assert "- 医院\thospital  (now rejected)" in told
    assert "new: accepted by T. Reviewer on" in told
    assert ": singular" in told
    back = phrasenet("memory", "diff", TODAY, first).out
    assert "1 added, 0 removed, 1 changed" in back
    assert "no longer: rejected by T. Reviewer" in back
    sentences = phrasenet("memory", "diff", first, "--on", "tiny-test").out
    assert "- 利率\tinterest rates\tmined tiny" in sentences
    assert "+ 利率\tinterest rate\treview T. Reviewer" in sentences
    assert phrasenet("memory", "diff", first, first).out.strip().endswith("0 recounted")


def test_a_bad_row_keeps_nothing(project: Path, phrasenet: Command) -> None:
    decide(phrasenet, {"利率": {"decision": "accept"}})
    before = active(project)
    with Path("bad.csv").open("w", encoding="utf-8") as stream:
        stream.write("decision,source,target\nreject,医院,hospital\nperhaps,利率,rate\n")
    answer = phrasenet("memory", "review", "--import", "bad.csv")
    assert answer.code == 2
    assert "bad.csv, row 3" in answer.err
    assert active(project) == before


def test_the_ledger_holds_who_decided_and_no_text(project: Path, phrasenet: Command) -> None:
    decide(phrasenet, DECISIONS)
    records = list((project / "workspace" / "ledger" / "records").glob("*.json"))
    text = "".join(path.read_text(encoding="utf-8") for path in records)
    assert '"author":"T. Reviewer"' in text
    assert "利率" not in text
    assert "interest" not in text


def test_what_was_decided_waits_no_longer(project: Path, phrasenet: Command) -> None:
    decide(phrasenet, DECISIONS)
    active(project)
    assert phrasenet("memory", "review", "--export", "next.csv").code == 0
    with Path("next.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows: list[dict[str, Any]] = list(csv.DictReader(stream))
    assert not {"利率", "医院", "图书馆"} & {row["source"] for row in rows}


@pytest.mark.usefixtures("project")
def test_the_page_of_the_memory_holds_phrases_and_examples(phrasenet: Command) -> None:
    assert phrasenet("memory", "browse", "-n", "5").out.startswith("memory.html: 5 of 17 phrases")
    page = Path("memory.html").read_text(encoding="utf-8")
    [data] = re.findall(r'<script id="phrase-data" type="application/json">(.*?)</script>', page)
    phrases = json.loads(data)
    assert len(phrases) == 5
    assert all(phrase["evidence"] for phrase in phrases)
    for phrase in phrases:
        for example in phrase["examples"]:
            assert example["source"][1].replace(" ", "") == phrase["source"]
            assert example["target"][1] == phrase["target"]
    assert any(phrase["examples"] for phrase in phrases)


@pytest.mark.usefixtures("project")
def test_exports_hold_what_is_offered(phrasenet: Command) -> None:
    for name in ("terms.tsv.gz", "terms.json", "terms.tbx"):
        answer = phrasenet("memory", "export", name, "--json")
        assert json.loads(answer.out)["format"] == name.split(".")[1]
    lines = gzip.decompress(Path("terms.tsv.gz").read_bytes()).decode().splitlines()
    offered = sum(
        row["phrases"]
        for row in map(json.loads, phrasenet("memory", "stats", "--json").out.splitlines())
        if row["state"] == "active"
    )
    assert len(lines) == 1 + offered
    assert len(json.loads(Path("terms.json").read_text())["entries"]) == offered
    assert phrasenet("memory", "export", "table", "--format", "moses").code == 0
    assert "中央银行 ||| central bank |||" in Path("table").read_text()


def test_a_termbase_is_as_good_as_a_sheet(project: Path, phrasenet: Command) -> None:
    before = active(project)
    assert phrasenet("memory", "review", "--export", "review.tbx").code == 0
    text = Path("review.tbx").read_text(encoding="utf-8")
    assert "preferredTerm" not in text
    for shown, status, term in (
        (before["利率"][0], "preferred", "rate of interest"),
        (before["医院"][0], "deprecated", before["医院"][0]),
    ):
        undecided = f"<term>{shown}</term><min:administrativeStatus>admitted"
        assert undecided in text
        text = text.replace(undecided, f"<term>{term}</term><min:administrativeStatus>{status}")
    Path("review.tbx").write_text(text, encoding="utf-8")
    answer = phrasenet("memory", "review", "--import", "review.tbx", "--author", "T.", "--json")
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["decisions"] == {"accept": 1, "reject": 1}
    after = active(project)
    assert after["利率"] == ("rate of interest", "review")
    assert "医院" not in after


@pytest.mark.parametrize("form", ["tsv", "pairs", "moses", "json", "tbx"])
def test_what_was_exported_is_taken_in_again(project: Path, phrasenet: Command, form: str) -> None:
    before = active(project)
    name = f"glossary.{form}"
    assert phrasenet("memory", "export", name, "--format", form).code == 0
    answer = phrasenet("memory", "import", name, "--format", form, "--author", "Terms", "--json")
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["accepted"] == len(before)
    after = active(project)
    assert {source: target for source, (target, _) in after.items()} == {
        source: target for source, (target, _) in before.items()
    }
    assert {origin for _, origin in after.values()} == {"review"}


@pytest.mark.usefixtures("project")
def test_a_glossary_with_two_translations_keeps_nothing(phrasenet: Command) -> None:
    Path("agreed.tsv").write_text("source\ttarget\n利率\trate\n医院\thospital\n利率\tinterest\n")
    answer = phrasenet("memory", "import", "agreed.tsv")
    assert answer.code == 2
    assert "agreed.tsv, line 4" in answer.err
    assert "'interest' here and 'rate' before" in answer.err
    assert not Path("workspace/memory/decisions").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["diff", "ffff"], "0 snapshots whose id begins with 'ffff'"),
        (["diff", "1999-01-01"], "Nothing had been published"),
        (["diff", TODAY, "--on", "none"], "names no test set 'none'; it names: tiny-test"),
        (["review", "--export", "sheet.ods"], "ends with .csv, .xlsx or .tbx"),
        (["review", "--import", "none.tbx"], "none.tbx"),
        (["review", "--import", "none.csv"], "no such file"),
        (["export", "terms.docx"], "Name one with --format"),
    ],
)
@pytest.mark.usefixtures("project")
def test_bad_requests_are_told(arguments: list[str], message: str, phrasenet: Command) -> None:
    answer = phrasenet("memory", *arguments)
    assert answer.code == 2
    assert message in answer.err
