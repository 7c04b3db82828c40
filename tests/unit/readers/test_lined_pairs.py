"""Tab-separated and line-parallel pairs: nothing is quoted, and nothing shifts."""

from pathlib import Path
from typing import Any

import pytest

from storage.errors import InputError
from tasks.readers.parallel import parallel_lines, read_parallel
from tasks.readers.records import RawPair, Record, SetAside, stop_at_faults
from tasks.readers.tsv import ColumnNames, read_tsv


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def strictly(path: Path, names: ColumnNames | None = None) -> list[Record]:
    return list(stop_at_faults(read_tsv(path, names or ColumnNames())))


def test_quotes_are_plain_characters_and_swallow_no_row(tmp_path: Path) -> None:
    rows = ['"天气\tweather', "“好\tgood", '坏"\t"bad', "雨\t“rain"]
    path = write(tmp_path, "quotes.tsv", "\n".join(rows))
    assert strictly(path) == [
        RawPair('"天气', "weather", "", 1),
        RawPair("“好", "good", "", 2),
        RawPair('坏"', '"bad', "", 3),
        RawPair("雨", "“rain", "", 4),
    ]


def test_columns_are_found_by_the_names_they_are_given(tmp_path: Path) -> None:
    path = write(tmp_path, "columns.tsv", "id\ten\tzh\tlaw\n7\thi\t好\tA1\n")
    columns = ("number", "target", "source", "document")
    assert strictly(path, ColumnNames(columns=columns, header=True)) == [
        RawPair("好", "hi", "A1", 2)
    ]


def test_empty_sides_and_blank_lines_come_through(tmp_path: Path) -> None:
    path = write(tmp_path, "empty.tsv", "\n好\tgood\td\n\tx\td\n  \n坏\t\td\n")
    assert strictly(path) == [
        RawPair("", "", "", 1),
        RawPair("好", "good", "d", 2),
        RawPair("", "x", "d", 3),
        RawPair("", "", "", 4),
        RawPair("坏", "", "d", 5),
    ]


@pytest.mark.parametrize(
    ("content", "line", "expected", "found"),
    [
        ("好 good\n", 1, 2, 1),
        ("好\tgood\n坏 bad\n", 2, 2, 1),
        ("好\tgood\n坏\tbad\t\n", 2, 2, 3),
        ("好\tgood\tA\n坏\tbad\n", 2, 3, 2),
    ],
)
def test_a_row_with_other_columns_than_the_first_is_refused(
    tmp_path: Path, content: str, line: int, expected: int, found: int
) -> None:
    path = write(tmp_path, "bad.tsv", content)
    with pytest.raises(InputError) as caught:
        strictly(path)
    message = str(caught.value)
    assert message.startswith(
        f"{path}, line {line}: expected {expected} tab-separated columns (source, target"
    )
    assert f"found {found}: " in message
    assert "Fix the line, or set corpus.columns" in message


def test_parallel_lines_are_paired_by_number_also_where_one_is_empty(tmp_path: Path) -> None:
    source = write(tmp_path, "a.zh", "甲\n\n丙\u2028丁\n")
    target = write(tmp_path, "a.en", "a\r\nb\r\nc\r\n")
    assert list(read_parallel(source, target)) == [
        RawPair("甲", "a", "", 1),
        RawPair("", "b", "", 2),
        RawPair("丙\u2028丁", "c", "", 3),
    ]


def test_a_third_file_names_the_documents(tmp_path: Path) -> None:
    source, target = write(tmp_path, "a.zh", "甲\n乙\n"), write(tmp_path, "a.en", "a\nb\n")
    documents = write(tmp_path, "a.doc", "one\ntwo\n")
    pairs = read_parallel(source, target, document_path=documents)
    assert [pair.document for pair in pairs if isinstance(pair, RawPair)] == ["one", "two"]


def test_unequal_files_are_refused_before_the_first_pair(tmp_path: Path) -> None:
    source = write(tmp_path, "a.zh", "甲\n乙\n丙\n")
    target = write(tmp_path, "a.en", "a\nb\n")
    with pytest.raises(InputError) as caught:
        next(read_parallel(source, target))
    message = str(caught.value)
    assert f"{source} has 3 lines but {target} has 2" in message
    assert "the last line that both have is 2: '乙' and 'b'" in message


def test_unequal_documents_are_refused(tmp_path: Path) -> None:
    source, target = write(tmp_path, "a.zh", "甲\n乙\n"), write(tmp_path, "a.en", "a\nb\n")
    documents = write(tmp_path, "a.doc", "one\n")
    with pytest.raises(InputError, match=r"has 2 lines but .*a\.doc has 1"):
        next(read_parallel(source, target, document_path=documents))


def test_a_leading_quote_swallows_no_later_row(tmp_path: Path) -> None:
    rows = [f"{'“' if index % 7 == 0 else ''}句{index}\ts{index}" for index in range(20)]
    rows[1], rows[8], rows[15] = f'"{rows[1]}', f'{rows[8]}"', f'"{rows[15]}"'
    path = write(tmp_path, "quotes.tsv", "\n".join(rows) + "\n")
    read = strictly(path)
    assert len(read) == len(rows)
    assert read[1] == RawPair('"句1', "s1", "", 2)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (ColumnNames(source="3", target="2"), ("乙", "b")),
        (ColumnNames(source="3", target="2", document="1"), ("乙", "b")),
    ],
)
def test_columns_are_found_by_number(
    tmp_path: Path, names: ColumnNames, expected: tuple[str, str]
) -> None:
    path = write(tmp_path, "a.tsv", "doc\tb\t乙\n")
    (pair,) = strictly(path, names)
    assert pair == RawPair(*expected, "doc" if names.document else "", 1)


