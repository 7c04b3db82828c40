"""Gold links of some sentences, kept without their text."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import InputError
from tasks.metrics.alignment_error import GoldLinks
from tasks.metrics.gold_of_some import (
    expect_lines,
    is_of_some,
    on_words,
    read_linked_sentences,
    text_digest,
)

TEXTS = ("中央银行说。", "The central bank said .")
ROW = {
    "line": 3,
    "text": text_digest(*TEXTS),
    "source": [4, 1, 1],
    "target": [3, 7, 4, 4, 1],
    "links": "0-1 0-2 0-p-0 1-3 2-4",
}


def read(*rows: Any) -> Any:
    lines = [(number, row if isinstance(row, str) else json.dumps(row))
             for number, row in enumerate(rows, start=1)]  # fmt: skip
    return read_linked_sentences(lines, "links.jsonl")


def test_links_come_to_words_of_another_cut_by_their_characters() -> None:
    (linked,) = read(ROW)
    cut = ["中央", "银行", "说", "。"], ["the", "central", "bank", "said."]
    assert on_words(linked, TEXTS, cut) == GoldLinks(
        frozenset({(0, 1), (1, 1), (0, 2), (1, 2), (2, 3), (3, 3)}), frozenset({(0, 0), (1, 0)})
    )


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6), st.data())
def test_links_come_back_from_words_of_the_same_cut(lengths: list[int], data: Any) -> None:
    words = ["字" * length for length in lengths]
    places = st.tuples(*(st.integers(0, len(lengths) - 1) for _ in range(2)))
    sure = data.draw(st.frozensets(places))
    text = "".join(words)
    row = {"line": 1, "text": text_digest(text, text), "source": lengths, "target": lengths,
           "links": " ".join(f"{i}-{j}" for i, j in sure)}  # fmt: skip
    (linked,) = read(row)
    assert on_words(linked, (text, text), (words, words)) == GoldLinks(sure, frozenset())


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("  中央银行 说。", "THE  central bank said."),
        ("中央銀行説。", None),
    ],
)
def test_the_digest_is_of_characters_without_blanks_and_case(source: str, target: str | None
                                                             ) -> None:  # fmt: skip
    same = target is not None
    assert (text_digest(source, target or TEXTS[1]) == ROW["text"]) is same


def test_another_text_is_told_with_what_to_do() -> None:
    (linked,) = read(ROW)
    with pytest.raises(
        InputError, match=r"links.jsonl, line 1: line 3 of the test set has .* Take "
    ):
        on_words(linked, ("中央银行问。", TEXTS[1]), (["中央银行", "问", "。"], []))
    with pytest.raises(InputError, match="6 characters and the sentence has 5.*text.script"):
        on_words(linked, TEXTS, (["中央银行", "说"], TEXTS[1].split()))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["{"], "line 1: not JSON"),
        (["[1]"], "line 1: expected"),
        ([ROW, ROW], "line 2: line 3 of the text has its links already .links.jsonl, line 1"),
        ([ROW | {"links": "0-5"}], "line 1: the link 0-5 lies outside"),
        ([ROW | {"links": "0+1"}], "line 1: expected links such as"),
        ([ROW | {"line": 0}], "line 1: expected"),
        ([ROW | {"line": True}], "line 1: expected"),
        ([ROW | {"source": [2, -1]}], "line 1: expected"),
        ([ROW | {"target": "345"}], "line 1: expected"),
        *(([{k: v for k, v in ROW.items() if k != key}], "line 1: expected") for key in ROW),
    ],
)
def test_a_damaged_file_is_told(rows: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(*rows)


def test_lines_that_are_not_there_are_told() -> None:
    expect_lines(read(ROW), [1, 2, 3])
    with pytest.raises(InputError, match="line 1: the links are of line 3, which the test set of"):
        expect_lines(read(ROW), [1, 2])


@pytest.mark.parametrize(
    ("lines", "expected"),
    [([], False), (["", " "], False), (["0-1"], False), (["", '{"line": 1}'], True)],
)
def test_the_form_of_a_file_is_seen(lines: list[str], expected: bool) -> None:
    assert is_of_some(list(enumerate(lines, start=1))) is expected
