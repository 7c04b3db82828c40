"""Read line-based parallel text: numbered lines, tab-separated columns and two line-parallel files.

A line ends at `\\n` and nowhere else, so U+2028, U+0085 or a vertical tab inside a sentence cannot
shift the pairs that follow. There is no quoting. Empty sides come through: whether a pair is fit is
decided, with a reason, in `tasks/text/clean.py`.
"""

import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storage.errors import InputError
from tasks.readers.opening import CHUNK_BYTES, open_bytes

BYTE_ORDER_MARK = "\ufeff"
DEFAULT_COLUMNS = ("source", "target", "document")
"""Names of the columns from left to right; a name other than these three is a column to ignore."""

PathLike = str | os.PathLike[str]
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class RawPair:
    """A pair as the file holds it, untouched but for line ends and byte order marks."""

    source: str
    target: str
    document: str
    line: int
    """1-based line of the file (of both files, when there are two)."""


def read_lines(path: PathLike) -> Iterator[tuple[int, str]]:
    """Yield `(line number, text)` of a UTF-8 file, numbered from 1.

    One `\\r` before the `\\n` and every U+FEFF at the start of a line are taken off.

    Raises:
        InputError: the file cannot be opened, or a line is not UTF-8.
    """
    name = os.fspath(path)
    with open_bytes(path) as stream:
        for number, line in enumerate(stream, start=1):
            yield number, decode_line(line, name, number)


def decode_line(line: bytes, name: str, number: int) -> str:
    """Return the text of a line of UTF-8 without its end and without leading byte order marks.

    Raises:
        InputError: it is not UTF-8; names the file and the line.
    """
    line = line.removesuffix(b"\n").removesuffix(b"\r")
    try:
        return line.decode("utf-8").lstrip(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        guess = "UTF-16" if line.startswith(_UTF16_MARKS) else "GB18030"
        raise InputError(
            f"{name}, line {number}: expected UTF-8, found the byte 0x{line[error.start]:02x} "
            f"at byte {error.start + 1} of the line. Convert the file first, for example "
            f"`iconv -f {guess} -t UTF-8 {os.path.basename(name)}`."
        ) from None


def read_tsv(
    path: PathLike, *, columns: Sequence[str] = DEFAULT_COLUMNS, header: bool = False
) -> Iterator[RawPair]:
    """Yield the pairs of a tab-separated file; quotes are plain characters.

    The first row sets the number of columns and every row must agree, so that a stray tab cannot
    shift a text into its neighbour. A blank line is a pair with both sides empty. A last `document`
    column that the file does not have is taken as "".

    Args:
        path: the file.
        columns: name of each column, left to right; must hold `source` and `target`.
        header: True if the first line names the columns and holds no pair.

    Raises:
        InputError: a column is missing, or the file is empty or not UTF-8.
    """
    name = os.fspath(path)
    layout = _Layout.of(columns)
    expected = 0
    found_a_pair = False
    for number, text in read_lines(path):
        if not text.strip():
            yield RawPair("", "", "", number)
            continue
        fields = text.split("\t")
        is_first = not expected
        expected = expected or len(fields)
        layout.check(fields, expected, name, number)
        if is_first and header:
            continue
        found_a_pair = True
        yield layout.pair(fields, number)
    if not found_a_pair:
        raise _empty(name)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the source, target and document stand in a row."""

    columns: tuple[str, ...]
    source: int
    target: int
    document: int

    @classmethod
    def of(cls, columns: Sequence[str]) -> "_Layout":
        names = tuple(columns)
        for required in ("source", "target"):
            if names.count(required) != 1:
                raise InputError(
                    f"corpus.columns is {list(names)}: expected {required!r} exactly once. "
                    f"Name the columns from left to right, such as {list(DEFAULT_COLUMNS)}."
                )
        document = names.index("document") if "document" in names else -1
        return cls(names, names.index("source"), names.index("target"), document)

    def check(self, fields: Sequence[str], expected: int, name: str, number: int) -> None:
        """Raise unless the row has the columns that are needed, and as many as the first row."""
        needed = max(self.source, self.target) + 1
        if len(fields) >= needed and len(fields) == expected:
            return
        wanted = max(needed, expected)
        raise InputError(
            f"{name}, line {number}: expected {wanted} tab-separated columns "
            f"({', '.join(self.columns[:wanted])}), found {len(fields)}: "
            f"{_excerpt(chr(9).join(fields))}. Fix the line, or set corpus.columns to what the "
            "file holds."
        )

    def pair(self, fields: Sequence[str], number: int) -> RawPair:
        """Turn the fields of a checked row into a pair."""
        has_document = 0 <= self.document < len(fields)
        document = fields[self.document] if has_document else ""
        return RawPair(fields[self.source], fields[self.target], document, number)


def read_parallel(
    source_path: PathLike,
    target_path: PathLike,
    *,
    document_path: PathLike | None = None,
) -> Iterator[RawPair]:
    """Yield the pairs of two line-parallel files.

    Lines are counted before the first pair is given out: one line too many shifts every pair
    behind it, and nothing later would notice.

    Args:
        source_path: one source sentence a line.
        target_path: its translation on the line of the same number.
        document_path: the name of the document of each line; without it every document is "".

    Raises:
        InputError: the files differ in length, are empty, or are not UTF-8.
    """
    others = [target_path] if document_path is None else [target_path, document_path]
    for other in others:
        _check_same_length(source_path, other)
    documents = itertools.repeat((0, "")) if document_path is None else read_lines(document_path)
    pairs = zip(read_lines(source_path), read_lines(target_path), strict=True)
    for ((number, source), (_, target)), (_, document) in zip(pairs, documents, strict=False):
        yield RawPair(source, target, document, number)


def count_lines(path: PathLike) -> int:
    """Count the lines of a file, a last line without `\\n` included."""
    lines = 0
    last = b"\n"
    with open_bytes(path) as stream:
        while chunk := stream.read(CHUNK_BYTES):
            lines += chunk.count(b"\n")
            last = chunk[-1:]
    return lines + (last != b"\n")


def _check_same_length(source_path: PathLike, target_path: PathLike) -> None:
    counts = count_lines(source_path), count_lines(target_path)
    source_name, target_name = os.fspath(source_path), os.fspath(target_path)
    if counts == (0, 0):
        raise _empty(source_name)
    if counts[0] == counts[1]:
        return
    last = min(counts)
    shown = "neither has a line in common"
    if last:
        shown = (
            f"the last line that both have is {last}: {_excerpt(_line(source_path, last))} and "
            f"{_excerpt(_line(target_path, last))}"
        )
    raise InputError(
        f"{source_name} has {counts[0]} lines but {target_name} has {counts[1]}; expected the same "
        f"sentences in the same order; {shown}. Find the line that one of them lacks, and mend "
        "that file."
    )


def _line(path: PathLike, number: int) -> str:
    return next(text for _, text in itertools.islice(read_lines(path), number - 1, number))


def _excerpt(text: str) -> str:
    return repr(text[:60])


def _empty(name: str) -> InputError:
    return InputError(
        f"{name}: expected at least one sentence pair, found none. "
        "Check the path, or that the step that wrote it finished."
    )
