"""Read dictionaries that are tables: tab-separated without quoting, or CSV with it.

Columns are known by their place, by a number or by the header's name.
"""

import csv
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast, get_args

from storage.records import Category
from tasks.readers import texts
from tasks.readers.entries import SECTION, Found, FoundEntry, read_texts
from tasks.readers.lines import Encoding, PathLike
from tasks.readers.records import SetAside, excerpt, fault, set_aside
from tasks.readers.tsv import column_index

CATEGORIES = get_args(Category)


@dataclass(frozen=True, slots=True, kw_only=True)
class DictionaryColumns:
    """Where the parts of an entry stand in a row, as the user says it."""

    columns: tuple[str, ...] = ("source", "target")
    """Names of the columns, left to right; further columns and other names are ignored."""
    header: bool = False
    """Whether the first row that is not blank names the columns and holds no entry."""
    source: str = ""
    """Name or 1-based number of the source column; with it `columns` is not looked at."""
    target: str = ""
    category: str = ""


@dataclass(frozen=True, slots=True)
class _Places:
    source: int
    target: int
    category: int

    @classmethod
    def of(cls, names: DictionaryColumns, first: Sequence[str], where: str) -> "_Places":
        if not names.source:
            columns = names.columns
            category = columns.index("category") if "category" in columns else -1
            return cls(columns.index("source"), columns.index("target"), category)
        header = [field.strip() for field in first] if names.header else []
        wanted = {
            "source_column": names.source,
            "target_column": names.target,
            "category_column": names.category,
        }
        found = [
            column_index(name, key, header, len(first), where) if name else -1
            for key, name in wanted.items()
        ]
        return cls(*found)

    @property
    def width(self) -> int:
        return max(self.source, self.target) + 1


Row = tuple[int, list[str]]


def read_table_dictionary(
    path: PathLike,
    names: DictionaryColumns = DictionaryColumns(),
    *,
    quoted: bool = False,
    encoding: Encoding = "utf-8",
) -> Iterator[Found]:
    """Yield one record for each row that is not blank; the header is none.

    Args:
        path: the file.
        names: which column is what.
        quoted: whether it is CSV (RFC 4180), whose quoted fields may hold commas and line ends.
        encoding: how the file is encoded.

    Raises:
        InputError: the columns cannot be found, or the file cannot be opened.
    """
    name = os.fspath(path)
    places: _Places | None = None
    for row in _csv_rows(path, encoding) if quoted else _tsv_rows(path, encoding):
        if isinstance(row, SetAside):
            yield row
            continue
        number, fields = row
        if places is None:
            places = _Places.of(names, fields, f"{name}, line {number}")
            if names.header:
                continue
        yield _record(name, number, fields, places)


def _tsv_rows(path: PathLike, encoding: Encoding) -> Iterator[Row | SetAside]:
    for item in read_texts(path, encoding):
        yield item if isinstance(item, SetAside) else (item[0], item[1].split("\t"))


def _csv_rows(path: PathLike, encoding: Encoding) -> Iterator[Row | SetAside]:
    """Yield rows with the line on which each ends."""
    faults: list[SetAside] = []
    read: list[tuple[int, str]] = []

    def lines() -> Iterator[str]:
        for item in texts.read_texts(path, encoding, section=SECTION):
            if isinstance(item, SetAside):
                faults.append(item)
            else:
                read.append(item)
                yield item[1] + "\n"

    rows = csv.reader(lines(), strict=True)
    while True:
        read.clear()
        try:
            fields = next(rows)
        except StopIteration:
            yield from faults
            return
        except csv.Error as error:
            yield _bad_quotes(path, read, str(error))
            continue
        yield from faults
        faults.clear()
        if any(field.strip() for field in fields):
            yield read[-1][0], fields


def _bad_quotes(path: PathLike, lines: Sequence[tuple[int, str]], error: str) -> SetAside:
    """Set aside all lines of a row that does not end, or that ends in the wrong place."""
    (begin, first), last = lines[0], lines[-1][0]
    error = "a \\r ends no line" if error.startswith("new-line") else error
    found = (
        f"expected a row of comma-separated fields ({error}), found {excerpt(first)}"
        f"{f', which takes all up to line {last}' if last > begin else ''}. Mend its quotes."
    )
    text = "\n".join(text for _, text in lines)
    return fault(f"{os.fspath(path)}, line {begin}", begin, "csv", text, found, section=SECTION)


def _record(name: str, number: int, fields: Sequence[str], places: _Places) -> Found:
    where = f"{name}, line {number}"
    shown = "\t".join(fields)
    if len(fields) < places.width:
        found = (
            f"expected {places.width} columns or more, found {len(fields)}: {excerpt(shown)}. "
            "Fix the line, or set columns to what the file holds."
        )
        return fault(where, number, "columns", shown, found, section=SECTION)
    source, target = fields[places.source].strip(), fields[places.target].strip()
    said = fields[places.category].strip().lower() if 0 <= places.category < len(fields) else ""
    if said and said not in CATEGORIES:
        found = (
            f"expected a category ({', '.join(CATEGORIES)}), found {said!r}. Fix the line, or give "
            "that column another name so that it is ignored."
        )
        return fault(where, number, "category", shown, found, section=SECTION)
    if not source or not target:
        return set_aside(number, "no_source" if not source else "no_translation", shown)
    return FoundEntry(source, target, number, cast(Category, said) if said else None)
