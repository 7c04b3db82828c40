"""Read two line-parallel files, as they are named or by a prefix in the manner of Moses."""

import itertools
import os
from collections.abc import Iterator, Sequence

from storage.errors import InputError
from tasks.readers.lines import (
    Encoding,
    PathLike,
    UnreadableLine,
    count_lines,
    decode_line,
    read_byte_lines,
    read_lines,
)
from tasks.readers.records import RawPair, Record, excerpt
from tasks.readers.texts import unreadable


def read_parallel(
    source_path: PathLike,
    target_path: PathLike,
    *,
    document_path: PathLike | None = None,
    encoding: Encoding = "utf-8",
) -> Iterator[Record]:
    """Yield the pairs of two line-parallel files.

    Lines are counted before the first pair is given out: one line too many shifts every pair
    behind it, and nothing later would notice.

    Args:
        source_path: one source sentence a line.
        target_path: its translation on the line of the same number.
        document_path: the name of the document of each line; without it every document is "".
        encoding: how the files are encoded.

    Raises:
        InputError: the files differ in length or are empty.
    """
    others = [target_path] if document_path is None else [target_path, document_path]
    for other in others:
        _check_same_length(source_path, other)
    paths = [source_path, *others]
    names = [os.fspath(path) for path in paths]
    for lines in zip(*map(read_byte_lines, paths), strict=True):
        yield _record(lines[0][0], [line for _, line in lines], names, encoding)


def parallel_lines(source_path: PathLike, target_path: PathLike) -> Iterator[tuple[str, str]]:
    """Yield the texts of two line-parallel files of UTF-8, all of which must be readable.

    Raises:
        InputError: the files differ in length, or a line is not UTF-8.
    """
    _check_same_length(source_path, target_path)
    pairs = zip(read_lines(source_path), read_lines(target_path), strict=True)
    return ((source, target) for (_, source), (_, target) in pairs)


def _record(
    number: int, lines: Sequence[bytes], names: Sequence[str], encoding: Encoding
) -> Record:
    texts: list[str] = []
    for line, name in zip(lines, names, strict=True):
        try:
            texts.append(decode_line(line, name, number, encoding))
        except UnreadableLine as error:
            return unreadable(line, name, number, error)
    return RawPair(texts[0], texts[1], texts[2] if len(texts) > 2 else "", number)


def _check_same_length(source_path: PathLike, target_path: PathLike) -> None:
    counts = count_lines(source_path), count_lines(target_path)
    source_name, target_name = os.fspath(source_path), os.fspath(target_path)
    if counts[0] == counts[1]:
        return
    last = min(counts)
    shown = "neither has a line in common"
    if last:
        shown = (
            f"the last line that both have is {last}: {excerpt(_line(source_path, last))} and "
            f"{excerpt(_line(target_path, last))}"
        )
    raise InputError(
        f"{source_name} has {counts[0]} lines but {target_name} has {counts[1]}; expected the same "
        f"sentences in the same order; {shown}. Find the line that one of them lacks, and mend "
        "that file."
    )


def _line(path: PathLike, number: int) -> str:
    lines = itertools.islice(read_byte_lines(path), number - 1, number)
    return next(line for _, line in lines).decode("utf-8", errors="replace").rstrip("\r\n")
