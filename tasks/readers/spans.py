"""Cut a plain file at line ends, so that its runs of lines can be read side by side.

A compressed file has no places to begin at but its start, and neither has a stream from S3.
"""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from storage.remote import is_remote
from tasks.readers.opening import CHUNK_BYTES, COMPRESSIONS, open_bytes


@dataclass(frozen=True, slots=True)
class Span:
    """A run of whole lines of a file."""

    start: int = 0
    """Byte at which its first line begins."""
    end: float = math.inf
    """Byte after its last line; infinite for the end of the file."""
    lines_before: int = 0


WHOLE = Span()


def is_plain(path: str | os.PathLike[str]) -> bool:
    """Say whether a file can be read from any place."""
    name = os.fspath(path)
    return not is_remote(name) and Path(name).suffix.lower() not in COMPRESSIONS


def cut(path: str | os.PathLike[str], number: int) -> list[Span]:
    """Cut a plain file into at most `number` spans of about the same size, in order.

    How many lines lie before each is not known yet; see `numbered`.

    Raises:
        InputError: the file cannot be read.
    """
    with open_bytes(path) as stream:
        size = stream.seek(0, os.SEEK_END)
        wanted = [place * size // number for place in range(1, number)]
        ends = sorted({_line_end(stream, place) for place in wanted} - {0, size})
    return [Span(*borders) for borders in zip([0, *ends], [*ends, math.inf], strict=True)]


def numbered(spans: Sequence[Span], lines: Sequence[int]) -> list[Span]:
    """Tell spans how many lines lie before them.

    Args:
        spans: of a file, in order.
        lines: how many each has.
    """
    return [replace(span, lines_before=sum(lines[:place])) for place, span in enumerate(spans)]


def _line_end(stream: BinaryIO, place: int) -> int:
    """Return the first place at `place` or after it at which a line begins, or the file ends."""
    if not place:
        return 0
    stream.seek(place - 1)
    while rest := stream.readline(CHUNK_BYTES):
        if rest.endswith(b"\n"):
            break
    return stream.tell()
