"""What an evaluation looks into, on the tiny example without Prefect: records, gates, gold."""

import json
from pathlib import Path
from typing import Any

import pytest

from flows.driver import step_window
from flows.evaluation import Evaluated
from flows.settings import load_settings
from flows.stages import evaluate_all
from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.workspace import Workspace, open_workspace
from tasks.arguments import source_file
from tasks.gold import gold
from tasks.metrics.attention_table import attention_of, side_by_side
from tasks.metrics.gold_of_some import text_digest
from tasks.run import Run
from tests.support import copy_tiny, edit

GATED, PHRASES = "groundhog-gru+gate", "phrasenet-gate"
MORE = """
gold = "test.gold"
gold_words = ["gold.zh", "gold.en"]
terms = "test.terms"
"""


def write_answers(folder: Path) -> None:
    """Write gold links between the first characters, and a list of terms."""
    chinese, english = (
        (folder / f"test.{side}").read_text("utf-8").splitlines() for side in ("zh", "en")
    )
    (folder / "gold.zh").write_text("".join(" ".join(text) + "\n" for text in chinese), "utf-8")
    (folder / "gold.en").write_text("".join(text + "\n" for text in english), "utf-8")
    (folder / "test.gold").write_text("0-0 1-p-0\n" * len(chinese), "utf-8")
    (folder / "test.terms").write_text("利率\tinterest rates\n图书馆\tlibrary\n", "utf-8")


@pytest.fixture(scope="module")
def looked_into(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Evaluated]:
    folder = copy_tiny(tmp_path_factory.mktemp("analysed") / "tiny")
    write_answers(folder)
    file = folder / "phrasenet.toml"
    edit(file, "epochs = 5", "epochs = 1")
    edit(file, 'references = ["test.en"]\n', f'references = ["test.en"]{MORE}')
    with file.open("a") as stream:
        stream.write(
            f'\n[evaluation]\nbaselines = ["{GATED}"]\nscaling = true\nterm_settings = true\n'
        )
    settings = load_settings(file)
    workspace = open_workspace(settings.workspace_path, settings.execution.engine)
    with workspace.lease():
        return workspace, evaluate_all(Run(workspace, step_window(None, None)), settings)


def rows_of(looked_into: tuple[Workspace, Evaluated], system: str, name: str) -> list[Any]:
    workspace, evaluated = looked_into
    return list(workspace.read_rows(evaluated.results["tiny-test"][system][name]))


def test_records_are_attention_over_the_words_that_were_fed(
    looked_into: tuple[Workspace, Evaluated],
) -> None:
    workspace, evaluated = looked_into
    for system, refs in evaluated.results["tiny-test"].items():
        said = {
            row["sentence_id"]: row["words"] for row in workspace.read_rows(refs["translations"])
        }
        rows = rows_of(looked_into, system, "records")
        assert [row["side"] for row in rows] == ["reference", "translation"] * 3
        for row in rows:
            found = attention_of(row)
            assert found is not None
            assert found.rows_IJ.sum(axis=1) == pytest.approx(1, abs=1e-3)
            assert len(row["classes"]) == len(row["words"])
            assert len(row["source_known"]) == len(row["source_words"])
            assert len(row["gates"]) == (len(row["words"]) + 1 if system == GATED else 0)
            if row["side"] == "translation":
                assert row["words"] == said[row["sentence_id"]]
    both = {name: rows_of(looked_into, name, "records") for name in (GATED, PHRASES)}
    first, second = side_by_side(both, "tiny-test:00000000", "reference").values()
    assert (first.words, first.source_words) == (second.words, second.source_words)


def test_a_translation_attends_where_its_search_said(
    looked_into: tuple[Workspace, Evaluated],
) -> None:
    for system in (GATED, PHRASES):
        records = rows_of(looked_into, system, "records")[1::2]
        for row, record in zip(rows_of(looked_into, system, "translations"), records, strict=True):
            found = attention_of(record)
            assert found is not None
            for number, decision in enumerate(row["steps"]):
                best = found.rows_IJ[number].max()
                assert found.rows_IJ[number, decision["attended"]] == pytest.approx(best, abs=1e-4)


