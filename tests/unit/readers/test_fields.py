"""JSON lines, Parquet and Arrow: columns by name or path, and one clear complaint."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather, ipc

from storage.errors import InputError
from tasks.readers.jsonl import read_jsonl
from tasks.readers.records import RawPair, SetAside
from tasks.readers.tables import read_table

ROWS: list[dict[str, Any]] = [
    {"translation": {"zh": "雨\u2028天", "en": "rain"}, "id": 7},
    {"translation": {"zh": "雪", "en": None}, "id": 8},
]
FIELDS = ("translation.zh", "translation.en", "id")
PAIRS = [RawPair("雨\u2028天", "rain", "7", 1), RawPair("雪", "", "8", 2)]


def jsonl(folder: Path, *lines: str) -> Path:
    path = folder / "pairs.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_table(path: Path, table: pa.Table) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    elif path.suffix == ".feather":
        feather.write_feather(table, path)
    else:
        with ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table)
    return path


def kind_of(path: Path) -> Any:
    return "parquet" if path.suffix == ".parquet" else "arrow"


def test_fields_of_json_are_found_by_path(tmp_path: Path) -> None:
    lines = [json.dumps(row, ensure_ascii=number == 0) for number, row in enumerate(ROWS)]
    assert list(read_jsonl(jsonl(tmp_path, *lines), FIELDS)) == PAIRS


def test_a_name_with_dots_is_a_name_before_it_is_a_path(tmp_path: Path) -> None:
    path = jsonl(tmp_path, '{"a.zh": "甲", "a": {"zh": "乙"}, "texts": ["x", "y"]}')
    assert list(read_jsonl(path, ("a.zh", "texts.1", ""))) == [RawPair("甲", "y", "", 1)]


@pytest.mark.parametrize(
    ("line", "reason", "message"),
    [
        ('{"zh": "甲"', "json", "not JSON"),
        ('{"zh": "甲"}', "fields", "there is no field 'en'; there are 'zh'"),
        ('{"zh": "甲", "en": ["a"]}', "fields", "expected a text at 'en', found a list"),
        ('{"zh": "甲", "en": true}', "fields", "expected a text at 'en', found a bool"),
        ('["甲", "a"]', "fields", "there is no field 'zh'"),
        ('{"zh": "\\ud800", "en": "a"}', "fields", "half a character"),
    ],
)
def test_a_line_that_is_no_pair_says_why(
    tmp_path: Path, line: str, reason: str, message: str
) -> None:
    path = jsonl(tmp_path, line, '{"zh": "乙", "en": "b"}')
    bad, good = read_jsonl(path, ("zh", "en", ""))
    assert isinstance(bad, SetAside)
    assert (bad.line, bad.reason) == (1, reason)
    assert message in bad.fault
    assert good == RawPair("乙", "b", "", 2)


@pytest.mark.parametrize("name", ["a.parquet", "a.feather", "a.arrows"])
def test_columns_of_tables_are_found_by_name_and_path(tmp_path: Path, name: str) -> None:
    path = write_table(tmp_path / name, pa.Table.from_pylist(ROWS))
    assert list(read_table(path, kind_of(path), FIELDS)) == PAIRS


@pytest.mark.parametrize("name", ["a.parquet", "a.feather"])
def test_texts_of_any_arrow_type_are_texts(tmp_path: Path, name: str) -> None:
    table = pa.table(
        {
            "zh": pa.array(["雨", "雨"]).dictionary_encode(),
            "en": pa.array(["rain", None], pa.large_string()),
        }
    )
    path = write_table(tmp_path / name, table)
    assert list(read_table(path, kind_of(path), ("zh", "en", ""))) == [
        RawPair("雨", "rain", "", 1),
        RawPair("雨", "", "", 2),
    ]


@pytest.mark.parametrize("name", ["a.parquet", "a.feather", "a.arrows"])
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (("zh", "english", ""), "there is no column 'english'; there are 'zh', 'score'"),
        (("zh", "score", ""), "column 'score' is of type double; expected texts"),
        (("zh", "zh.en", ""), "there is no column 'zh.en'"),
    ],
)
def test_a_column_that_is_missing_or_no_text_is_refused(
    tmp_path: Path, name: str, fields: tuple[str, str, str], message: str
) -> None:
    path = write_table(tmp_path / name, pa.table({"zh": ["雨"], "score": [0.5]}))
    with pytest.raises(InputError, match=message):
        list(read_table(path, kind_of(path), fields))


@pytest.mark.parametrize("name", ["a.parquet", "a.feather"])
def test_what_is_no_table_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("好\tgood\n")
    with pytest.raises(InputError, match="not a readable file of format"):
        list(read_table(path, kind_of(path), ("zh", "en", "")))
