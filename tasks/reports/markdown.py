"""Markdown that holds any text: tables and lines in which nothing is taken for a mark."""

import re
from collections.abc import Sequence

_MARKS = re.compile(r"([\\`*\[\]<>#|~]|(?<![^\W_])_|_(?![^\W_]))")
"""An underscore inside a word is no mark."""


def plain(text: str) -> str:
    """Return text that Markdown shows as it is, on one line."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; all cells are plain text."""
    lines = [_row(header), "|" + " --- |" * len(header), *(_row(row) for row in rows)]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(plain(cell) for cell in cells) + " |"
