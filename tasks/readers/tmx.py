"""Read TMX, the exchange format of translation memories (LISA OSCAR, TMX 1.1 to 1.4b).

A unit may hold any number of variants: source and target are chosen by language, never by
position, and each source variant makes a pair with each target variant. Of the inline elements,
`hi` only marks text; all others hold codes of another format, which are no text.
"""

import itertools
import os
from collections.abc import Iterator
from typing import Any

from tasks.readers.languages import is_language
from tasks.readers.lines import PathLike
from tasks.readers.records import RawPair, Record, set_aside
from tasks.readers.safe_xml import (
    child,
    children,
    inline_text,
    language_of,
    local_name,
    parse_elements,
)

CODES = frozenset({"bpt", "ept", "it", "ph", "ut", "sub"})
"""Inline elements whose content is no text of the sentence."""


def read_tmx(
    path: PathLike, languages: tuple[str, str] = ("zh", "en"), document: str = ""
) -> Iterator[Record]:
    """Yield the pairs of a TMX file; `line` is where the unit begins.

    Args:
        path: the file.
        languages: of the source and of the target.
        document: type of the unit's `<prop>` that names its document; "" for none.

    Raises:
        InputError: it is not TMX, or not well-formed.
    """
    name = os.fspath(path)
    for event, unit in parse_elements(path, root="tmx", tags=("tu",), units=("tu",)):
        if event == "end" and local_name(unit) == "tu":
            yield from _records(unit, languages, document, name)


def _records(unit: Any, languages: tuple[str, str], document: str, name: str) -> Iterator[Record]:
    line = unit.sourceline
    sides: list[list[str]] = []
    for side, wanted in zip(("source", "target"), languages, strict=True):
        variants = [
            variant
            for variant in children(unit, "tuv")
            if is_language(language_of(variant), wanted)
        ]
        segments = [child(variant, "seg") for variant in variants]
        texts = [inline_text(segment, CODES, name) for segment in segments if segment is not None]
        if not texts:
            reason = "no_segment" if variants else f"no_{side}_language"
            yield set_aside(line, reason, " | ".join(_texts(unit, name)))
            return
        sides.append(texts)
    place = _property(unit, document) if document else ""
    for source, target in itertools.product(*sides):
        yield RawPair(source, target, place, line)


def _texts(unit: Any, name: str) -> Iterator[str]:
    for variant in children(unit, "tuv"):
        segment = child(variant, "seg")
        if segment is not None:
            yield inline_text(segment, CODES, name)


def _property(unit: Any, kind: str) -> str:
    found = (prop.text or "" for prop in children(unit, "prop") if prop.get("type") == kind)
    return next(found, "").strip()
