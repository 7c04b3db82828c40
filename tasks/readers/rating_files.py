"""Worksheets as raters have them: the file that the page saves (JSON), or a sheet to fill in."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from storage.errors import InputError
from tasks.rating.returned import Returned
from tasks.rating.worksheet import QUESTIONS, Item
from tasks.readers.sheets import SHEETS, read_cells, write_cells

COLUMNS = ("number", "source", "A", "B", *QUESTIONS, "comment", "reference", "worksheet")
_REQUIRED = ("number", *QUESTIONS, "worksheet")
_FORM = "Save it with the page, or fill in a sheet of `phrasenet ratings export`."


def write_sheet(path: Path, items: Iterable[Item], worksheet: str) -> None:
    """Write a worksheet as a sheet, to be filled in with A, = or B.

    Raises:
        InputError: the name ends with neither .csv nor .xlsx.
    """
    rows = (
        [item.number, item.source, item.first, item.second, "", "", "", item.reference, worksheet]
        for item in items
    )
    write_cells(path, [COLUMNS, *rows], title="ratings")


def read_returned(path: Path) -> Returned:
    """Read what a rater returned, by the ending of the file.

    Raises:
        InputError: the file is no returned worksheet, or is none of one worksheet only.
    """
    if path.suffix.lower() in SHEETS:
        return _of_sheet(path)
    return _of_json(path)


def _of_json(path: Path) -> Returned:
    try:
        value = json.loads(path.read_bytes())
        rows = tuple(_as_row(item) for item in value["ratings"])
        worksheet, rater = value["worksheet"], value["rater"]
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file.") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            f"{path}: expected a JSON object with `worksheet`, `rater` and `ratings`. {_FORM}"
        ) from error
    return Returned(str(worksheet), " ".join(str(rater).split()), rows, str(path))


def _as_row(item: Mapping[str, Any]) -> dict[str, str]:
    named = {name: item.get(name) for name in (*QUESTIONS, "comment")}
    texts = {name: "" if value is None else str(value) for name, value in named.items()}
    return {"number": str(item["number"]), **texts}


def _of_sheet(path: Path) -> Returned:
    cells = read_cells(path)
    header = [text.strip() for text in next(cells, [])]
    missing = [name for name in _REQUIRED if name not in header]
    if missing:
        raise InputError(
            f"{path}: expected the columns {', '.join(_REQUIRED)} in the first row, "
            f"{' and '.join(missing)} not found. Keep the header of the worksheet."
        )
    rows = [row for values in cells if (row := _of_cells(header, values))["number"]]
    names = sorted({row["worksheet"] for row in rows})
    if len(names) != 1:
        raise InputError(
            f"{path}: expected the rows of one worksheet, found {len(names)}: "
            f"{', '.join(names) or 'no row'}. Return each worksheet as a file of its own."
        )
    return Returned(names[0], "", tuple(rows), str(path))


def _of_cells(header: Sequence[str], values: Sequence[str]) -> dict[str, str]:
    row = dict(zip(header, (text.strip() for text in values), strict=False))
    return {name: row.get(name, "") for name in ("number", *QUESTIONS, "comment", "worksheet")}
