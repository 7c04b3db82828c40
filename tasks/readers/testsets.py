"""Read test sets with any number of references, from parallel lines or marked-up documents.

A test set is small and is held in memory. Sentences that could not be translated or scored are
refused before anything is trained, or left out on all sides alike.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from storage.errors import InputError
from tasks.readers.lines import PathLike, read_lines
from tasks.readers.records import SetAside, fault
from tasks.readers.sgml import Segment, read_segments
from tasks.readers.testset_config import TestsetForm


@dataclass(frozen=True, slots=True)
class TestLine:
    """A sentence to translate, and what each reference says; "" where a reference has nothing."""

    __test__ = False  # the name begins with Test, and pytest would take it for a test

    source: str
    references: tuple[str, ...]
    document: str
    position: int
    """0-based, among all sentences of the set, also those that are left out."""
    where: str
    """File and line, or document and segment."""


def read_testset(
    form: TestsetForm, source: PathLike, references: Sequence[PathLike]
) -> Iterator[TestLine | SetAside]:
    """Yield the sentences of a test set in the order of its source.

    Raises:
        InputError: files do not fit together, or hold no sentence.
    """
    read = _read_plain if form.format == "plain" else _read_marked_up
    return (_checked(line) for line in read(form, source, references))


def _checked(line: TestLine) -> TestLine | SetAside:
    """Set a sentence aside that could not be translated or scored."""
    number = line.position + 1
    if not line.source.strip():
        found = (
            "expected a sentence, found an empty line. Take the line out of this file and of every "
            "file of references."
        )
        return _unfit(line.where, number, "empty_source", " ".join(line.references), found)
    if not any(text.strip() for text in line.references):
        found = (
            "the sentence has no reference. Give it one, or take the line out of the source and of "
            "every file of references."
        )
        return _unfit(line.where, number, "no_reference", line.source, found)
    return line


def _unfit(where: str, number: int, reason: str, text: str, found: str) -> SetAside:
    return fault(where, number, reason, text, found, section="testset")


def _read_plain(
    form: TestsetForm, source: PathLike, references: Sequence[PathLike]
) -> Iterator[TestLine]:
    name = os.fspath(source)
    texts = [text for _, text in read_lines(source, form.encoding)]
    translations = [[text for _, text in read_lines(file, form.encoding)] for file in references]
    for file, translated in zip(references, translations, strict=True):
        _must_match(name, len(texts), os.fspath(file), len(translated))
    if not texts:
        raise InputError(f"{name} is empty; expected one sentence a line.")
    for position, (text, *others) in enumerate(zip(texts, *translations, strict=True)):
        yield TestLine(text, tuple(others), "", position, f"{name}, line {position + 1}")


def _must_match(source: str, expected: int, file: str, found: int) -> None:
    if found != expected:
        raise InputError(
            f"{file} has {found:,} lines and {source} has {expected:,}; expected the "
            "same sentences in the same order. Compare both around line "
            f"{min(found, expected)}, and mend the file that lost or gained lines."
        )


def _read_marked_up(
    form: TestsetForm, source: PathLike, references: Sequence[PathLike]
) -> Iterator[TestLine]:
    """Match segments by document and id, wherever they stand."""
    name = os.fspath(source)
    files = list(dict.fromkeys([name, *(os.fspath(file) for file in references)]))
    sources: dict[tuple[str, str], Segment] = {}
    # A translator of one file is another reference than one of the same name in another file.
    translated: dict[tuple[str, str], dict[tuple[str, str], Segment]] = {}
    for file in files:
        for segment in read_segments(file, form.encoding):
            if segment.kind == "source" and file == name:
                _put(sources, segment, file)
            elif segment.kind == "reference":
                _put(translated.setdefault((file, segment.system), {}), segment, file)
    _must_belong_together(name, sources, translated.values())
    for position, segment in enumerate(sources.values()):
        found = (reference.get(segment.key) for reference in translated.values())
        texts = tuple("" if other is None else other.text for other in found)
        where = f"{name}, document {segment.document!r}, segment {segment.segment!r}"
        yield TestLine(segment.text, texts, segment.document, position, where)


def _put(segments: dict[tuple[str, str], Segment], segment: Segment, file: str) -> None:
    if segment.key in segments:
        raise InputError(
            f"{file}, line {segment.line}: document {segment.document!r} has a second segment "
            f"{segment.segment!r} of {segment.system or segment.kind}, after the one on line "
            f"{segments[segment.key].line}; expected each once. Remove one."
        )
    segments[segment.key] = segment


def _must_belong_together(
    name: str,
    sources: dict[tuple[str, str], Segment],
    translated: Iterable[dict[tuple[str, str], Segment]],
) -> None:
    if not sources:
        raise InputError(f"{name}: expected source segments (srcset or src), found none.")
    strangers = [
        segment for found in translated for key, segment in found.items() if key not in sources
    ]
    if strangers:
        first = strangers[0]
        raise InputError(
            f"{name}: {len(strangers):,} segments of the references have no source, the first "
            f"document {first.document!r}, segment {first.segment!r}; expected the same documents "
            "and segment ids. Check that source and references are of the same test set."
        )
