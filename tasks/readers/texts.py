"""Read lines as texts; one that is no text of the encoding is set aside with the remedy.

This module knows nothing of columns (see `tsv.py`) and of what a line means.
"""

import os
from collections.abc import Iterator

from tasks.readers.lines import Encoding, PathLike, UnreadableLine, decode_line, read_byte_lines
from tasks.readers.records import KEPT_CHARACTERS, SetAside, fault
from tasks.readers.spans import WHOLE, Span


def read_texts(
    path: PathLike, encoding: Encoding, span: Span = WHOLE, *, section: str = "corpus"
) -> Iterator[tuple[int, str] | SetAside]:
    """Yield `(line number, text)` of all lines, and faults for those that are no text.

    Args:
        path: the file.
        encoding: how it is encoded.
        span: the lines that are wanted.
        section: the section of the settings file that names it.
    """
    name = os.fspath(path)
    for number, line in read_byte_lines(path, span):
        try:
            yield number, decode_line(line, name, number, encoding)
        except UnreadableLine as error:
            yield unreadable(line, name, number, error, section=section)


def unreadable(
    line: bytes, name: str, number: int, error: UnreadableLine, *, section: str = "corpus"
) -> SetAside:
    """Set aside a line that is no text."""
    shown = line[:KEPT_CHARACTERS].decode("utf-8", errors="backslashreplace")
    where = f"{name}, line {number}"
    return fault(where, number, "encoding", shown, error.found, section=section)
