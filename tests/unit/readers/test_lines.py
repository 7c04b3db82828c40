"""Line-based corpora: only LF ends a line, nothing is quoted, and nothing shifts."""

from pathlib import Path

import pytest

from storage.errors import InputError
from tasks.readers.lines import RawPair, count_lines, read_lines, read_parallel, read_tsv


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def lines_of(path: Path) -> list[tuple[int, str]]:
    return list(read_lines(path))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\r\r\n", ["a\r"]),
        ("a\rb\n", ["a\rb"]),
        ("\ufeffa\n\ufeffb\n", ["a", "b"]),
        ("a\ufeffb\n", ["a\ufeffb"]),
        ("a\u2028b\u0085c\x0bd\x1ce\nf\n", ["a\u2028b\u0085c\x0bd\x1ce", "f"]),
    ],
)
def test_only_line_feeds_end_a_line(tmp_path: Path, content: str, expected: list[str]) -> None:
    path = write(tmp_path, "text", content)
    assert lines_of(path) == list(enumerate(expected, start=1))
    assert count_lines(path) == len(expected)


def test_invalid_utf8_is_refused_with_file_line_and_remedy(tmp_path: Path) -> None:
    path = write(tmp_path, "old.txt", "好\n".encode() + "旧\n".encode("gb18030"))
    with pytest.raises(InputError) as caught:
        lines_of(path)
    message = str(caught.value)
    assert message.startswith(f"{path}, line 2: expected UTF-8, found the byte 0xbe at byte 1")
    assert "iconv -f GB18030 -t UTF-8 old.txt" in message


def test_utf16_is_recognised(tmp_path: Path) -> None:
    path = write(tmp_path, "wide.txt", "好\n".encode("utf-16"))
    with pytest.raises(InputError, match="iconv -f UTF-16 "):
        lines_of(path)


def test_quotes_are_plain_characters_and_swallow_no_row(tmp_path: Path) -> None:
    rows = ['"天气\tweather', "“好\tgood", '坏"\t"bad', "雨\t“rain"]
    path = write(tmp_path, "quotes.tsv", "\n".join(rows))
    assert list(read_tsv(path)) == [
        RawPair('"天气', "weather", "", 1),
        RawPair("“好", "good", "", 2),
        RawPair('坏"', '"bad', "", 3),
        RawPair("雨", "“rain", "", 4),
    ]


def test_columns_are_found_by_the_names_they_are_given(tmp_path: Path) -> None:
    path = write(tmp_path, "columns.tsv", "id\ten\tzh\tlaw\n7\thi\t好\tA1\n")
    columns = ("number", "target", "source", "document")
    assert list(read_tsv(path, columns=columns, header=True)) == [RawPair("好", "hi", "A1", 2)]


def test_empty_sides_and_blank_lines_come_through(tmp_path: Path) -> None:
    path = write(tmp_path, "empty.tsv", "\n好\tgood\td\n\tx\td\n  \n坏\t\td\n")
    assert list(read_tsv(path)) == [
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
        list(read_tsv(path))
    message = str(caught.value)
    assert message.startswith(
        f"{path}, line {line}: expected {expected} tab-separated columns (source, target"
    )
    assert f"found {found}: " in message
    assert "Fix the line, or set corpus.columns" in message


@pytest.mark.parametrize("content", ["", "\n\n", "source\ttarget\n"])
def test_a_corpus_without_pairs_is_refused(tmp_path: Path, content: str) -> None:
    path = write(tmp_path, "none.tsv", content)
    with pytest.raises(InputError, match="expected at least one sentence pair"):
        list(read_tsv(path, header=True))


def test_columns_without_a_target_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "a.tsv", "好\tgood\n")
    with pytest.raises(InputError, match="expected 'target' exactly once"):
        list(read_tsv(path, columns=("source", "document")))


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
    assert [pair.document for pair in pairs] == ["one", "two"]


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


def test_two_empty_files_are_refused(tmp_path: Path) -> None:
    source, target = write(tmp_path, "a.zh", ""), write(tmp_path, "a.en", "")
    with pytest.raises(InputError, match="expected at least one sentence pair"):
        next(read_parallel(source, target))
