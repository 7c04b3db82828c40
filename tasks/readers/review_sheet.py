"""The sheet in which a terminologist decides: CSV or XLSX, one candidate translation a row.

A sheet is written for people and read back from them: columns may be moved or added, only
`decision`, `source` and `target` must be there. What a cell holds is text, never a formula.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from storage.errors import InputError
from storage.records import Category
from tasks.readers.sheets import read_cells, write_cells

WEIGHT_COLUMNS = ("lexical_weight", "inverse_lexical_weight", "significance")
"""Empty for what was not mined (tasks/lexical_scores.py)."""
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
    "found",
    "occurrences",
    "found_documents",
    "documents",
    *WEIGHT_COLUMNS,
    "sentences",
    "phrase_id",
)
"""Those that a person fills in come first."""
REQUIRED = ("decision", "source", "target")
WORDS = ("accept", "reject", "replace")


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
    cells = [COLUMNS, *([row.get(name, "") for name in COLUMNS] for row in rows)]
    write_cells(path, cells, title="review")


def read_sheet(path: Path) -> Iterator[SheetDecision]:
    """Yield the rows in which somebody decided; the others are left alone.

    Raises:
        InputError: the file is no such sheet, or a row makes no sense: says which and what to do.
    """
    rows = read_cells(path)
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
