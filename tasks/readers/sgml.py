"""Read test sets with marked-up documents: NIST's mteval, SGML or XML, and the XML of WMT.

SGML is no XML: tags may be in any case, attributes unquoted, end tags missing, and a `&` or `<` may
stand for itself. So this knows the few elements that matter and takes all else for text. Entities
are decoded once, and only those that every reader knows; a declaration of others is refused.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from storage.errors import InputError
from tasks.readers.lines import Encoding, PathLike, read_lines
from tasks.readers.records import excerpt
from tasks.readers.safe_xml import tidy

SetKind = Literal["source", "reference", "hypothesis"]

_KINDS: dict[str, SetKind] = {
    "srcset": "source",
    "refset": "reference",
    "tstset": "hypothesis",
    "src": "source",
    "ref": "reference",
    "hyp": "hypothesis",
}
_ELEMENTS = "srcset|refset|tstset|src|ref|hyp|doc|seg|p|hl|poster|mteval|dataset|collection"
_TAG = re.compile(
    rf"<(?P<end>/?)(?P<name>{_ELEMENTS})"
    r"(?P<attributes>(?:\s(?:\"[^\"]*\"|'[^']*'|[^>\"'])*)?)/?>"
    r"|<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>|<!\[CDATA\[(?P<verbatim>.*?)\]\]>",
    re.IGNORECASE | re.DOTALL,
)
_OPEN_TAG = re.compile(
    rf"<(?:/?(?:{_ELEMENTS})|!DOCTYPE)(?:\s[^<>]*)?\Z", re.IGNORECASE | re.DOTALL
)
_CUT_SHORT = re.compile(r"<[a-z/!][^<>]*\Z", re.IGNORECASE)
_BRACKETS = (("<!--", "-->"), ("<![CDATA[", "]]>"))
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]\w*));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": "\u00a0"}


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment of a set; those of the same document and id belong together."""

    kind: SetKind
    system: str
    """Who translated it: the system, or the human translator; "" for the source."""
    document: str
    segment: str
    text: str
    line: int

    @property
    def key(self) -> tuple[str, str]:
        """Return what its source and its translations share."""
        return self.document, self.segment


@dataclass(slots=True)
class _Place:
    """Where in the file the parser is."""

    kind: SetKind | None = None
    system: str = ""
    """Said by the set, for its documents that say none."""
    document: str = ""
    document_system: str = ""
    segment: str | None = None
    line: int = 0
    text: list[str] = field(default_factory=list)


def read_segments(path: PathLike, encoding: Encoding = "utf-8") -> Iterator[Segment]:
    """Yield the segments of all sets of a file, in its order.

    Raises:
        InputError: there are no segments, or one stands outside of a set or document.
    """
    name = os.fspath(path)
    place, found = _Place(), False
    for number, text in _joined(read_lines(path, encoding), name):
        for segment in _segments_of_line(text, place, number, name):
            found = True
            yield segment
    found = found or place.segment is not None
    yield from _finished(place)
    if not found:
        raise InputError(
            f"{name}: expected <seg> elements in a srcset, refset or tstset (mteval) or in src, "
            "ref or hyp (WMT), found none. Check format and path."
        )


def _joined(lines: Iterable[tuple[int, str]], name: str) -> Iterator[tuple[int, str]]:
    """Yield lines such that no tag, comment or CDATA begins in one and ends in another.

    Raises:
        InputError: the file ends within a tag, a comment or CDATA.
    """
    waiting: list[str] = []
    end, text, began = "", "", 1
    for number, line in lines:
        waiting.append(line + "\n")
        if end and end not in line and not (end == ">" and "<" in line):
            continue
        text = "".join(waiting)
        at, end = _open(text)
        began = number
        yield number, text[:at]
        waiting = [text[at:]] if end else []
    if waiting or _CUT_SHORT.search(text.rstrip()):
        raise InputError(
            f"{name}, line {began}: the file ends within {excerpt(''.join(waiting) or text)}; "
            "expected the end of what begins there. Copy the file again, or mend it."
        )


def _open(text: str) -> tuple[int, str]:
    """Return where a text's last tag, comment or CDATA begins that does not end in it, and what
    would end it; the length of the text and "" if all end.
    """
    for begin, end in _BRACKETS:
        at = text.find(begin, max(text.rfind(end), 0))
        if at >= 0:
            return at, end
    tag = _OPEN_TAG.search(text)
    return (tag.start(), ">") if tag else (len(text), "")


def _segments_of_line(text: str, place: _Place, number: int, name: str) -> Iterator[Segment]:
    if place.segment is None and "<!entity" in text.lower():
        raise InputError(
            f"{name}, line {number}: its DOCTYPE declares an entity; expected none, since entities "
            "can pull in other files. Replace them by their text and remove the declarations."
        )
    at = 0
    for tag in _TAG.finditer(text):
        place.text.append(decode_entities(text[at : tag.start()]))
        place.text.append(tag["verbatim"] or "")
        at = tag.end()
        if tag["name"]:
            if tag["name"].lower() in ("seg", "doc", *_KINDS):
                yield from _finished(place)
            _enter(place, tag, number, name)
    place.text.append(decode_entities(text[at:]))


def _enter(place: _Place, tag: re.Match[str], number: int, name: str) -> None:
    """Change the place according to a tag."""
    element, is_end = tag["name"].lower(), bool(tag["end"])
    said = _attributes(tag["attributes"] or "")
    if element in _KINDS:
        place.kind = None if is_end else _KINDS[element]
        place.system = "" if is_end else _system(said)
    elif element == "doc":
        place.document = "" if is_end else said.get("docid") or said.get("id") or ""
        place.document_system = "" if is_end else said.get("sysid", "")
    elif element == "seg" and not is_end:
        if place.kind is None:
            raise InputError(
                f"{name}, line {number}: a <seg> stands outside of srcset, refset and tstset "
                "(mteval) and of src, ref and hyp (WMT). Mend the file."
            )
        place.segment, place.line = said.get("id", "").strip(), number
        place.text = []


def _system(said: dict[str, str]) -> str:
    names = ("translator", "system", "refid", "sysid")
    return next((said[name] for name in names if said.get(name)), "")


def _finished(place: _Place) -> Iterator[Segment]:
    """Yield the segment that ends here, if one is open."""
    if place.segment is None or place.kind is None:
        return
    system = "" if place.kind == "source" else place.document_system or place.system
    text = tidy("".join(place.text))
    yield Segment(place.kind, system, place.document, place.segment, text, place.line)
    place.segment = None


def _attributes(text: str) -> dict[str, str]:
    return {
        match[1].lower(): decode_entities(match[2] or match[3] or match[4] or "")
        for match in _ATTRIBUTE.finditer(text)
    }


def decode_entities(text: str) -> str:
    """Decode character references and the entities of XML once; all else stays as it is."""
    if "&" not in text:
        return text
    return _REFERENCE.sub(_decoded, text)


def _decoded(match: re.Match[str]) -> str:
    decimal, hexadecimal, named = match.groups()
    if named:
        return _NAMED.get(named, match[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF or code == 0:
        return match[0]
    return chr(code)
