"""Sheets for reviewers: written, filled in by people and by their programs, and read back."""

import csv
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.errors import InputError
from tasks.readers.review_sheet import COLUMNS, SheetDecision, read_sheet, write_sheet

ROW = {
    "source": "利率",
    "target": "interest rates",
    "category": "term",
    "state": "active",
    "reliability": 0.8125,
    "occurrences": 12,
}


@pytest.fixture(params=[".csv", ".xlsx"])
def sheet(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / f"sheet{request.param}"


def test_a_sheet_that_nobody_filled_in_decides_nothing(sheet: Path) -> None:
    write_sheet(sheet, [ROW, ROW])
    assert list(read_sheet(sheet)) == []


def test_what_was_filled_in_is_read(sheet: Path) -> None:
    rows: list[dict[str, Any]] = [
        {**ROW, "decision": "Accept"},
        ROW,
        {**ROW, "decision": "replace", "replacement": "interest rate", "reason": "singular"},
    ]
    write_sheet(sheet, rows)
    assert list(read_sheet(sheet)) == [
        SheetDecision(2, "accept", "利率", "interest rates", "", "term", ""),
        SheetDecision(4, "replace", "利率", "interest rates", "interest rate", "term", "singular"),
    ]


@pytest.mark.parametrize("text", ["=1+1", "+86", "-5", "@home", "'quoted'", "a\nb", 'say "x", y'])
def test_text_stays_text(sheet: Path, text: str) -> None:
    write_sheet(sheet, [{**ROW, "decision": "reject", "target": text}])
    assert [row.target for row in read_sheet(sheet)] == [text]


def test_a_spreadsheet_sees_no_formula(tmp_path: Path) -> None:
    path = tmp_path / "sheet.xlsx"
    write_sheet(path, [{**ROW, "target": "=1+1"}])
    cell = openpyxl.load_workbook(path).worksheets[0].cell(2, 1 + COLUMNS.index("target"))
    assert (cell.value, cell.data_type) == ("=1+1", "s")
    write_sheet(tmp_path / "sheet.csv", [{**ROW, "target": "=1+1"}])
    assert "'=1+1" in (tmp_path / "sheet.csv").read_text(encoding="utf-8-sig")


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)


@given(st.lists(st.tuples(WORDS, WORDS), max_size=5))
@settings(deadline=None, max_examples=40)
def test_written_sheets_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]
) -> None:
    for ending in (".csv", ".xlsx"):
        path = tmp_path_factory.mktemp("sheet") / f"sheet{ending}"
        rows = [{"source": a, "target": b, "decision": "accept"} for a, b in texts]
        write_sheet(path, rows)
        assert [(row.source, row.target) for row in read_sheet(path)] == texts


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_columns_may_move_and_delimiters_differ(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "moved.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, delimiter=delimiter)
        writer.writerows([["Target", "note", "Source", "Decision"], ["bank", "", "银行", "reject"]])
    [row] = read_sheet(path)
    assert (row.source, row.target, row.word, row.category) == ("银行", "bank", "reject", "term")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decision": "maybe"}, "row 2: the decision is 'maybe'; expected accept, reject, replace"),
        ({"decision": "accept", "target": ""}, "row 2: source or target is empty"),
        ({"decision": "replace"}, "row 2: the decision is replace and the replacement is ''"),
        ({"decision": "accept", "replacement": "x"}, "only with it"),
        ({"decision": "accept", "category": "place"}, "row 2: the category is 'place'"),
    ],
)
def test_a_row_that_makes_no_sense_is_named(
    sheet: Path, changes: dict[str, str], message: str
) -> None:
    write_sheet(sheet, [{**ROW, **changes}])
    with pytest.raises(InputError, match=message):
        list(read_sheet(sheet))


def test_files_that_are_no_sheets_are_refused(tmp_path: Path) -> None:
    for name, data, message in (
        ("a.csv", b"one,two\n", "expected the columns decision, source, target"),
        ("b.csv", "决定".encode("gb18030"), "expected UTF-8"),
        ("c.xlsx", b"no workbook", "no XLSX workbook"),
        ("d.txt", b"", "ends with .csv or .xlsx"),
        ("e.csv", b"", "decision and source and target not found"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match=message):
            list(read_sheet(tmp_path / name))
    with pytest.raises(InputError, match="no such file"):
        list(read_sheet(tmp_path / "none.xlsx"))
