"""Dictionaries that are not what their format says: shown, counted, and never a crash."""

from pathlib import Path
from typing import Any

import pytest

from storage.errors import InputError
from tasks.readers.entries import DictionaryEntry
from tasks.readers.records import SetAside
from tests.reader_files import dictionary_records as records


def reasons(folder: Path, content: str, **settings: Any) -> list[tuple[int, str]]:
    found = records(folder, content, **settings)
    return [(item.line, item.reason) for item in found if isinstance(item, SetAside)]


def test_rows_that_a_quote_swallows_are_shown_and_counted_as_one(tmp_path: Path) -> None:
    content = '甲,a\n"乙,b\n丙,c\n'
    found = records(tmp_path, content, format="csv", on_bad_line="drop")
    assert [(item.line, getattr(item, "text", "")) for item in found] == [
        (1, ""),
        (2, '"乙,b\n丙,c'),
    ]
    with pytest.raises(InputError, match=r"line 2: .*'\"乙,b', which takes all up to line 3"):
        records(tmp_path, content, format="csv")


def test_a_category_may_be_capitalised(tmp_path: Path) -> None:
    content = "宁川\tNingchuan\tLocation\n"
    columns = ("source", "target", "category")
    assert records(tmp_path, content, columns=columns) == [
        DictionaryEntry("宁川", "Ningchuan", "location", 1)
    ]


@pytest.mark.parametrize("value", ["5", '"abc"', "true", "null", "[1]", '{"\\ud800": ["a"]}'])
def test_terms_that_are_no_dictionary_of_texts_are_a_fault(tmp_path: Path, value: str) -> None:
    content = f'{{"proper": {value}}}\n{{"proper": []}}\n'
    settings: dict[str, Any] = {"format": "terms-json", "on_bad_line": "drop"}
    assert reasons(tmp_path, content, **settings) == [(1, "fields")]


def test_a_term_without_translations_says_so(tmp_path: Path) -> None:
    content = '{"proper": {"雨": [], "rain": []}}\n'
    expected = [(1, "no_translation"), (1, "no_translation")]
    assert reasons(tmp_path, content, format="terms-json") == expected
