"""Read XLIFF 1.2 and 2 (OASIS), the format in which texts go to translators and come back.

Only finished translations become pairs. Inline codes are taken off: what they mark stays, what they
hold of another format's code goes. A file translated from English is turned round.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from storage.errors import InputError
from tasks.readers.languages import Direction, is_language
from tasks.readers.lines import PathLike
from tasks.readers.records import RawPair, Record, set_aside
from tasks.readers.safe_xml import child, children, inline_text, local_name, parse_elements

CODES = frozenset({"bpt", "ept", "it", "ph", "sub"})
"""Inline elements whose content is code: those of XLIFF 1.2; in XLIFF 2 codes have no content."""
FINISHED = frozenset({"", "translated", "signed-off", "reviewed", "final"})
"""States of a target that is a translation: XLIFF 1.2 and 2; without a state a target is one."""


@dataclass(frozen=True, slots=True)
class _Context:
    """What a file says of all its units."""

    name: str
    document: str
    turned: bool
    """Whether the file's source is our target."""
    other: bool
    """Whether the file is of other languages."""

    def pair(self, source: str, target: str, line: int) -> Record:
        if self.other:
            return set_aside(line, "other_language", f"{source} | {target}")
        if not target.strip():
            return set_aside(line, "untranslated", source)
        sides = (target, source) if self.turned else (source, target)
        return RawPair(*sides, self.document, line)

    def text(self, element: Any) -> str:
        return inline_text(element, CODES, self.name)


def read_xliff(
    path: PathLike, languages: tuple[str, str] = ("zh", "en"), direction: Direction = "auto"
) -> Iterator[Record]:
    """Yield the finished pairs of an XLIFF file; `line` is where the unit begins.

    Raises:
        InputError: it is not XLIFF, not well-formed, or does not say its languages.
    """
    name = os.fspath(path)
    named = ("", "")
    context: _Context | None = None
    units = ("trans-unit", "unit")
    for event, element in parse_elements(path, root="xliff", tags=("file", *units), units=units):
        tag = local_name(element)
        if event == "start" and tag == "xliff":
            named = element.get("srcLang", ""), element.get("trgLang", "")
        elif event == "start" and tag == "file":
            here = element.get("source-language", ""), element.get("target-language", "")
            document = element.get("original") or element.get("id") or ""
            said = named if named[0] else here
            context = _context(name, document, said, languages, direction)
        elif event == "end" and tag in units:
            if context is None:
                raise InputError(
                    f"{name}, line {element.sourceline}: <{tag}> stands outside of a <file>, which "
                    "says the languages. Mend the file."
                )
            yield from _unit_records(element, context)


def _context(
    name: str,
    document: str,
    said: tuple[str, str],
    languages: tuple[str, str],
    direction: Direction,
) -> _Context:
    if direction != "auto":
        return _Context(name, document, direction == "en-zh", other=False)
    if not said[0]:
        raise InputError(
            f"{name}: does not say which language its source is. Set direction to the one of the "
            'file: "zh-en" or "en-zh".'
        )
    for turned, (source, target) in ((False, languages), (True, languages[::-1])):
        if is_language(said[0], source) and (not said[1] or is_language(said[1], target)):
            return _Context(name, document, turned, other=False)
    return _Context(name, document, turned=False, other=True)


def _unit_records(unit: Any, context: _Context) -> Iterator[Record]:
    line = unit.sourceline
    if not _is_translatable(unit):
        yield set_aside(line, "not_translatable", _source_text(unit, context))
        return
    if local_name(unit) == "unit":
        for segment in children(unit, "segment"):
            yield from _records(segment, segment.get("state", ""), line, context)
        return
    target = child(unit, "target")
    state = "" if target is None else target.get("state", "")
    if not state and unit.get("approved") == "no":
        state = "not approved"
    yield from _records(unit, state, line, context)


def _is_translatable(unit: Any) -> bool:
    """Say whether a unit is to be translated: it says so, or else what it lies in."""
    said = unit.get("translate")
    owner = unit.getparent()
    while said is None and owner is not None:
        said, owner = owner.get("translate"), owner.getparent()
    return bool(said != "no")


def _source_text(unit: Any, context: _Context) -> str:
    parts = [child(part, "source") for part in (unit, *children(unit, "segment"))]
    return " ".join(context.text(part) for part in parts if part is not None)


def _records(holder: Any, state: str, line: int, context: _Context) -> Iterator[Record]:
    """Yield the records of what holds a source and a target."""
    source, target = child(holder, "source"), child(holder, "target")
    if source is None:
        yield set_aside(line, "no_source", "" if target is None else context.text(target))
    elif target is None:
        yield set_aside(line, "untranslated", context.text(source))
    elif state not in FINISHED:
        yield set_aside(line, "unfinished", context.text(source))
    else:
        yield from _segments(holder, source, target, line, context)


def _segments(
    holder: Any, source: Any, target: Any, line: int, context: _Context
) -> Iterator[Record]:
    """Yield a pair for each segment that is marked in both sides, or one for the whole."""
    segmented = child(holder, "seg-source")
    originals = [] if segmented is None else _marked(segmented)
    translations = _marked(target)
    if not originals or (not translations and context.text(target)):
        yield context.pair(context.text(source), context.text(target), line)
        return
    numbers = [[number for number, _ in marks] for marks in (originals, translations)]
    if any("" in side or len(set(side)) < len(side) for side in numbers):
        yield set_aside(line, "unnumbered_segments", context.text(source))
        return
    translated = dict(translations)
    for number, segment in originals:
        found = translated.pop(number, None)
        text = "" if found is None else context.text(found)
        yield context.pair(context.text(segment), text, line)
    for segment in translated.values():
        yield set_aside(line, "no_source", context.text(segment))


def _marked(element: Any) -> list[tuple[str, Any]]:
    return [
        (mark.get("mid", ""), mark)
        for mark in element.iter()
        if local_name(mark) == "mrk" and mark.get("mtype") == "seg"
    ]
