"""Glossaries of other tools, taken in as decisions: somebody vouches for each entry."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast, get_args

from storage.errors import InputError
from storage.moments import this_moment
from storage.records import Category
from storage.workspace import Workspace
from tasks.readers.dictionaries import DictionaryForm, read_dictionary
from tasks.readers.entries import DictionaryEntry
from tasks.readers.lines import read_lines
from tasks.readers.opening import open_bytes
from tasks.readers.records import SetAside
from tasks.readers.table_dictionary import DictionaryColumns
from tasks.review import keep_decisions

FORMS: Mapping[str, DictionaryForm] = {
    "tsv": DictionaryForm(
        name="glossary",
        columns=DictionaryColumns(header=True, source="source", target="target"),
    ),
    "pairs": DictionaryForm(name="glossary"),
    "moses": DictionaryForm(name="glossary", format="phrase-table", min_scores=(), min_count=0),
    "tbx": DictionaryForm(name="glossary", format="tbx", category="term"),
}
"""How each form but JSON is read; they are those of `phrasenet memory export`."""


def import_glossary(
    workspace: Workspace, path: Path, form: str, author: str, reason: str
) -> tuple[int, int]:
    """Keep every entry as accepted; the next refresh obeys.

    Args:
        workspace: where decisions are kept.
        path: the glossary.
        form: `json`, or a key of `FORMS`.
        author: who vouches for it.
        reason: why.

    Returns:
        How many entries were accepted, and how many records of the file hold none.

    Raises:
        InputError: the file does not have that form, holds no entry, or gives one source two
            translations. Nothing is kept then.
    """
    read = _json_entries(path) if form == "json" else read_dictionary(_form(form, path), path)
    now = this_moment()
    target_of: dict[str, str] = {}
    rows: list[dict[str, Any]] = []
    aside = 0
    for entry in read:
        if isinstance(entry, SetAside):
            aside += 1
            continue
        source, target = "".join(entry.source.split()), " ".join(entry.target.split())
        known = target_of.setdefault(source, target)
        if known != target:
            raise InputError(
                f"{path}, line {entry.line}: {source!r} is {target!r} here and {known!r} before. "
                "The memory holds one translation of a phrase; leave one of them in the file."
            )
        rows.append(
            {
                "line": len(rows),
                "source": source,
                "target": target,
                "verdict": "accept",
                "category": entry.category,
                "author": author,
                "decided": now,
                "reason": reason,
            }
        )
    if not rows:
        raise InputError(
            f"{path}: expected at least one phrase with its translation in a glossary of the form "
            f"{form}, found none; {aside:,} records hold no pair. Check the file and its form."
        )
    keep_decisions(workspace, rows, author, {"accept": len(rows)})
    return len(rows), aside


def _form(form: str, path: Path) -> DictionaryForm:
    """Return how a glossary is read; a table need not have a column for the category.

    Raises:
        InputError: the header of a table does not name what it must.
    """
    chosen = FORMS[form]
    if not chosen.columns.header:
        return chosen
    _, header = next(read_lines(path), (0, ""))
    names = [name.strip() for name in header.split("\t")]
    if header and any(names.count(needed) != 1 for needed in ("source", "target")):
        raise InputError(
            f"{path}, line 1: expected a header that names the columns source and target, with a "
            f"tab between them, found {header[:60]!r}. Add it, or say with --format pairs that the "
            "file has none."
        )
    if "category" not in names:
        return chosen
    return replace(chosen, columns=replace(chosen.columns, category="category"))


def _json_entries(path: Path) -> Iterator[DictionaryEntry]:
    """Yield the entries of a glossary as `phrasenet memory export` writes it.

    Raises:
        InputError: the file has another form.
    """
    with open_bytes(path) as stream:
        data = stream.read()
    try:
        entries = json.loads(data)["entries"]
        read = [
            (str(entry["source"]), str(entry["target"]), entry.get("category") or "term")
            for entry in entries
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path}: expected a JSON object with a list `entries`, each with `source` and "
            "`target`. Export a glossary with `phrasenet memory export terms.json` to see the form."
        ) from error
    for number, (source, target, category) in enumerate(read, start=1):
        if category not in get_args(Category):
            raise InputError(
                f"{path}, entry {number}: the category is {category!r}; expected one of "
                f"{', '.join(get_args(Category))}, or none for a term."
            )
        yield DictionaryEntry(source, target, cast(Category, category), number)