def test_what_is_counted_sums_up(looked_into: tuple[Workspace, Evaluated]) -> None:
    for system in (GATED, PHRASES):
        total = rows_of(looked_into, system, "phrase_use")[0]
        assert (total["category"], total["origin"]) == ("", "")
        parts = rows_of(looked_into, system, "phrase_use")[1:]
        for name in ("offered", "appeared", "produced", "exact", "misplaced", "spelled", "ignored"):
            assert total[name] == sum(row[name] for row in parts)
        assert total["offered"] == len(rows_of(looked_into, system, "outcomes"))
        assert sum(row["sentences"] for row in rows_of(looked_into, system, "lengths")) == 3
        scores = rows_of(looked_into, system, "scores")
        whole = {(row["subset"], row["metric"]): row["value"] for row in scores}
        ngrams = [row for row in rows_of(looked_into, system, "ngrams") if row["subset"] == "all"]
        last = {row["flavour"]: row["cumulative"] for row in ngrams if row["order"] == 4}
        assert last["v11b"] == pytest.approx(whole["all", "BLEU-v11b"])
        assert last["v13a"] == pytest.approx(whole["all", "BLEU"])
        assert ("all", "TER") in whole


def measures(looked_into: tuple[Workspace, Evaluated], system: str) -> dict[str, float]:
    rows = rows_of(looked_into, system, "measures")
    assert all(row["signature"] and row["sentences"] for row in rows)
    return {row["metric"]: row["value"] for row in rows if row["subset"] == "all"}


def test_gold_links_and_terms_are_measured(looked_into: tuple[Workspace, Evaluated]) -> None:
    gated, phrases = (measures(looked_into, system) for system in (GATED, PHRASES))
    for found in (gated, phrases):
        assert 0 <= found["SAER"] <= 100
        assert 0 <= found["AER"] <= 100
        assert {"Words left out", "Words said twice", "Term success (terms)"} <= found.keys()
    assert 0 < gated["Mean gate"] < 1
    assert "Mean gate" not in phrases
    gates = {row["word_class"]: row for row in rows_of(looked_into, GATED, "gates")}
    assert 0 < gates["all"]["mean"] < 1
    assert rows_of(looked_into, PHRASES, "gates") == []
    sentences = rows_of(looked_into, PHRASES, "sentences")
    assert all(row["baseline_bleu"] is not None and row["gate"] is None for row in sentences)
    assert all(row["gate"] is not None for row in rows_of(looked_into, GATED, "sentences"))


def test_only_systems_without_a_gate_are_scaled(looked_into: tuple[Workspace, Evaluated]) -> None:
    _, evaluated = looked_into
    assert "scaling" not in evaluated.results["tiny-test"][GATED]
    rows = {
        (row["source_scale"], row["target_scale"]): row
        for row in rows_of(looked_into, PHRASES, "scaling")
    }
    assert set(rows) == {(1, 1), (1, 0.8), (1, 0.5), (0.8, 1), (0.5, 1)}
    scores = rows_of(looked_into, PHRASES, "scores")
    (bleu,) = [r["value"] for r in scores if (r["subset"], r["metric"]) == ("all", "BLEU-v11b")]
    assert rows[1, 1]["bleu_v11b"] == pytest.approx(bleu)


def test_terms_are_offered_as_each_setting_says(looked_into: tuple[Workspace, Evaluated]) -> None:
    workspace, evaluated = looked_into
    assert "term_settings" not in evaluated.results["tiny-test"][GATED]
    rows = {
        (row["subset"], row["metric"]): row
        for row in rows_of(looked_into, PHRASES, "term_settings")
    }
    assert {subset for subset, _ in rows} == {
        f"terms given: {setting}" for setting in ("proper", "random", "noterm")
    }
    assert ("terms given: noterm", "Term success (terms)") in rows
    offered = {
        record.body["label"]: [
            (slot["source"], slot["target"], slot["origin"])
            for output in record.body["outputs"]
            for row in workspace.read_rows(ArtifactRef.from_json(output))
            for slot in row["slots"]
        ]
        for record in workspace.ledger.records()
        if record.kind == "run" and record.body["step"] == "tag_terms"
    }
    assert offered == {
        "tag_terms tiny-test proper": [
            ("利率", "interest rates", "dictionary"), ("图书馆", "library", "dictionary"),
        ],
        "tag_terms tiny-test random": [],
        "tag_terms tiny-test noterm": [],
    }  # fmt: skip


