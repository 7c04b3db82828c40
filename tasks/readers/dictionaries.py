"""Read dictionaries of every format: phrases that somebody vouches for, with a category.

A dictionary's entry is a claim, not yet a phrase of the memory: whether two entries disagree is
settled in `tasks/mining/settle.py`.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from storage.records import Category
from tasks.readers.categories import guess_category
from tasks.readers.cedict import Script, read_cedict
from tasks.readers.config import (
    DEFAULT_MIN_SCORES,
    CategoryChoice,
    DictionaryConfig,
    DictionaryFormat,
)
from tasks.readers.entries import DictionaryEntry, Found, FoundEntry
from tasks.readers.glosses import Strictness
from tasks.readers.ldc import category_of_type, read_lexicon, read_names
from tasks.readers.lines import Encoding, PathLike
from tasks.readers.opening import without_compression
from tasks.readers.phrase_table import read_phrase_table
from tasks.readers.records import OnBadLine, SetAside, stop_at_faults
from tasks.readers.table_dictionary import DictionaryColumns, read_table_dictionary
from tasks.readers.tbx import read_tbx
from tasks.readers.term_json import read_term_json
from tasks.readers.word_pairs import read_word_pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class DictionaryForm:
    """What shapes the entries that are read from a dictionary; where its file lies does not."""

    name: str
    format: DictionaryFormat = "tsv"
    columns: DictionaryColumns = DictionaryColumns()
    languages: tuple[str, str] = ("zh", "en")
    subjects: tuple[str, ...] = ()
    terms: tuple[str, ...] = ("proper",)
    min_scores: tuple[float, ...] = DEFAULT_MIN_SCORES
    min_count: int = 3
    category: CategoryChoice = "term"
    script: Script = "simplified"
    strictness: Strictness = "normal"
    encoding: Encoding = "utf-8"
    on_bad_line: OnBadLine = "stop"
    licence: str = "unknown"


def form_of(config: DictionaryConfig) -> DictionaryForm:
    """Return the part of a dictionary's settings that shapes its entries."""
    return DictionaryForm(
        name=config.name,
        format=config.format,
        columns=DictionaryColumns(
            columns=config.source_names,
            header=config.header,
            source=config.source_column,
            target=config.target_column,
            category=config.category_column,
        ),
        languages=(config.languages[0], config.languages[1]),
        subjects=config.subjects,
        terms=config.terms,
        min_scores=config.min_scores,
        min_count=config.min_count,
        category=_category_of(config),
        script=config.script,
        strictness=config.strictness,
        encoding=config.encoding,
        on_bad_line=config.on_bad_line,
        licence=config.licence,
    )


def _category_of(config: DictionaryConfig) -> CategoryChoice:
    if config.category != "by-format":
        return config.category
    if config.format == "names":
        return "person"
    file = without_compression(os.path.basename(config.path))
    return (category_of_type(file) if config.format == "ldc-names" else None) or "term"


def read_dictionary(form: DictionaryForm, path: PathLike) -> Iterator[DictionaryEntry | SetAside]:
    """Yield the entries of a dictionary, and what is none with the reason.

    Args:
        form: format, columns and category of the dictionary.
        path: where the file is.

    Raises:
        InputError: the file cannot be read, or something in it does not have the format and bad
            lines are not to be dropped.
    """
    found = _READERS[form.format](form, path)
    for record in stop_at_faults(found) if form.on_bad_line == "stop" else found:
        yield record if isinstance(record, SetAside) else _entry(record, form.category)


def _entry(found: FoundEntry, choice: CategoryChoice) -> DictionaryEntry:
    category: Category
    if found.category is not None:
        category = found.category
    elif choice == "by-rule":
        category = guess_category(found.source, found.target, found.remark)
    else:
        category = "term" if choice == "by-format" else choice
    return DictionaryEntry(found.source, found.target, category, found.line)


def _table(form: DictionaryForm, path: PathLike) -> Iterator[Found]:
    quoted = form.format == "csv"
    return read_table_dictionary(path, form.columns, quoted=quoted, encoding=form.encoding)


def _cedict(form: DictionaryForm, path: PathLike) -> Iterator[Found]:
    return read_cedict(
        path,
        table=form.format == "cedict-tsv",
        script=form.script,
        strictness=form.strictness,
        encoding=form.encoding,
    )


def _lexicon(form: DictionaryForm, path: PathLike) -> Iterator[Found]:
    return read_lexicon(path, strictness=form.strictness, encoding=form.encoding)


def _names(form: DictionaryForm, path: PathLike) -> Iterator[Found]:
    return read_names(path, encoding=form.encoding)


def _tbx(form: DictionaryForm, path: PathLike) -> Iterator[Found]:
    return read_tbx(path, languages=form.languages, subjects=form.subjects)


def _phrase_table(form: DictionaryForm, path: PathLike) -> Iterator[Found]:
    return read_phrase_table(
        path, min_scores=form.min_scores, min_count=form.min_count, encoding=form.encoding
    )


def _pairs(form: DictionaryForm, path: PathLike) -> Iterator[Found]:
    return read_word_pairs(path, encoding=form.encoding)


def _term_json(form: DictionaryForm, path: PathLike) -> Iterator[Found]:
    return read_term_json(path, terms=form.terms, encoding=form.encoding)


_READERS: Mapping[DictionaryFormat, Callable[[DictionaryForm, PathLike], Iterator[Found]]] = {
    "tsv": _table,
    "csv": _table,
    "cedict": _cedict,
    "cedict-tsv": _cedict,
    "ldc": _lexicon,
    "ldc-names": _names,
    "tbx": _tbx,
    "phrase-table": _phrase_table,
    "names": _names,
    "pairs": _pairs,
    "terms-json": _term_json,
}
