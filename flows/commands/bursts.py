"""Lines of input in bursts: those of a stream as they come, those of a file all together.

Who writes a line into a pipe and waits for the answer gets it; who writes many at once has them
answered together.
"""

import os
import select
import stat
import sys
from collections import deque
from collections.abc import Iterable, Iterator

from flows.commands.options import input_lines

_CHUNK_BYTES = 1 << 16


def input_bursts(file: str, most: int) -> Iterator[Iterable[str]]:
    """Yield the lines of a file in one burst, those of a stream as they come.

    Args:
        file: a path, or - for standard input.
        most: lines of a stream's burst.

    Raises:
        InputError: the input cannot be read.
    """
    if file != "-" or sys.stdin is None or not _is_stream():
        yield input_lines(file)
        return
    from tasks.readers.lines import decode_line

    number = 0
    for lines in bursts(sys.stdin.buffer.fileno(), most):
        yield [
            decode_line(line, "standard input", number + place)
            for place, line in enumerate(lines, start=1)
        ]
        number += len(lines)


def _is_stream() -> bool:
    """Say whether standard input is a pipe, a terminal or a socket, and not a file."""
    try:
        return not stat.S_ISREG(os.fstat(sys.stdin.buffer.fileno()).st_mode)
    except OSError:  # no file of the operating system is behind it
        return False


def bursts(descriptor: int, most: int) -> Iterator[list[bytes]]:
    """Yield the lines that have come, at most so many; wait only where there is none."""
    lines: deque[bytes] = deque()
    begun: list[bytes] = []
    ended = False
    while lines or not ended:
        while not ended and (not lines or (len(lines) < most and _has_more(descriptor))):
            data = os.read(descriptor, _CHUNK_BYTES)
            ended = not data
            *whole, last = data.split(b"\n")
            for line in whole:
                lines.append(b"".join([*begun, line, b"\n"]))
                begun.clear()
            if last:
                begun.append(last)
            if ended and begun:
                lines.append(b"".join(begun))
        if lines:
            yield [lines.popleft() for _ in range(min(most, len(lines)))]


def _has_more(descriptor: int) -> bool:
    return bool(select.select([descriptor], [], [], 0)[0])
