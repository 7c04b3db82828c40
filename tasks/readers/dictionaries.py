"""Read dictionaries: phrases that somebody vouches for, with a category.

A dictionary line is a claim, not yet a phrase of the memory: whether two lines disagree is settled
in `tasks/mining/selection.py`. CC-CEDICT, whose lines hold many glosses, has its own rules in
`cedict.py`.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast, get_args

from storage.errors import InputError
from storage.records import Category
from tasks.readers.cedict import best_translations, parse_cedict_line, parse_cedict_row
from tasks.readers.config import DictionaryConfig, DictionaryFormat, Script
from tasks.readers.lines import PathLike, read_lines

CATEGORIES = get_args(Category)


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """One translation that a dictionary gives for one source phrase, as written there."""

    source: str
    target: str
    category: Category
    line: int
    """1-based line of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DictionaryForm:
    """What shapes the entries that are read from a dictionary; where its file lies does not."""

    name: str
    format: DictionaryFormat
    columns: tuple[str, ...]
    header: bool
    category: Category
    script: Script
    licence: str


def form_of(config: DictionaryConfig) -> DictionaryForm:
    """Return the part of a dictionary's settings that shapes its entries."""
    return DictionaryForm(
        name=config.name,
        format=config.format,
        columns=config.columns,
        header=config.header,
        category=config.category,
        script=config.script,
        licence=config.licence,
    )


def read_dictionary(form: DictionaryForm, path: PathLike) -> Iterator[DictionaryEntry]:
    """Yield the entries of a dictionary in the order of its lines.

    Args:
        form: format, columns and category of the dictionary.
        path: where the file is.

    Raises:
        InputError: the file cannot be read or a line does not have the format.
    """
    if form.format == "tsv":
        return read_tsv_dictionary(
            path, columns=form.columns, header=form.header, category=form.category
        )
    parse = parse_cedict_line if form.format == "cedict" else parse_cedict_row
    entries = (
        entry
        for number, text in read_lines(path)
        if (entry := parse(text, os.fspath(path), number)) is not None
    )
    return (
        DictionaryEntry(source, target, form.category, line)
        for source, target, line in best_translations(entries, form.script)
    )


def read_tsv_dictionary(
    path: PathLike,
    *,
    columns: Sequence[str] = ("source", "target"),
    header: bool = False,
    category: Category = "term",
) -> Iterator[DictionaryEntry]:
    """Yield the entries of a tab-separated dictionary; blank lines and lines with an empty side are
    left out.

    Args:
        path: the file.
        columns: names of the columns, left to right: `source`, `target`, `category`; others are
        ignored,
            and so are further columns.
        header: True if the first line that is not blank names the columns.
        category: category of entries without one of their own.

    Raises:
        InputError: a line has too few columns or a category that does not exist.
    """
    name = os.fspath(path)
    names = list(columns)
    needed = max(names.index("source"), names.index("target")) + 1
    for number, text in read_lines(path):
        if not text.strip():
            continue
        if header:
            header = False
            continue
        fields = [field.strip() for field in text.split("\t")]
        if len(fields) < needed:
            raise InputError(
                f"{name}, line {number}: expected {needed} tab-separated columns "
                f"({', '.join(names[:needed])}), found {len(fields)}: {text[:60]!r}. "
                "Fix the line, or set dictionary.columns to what the file holds."
            )
        row = dict(zip(names, fields, strict=False))
        if row["source"] and row["target"]:
            yield DictionaryEntry(
                row["source"],
                row["target"],
                _category(row.get("category", "") or category, name, number),
                number,
            )


def _category(value: str, name: str, number: int) -> Category:
    if value not in CATEGORIES:
        raise InputError(
            f"{name}, line {number}: expected a category ({', '.join(CATEGORIES)}), "
            f"found {value!r}. Fix the line, or give that column another name "
            "so that it is ignored."
        )
    return cast(Category, value)
