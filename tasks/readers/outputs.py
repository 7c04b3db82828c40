"""Read what is scored: plain lines, marked-up test sets, or JSON lines, whoever wrote them.

Marked-up files (NIST's mteval in SGML or XML, the XML of WMT) are known by how they begin; their
segments are matched by document and id, so their order does not matter. A file with several systems
is named with the one that is meant: `FILE#SYSTEM`. Files whose name ends with `.jsonl` hold one
object a line with the texts `zh` and `en`.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from storage.errors import InputError
from tasks.readers.lines import PathLike, read_lines
from tasks.readers.opening import COMPRESSIONS
from tasks.readers.sgml import Segment, SetKind, read_segments

Key = tuple[str, str]
"""Document and segment."""

_MARKED_UP = re.compile(
    r"\s*<(?:\?xml|!doctype|mteval|tstset|refset|srcset|dataset)\b", re.IGNORECASE
)
_FIELDS: dict[SetKind, str] = {"source": "zh", "hypothesis": "en", "reference": "en"}
_EXPECTED: dict[SetKind, str] = {
    "source": "srcset (mteval) or src (WMT)",
    "hypothesis": "tstset (mteval) or hyp (WMT)",
    "reference": "refset (mteval) or ref (WMT)",
}


@dataclass(frozen=True, slots=True)
class TextStream:
    """Texts of one origin: a system, or one set of references."""

    name: str
    texts: list[str]
    keys: tuple[Key, ...] | None = None
    """Of each text, where the file says it."""


def read_streams(path: PathLike, kind: SetKind) -> list[TextStream]:
    """Read the texts of one kind; marked-up references may be several streams.

    Args:
        path: the file, with `#SYSTEM` behind it where one of several is meant.
        kind: which texts of a marked-up file.

    Raises:
        InputError: there are no such texts, or several systems where one is expected.
    """
    name, system = _parted(os.fspath(path))
    if _is_json_lines(name):
        return [TextStream(name, list(_json_texts(name, _FIELDS[kind])))]
    if not _is_marked_up(name):
        return [TextStream(name, [text for _, text in read_lines(name)])]
    found = _marked_up(name, kind)
    if system:
        return [found[_one_of(found, system, name)]]
    if kind != "reference" and len(found) > 1:
        raise InputError(
            f"{name} holds {len(found)} systems: {', '.join(found)}; expected one. Name the one "
            f"that is meant: {name}#{next(iter(found))}."
        )
    return list(found.values())


def in_order_of(first: TextStream, other: TextStream, *, may_miss: bool) -> TextStream:
    """Bring texts into the order of others, if both say which segments they are.

    Args:
        first: what gives the order.
        other: the texts to be ordered; as they are, if one of the two has no keys.
        may_miss: whether a segment may be missing; it becomes an empty text.

    Raises:
        InputError: one has segments that the other lacks.
    """
    if first.keys is None or other.keys is None or first.keys == other.keys:
        return other
    by_key = dict(zip(other.keys, other.texts, strict=True))
    strangers = by_key.keys() - set(first.keys)
    missing = [key for key in first.keys if key not in by_key]
    if strangers or (missing and not may_miss):
        document, segment = sorted(strangers)[0] if strangers else missing[0]
        has, lacks = (other, first) if strangers else (first, other)
        raise InputError(
            f"{lacks.name} lacks the segment {segment!r} of document {document!r}, which "
            f"{has.name} has; expected the same segments. Check that both are of the same test set."
        )
    return TextStream(other.name, [by_key.get(key, "") for key in first.keys], first.keys)


def _parted(name: str) -> tuple[str, str]:
    """Part `FILE#SYSTEM`; a file that is really called so stays whole."""
    file, mark, system = name.rpartition("#")
    if not mark or os.path.exists(name):
        return name, ""
    return file, system


def _is_json_lines(name: str) -> bool:
    ending = next((end for end in COMPRESSIONS if name.endswith(end)), "")
    return name.removesuffix(ending).endswith(".jsonl")


def _is_marked_up(name: str) -> bool:
    first = next((text for _, text in read_lines(name) if text.strip()), "")
    return _MARKED_UP.match(first) is not None


def _json_texts(name: str, field: str) -> Iterator[str]:
    for number, text in read_lines(name):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        said = value.get(field) if isinstance(value, dict) else None
        if not isinstance(said, str):
            raise InputError(
                f"{name}, line {number}: expected a JSON object with the text {field!r}. "
                "Fix the line, or give plain lines in a file with another ending."
            )
        yield said


def _marked_up(name: str, kind: SetKind) -> dict[str, TextStream]:
    """Return the texts of one kind by their system, in the order of the file."""
    systems: dict[str, dict[Key, Segment]] = {}
    for segment in read_segments(name):
        if segment.kind != kind:
            continue
        known = systems.setdefault(segment.system, {})
        if segment.key in known:
            raise InputError(
                f"{name}, line {segment.line}: document {segment.document!r} has a second segment "
                f"{segment.segment!r}, after the one on line {known[segment.key].line}; expected "
                "each once. Remove one."
            )
        known[segment.key] = segment
    if not systems:
        raise InputError(f"{name}: expected segments in a {_EXPECTED[kind]}, found none.")
    return {
        system: TextStream(
            f"{name}#{system}" if len(systems) > 1 else name,
            [segment.text for segment in found.values()],
            tuple(found),
        )
        for system, found in systems.items()
    }


def _one_of(found: dict[str, TextStream], system: str, name: str) -> str:
    if system not in found:
        raise InputError(f"{name} has no system {system!r}; it has: {', '.join(found)}.")
    return system
