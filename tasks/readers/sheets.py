"""Sheets for people, CSV or XLSX by the ending of the name: every cell is text, never a formula."""

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from storage.errors import InputError
from storage.files import write_bytes

SHEETS = (".csv", ".xlsx")
_MAX_CELL = 32_767
"""Characters that a cell of a spreadsheet holds."""
_MAX_UNPACKED_BYTES = 1 << 29
"""A workbook that unpacks to more is no sheet that a person filled in."""
_MAX_ROWS = 1_048_576
"""Rows that a sheet of a workbook has at most; a file may claim any number."""
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
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            yield [_without_apostrophe(cell) for cell in row]
    except csv.Error as error:
        raise InputError(f"{path}: this is no CSV ({error}). Save the sheet again.") from error


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
    from openpyxl.utils.exceptions import InvalidFileException

    # Faults of XML are syntax errors, and what declares entities is refused with a ValueError.
    damaged = (InvalidFileException, zipfile.BadZipFile, zlib.error, SyntaxError)
    try:
        _must_not_swell(path)
        yield from _rows_of_book(path)
    except InputError:
        raise
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file.") from error
    except (*damaged, KeyError, IndexError, ValueError, TypeError, OSError) as error:
        raise InputError(f"{path}: this is no XLSX workbook. Save the sheet again.") from error


def _rows_of_book(path: Path) -> Iterator[list[str]]:
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        for number, row in enumerate(book.worksheets[0].iter_rows(values_only=True), start=1):
            if number > _MAX_ROWS:
                raise InputError(f"{path}: it has more than {_MAX_ROWS:,} rows. Save it again.")
            yield ["" if value is None else str(value) for value in row]
    finally:
        book.close()


def _must_not_swell(path: Path) -> None:
    """Refuse a small file that would unpack to more than the memory holds."""
    with zipfile.ZipFile(path) as archive:
        size = sum(item.file_size for item in archive.infolist())
    if size > _MAX_UNPACKED_BYTES:
        raise InputError(
            f"{path}: it unpacks to {size / (1 << 20):,.0f} MiB; expected at most "
            f"{_MAX_UNPACKED_BYTES >> 20}. Save the sheet again without what is not needed."
        )
