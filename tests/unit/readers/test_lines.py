"""Lines: only LF ends one, and what is no text is refused with its place."""

import bz2
import gzip
import lzma
from pathlib import Path

import pytest
import zstandard

from storage.errors import InputError
from tasks.readers import lines
from tasks.readers.lines import count_lines, read_lines


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


@pytest.mark.parametrize(
    ("packed", "said"),
    [
        (gzip.compress("雨\train\n".encode()), "compressed by gzip: name it pairs.tsv.gz, or"),
        (
            zstandard.ZstdCompressor().compress("雨\n".encode()),
            "by zstd: name it pairs.tsv.zst, or",
        ),
        (lzma.compress("雨\train\n".encode()), "by xz: name it pairs.tsv.xz, or"),
        (bz2.compress("雨\train\n".encode()), "by bzip2: name it pairs.tsv.bz2, or"),
        (b"PK\x03\x04\x14\x00\xff\xfe", "The file is a zip archive: unpack it first."),
    ],
)
def test_a_compressed_file_whose_name_does_not_say_so_is_recognised(
    tmp_path: Path, packed: bytes, said: str
) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(packed)
    with pytest.raises(InputError) as caught:
        lines_of(path)
    assert said in str(caught.value)
    assert "iconv" not in str(caught.value)


def test_utf16_is_recognised(tmp_path: Path) -> None:
    path = write(tmp_path, "wide.txt", "好\n".encode("utf-16"))
    with pytest.raises(InputError, match="iconv -f UTF-16 "):
        lines_of(path)


def test_gb18030_is_read_only_where_it_is_declared(tmp_path: Path) -> None:
    path = write(tmp_path, "old.txt", "\ufeff旧书\n".encode("gb18030"))
    assert list(read_lines(path, "gb18030")) == [(1, "旧书")]
    with pytest.raises(InputError, match="expected UTF-8"):
        lines_of(path)


def test_a_file_without_line_ends_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 64)
    path = write(tmp_path, "long.txt", "short\n" + "x" * 1000 + "\nlast\n")
    with pytest.raises(InputError, match="line 2: the line has more than"):
        lines_of(path)
    assert [number for number, _ in lines.read_byte_lines(path)] == [1, 2, 3]
