"""Worksheets: drawn by seed, blind, and read back with the sides lifted."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import InputError
from tasks.rating.rating_page import rating_page
from tasks.rating.returned import Returned, rated_items, rater_of
from tasks.rating.worksheet import Compared, Item, Key, OutputPair, draw_worksheet
from tasks.readers.rating_files import COLUMNS, read_returned, write_sheet
from tasks.readers.rating_key import key_path, read_key, write_key
from tasks.readers.sheets import read_cells, write_cells

COMPARED = Compared("news", "plain-system", "phrase-system", "d1", "d2")


def pairs(number: int) -> list[OutputPair]:
    return [
        OutputPair(
            sentence_id=f"s{index}",
            source=f"第{index}句",
            baseline=f"plain {index}",
            system=f"phrases {index}",
        )
        for index in range(number)
    ]


def draw(number: int = 40, *, seed: int = 1, sentences: int = 40) -> tuple[Key, list[Item]]:
    return draw_worksheet(pairs(sentences), COMPARED, num_sentences=number, seed=seed)


def test_the_draw_follows_from_the_seed_and_not_from_the_order() -> None:
    key, items = draw()
    shuffled = draw_worksheet(pairs(40)[::-1], COMPARED, num_sentences=40, seed=1)
    assert shuffled == (key, items)
    assert draw(seed=2)[0].places != key.places
    assert draw(seed=2)[0].worksheet != key.worksheet


def test_every_sentence_is_drawn_once_and_sides_are_mixed() -> None:
    key, items = draw(200, sentences=200)
    assert sorted(place for place, _ in key.places) == sorted(f"s{i}" for i in range(200))
    firsts = Counter(first for _, first in key.places)
    assert min(firsts.values()) > 70
    for item, (sentence_id, first) in zip(items, key.places, strict=True):
        number = sentence_id[1:]
        shown = {"baseline": f"plain {number}", "system": f"phrases {number}"}
        assert item.first == shown[first]
        assert {item.first, item.second} == set(shown.values())
        assert item.source == f"第{number}句"


def test_a_smaller_draw_is_the_beginning_of_a_larger_one() -> None:
    assert draw(10)[1] == draw(40)[1][:10]


def test_nothing_to_rate_is_told() -> None:
    with pytest.raises(InputError, match="no sentence to rate"):
        draw_worksheet([], COMPARED, num_sentences=5, seed=1)


def test_raters_see_neither_names_nor_ids(tmp_path: Path) -> None:
    key, items = draw()
    write_sheet(tmp_path / "sheet.csv", items, key.worksheet)
    for text in (
        rating_page(items, key.worksheet),
        (tmp_path / "sheet.csv").read_text(encoding="utf-8-sig"),
    ):
        assert "plain-system" not in text
        assert "phrase-system" not in text
        assert "s17" not in text


def returned(key: Key, answers: dict[int, tuple[str, str]]) -> Returned:
    rows = tuple(
        {"number": str(number), "adequacy": adequacy, "fluency": fluency, "comment": ""}
        for number, (adequacy, fluency) in answers.items()
    )
    return Returned(key.worksheet, "Lin", rows, "lin.json")


@given(st.data())
def test_lifting_the_sides_says_whose_translation_was_preferred(data: st.DataObject) -> None:
    key, items = draw(12)
    wanted = {
        number: data.draw(st.sampled_from(["baseline", "system", "="])) for number in range(1, 13)
    }
    answers = {}
    for number, preferred in wanted.items():
        first = key.places[number - 1][1]
        side = preferred if preferred == "=" else "A" if preferred == first else "B"
        answers[number] = (side, "=")
    values = {"baseline": -1, "=": 0, "system": 1}
    for rating in rated_items(returned(key, answers), key):
        assert rating.answers == {"adequacy": values[wanted[rating.number]], "fluency": 0}
        assert rating.sentence_id == key.places[rating.number - 1][0]


def test_what_was_not_rated_is_left_out() -> None:
    key, _ = draw()
    (rating,) = rated_items(returned(key, {3: ("", "b"), 4: ("", "")}), key)
    assert rating.number == 3
    assert rating.answers["adequacy"] is None
    assert rating.answers["fluency"] in (-1, 1)


@pytest.mark.parametrize(
    ("number", "answer", "message"),
    [("41", "A", "from 1 to 40"), ("x", "A", "from 1 to 40"), ("2", "C", "expected A, = or B")],
)
def test_odd_rows_are_refused(number: str, answer: str, message: str) -> None:
    key, _ = draw()
    row = {"number": number, "adequacy": answer, "fluency": "", "comment": ""}
    with pytest.raises(InputError, match=message):
        rated_items(Returned(key.worksheet, "Lin", (row,), "f"), key)


def test_an_item_that_is_rated_twice_is_refused() -> None:
    key, _ = draw()
    row = {"number": "2", "adequacy": "A", "fluency": "A", "comment": ""}
    with pytest.raises(InputError, match="item 2: this item is rated twice"):
        rated_items(Returned(key.worksheet, "Lin", (row, row), "f"), key)
    with pytest.raises(InputError, match="no item is rated"):
        rated_items(Returned(key.worksheet, "Lin", (), "f"), key)


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_a_filled_in_sheet_is_read(tmp_path: Path, ending: str) -> None:
    key, items = draw(3)
    path = tmp_path / f"sheet{ending}"
    write_sheet(path, items, key.worksheet)
    rows = list(read_cells(path))
    rows[2][COLUMNS.index("adequacy")] = "="
    rows[2][COLUMNS.index("comment")] = "=same"
    write_cells(path, rows, title="x")
    read = read_returned(path)
    assert (read.worksheet, read.rater) == (key.worksheet, "")
    (rating,) = rated_items(read, key)
    assert (rating.number, rating.answers["adequacy"], rating.comment) == (2, 0, "=same")
    with pytest.raises(InputError, match="Name the rater with --rater"):
        rater_of(read, "")


def test_a_sheet_of_two_worksheets_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    header = ["number", "adequacy", "fluency", "worksheet"]
    write_cells(path, [header, ["1", "A", "A", "w1"], ["2", "A", "A", "w2"]], title="x")
    with pytest.raises(InputError, match="found 2: w1, w2"):
        read_returned(path)
    write_cells(path, [["number", "adequacy"]], title="x")
    with pytest.raises(InputError, match="fluency and worksheet not found"):
        read_returned(path)


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"worksheet": 1}', b"\xff", b"[" * 9999])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ratings.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match="expected a JSON object"):
        read_returned(path)
    with pytest.raises(InputError, match="expected the key of a worksheet"):
        read_key(path)
    with pytest.raises(InputError, match="no such file"):
        read_returned(tmp_path / "none.json")


def test_a_key_is_kept_beside_its_worksheet(tmp_path: Path) -> None:
    key, _ = draw()
    path = key_path(tmp_path / "rate.html")
    write_key(path, key)
    assert path.name == "rate.html.key.json"
    assert read_key(path) == key
    rows = json.loads(path.read_text())
    path.write_text(json.dumps(rows[1:]))
    with pytest.raises(InputError, match="expected the key"):
        read_key(path)
    with pytest.raises(InputError, match="Give the key that was written with that worksheet"):
        key.must_fit("other", "lin.json")