@pytest.fixture
def few(workspace: Workspace) -> dict[str, Any]:
    """Give the words and lines of a test set of one sentence."""
    line = {
        "sentence_id": "t:00000000", "testset": "t", "position": 0, "source": "银行说",
        "references": ["the bank said"],
    }  # fmt: skip
    words = {
        "pair_id": "t:00000000", "corpus": "t", "document": "", "position": 0, "source": "银行说",
        "target": "the bank said", "source_words": ["银行", "说"],
        "target_words": ["the", "bank", "said"], "rules": [], "script": "", "converter": "",
    }  # fmt: skip
    return {
        "lines": workspace.write_rows("test_lines", [line]),
        "words": workspace.write_rows("words", [words]),
        "encoding": "utf-8",
    }


@pytest.mark.parametrize(
    ("links", "seen", "message"),
    [
        ("0-9\n", (), "line 1: the link 0-9 lies outside .* name the files of these words"),
        ("", (), "has 0 lines, and the test set has a sentence 1"),
        ("0-1\n", ("银 行 说\n", "the bank\n"), "line 1: the words of the gold links have 7"),
        ("0-5\n", ("银 行 说\n", "the bank said\n"), "line 1: the link 0-5 lies outside"),
        ("0-1\n", ("银 行 说\n\n", "the bank said\n"), "has 2 lines and the gold links have 1"),
    ],
)
def test_gold_links_that_do_not_fit_are_told(
    links: str,
    seen: tuple[str, ...],
    message: str,
    few: dict[str, Any],
    workspace: Workspace,
    tmp_path: Path,
) -> None:
    files = []
    for name, text in zip(("links", "zh", "en"), (links, *seen), strict=False):
        (tmp_path / name).write_text(text, "utf-8")
        files.append(source_file(tmp_path / name))
    with pytest.raises(InputError, match=message):
        gold.function(workspace, links=files[0], seen_words=tuple(files[1:]), **few)


def test_gold_links_are_kept_on_the_words_of_the_sentence(
    few: dict[str, Any], workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "links").write_text("1:2/1 2:2/0\n", "utf-8")
    made = gold.function(workspace, links=source_file(tmp_path / "links"), seen_words=(), **few)
    (row,) = workspace.read_rows(made)
    assert (row["sure"], row["possible"]) == ([[0, 1]], [[1, 1]])


def test_gold_links_of_some_sentences_need_no_text(
    few: dict[str, Any], workspace: Workspace, tmp_path: Path
) -> None:
    row = {"line": 1, "text": text_digest("银行说", "the bank said"), "source": [1, 1, 1],
           "target": [3, 4, 4], "links": "0-1 1-p-1 2-2"}  # fmt: skip
    (tmp_path / "links").write_text(json.dumps(row) + "\n", "utf-8")
    links = source_file(tmp_path / "links")
    made = gold.function(workspace, links=links, seen_words=(), **few)
    (found,) = workspace.read_rows(made)
    assert (found["sure"], found["possible"]) == ([[0, 1], [1, 2]], [])
    with pytest.raises(InputError, match="gold_words has no effect. Remove it"):
        gold.function(workspace, links=links, seen_words=(links, links), **few)
    (tmp_path / "links").write_text(json.dumps(row | {"line": 2}) + "\n", "utf-8")
    links = source_file(tmp_path / "links")
    with pytest.raises(InputError, match="of line 2, which the test set of 1 lines does not have"):
        gold.function(workspace, links=links, seen_words=(), **few)
