"""Two cells taken apart, on the sentences of the tiny example and on rows counted by hand."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import cell_findings
from benchmarks.cell_findings import (
    Translations,
    cut_pairs,
    kinds_of_sentences,
    lengths,
    offered,
    phrases_by_origin,
)
from storage.datasets import ArtifactRef
from storage.workspace import Workspace, open_workspace
from tasks.lines import LineTagger
from tasks.mining.config import MemoryConfig
from tasks.phrasebook import Phrasebook
from tasks.recipe import WordRecipe
from tasks.text.english import tokenise
from tasks.text.lexicon import Lexicon
from tasks.text.overlap import HeldOutIndex
from tasks.text.quality import measure
from tasks.text.script import normalise
from tasks.word_maker import WordMaker
from tests.support import TINY, copy_tiny

DATA = "tiny"
WRONG = {
    "source": "火车站", "target": "bus stop", "category": "term", "origin": "mined",
    "phrase_id": "0" * 24, "provider": "", "slot": 0, "start": 3, "end": 4,
    "target_start": -1, "target_end": -1,
}  # fmt: skip


def tagged_lines() -> list[dict[str, Any]]:
    """Return the test sentences with what the rules offer, and a wrong phrase for the last one."""
    config = MemoryConfig()
    tagger = LineTagger(Phrasebook.empty(config), config, WordMaker(WordRecipe(), Lexicon()))
    texts = (TINY / "test.zh").read_text("utf-8").splitlines()
    rows = [{**tagger.tag(text), "sentence_id": f"{at:08}"} for at, text in enumerate(texts)]
    return [*rows[:2], {**rows[2], "slots": [WRONG]}]


def references() -> list[list[str]]:
    texts = (TINY / "test.en").read_text("utf-8").splitlines()
    return [[word.lower() for word in tokenise(normalise(text))] for text in texts]


def said() -> Translations:
    """Of three sentences the first system says a word, the second all, and a phrase too much."""
    tagged, words = tagged_lines(), references()
    uses = (["produced"], ["appeared"], ["produced"])
    first = [row | {"words": ["The"], "uses": ["offered"]} for row in tagged]
    second = [
        row | {"words": answer, "uses": use}
        for row, answer, use in zip(tagged, words, uses, strict=True)
    ]
    second[2] = second[2] | {"words": [*words[2], "bus", "stop"]}
    return Translations(words, [first, second])


def test_phrases_are_counted_by_origin() -> None:
    assert list(phrases_by_origin(said())) == [
        ["all", "3", "9", "2", "0", "2", "2", "1", "7"],
        ["mined", "1", "2", "0", "0", "0", "1", "1", "0"],
        ["rule", "2", "7", "2", "0", "2", "1", "0", "7"],
    ]


def test_kinds_of_sentences_are_scored_apart_and_empty_ones_left_out() -> None:
    rows = {row[0]: row[1:] for row in kinds_of_sentences(said())}
    assert {name: row[0] for name, row in rows.items()} == {
        "all": "3",
        "with phrases": "3",
        "without phrases": "0",
        "all phrases in the reference": "2",
        "a phrase not in the reference": "1",
        "up to 30 words": "3",
        "over 30 words": "0",
    }
    assert rows["without phrases"][1:] == ["–"] * 6
    assert rows["all phrases in the reference"][1:3] == ["0.00", "100.00"]
    assert rows["all phrases in the reference"][3] == "+100.00 [+100.00, +100.00]"
    first, second = rows["all"][5].split(", ")
    words = sum(map(len, references()))
    assert (first, second) == (f"{3 / words:.2f}", f"{(words + 2) / words:.2f}")


def test_target_words_are_given_for_each_source_word() -> None:
    def row(source: int, target: int, words: int = 0) -> dict[str, Any]:
        return {"source_words": ["a"] * source, "target_words": ["b"] * target} | {
            "words": ["c"] * words
        }

    found = lengths(
        [row(4, 6), row(6, 6), row(12, 18)],
        Translations([["r"] * 10], [[row(5, 0, 5)], [row(5, 0, 20)]]),
    )
    table = {cells[0]: cells[1:] for cells in found}
    assert table["0 to 9"] == ["2", "1", "1.20", "2.00", "1.00", "4.00"]
    assert table["10 to 14"] == ["1", "0", "1.50", "–", "–", "–"]


def test_limits_say_what_they_keep_and_what_the_target_alone_costs() -> None:
    sides = [(10, 12), (28, 33), (45, 20), (100, 100)]
    pairs = [{"num_source_words": zh, "num_target_words": en} for zh, en in sides]
    assert list(cut_pairs(pairs)) == [
        ["30", "1", "1", "1.20"],
        ["40", "2", "0", "1.18"],
        ["50", "3", "0", "0.78"],
        ["80", "3", "0", "0.78"],
    ]
    assert list(cut_pairs(pairs[3:]))[0] == ["30", "0", "0", "–"]


@pytest.mark.parametrize(
    ("way", "targets", "required"),
    [
        ("offered", ["june 7 , 2005", "bus stop"], []),
        ("nothing", [], []),
        ("required", ["june 7 , 2005", "bus stop"], [0, 1]),
        ("right", ["june 7 , 2005"], []),
        ("right, required", ["june 7 , 2005"], [0]),
    ],
)
def test_a_way_of_searching_offers_its_phrases(
    way: str, targets: Sequence[str], required: Sequence[int]
) -> None:
    row = tagged_lines()[0]
    row["slots"] = [{**WRONG, "slot": 1}, *row["slots"]]
    row["slots"].sort(key=lambda slot: slot["slot"])
    given, wanted = offered(way, row, references()[0])
    assert [slot["target"] for slot in given["slots"]] == targets
    assert sorted(wanted) == required


def test_the_tables_of_a_workspace_are_printed_without_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = copy_tiny(tmp_path / "tiny") / "phrasenet.toml"
    fill(open_workspace(file.parent / "workspace"))
    assert cell_findings.main([str(file), "tiny-test", DATA]) == 0
    out = capsys.readouterr().out
    assert "| 30 | 40 | 0 | " in out
    assert "| all | 3 | 9 | 2 | 0 | 2 | 2 | 1 | 7 |" in out
    assert out.count("\n| --- |") == 4
    assert not any("\u4e00" <= mark <= "\u9fff" for mark in out)


def fill(workspace: Workspace) -> None:
    """Record tables as the steps of an experiment do."""
    with workspace.lease():
        for label, (kind, rows) in tables().items():
            keep(workspace, f"{label}{DATA}]", workspace.write_rows(kind, rows))
        for system, outputs in zip(cell_findings.SYSTEMS, said().rows, strict=True):
            made = ({"score": 0.0, "steps": [], **row} for row in outputs)
            ref = workspace.write_rows("translations", [pick(row, TRANSLATION) for row in made])
            keep(workspace, f"translate tiny-test {system} [{DATA}/{system}/1]", ref)


TRANSLATION = ("sentence_id", "source_words", "words", "score", "steps", "slots", "uses")


def pick(row: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


def keep(workspace: Workspace, label: str, ref: ArtifactRef) -> None:
    workspace.ledger.append("run", {"label": label, "outputs": [ref.to_json()]})


def tables() -> dict[str, tuple[str, list[dict[str, Any]]]]:
    """Return what the steps before a translation write of the tiny example, by label."""
    maker, index = WordMaker(WordRecipe(), Lexicon()), HeldOutIndex([], 13)
    quality, training = [], []
    pairs = (TINY / "pairs.tsv").read_text("utf-8").splitlines()
    for at, (source, target, document) in enumerate(line.split("\t") for line in pairs):
        chinese, english = maker.chinese(source), normalise(target)
        words = chinese.words, maker.english(english)
        place = {"pair_id": f"{at:08}", "corpus": DATA, "document": document, "position": at}
        texts = chinese.text, english
        quality.append(place | measure((source, target), texts, words, index))
        training.append(
            {"sentence_id": f"{at:08}", "slots": []}
            | dict(zip(("source_words", "target_words"), words, strict=True))
        )
    lines = [
        {"sentence_id": row["sentence_id"], "testset": "tiny-test", "position": at}
        | {"source": "".join(row["source_words"]), "references": [" ".join(words)]}
        for at, (row, words) in enumerate(zip(tagged_lines(), references(), strict=True))
    ]
    return {
        "quality tiny 1/1 [": ("quality", quality),
        "tag training 1/1 [": ("tagged", training),
        "testset tiny-test [": ("test_lines", lines),
    }
