"""Spans of a file, read one by one, are the file: no line is lost, doubled or numbered anew."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage.errors import InputError
from tasks.readers import lines
from tasks.readers.lines import count_lines, read_byte_lines
from tasks.readers.records import Record
from tasks.readers.spans import Span, cut, is_plain, numbered
from tasks.readers.tsv import ColumnNames, read_tsv

QUICK = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
ROWS = st.sampled_from(
    ["", " ", "\ufeff", "甲\ta\td", "乙\tb\te", "丙\tc", "a\tb\tc\td", "\t\t", "x\r", "a\tb\td\r\r"]
)  # fmt: skip
TEXTS = st.lists(st.one_of(ROWS.map(str.encode), st.just(b"\xff\xfe\ta")), max_size=12)
NAMES = st.sampled_from(
    [ColumnNames(), ColumnNames(header=True), ColumnNames(source="2", target="1", header=True)]
)


def spans_of(path: Path, number: int) -> list[Span]:
    spans = cut(path, number)
    return numbered(spans, [count_lines(path, span) for span in spans])


CONTENT = st.lists(st.sampled_from([b"\n", b"a", b"bc", b"long line\n"]), max_size=30).map(b"".join)


@QUICK
@given(content=CONTENT, number=st.integers(1, 7))
def test_spans_hold_all_lines_with_their_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, number: int
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 5)
    monkeypatch.setattr(lines, "CHUNK_BYTES", 3)
    path = tmp_path / "text"
    path.write_bytes(content)
    spans = spans_of(path, number)
    assert 1 <= len(spans) <= number
    assert sum(count_lines(path, span) for span in spans) == count_lines(path)
    read = [item for span in spans for item in read_byte_lines(path, span)]
    assert read == list(read_byte_lines(path))


@QUICK
@given(texts=TEXTS, ended=st.booleans(), number=st.integers(1, 7), names=NAMES)
def test_spans_of_pairs_hold_the_records_of_the_file(
    tmp_path: Path, texts: list[bytes], ended: bool, number: int, names: ColumnNames
) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(b"\n".join(texts) + b"\n" * ended)
    whole = records(path, names, 1)
    assert records(path, names, number) == whole


def records(path: Path, names: ColumnNames, number: int) -> list[Record] | str:
    """Return what is read in spans, or the message of the first that cannot be read."""
    found: list[Record] = []
    try:
        for span in spans_of(path, number):
            found += read_tsv(path, names, "utf-8", span)
    except InputError as error:
        return str(error)
    return found


def test_a_file_is_cut_into_parts_of_like_size(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(b"123456789\n" * 100)
    assert [(span.start, span.lines_before) for span in spans_of(path, 4)] == [
        (0, 0),
        (250, 25),
        (500, 50),
        (750, 75),
    ]


@pytest.mark.parametrize(
    ("name", "expected"), [("a.tsv", True), ("a.tsv.GZ", False), ("s3://b/a.tsv", False)]
)
def test_only_plain_files_of_this_machine_can_be_read_from_any_place(
    name: str, expected: bool
) -> None:
    assert is_plain(name) == expected
