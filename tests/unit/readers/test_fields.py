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


@pytest.mark.parametrize("name", ["a.parquet", "a.arrows"])
@pytest.mark.parametrize("in_dictionary", [False, True])
def test_a_text_that_is_no_utf8_is_a_fault_of_its_row(
    tmp_path: Path, name: str, in_dictionary: bool
) -> None:
    offsets = pa.array([0, 2, 5], pa.int32()).buffers()[1]
    broken = pa.StringArray.from_buffers(2, offsets, pa.py_buffer(b"\xff\xfe\xe9\x9b\xa8"))
    column = (
        pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), broken)
        if in_dictionary
        else broken
    )
    path = write_table(tmp_path / name, pa.table({"source": column, "target": ["a", "rain"]}))
    bad, good = read_table(path, kind_of(path), ("source", "target", ""))
    assert isinstance(bad, SetAside)
    assert (bad.line, bad.reason, bad.text) == (1, "encoding", "\\xff\\xfe")
    assert "row 1: expected UTF-8" in bad.fault
    assert good == RawPair("雨", "rain", "", 2)


def test_texts_that_the_table_calls_bytes_are_texts(tmp_path: Path) -> None:
    table = pa.table({"source": ["雨".encode(), None], "target": [b"rain", b"snow"]})
    path = write_table(tmp_path / "a.parquet", table)
    assert list(read_table(path, "parquet", ("source", "target", ""))) == [
        RawPair("雨", "rain", "", 1),
        RawPair("", "snow", "", 2),
    ]


def test_a_name_that_two_columns_have_is_refused(tmp_path: Path) -> None:
    table = pa.table([pa.array(["雨"]), pa.array(["雪"]), pa.array(["a"])], ["zh", "zh", "en"])
    path = write_table(tmp_path / "a.parquet", table)
    with pytest.raises(InputError, match="2 columns are named 'zh'"):
        list(read_table(path, "parquet", ("zh", "en", "")))


def test_a_text_that_ends_outside_of_its_memory_is_refused(tmp_path: Path) -> None:
    offsets = pa.array([0, 1 << 20, 5], pa.int32()).buffers()[1]
    broken = pa.StringArray.from_buffers(2, offsets, pa.py_buffer(b"abcde"))
    path = tmp_path / "a.arrows"
    table = pa.table({"source": broken, "target": ["a", "b"]})
    with ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(InputError, match="not a readable file of format arrow"):
        list(read_table(path, "arrow", ("source", "target", "")))


def test_an_index_outside_of_its_dictionary_is_refused(tmp_path: Path) -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 9]), ["雨"], safe=False)
    path = write_table(tmp_path / "a.arrows", pa.table({"source": column, "target": ["a", "b"]}))
    with pytest.raises(InputError, match="outside of its dictionary"):
        list(read_table(path, "arrow", ("source", "target", "")))


def test_a_damaged_page_of_parquet_is_one_error(tmp_path: Path) -> None:
    path = write_table(
        tmp_path / "a.parquet", pa.table({"source": ["雨"] * 99, "target": ["a"] * 99})
    )
    data = path.read_bytes()
    path.write_bytes(data[:4] + b"\x5a" * 40 + data[44:])
    with pytest.raises(InputError, match="not a readable file of format parquet"):
        list(read_table(path, "parquet", ("source", "target", "")))