def test_columns_are_found_by_the_names_of_the_header(tmp_path: Path) -> None:
    path = write(tmp_path, "a.tsv", "\ufeffid\ten \tzh\r\n7\tb\t乙\r\n")
    names = ColumnNames(header=True, source="zh", target="en", document="id")
    assert strictly(path, names) == [RawPair("乙", "b", "7", 2)]


@pytest.mark.parametrize(("header", "known"), [(True, "'id', 'en'"), (False, "no header")])
def test_a_column_that_is_not_there_is_refused_with_those_that_are(
    tmp_path: Path, header: bool, known: str
) -> None:
    path = write(tmp_path, "a.tsv", "id\ten\n1\tb\n")
    names = ColumnNames(header=header, source="zh", target="2")
    with pytest.raises(InputError, match=f"source_column is 'zh'; expected .*{known}"):
        strictly(path, names)


def test_bad_lines_are_set_aside_with_their_text_and_the_rest_is_read(tmp_path: Path) -> None:
    lines = ["甲\ta", "乙\tb\tc", "丙", "丁\td"]
    content = "\n".join(lines).encode() + b"\n" + "戊\te\n".encode("gb18030")
    records = list(read_tsv(write(tmp_path, "a.tsv", content)))
    assert [record for record in records if isinstance(record, RawPair)] == [
        RawPair("甲", "a", "", 1),
        RawPair("丁", "d", "", 4),
    ]
    aside = [record for record in records if isinstance(record, SetAside)]
    assert [(record.line, record.reason) for record in aside] == [
        (2, "columns"),
        (3, "columns"),
        (5, "encoding"),
    ]
    assert aside[0].text == "乙\tb\tc"
    assert aside[2].text.endswith("\te\n")
    assert all('on_bad_line = "drop"' in record.fault for record in aside)


def test_of_parallel_lines_a_line_that_is_no_text_takes_its_partner_along(tmp_path: Path) -> None:
    source = write(tmp_path, "a.zh", "甲\n".encode() + "乙\n".encode("gb18030") + "丙\n".encode())
    target = write(tmp_path, "a.en", "a\nb\nc\n")
    first, aside, last = read_parallel(source, target)
    assert (first, last) == (RawPair("甲", "a", "", 1), RawPair("丙", "c", "", 3))
    assert isinstance(aside, SetAside)
    assert aside.reason == "encoding"
    with pytest.raises(InputError, match=r"a\.zh, line 2: expected UTF-8"):
        list(parallel_lines(source, target))


def test_parallel_lines_that_are_all_text_are_given_as_texts(tmp_path: Path) -> None:
    source, target = write(tmp_path, "a.zh", "甲\n\n"), write(tmp_path, "a.en", "a\nb")
    assert list(parallel_lines(source, target)) == [("甲", "a"), ("", "b")]


def test_a_name_that_two_columns_have_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "twice.tsv", "zh\ten\tzh\n雨\train\t雪\n")
    names = ColumnNames(header=True, source="zh", target="en")
    with pytest.raises(InputError, match=r"line 1: source_column is 'zh', and .* 2 columns so"):
        strictly(path, names)
    numbered = ColumnNames(header=True, source="3", target="en")
    assert strictly(path, numbered) == [RawPair("雪", "rain", "", 2)]


def test_a_document_name_that_is_no_text_is_a_fault_of_its_line(tmp_path: Path) -> None:
    source, target = write(tmp_path, "a.zh", "雨\n雪\n"), write(tmp_path, "a.en", "rain\nsnow\n")
    documents = write(tmp_path, "a.doc", b"\xff\nd2\n")
    bad, good = read_parallel(source, target, document_path=documents)
    assert isinstance(bad, SetAside)
    assert (bad.line, bad.reason) == (1, "encoding")
    assert good == RawPair("雪", "snow", "d2", 2)


@pytest.mark.parametrize(
    ("content", "encoding", "remedy", "absent"),
    [
        ("雨\train\n".encode("utf-16"), "utf-8", "iconv -f UTF-16", "Or set encoding"),
        ("雪\tsnow\n".encode("big5"), "utf-8", 'Or set encoding to "gb18030" or "big5"', "take"),
        ("\ufeff雨\train\n".encode(), "gb18030", "Take encoding out", "iconv"),
        (b"x" * (1 << 25), "utf-8", "more than 32 MiB", "encoding to"),
    ],
)
def test_the_remedy_for_a_line_that_is_no_text_fits_it(
    tmp_path: Path, content: bytes, encoding: Any, remedy: str, absent: str
) -> None:
    path = write(tmp_path, "a.tsv", content)
    names = ColumnNames(columns=("source", "target"))
    bad = next(iter(read_tsv(path, names, encoding)))
    assert isinstance(bad, SetAside)
    assert remedy in bad.fault
    assert absent not in bad.fault
