"""Read lines of text, numbered; a line ends at `\\n` and nowhere else.

So U+2028, U+0085 or a vertical tab inside a sentence cannot shift what follows. This module knows
nothing of columns or pairs (see `tsv.py` and `parallel.py`).
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Literal

from storage.errors import InputError
from tasks.readers.opening import CHUNK_BYTES, open_bytes
from tasks.readers.spans import WHOLE, Span

BYTE_ORDER_MARK = "\ufeff"
MAX_LINE_BYTES = 1 << 25
"""A longer line is no sentence and no document, but a file without line ends."""

PathLike = str | os.PathLike[str]
Encoding = Literal["utf-8", "gb18030", "big5"]

_COMPRESSED = (
    (b"\x1f\x8b", "gzip", ".gz"),
    (b"\x28\xb5\x2f\xfd", "zstd", ".zst"),
    (b"\xfd7zXZ\0", "xz", ".xz"),
    (b"BZh", "bzip2", ".bz2"),
    (b"PK\x03\x04", "a zip archive", ""),
)
"""How compressed files begin, what they are, and the endings that are unpacked while reading."""
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class UnreadableLine(InputError):
    """A line that is no text of the encoding, or too long to be one."""

    def __init__(self, where: str, found: str, setting: str = "") -> None:
        super().__init__(f"{where}: {found}")
        self.found = f"{found} {setting}".rstrip()
        """What was found and how to mend it, also by a setting, where there is one."""


def read_lines(path: PathLike, encoding: Encoding = "utf-8") -> Iterator[tuple[int, str]]:
    """Yield `(line number, text)` of a file, numbered from 1.

    One `\\r` before the `\\n` and every U+FEFF at the start of a line are taken off.

    Raises:
        InputError: the file cannot be opened, or a line is not of the encoding.
    """
    name = os.fspath(path)
    for number, line in read_byte_lines(path):
        yield number, decode_line(line, name, number, encoding)


def read_byte_lines(path: PathLike, span: Span = WHOLE) -> Iterator[tuple[int, bytes]]:
    """Yield `(line number, bytes)`; of a line that is too long only its beginning and an end.

    Args:
        path: the file.
        span: the lines that are wanted.
    """
    with _opened_at(path, span) as stream:
        number, place = span.lines_before, span.start
        while place < span.end and (line := stream.readline(MAX_LINE_BYTES)):
            number += 1
            place += len(line)
            if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
                place += _skip_line(stream)
            yield number, line


@contextmanager
def _opened_at(path: PathLike, span: Span) -> Iterator[BinaryIO]:
    """Open a file where a span begins; a stream from S3 begins at its start alone."""
    with open_bytes(path) as stream:
        if span.start:
            stream.seek(span.start)
        yield stream


def _skip_line(stream: BinaryIO) -> int:
    """Skip the rest of a line; returns how many bytes it has."""
    skipped = 0
    while rest := stream.readline(CHUNK_BYTES):
        skipped += len(rest)
        if rest.endswith(b"\n"):
            break
    return skipped


def decode_line(line: bytes, name: str, number: int, encoding: Encoding = "utf-8") -> str:
    """Return the text of a line without its end and without leading byte order marks.

    Raises:
        UnreadableLine: it is not of the encoding; names the file and the line.
    """
    where = f"{name}, line {number}"
    if len(line) >= MAX_LINE_BYTES:
        raise UnreadableLine(
            where,
            f"the line has more than {MAX_LINE_BYTES >> 20} MiB; expected one sentence, row or "
            "document a line. Check that the file has line ends (\\n).",
        )
    line = line.removesuffix(b"\n").removesuffix(b"\r")
    if number == 1 and encoding != "utf-8" and line.startswith(BYTE_ORDER_MARK.encode()):
        raise UnreadableLine(
            where,
            f"expected {encoding.upper()}, found the byte order mark of UTF-8.",
            "Take encoding out of the settings.",
        )
    try:
        return line.decode(encoding).lstrip(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        found = (
            f"expected {encoding.upper()}, found the byte 0x{line[error.start]:02x} at byte "
            f"{error.start + 1} of the line."
        )
        file = os.path.basename(name)
        compressed = _compression(line) if number == 1 else None
        if compressed is not None:
            raise UnreadableLine(where, _unpacked(found, file, *compressed)) from None
        raise UnreadableLine(where, *_remedies(found, line, file, encoding)) from None


def _compression(beginning: bytes) -> tuple[str, str] | None:
    """Return the name and the ending of the compression that a file begins with, if it is one."""
    for mark, name, ending in _COMPRESSED:
        if beginning.startswith(mark):
            return name, ending
    return None


def _unpacked(found: str, file: str, name: str, ending: str) -> str:
    """Return what was found, and what to do with a compressed file whose name does not say so."""
    if not ending:
        return f"{found} The file is {name}: unpack it first."
    return f"{found} The file is compressed by {name}: name it {file}{ending}, or unpack it first."


def _remedies(found: str, line: bytes, file: str, encoding: Encoding) -> tuple[str, str]:
    """Return what was found with how to mend the file, and with which setting."""
    if encoding != "utf-8":
        said = f"Not all of the file is {encoding.upper()}; mend the line."
        return f"{found} {said}", "Or take encoding out, if the file is UTF-8."
    guess = "UTF-16" if line.startswith(_UTF16_MARKS) else "GB18030"
    command = f"Convert the file first, for example `iconv -f {guess} -t UTF-8 {file}`."
    setting = "" if guess == "UTF-16" else 'Or set encoding to "gb18030" or "big5", if it is that.'
    return f"{found} {command}", setting


def count_lines(path: PathLike, span: Span = WHOLE) -> int:
    """Count the lines of a file, or of a span of it, a last line without `\\n` included."""
    lines, left = 0, span.end - span.start
    last = b"\n"
    with _opened_at(path, span) as stream:
        while chunk := stream.read(int(min(left, CHUNK_BYTES))):
            lines += chunk.count(b"\n")
            left -= len(chunk)
            last = chunk[-1:]
    return lines + (last != b"\n")
