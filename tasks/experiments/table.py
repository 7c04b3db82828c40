"""Tables of an experiment, and how they are written: Markdown, LaTeX, CSV and JSON."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tasks.reports.markdown import markdown_table

NOT_RUN, NOTHING = "not run", "–"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table: what people read, and the figure behind it."""

    text: str
    value: float | None = None
    is_certain: bool = False
    """A difference that chance alone would seldom make; it is marked."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its first column names the rows."""

    name: str
    """Letters and hyphens."""
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    note: str = ""


def figure(value: float | None, form: str = "z.2f", *, is_certain: bool = False) -> Entry:
    """Return an entry of a number, or of nothing."""
    if value is None:
        return Entry(NOTHING)
    return Entry(f"{value:{form}}", float(value), is_certain)


def as_markdown(table: Table) -> str:
    """Return a table with its title and note as Markdown; what is certain has a dagger."""
    rows = [[_marked(entry, "†") for entry in row] for row in table.rows]
    note = f"\n{table.note}\n" if table.note else ""
    return f"## {table.title}\n\n{markdown_table(table.header, rows)}{note}"


def as_latex(table: Table) -> str:
    """Return a table as LaTeX, with the rules of the package booktabs."""
    columns = "l" + "r" * (len(table.header) - 1)
    lines = [
        r"\begin{table*}[t]",
        r"\centering\small",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _latex_row([_latex(name) for name in table.header]),
        r"\midrule",
        *(_latex_row([_latex_entry(entry) for entry in row]) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{_latex(f'{table.title}. {table.note}'.strip())}}}",
        rf"\label{{tab:{table.name}}}",
        r"\end{table*}",
    ]
    return "\n".join(lines) + "\n"


def as_csv(tables: Sequence[tuple[str, Table]]) -> str:
    """Return all tables in one CSV: a line for each entry, with the figure behind it.

    Args:
        tables: each with the name of the texts that its cells were trained on.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["data", "table", "row", "column", "text", "value", "certain"])
    for data, table in tables:
        for row in table.rows:
            for column, entry in zip(table.header[1:], row[1:], strict=True):
                value = "" if entry.value is None else repr(entry.value)
                certain = "yes" if entry.is_certain else ""
                line = [data, table.name, row[0].text, column, entry.text, value, certain]
                writer.writerow(line)
    return text.getvalue()


def as_json(table: Table) -> dict[str, Any]:
    """Return a table as JSON: each row by its columns."""
    return {
        "name": table.name,
        "title": table.title,
        "note": table.note,
        "header": list(table.header),
        "rows": [
            {
                column: {"text": entry.text, "value": entry.value, "certain": entry.is_certain}
                for column, entry in zip(table.header, row, strict=True)
            }
            for row in table.rows
        ],
    }


def _marked(entry: Entry, mark: str) -> str:
    return f"{entry.text}{mark}" if entry.is_certain else entry.text


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _latex_entry(entry: Entry) -> str:
    return _marked(
        Entry(_latex(entry.text), entry.value, entry.is_certain), r"\textsuperscript{\dag}"
    )


_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--",
    "−": "$-$", "≥": r"$\geq$", "×": r"$\times$", "†": r"\dag{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "[": "{[}", "]": "{]}",
}  # fmt: skip


def _latex(text: str) -> str:
    """Escape what LaTeX would read as its own."""
    return re.sub(".", lambda found: _SPECIAL.get(found[0], found[0]), text)
