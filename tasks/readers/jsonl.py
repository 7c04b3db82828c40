"""Read JSON lines: one object a line, fields by name or by a path such as `translation.zh`."""

import json
import os
from collections.abc import Iterator
from typing import Any

from tasks.readers.lines import Encoding, PathLike
from tasks.readers.records import RawPair, Record, SetAside, excerpt, fault
from tasks.readers.texts import read_texts


class FieldProblem(ValueError):
    """A field of a record is missing or is no text; the message says which."""


def read_jsonl(
    path: PathLike,
    fields: tuple[str, str, str] = ("source", "target", ""),
    encoding: Encoding = "utf-8",
) -> Iterator[Record]:
    """Yield the pairs of a file of JSON lines; blank lines are pairs with both sides empty.

    Args:
        path: the file.
        fields: paths of source, target and document; "" for no document.
        encoding: how the file is encoded.

    Raises:
        InputError: the file cannot be opened.
    """
    name = os.fspath(path)
    for item in read_texts(path, encoding):
        if isinstance(item, SetAside):
            yield item
            continue
        number, text = item
        yield _record(text, fields, name, number) if text.strip() else RawPair("", "", "", number)


def _record(text: str, fields: tuple[str, str, str], name: str, number: int) -> Record:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _fault(text, name, number, "json", f"not JSON ({error})", "set format to another")
    try:
        source, target, document = (field_text(value, path) for path in fields)
    except FieldProblem as problem:
        remedy = "set source_column and target_column"
        return _fault(text, name, number, "fields", str(problem), remedy)
    return RawPair(source, target, document, number)


def _fault(text: str, name: str, number: int, reason: str, found: str, setting: str) -> SetAside:
    complaint = f"{found}: {excerpt(text)}. Fix the line, or {setting}."
    return fault(f"{name}, line {number}", number, reason, text, complaint)


def field_text(value: Any, path: str) -> str:
    """Return the text at a dotted path; null is the empty text, and so is the empty path.

    A name that itself holds dots is found as a whole before it is taken for a path.

    Raises:
        FieldProblem: there is no such field, or it is no text.
    """
    if not path:
        return ""
    found = _at(value, path)
    if isinstance(found, bool) or not isinstance(found, str | int | None):
        raise FieldProblem(f"expected a text at {path!r}, found a {type(found).__name__}")
    text = "" if found is None else str(found)
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise FieldProblem(f"the text at {path!r} holds half a character (a lone surrogate)")
    return text


def _at(value: Any, path: str) -> Any:
    if isinstance(value, dict) and path in value:
        return value[path]
    first, _, rest = path.partition(".")
    if isinstance(value, dict) and first in value and rest:
        return _at(value[first], rest)
    if isinstance(value, list) and first.isdecimal() and int(first) < len(value):
        return _at(value[int(first)], rest) if rest else value[int(first)]
    known = f"; there are {', '.join(map(repr, value))}" if isinstance(value, dict) else ""
    raise FieldProblem(f"there is no field {path!r}{known[:200]}")
