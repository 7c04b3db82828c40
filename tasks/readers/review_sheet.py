"""The sheet in which a terminologist decides: CSV or XLSX, one candidate translation a row.

A sheet is written for people and read back from them: columns may be moved or added, only
`decision`, `source` and `target` must be there. What a cell holds is text, never a formula.
"""

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from storage.errors import InputError
from storage.files import write_bytes
from storage.records import Category

COLUMNS = (
    "decision",
    "replacement",
    "reason",
    "source",
    "target",
    "category",
    "state",
    "origin",
    "provider",
    "reliability",
    "occurrences",
    "sentences",
    "phrase_id",
)
"""Those that a person fills in come first."""
REQUIRED = ("decision", "source", "target")
WORDS = ("accept", "reject", "replace")
SHEETS = (".csv", ".xlsx")
_MAX_CELL = 32_767
"""Characters that a cell of a spreadsheet holds."""
_FORMULA_STARTS = "=+-@\t\r"


@dataclass(frozen=True, slots=True)
class SheetDecision:
    """One row that somebody decided."""

    row: int
    """1-based; the header is row 1."""
    word: str
    """accept, reject or replace."""
    source: str
    target: str
    replacement: str
    """The right translation, if the word is replace; else empty."""
    category: Category
    reason: str


def write_sheet(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a sheet; the ending of its name says whether it is CSV or XLSX.

    Raises:
        InputError: the name has another ending.
    """
    cells = [COLUMNS, *([_shown(row.get(name, "")) for name in COLUMNS] for row in rows)]
    write_bytes(path, _xlsx(cells) if _ending(path) == ".xlsx" else _csv(cells))


def read_sheet(path: Path) -> Iterator[SheetDecision]:
    """Yield the rows in which somebody decided; the others are left alone.

    Raises:
        InputError: the file is no such sheet, or a row makes no sense: says which and what to do.
    """
    rows = _read_xlsx(path) if _ending(path) == ".xlsx" else _read_csv(path)
    header = [text.strip().lower() for text in next(rows, [])]
    missing = [name for name in REQUIRED if name not in header]
    if missing:
        raise InputError(
            f"{path}: expected the columns {', '.join(REQUIRED)} in the first row, "
            f"{' and '.join(missing)} not found. Export a sheet with `phrasenet memory review "
            "--export` and keep its header."
        )
    for number, values in enumerate(rows, start=2):
        row = dict(zip(header, (text.strip() for text in values), strict=False))
        if row.get("decision"):
            yield _decision(row, f"{path}, row {number}", number)


def _decision(row: Mapping[str, str], where: str, number: int) -> SheetDecision:
    word = row["decision"].lower()
    if word not in WORDS:
        raise InputError(
            f"{where}: the decision is {row['decision']!r}; expected {', '.join(WORDS)}, or "
            "nothing to leave the phrase as it is."
        )
    if not row.get("source") or not row.get("target"):
        raise InputError(f"{where}: source or target is empty, so nobody knows what was decided.")
    replacement = row.get("replacement", "")
    if (word == "replace") != bool(replacement):
        raise InputError(
            f"{where}: the decision is {word} and the replacement is {replacement!r}; a "
            "replacement is needed with the decision replace, and only with it."
        )
    category = row.get("category") or "term"
    if category not in get_args(Category):
        raise InputError(
            f"{where}: the category is {category!r}; expected one of "
            f"{', '.join(get_args(Category))}."
        )
    return SheetDecision(
        row=number,
        word=word,
        source=row["source"],
        target=row["target"],
        replacement=replacement,
        category=category,  # type: ignore[arg-type]
        reason=row.get("reason", ""),
    )


def _ending(path: Path) -> str:
    ending = path.suffix.lower()
    if ending not in SHEETS:
        raise InputError(f"{path}: expected a name that ends with {' or '.join(SHEETS)}.")
    return ending


def _shown(value: Any) -> str:
    """Write a value as a cell."""
    text = f"{value:.3f}" if isinstance(value, float) else str(value)
    return text[:_MAX_CELL]


def _csv(cells: Sequence[Sequence[str]]) -> bytes:
    """Write CSV as spreadsheets expect it: a byte order mark, and no cell that looks like a
    formula without an apostrophe before it."""
    text = io.StringIO()
    writer = csv.writer(text)
    for row in cells:
        writer.writerow(
            [f"'{cell}" if cell[:1] in _FORMULA_STARTS and cell else cell for cell in row]
        )
    return text.getvalue().encode("utf-8-sig")


def _read_csv(path: Path) -> Iterator[list[str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file.") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: expected UTF-8. Save the sheet as CSV UTF-8, or as XLSX."
        ) from error
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        yield [_without_apostrophe(cell) for cell in row]


def _without_apostrophe(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and cell[1:2] and cell[1] in _FORMULA_STARTS else cell


def _xlsx(cells: Sequence[Sequence[str]]) -> bytes:
    import openpyxl
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "review"
    sheet.freeze_panes = "A2"
    for number, row in enumerate(cells, start=1):
        for column, text in enumerate(row, start=1):
            cell = sheet.cell(number, column)
            cell.value = ILLEGAL_CHARACTERS_RE.sub("", text)
            cell.data_type = "s"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _read_xlsx(path: Path) -> Iterator[list[str]]:
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file.") from error
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise InputError(f"{path}: this is no XLSX workbook. Save the sheet again.") from error
    try:
        for row in book.worksheets[0].iter_rows(values_only=True):
            yield ["" if value is None else str(value) for value in row]
    finally:
        book.close()
