"""Sheets for people, CSV or XLSX by the ending of the name: every cell is text, never a formula."""

import csv
import io
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from storage.errors import InputError
from storage.files import write_bytes

SHEETS = (".csv", ".xlsx")
_MAX_CELL = 32_767
"""Characters that a cell of a spreadsheet holds."""
_FORMULA_STARTS = "=+-@\t\r"


def write_cells(path: Path, rows: Sequence[Sequence[Any]], *, title: str) -> None:
    """Write a sheet; real numbers get three decimals, texts are cut where a cell ends.

    Args:
        path: its ending says the form.
        rows: cells, the header first.
        title: name of the sheet in a workbook.

    Raises:
        InputError: the name has another ending.
    """
    cells = [[_shown(value) for value in row] for row in rows]
    write_bytes(path, _xlsx(cells, title) if _ending(path) == ".xlsx" else _csv(cells))


def read_cells(path: Path) -> Iterator[list[str]]:
    """Yield the rows of a sheet; CSV may be cut at commas, semicolons or tabs.

    Raises:
        InputError: there is no such file, or it is no such sheet.
    """
    return _read_xlsx(path) if _ending(path) == ".xlsx" else _read_csv(path)


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


def _xlsx(cells: Sequence[Sequence[str]], title: str) -> bytes:
    import openpyxl
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
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
