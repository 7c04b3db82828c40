"""Read a corpus of any format: which reader reads which, and what all of them promise.

Kept and set aside add up to what was read; a bad line stops, unless the user said to drop such.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from storage.errors import InputError
from tasks.readers.corpus_config import CorpusForm
from tasks.readers.gettext import read_gettext
from tasks.readers.jsonl import read_jsonl
from tasks.readers.lines import PathLike
from tasks.readers.parallel import read_parallel
from tasks.readers.records import RawPair, Record, SetAside, of_document, stop_at_faults
from tasks.readers.tables import read_table
from tasks.readers.tmx import read_tmx
from tasks.readers.tsv import read_tsv
from tasks.readers.xliff import read_xliff


@dataclass(frozen=True, slots=True)
class Origin:
    """Where pairs come from, as their rows say it: the same on every machine."""

    name: str
    """The file, without the folders that only tell where it lies."""
    licence: str


Part = tuple[PathLike, ...]
"""The files that make one reading: one, or those of line-parallel text."""


def read_part(form: CorpusForm, part: Part) -> Iterator[Record]:
    """Yield the records of one file, or of line-parallel files, whatever is wrong with them.

    Raises:
        InputError: the file as a whole cannot be read.
    """
    if form.format in ("parallel", "moses"):
        documents = part[2] if len(part) > 2 else None
        return read_parallel(part[0], part[1], document_path=documents, encoding=form.encoding)
    return _READERS[form.format](form, part[0])


def read_corpus(
    form: CorpusForm, parts: Sequence[Part], origins: Sequence[Origin]
) -> Iterator[tuple[Origin, Record]]:
    """Yield the records of a corpus with their origins, file by file.

    Pairs of a corpus of several files whose format names no documents have their file for one.

    Raises:
        InputError: a file cannot be read, a bad line stops, or no pair is found.
    """
    found = False
    aside: Counter[str] = Counter()
    for part, origin in zip(parts, origins, strict=True):
        records = read_part(form, part)
        if form.on_bad_line == "stop":
            records = stop_at_faults(records)
        if len(parts) > 1:
            records = of_document(records, origin.name)
        for record in records:
            found = found or _holds_text(record)
            if isinstance(record, SetAside):
                aside[record.reason] += 1
            yield origin, record
    if not found:
        raise InputError(
            f"{os.fspath(parts[0][0])}: expected at least one sentence pair, found none"
            f"{_counted(aside)}. Check the path, that its format is {form.format}, and that the "
            "step that wrote it finished."
        )


def _counted(aside: Counter[str]) -> str:
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in aside.most_common())
    return f" (set aside: {reasons})" if reasons else ""


def _holds_text(record: Record) -> bool:
    return isinstance(record, RawPair) and bool(record.source.strip() or record.target.strip())


def _fields(form: CorpusForm) -> tuple[str, str, str]:
    return form.columns.source, form.columns.target, form.columns.document


_READERS: Mapping[str, Callable[[CorpusForm, PathLike], Iterator[Record]]] = {
    "tsv": lambda form, path: read_tsv(path, form.columns, form.encoding),
    "tmx": lambda form, path: read_tmx(path, form.languages, form.columns.document),
    "xliff": lambda form, path: read_xliff(path, form.languages, form.direction),
    "gettext": lambda form, path: read_gettext(path, form.languages, form.direction),
    "catalogs": lambda form, path: read_gettext(path, form.languages),
    "jsonl": lambda form, path: read_jsonl(path, _fields(form), form.encoding),
    "parquet": lambda form, path: read_table(path, "parquet", _fields(form)),
    "arrow": lambda form, path: read_table(path, "arrow", _fields(form)),
}
