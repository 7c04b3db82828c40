"""Read tab-separated pairs: no quoting, columns by place, number or name of the header.

The first row sets the number of columns and every row must agree, so that a stray tab cannot shift
a text into its neighbour.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storage.errors import InputError
from tasks.readers.lines import Encoding, PathLike
from tasks.readers.records import RawPair, Record, SetAside, excerpt, fault
from tasks.readers.spans import WHOLE, Span
from tasks.readers.texts import read_texts

DEFAULT_COLUMNS = ("source", "target", "document")
"""Names of the columns from left to right; a name other than these three is a column to ignore."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnNames:
    """Where the parts of a pair stand in a row, as the user says it."""

    columns: tuple[str, ...] = DEFAULT_COLUMNS
    """Names of the columns, left to right."""
    header: bool = False
    """Whether the first row names the columns and holds no pair."""
    source: str = ""
    """Name or 1-based number of the source column; with it `columns` is not looked at."""
    target: str = ""
    document: str = ""


def read_tsv(
    path: PathLike,
    names: ColumnNames = ColumnNames(),
    encoding: Encoding = "utf-8",
    span: Span = WHOLE,
) -> Iterator[Record]:
    """Yield the pairs of a tab-separated file; quotes are plain characters.

    A blank line is a pair with both sides empty. A last `document` column of `names.columns` that
    the file does not have is taken as "".

    Args:
        path: the file.
        names: which column is what.
        encoding: how the file is encoded.
        span: the lines that are wanted.

    Raises:
        InputError: the columns cannot be found, or the file cannot be opened.
    """
    name = os.fspath(path)
    layout = _layout_before(span, path, names, encoding)
    for item in read_texts(path, encoding, span):
        if isinstance(item, SetAside):
            yield item
            continue
        number, text = item
        if not text.strip():
            yield RawPair("", "", "", number)
            continue
        fields = text.split("\t")
        if layout is None:
            layout = _Layout.of(names, fields, f"{name}, line {number}")
            if names.header:
                continue
        yield layout.record(fields, name, number)


def _layout_before(
    span: Span, path: PathLike, names: ColumnNames, encoding: Encoding
) -> "_Layout | None":
    """Return what the first row of the file says of all, if it lies before a span."""
    if not span.start:
        return None
    for item in read_texts(path, encoding, Span(end=span.start)):
        if not isinstance(item, SetAside) and item[1].strip():
            number, text = item
            return _Layout.of(names, text.split("\t"), f"{os.fspath(path)}, line {number}")
    return None


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the source, target and document stand in a row, and how many columns it has."""

    names: tuple[str, ...]
    source: int
    target: int
    document: int
    width: int

    @classmethod
    def of(cls, names: ColumnNames, first: Sequence[str], where: str) -> "_Layout":
        if names.source:
            header = [field.strip() for field in first] if names.header else []
            found = [
                column_index(wanted, key, header, len(first), where) if wanted else -1
                for key, wanted in (
                    ("source_column", names.source),
                    ("target_column", names.target),
                    ("document_column", names.document),
                )
            ]
            shown = tuple(header) or tuple(str(at + 1) for at in range(len(first)))
            return cls(shown, found[0], found[1], found[2], len(first))
        columns = names.columns
        document = columns.index("document") if "document" in columns else -1
        source, target = columns.index("source"), columns.index("target")
        width = max(source + 1, target + 1, len(first))
        return cls(columns, source, target, document, width)

    def record(self, fields: Sequence[str], name: str, number: int) -> Record:
        """Turn the fields of a row into a pair, or say what is wrong with them."""
        if len(fields) != self.width:
            text = "\t".join(fields)
            return fault(
                f"{name}, line {number}",
                number,
                "columns",
                text,
                f"expected {self.width} tab-separated columns "
                f"({', '.join(self.names[: self.width])}), found {len(fields)}: {excerpt(text)}. "
                "Fix the line, or set corpus.columns to what the file holds.",
            )
        has_document = 0 <= self.document < len(fields)
        document = fields[self.document] if has_document else ""
        return RawPair(fields[self.source], fields[self.target], document, number)


def column_index(wanted: str, key: str, header: Sequence[str], width: int, where: str) -> int:
    """Return the 0-based place of a column that is named by the header or by a 1-based number.

    Raises:
        InputError: there is no such column, or more than one; names the setting.
    """
    same = header.count(wanted)
    if same > 1:
        raise InputError(
            f"{where}: {key} is {wanted!r}, and the header names {same} columns so. Give the "
            "number of the column instead, counted from 1."
        )
    if wanted in header:
        return header.index(wanted)
    if wanted.isascii() and wanted.isdecimal() and 1 <= int(wanted) <= width:
        return int(wanted) - 1
    known = f"the header names {', '.join(map(repr, header))}" if header else "there is no header"
    raise InputError(
        f"{where}: {key} is {wanted!r}; expected a number from 1 to {width}"
        f"{' or a name of the header' if header else ''}; {known}. Mend {key}, or set header."
    )
