"""An auditor's questions about the tiny example, asked through the command line."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from storage.lineage import lineage_of
from storage.workspace import open_workspace
from tasks.arguments import source_file
from tasks.audit_impact import impact
from tasks.audit_target import beginning_of
from tests.conftest import Command
from tests.support import edit, evaluate_directly


@pytest.fixture
def asked(evaluated_tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in the evaluated example; nothing in it may be changed."""
    monkeypatch.chdir(evaluated_tiny)
    return evaluated_tiny


def answers(phrasenet: Command, *arguments: str) -> list[dict[str, Any]]:
    answer = phrasenet("audit", *arguments, "--json")
    assert answer.code == 0, answer.err
    return [json.loads(line) for line in answer.out.splitlines()]


def branches(branch: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a chain flat."""
    return [branch, *(item for inner in branch["branches"] for item in branches(inner))]


@pytest.mark.usefixtures("asked")
def test_a_phrase_is_explained_from_its_lines_to_its_use(phrasenet: Command) -> None:
    (found,) = answers(phrasenet, "explain", "中央银行")
    assert found["phrase"]["target"] == "central bank"
    assert {row["origin"] for row in found["evidence"]} == {"dictionary", "mined"}
    assert found["num_lines"] == 4
    for line in found["occurrences"]:
        assert line["source"][1].replace(" ", "") == "中央银行"
        assert line["target"][1] == "central bank"
        text = Path(line["file"]).read_text(encoding="utf-8").splitlines()[line["line"] - 1]
        assert "中央银行" in text
    assert [item["state"] for item in found["snapshots"]] == ["active"]
    assert {item["system"] for item in found["models"]} == {"rnnsearch", "phrasenet-gate"}
    assert all(item["offered"] == 4 for item in found["models"])
    for use in found["uses"]:
        assert use["offered"] >= use["appeared"] >= use["produced"]
    (by_id,) = answers(phrasenet, "explain", found["phrase"]["phrase_id"][:8])
    assert by_id == found


@pytest.mark.usefixtures("asked")
def test_a_phrase_is_found_in_either_script(phrasenet: Command) -> None:
    assert answers(phrasenet, "explain", "中央銀行") == answers(phrasenet, "explain", "中央银行")
    assert "central bank" in phrasenet("memory", "lookup", "中央銀行").out


@pytest.mark.usefixtures("asked")
def test_what_a_rule_proposed_is_explained_by_the_rule(phrasenet: Command) -> None:
    (found,) = answers(phrasenet, "explain", "2003年3月20日")
    assert found["phrase"]["provider"].startswith("date.full/")
    assert found["evidence"] == []
    answer = phrasenet("audit", "explain", "2003年3月20日")
    assert "because: the rule date.full/" in answer.out


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("phrasenet-gat", "and no model is called so. Did you mean 'phrasenet-gate'?"),
        ("nosuch", "and no model is called so."),
        ("smt", "and the system smt has no model here yet."),
    ],
)
@pytest.mark.usefixtures("asked")
def test_a_mistyped_system_is_named(phrasenet: Command, named: str, told: str) -> None:
    answer = phrasenet("audit", "explain", named)
    assert (answer.code, answer.out) == (2, "")
    assert f"Neither the memory nor a sentence knows {named}, {told} Name a phrase" in answer.err


def test_a_model_is_explained_from_its_sources_to_its_settings(
    asked: Path, phrasenet: Command
) -> None:
    entry = open_workspace(asked / "workspace").registry.find("phrasenet-gate")
    (found,) = answers(phrasenet, "explain", entry.model_id[:10])
    assert answers(phrasenet, "explain", "phrasenet-gate") == [found]
    shown = json.loads(phrasenet("models", "show", "phrasenet-gate", "--json").out)
    assert {name: found[name] for name in shown} == shown
    assert found["training"]["settings"]["configs"][0]["system"] == "phrasenet-gate"
    assert found["functions"] > 100
    assert found["snapshot"]["id"] == entry.snapshot_id
    assert found["snapshot"]["published"]
    read = {(item["kind"], item["name"]): item for item in found["sources"]}
    files = {
        "corpus": ["pairs.tsv"],
        "dictionary": ["terms.tsv"],
        "testset": ["test.zh", "test.en"],
    }
    assert {kind: item["name"] for (kind, _), item in read.items()} == {
        "corpus": "tiny", "dictionary": "terms", "testset": "tiny-test"
    }  # fmt: skip
    for (kind, _), item in read.items():
        digests = {source_file(asked / name).digest for name in files[kind]}
        assert set(item["files"]) == digests
        assert item["licence"] == ("" if kind == "testset" else "Apache-2.0")
    assert re.search(r"\d{2}:\d{2}:\d{2}Z$", phrasenet("models", "list").out, re.MULTILINE)
    text = phrasenet("audit", "explain", "phrasenet-gate").out
    assert "+00:00" not in text
    assert text.startswith(phrasenet("models", "show", "phrasenet-gate").out)
    for said in ("corpus tiny: Apache-2.0, 40 rows, read ", "learning_rate 0.001", "torch 2"):
        assert said in text


@pytest.mark.usefixtures("asked")
def test_a_system_stands_for_its_newest_model_in_a_chain(phrasenet: Command) -> None:
    (chain,) = answers(phrasenet, "trace", "rnnsearch", "--depth", "1")
    assert chain["id"].startswith("model/")
    assert chain["branches"][0]["id"].startswith("run/")
    (found,) = answers(phrasenet, "impact", "rnnsearch")
    assert found["of"][0]["id"] == chain["id"]


def test_every_slot_of_every_translation_leads_to_lines_or_rules(
    asked: Path, phrasenet: Command
) -> None:
    workspace = open_workspace(asked / "workspace")
    (lines,) = {
        node.ref
        for node in lineage_of(workspace).nodes.values()
        if node.ref and node.ref.kind == "test_lines"
    }
    slots = 0
    for row in workspace.read_rows(lines):
        (sentence,) = answers(phrasenet, "trace", row["sentence_id"], "--down")
        assert len(sentence["branches"]) == 2
        for slot in (item for item in branches(sentence) if item["kind"] == "slot"):
            slots += 1
            (origin,) = slot["branches"]
            assert origin["kind"] in ("rule", "phrase")
            if origin["kind"] == "phrase" and not origin.get("seen_above"):
                kinds = {item["kind"] for item in branches(origin)}
                assert kinds & {"file", "pair"}
    assert slots > 6


def test_a_model_leads_up_to_every_file_and_a_file_down_to_every_model(
    asked: Path, phrasenet: Command
) -> None:
    workspace = open_workspace(asked / "workspace")
    for entry in workspace.registry.entries():
        (chain,) = answers(phrasenet, "trace", entry.model_id[:10])
        files = {item["id"] for item in branches(chain) if item["kind"] == "file"}
        assert len(files) == 4  # pairs, terms, and both sides of the test set, for the cleaning
    for file in files:
        (chain,) = answers(phrasenet, "trace", file, "--down")
        models = {item["id"] for item in branches(chain) if item["id"].startswith("model/")}
        assert len(models) == 2
    assert "and more behind it" in phrasenet("audit", "trace", "tiny", "--down", "--depth", "2").out
    assert phrasenet("audit", "trace", "tiny", "--mermaid").out.startswith("flowchart LR\n")


@pytest.mark.usefixtures("asked")
def test_a_pair_leads_to_its_file_and_to_the_phrases_that_it_supports(phrasenet: Command) -> None:
    (found,) = answers(phrasenet, "explain", "利率")
    pair = found["occurrences"][0]["pair_id"]
    (up,) = answers(phrasenet, "trace", pair)
    assert branches(up)[-1]["kind"] == "file"
    (down,) = answers(phrasenet, "trace", pair, "--down")
    assert found["phrase"]["phrase_id"] in {item["id"] for item in branches(down)}


@pytest.mark.usefixtures("asked")
def test_the_impact_of_a_source_counts_what_rests_on_it(phrasenet: Command) -> None:
    (terms,) = answers(phrasenet, "impact", "terms")
    (pairs,) = answers(phrasenet, "impact", "tiny")
    assert terms["phrases"] == {"supported": 5, "resting_alone": 0}
    assert pairs["phrases"] == {"supported": 17, "resting_alone": 12}
    for found in (terms, pairs):
        assert len(found["models"]) == 2
        assert found["artifacts"]["translations"] == 2
        assert len(found["snapshots"]) == 1
    answer = phrasenet("audit", "impact", "none")
    assert answer.code == 2
    assert answer.err == (
        "phrasenet: Nothing here is called 'none', and no id begins so. Name a source (terms, "
        "tiny, tiny-test), a file, corpus:document, corpus:file:line, dictionary:line, a phrase in "
        "Chinese or an id.\n"
    )
    answer = phrasenet("audit", "impact", "trems")
    assert "no id begins so. The nearest names are: terms. Name a source" in answer.err


@pytest.mark.usefixtures("asked")
def test_the_impact_of_a_line_a_file_and_a_phrase_begins_where_they_stand(
    phrasenet: Command,
) -> None:
    (phrase,) = answers(phrasenet, "explain", "利率")
    line = phrase["occurrences"][0]
    (of_line,) = answers(phrasenet, "impact", f"tiny:{line['file']}:{line['line']}")
    (of_pair,) = answers(phrasenet, "impact", line["pair_id"])
    (of_document,) = answers(phrasenet, "impact", f"tiny:{line['document']}")
    (of_file,) = answers(phrasenet, "impact", line["file"])
    (of_phrase,) = answers(phrasenet, "impact", "利率")
    (of_corpus,) = answers(phrasenet, "impact", "tiny")
    assert of_line == of_pair
    assert of_line["within"] == f"line tiny:{line['file']}:{line['line']}"
    assert of_line["phrases"]["stand_in_it"] >= 1
    for found in (of_line, of_document, of_file):
        assert 1 <= found["artifacts"]["phrases"] <= of_corpus["artifacts"]["phrases"]
        assert found["models"] == of_corpus["models"]
    assert of_phrase["within"].endswith(phrase["phrase"]["phrase_id"])
    # Of its part and of all together.
    assert {node["id"].partition("/")[0] for node in of_phrase["of"]} == {"phrases"}
    assert {item["model"] for item in of_phrase["models"]} == {
        item["model"] for item in phrase["models"]
    }
    assert "mine" not in of_phrase["steps"]
    answer = phrasenet("audit", "impact", "tiny:none.tsv:1")
    assert answer.code == 2
    assert "corpus:document, corpus:file:line, dictionary:line" in answer.err


def test_a_phrase_reaches_only_the_sentences_that_it_was_offered_to(asked: Path) -> None:
    workspace = open_workspace(asked / "workspace")
    graph, head = lineage_of(workspace), workspace.memory.head()
    assert head is not None
    tables = [node.ref for node in graph.nodes.values() if node.ref and node.ref.kind == "tagged"]
    offered = {
        ref: {slot["phrase_id"] for row in workspace.read_rows(ref) for slot in row["slots"]}
        for ref in tables
    }
    reached = []
    for phrase in workspace.read_columns(head.phrases, ["phrase_id"])["phrase_id"]:
        begin = beginning_of(workspace, graph, head, phrase)
        found = impact(workspace, graph, begin.nodes, head, begin.free)
        reached.append(found.artifacts.get("tagged", 0))
        assert reached[-1] == sum(phrase in known for known in offered.values())
    assert len(set(reached)) > 1


def test_two_models_of_one_run_differ_in_a_setting(asked: Path, phrasenet: Command) -> None:
    entries = open_workspace(asked / "workspace").registry.entries()
    first, second = (entry.model_id[:12] for entry in entries)
    (found,) = answers(phrasenet, "compare", first, second)
    changed = {area: reasons for area, reasons in found["changes"].items() if reasons}
    assert list(changed) == ["settings"]
    assert changed["settings"][0].startswith("train: setting configs[0].system was")
    assert found["memory"] == {"added": 0, "removed": 0, "changed": 0}
    (licences,) = answers(phrasenet, "licences", first)
    assert licences["go_together"] is True
    assert {item["source"] for item in licences["licences"]} == {"tiny", "terms"}


def test_what_changed_between_two_trainings_is_told_by_area(
    evaluated_tiny: Path, tmp_path: Path, phrasenet: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny"))
    monkeypatch.chdir(folder)
    edit(folder / "terms.tsv", "central bank", "central institute")
    edit(folder / "phrasenet.toml", "epochs = 5", "epochs = 1")
    edit(folder / "phrasenet.toml", "[memory]", "[memory]\nmin_listed_share = 0.0")
    workspace, _, _ = evaluate_directly(folder / "phrasenet.toml")
    systems = [entry for entry in workspace.registry.entries() if entry.system == "rnnsearch"]
    (found,) = answers(phrasenet, "compare", *(entry.model_id[:12] for entry in systems))
    changes = found["changes"]
    assert changes["code"] == changes["libraries"] == changes["steps"] == []
    assert "train: setting configs[1].epochs was 5, is 1" in changes["settings"]
    assert {"0.0"} == {
        reason.rpartition("is ")[2] for reason in changes["settings"] if "listed" in reason
    }
    assert [item.split(":")[0] for item in changes["data"]] == ["dictionary"]
    assert found["memory"] == {"added": 0, "removed": 0, "changed": 1}
    (now,) = answers(phrasenet, "explain", "中央银行")[:1]
    assert now["phrase"]["target"] == "central institute"
    (before,) = answers(phrasenet, "explain", "中央银行", "--as-of", systems[0].snapshot_id[:12])
    assert before["phrase"]["target"] == "central bank"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain", " "], "The phrase is empty"),
        (["explain", "宇宙"], "Neither the memory nor a sentence knows 宇宙"),
        (["trace", ""], "The id is empty"),
        (["trace", "zzzzzz"], "0 files, artifacts, runs and snapshots"),
        (["trace", "tiny", "--as-of", "1999-01-01"], "Nothing had been recorded by 1999-01-01"),
        (["trace", "tiny", "--as-of", "yesterday"], "neither the id of a flow run"),
        (["compare", "ffff", "ffff"], "0 models have an id"),
        (["licences", ""], "2 models have an id"),
    ],
)
@pytest.mark.usefixtures("asked")
def test_questions_about_nothing_are_told(
    arguments: list[str], message: str, phrasenet: Command
) -> None:
    answer = phrasenet("audit", *arguments)
    assert answer.code == 2
    assert message in answer.err
