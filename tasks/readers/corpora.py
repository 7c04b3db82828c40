"""Read a corpus of any format: which reader reads which, and what all of them promise.

Kept and set aside add up to what was read; a bad line stops, unless the user said to drop such.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from storage.errors import InputError
from tasks.readers.corpus_config import CorpusForm
from tasks.readers.gettext import read_gettext
from tasks.readers.jsonl import read_jsonl
from tasks.readers.lines import PathLike
from tasks.readers.parallel import read_parallel
from tasks.readers.records import RawPair, Record, SetAside, of_document, stop_at_faults
from tasks.readers.spans import WHOLE, Span, is_plain
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


@dataclass(frozen=True, slots=True)
class Piece:
    """What is read in one go: files that make one reading, or a span of such a file."""

    part: Part
    origin: Origin
    document: str
    """Of pairs whose format names none; empty for none."""
    span: Span = WHOLE


@dataclass(slots=True)
class Tally:
    """What was found in a corpus, or a piece of it."""

    found: bool = False
    """Whether a pair has any text."""
    aside: Counter[str] = field(default_factory=Counter)
    """How many records are none, by reason."""

    def note(self, record: Record) -> None:
        """Count a record."""
        self.found = self.found or _holds_text(record)
        if isinstance(record, SetAside):
            self.aside[record.reason] += 1

    def add(self, other: "Tally") -> None:
        """Count what was found in another piece."""
        self.found = self.found or other.found
        self.aside.update(other.aside)

    def must_hold_pairs(self, form: CorpusForm, parts: Sequence[Part]) -> None:
        """Refuse a corpus without a pair.

        Raises:
            InputError: it has none.
        """
        if not self.found:
            raise InputError(
                f"{os.fspath(parts[0][0])}: expected at least one sentence pair, found none"
                f"{_counted(self.aside)}. Check the path, that its format is {form.format}, and "
                "that the step that wrote it finished."
            )


def pieces_of(parts: Sequence[Part], origins: Sequence[Origin]) -> list[Piece]:
    """Return the pieces of a corpus that is not cut.

    Pairs of a corpus of several files whose format names no documents have their file for one.
    """
    several = len(parts) > 1
    return [
        Piece(part, origin, origin.name if several else "")
        for part, origin in zip(parts, origins, strict=True)
    ]


def read_part(form: CorpusForm, part: Part, span: Span = WHOLE) -> Iterator[Record]:
    """Yield the records of one file, or of line-parallel files, whatever is wrong with them.

    Args:
        form: of the corpus.
        part: the files.
        span: the lines that are wanted, of a format that can be cut; see `can_be_cut`.

    Raises:
        InputError: the file as a whole cannot be read.
    """
    if form.format == "tsv":
        return read_tsv(part[0], form.columns, form.encoding, span)
    assert span == WHOLE, f"{form.format} has no lines that can be read by themselves"
    if form.format in ("parallel", "moses"):
        documents = part[2] if len(part) > 2 else None
        return read_parallel(part[0], part[1], document_path=documents, encoding=form.encoding)
    return _READERS[form.format](form, part[0])


def read_corpus(
    form: CorpusForm, parts: Sequence[Part], origins: Sequence[Origin]
) -> Iterator[tuple[Origin, Record]]:
    """Yield the records of a corpus with their origins, file by file.

    Raises:
        InputError: a file cannot be read, a bad line stops, or no pair is found.
    """
    tally = Tally()
    for piece in pieces_of(parts, origins):
        for record in read_piece(form, piece):
            tally.note(record)
            yield piece.origin, record
    tally.must_hold_pairs(form, parts)


def read_piece(form: CorpusForm, piece: Piece) -> Iterator[Record]:
    """Yield the records of a piece of a corpus.

    Raises:
        InputError: a file cannot be read, or a bad line stops.
    """
    records = read_part(form, piece.part, piece.span)
    if form.on_bad_line == "stop":
        records = stop_at_faults(records)
    return of_document(records, piece.document) if piece.document else records


def can_be_cut(form: CorpusForm, part: Part) -> bool:
    """Say whether spans of a part can be read: plain files of a pair a line."""
    return form.format == "tsv" and is_plain(part[0])


def _counted(aside: Counter[str]) -> str:
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in aside.most_common())
    return f" (set aside: {reasons})" if reasons else ""


def _holds_text(record: Record) -> bool:
    return isinstance(record, RawPair) and bool(record.source.strip() or record.target.strip())


def _fields(form: CorpusForm) -> tuple[str, str, str]:
    return form.columns.source, form.columns.target, form.columns.document


_READERS: Mapping[str, Callable[[CorpusForm, PathLike], Iterator[Record]]] = {
    "tmx": lambda form, path: read_tmx(path, form.languages, form.columns.document),
    "xliff": lambda form, path: read_xliff(path, form.languages, form.direction),
    "gettext": lambda form, path: read_gettext(path, form.languages, form.direction),
    "catalogs": lambda form, path: read_gettext(path, form.languages),
    "jsonl": lambda form, path: read_jsonl(path, _fields(form), form.encoding),
    "parquet": lambda form, path: read_table(path, "parquet", _fields(form)),
    "arrow": lambda form, path: read_table(path, "arrow", _fields(form)),
}
