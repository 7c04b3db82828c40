"""Words are made of every pair, but not of a text that will be dropped for its length alone."""

from pathlib import Path
from typing import Any

import pytest

from storage.errors import ConfigError
from storage.workspace import Workspace, open_workspace
from tasks.prepare import words
from tasks.recipe import WordRecipe
from tasks.text.clean import why_drop
from tasks.text.config import MOST_CHARACTERS, TextConfig
from tasks.text.lexicon import LEXICON_FILE, Lexicon
from tasks.text.overlap import HeldOutIndex
from tasks.text.quality import measure
from tasks.word_maker import ChineseWords, WordMaker

ORDINARY = ("他在2003年给了三百名学生五万元。", "In 2003 he gave 50,000 yuan to 300 students.")
FAR_TOO_LONG = [
    ("三百名，" * (MOST_CHARACTERS // 4 + 1), "300"),
    ("三百名学生", "1, " * (MOST_CHARACTERS // 3 + 2)),
]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return open_workspace(tmp_path / "workspace")


def cut(workspace: Workspace, kind: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    lexicon = workspace.write_bundle("lexicon", {LEXICON_FILE: Lexicon().to_bytes()})
    raw = workspace.write_rows(kind, rows)
    made = words.function(workspace, raw=raw, lexicon=lexicon, recipe=WordRecipe())
    return list(workspace.read_rows(made))


def raw_pairs(*texts: tuple[str, str]) -> list[dict[str, Any]]:
    place = {"corpus": "made-up", "document": "d", "file": "f", "licence": "CC0-1.0"}
    return [
        {**place, "pair_id": f"{at:04}", "position": at, "line": at + 1}
        | {"source": source, "target": target}
        for at, (source, target) in enumerate(texts)
    ]


def made_alone(source: str) -> ChineseWords:
    return WordMaker(WordRecipe(), Lexicon()).chinese(source)


def test_a_text_that_is_far_too_long_is_neither_read_by_rules_nor_segmented(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, asked = made_alone(ORDINARY[0]), []

    def chinese(self: WordMaker, raw: str) -> ChineseWords:
        asked.append(raw)
        return made_alone_before(self, raw)

    made_alone_before = WordMaker.chinese
    monkeypatch.setattr(WordMaker, "chinese", chinese)
    rows = cut(workspace, "raw_pairs", raw_pairs(FAR_TOO_LONG[0], ORDINARY, FAR_TOO_LONG[1]))
    assert asked == [ORDINARY[0]]
    assert rows[1]["source_words"] == expected.words
    assert [row["target_words"][:2] for row in rows] == [["300"], ["in", "2003"], ["1,", "1,"]]


@pytest.mark.parametrize("texts", FAR_TOO_LONG)
def test_its_pair_is_dropped_as_too_long_and_its_numbers_are_not_compared(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, texts: tuple[str, str]
) -> None:
    (row,) = cut(workspace, "raw_pairs", raw_pairs(texts))
    monkeypatch.setattr("tasks.text.quality.clash", None)
    monkeypatch.setattr("tasks.text.quality.english_permille", None)
    sides = (row["source"], row["target"]), (row["source_words"], row["target_words"])
    config = TextConfig(max_characters=MOST_CHARACTERS, max_words=10**9)
    assert why_drop(measure(texts, *sides, HeldOutIndex([], 13)), config) == "too_long"


def test_blanks_make_no_text_long(workspace: Workspace) -> None:
    padded = ORDINARY[0] + " " * (2 * MOST_CHARACTERS), "\t" * (2 * MOST_CHARACTERS) + ORDINARY[1]
    plain, spread = cut(workspace, "raw_pairs", raw_pairs(ORDINARY, padded))
    names = ("source", "target", "source_words", "target_words", "rules", "script")
    assert {name: spread[name] for name in names} == {name: plain[name] for name in names}


def test_a_line_of_a_test_set_is_always_cut(workspace: Workspace) -> None:
    source = "三百名，" * (MOST_CHARACTERS // 4 + 1)
    line = {"sentence_id": "0", "testset": "t", "position": 0, "source": source, "references": []}
    (row,) = cut(workspace, "test_lines", [line])
    assert row["source_words"][:4] == made_alone("三百名，三百").words[:4]
    assert row["rules"]


def test_a_limit_beyond_what_is_measured_is_refused() -> None:
    TextConfig(max_characters=MOST_CHARACTERS)
    with pytest.raises(ConfigError, match=r"text\.max_characters is 100001; it must be 100000 or"):
        TextConfig(max_characters=MOST_CHARACTERS + 1)
