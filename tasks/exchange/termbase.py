"""Parts of a TBX document (ISO 30042:2019, TBX-Basic in the style DCT)."""

from collections.abc import Iterable, Iterator
from typing import Literal
from xml.sax.saxutils import escape

Status = Literal["preferred", "admitted"]

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<tbx type="TBX-Basic" style="dct" xml:lang="zh" xmlns="urn:iso:std:iso:30042:ed-2"
  xmlns:min="http://www.tbxinfo.net/ns/min" xmlns:basic="http://www.tbxinfo.net/ns/basic">
<tbxHeader><fileDesc><sourceDesc><p>{title}</p></sourceDesc></fileDesc></tbxHeader>
<text><body>"""
_TAIL = "</body></text></tbx>"


def document(concepts: Iterable[str], *, title: str) -> Iterator[str]:
    """Yield a document line by line, a `conceptEntry` a line."""
    yield _HEAD.format(title=xml_text(title))
    yield from concepts
    yield _TAIL


def subject_field(subject: str) -> str:
    """Return the element that names the field of a concept."""
    return f"<min:subjectField>{xml_text(subject)}</min:subjectField>"


def term_section(term: str, status: Status, *, source: str = "") -> str:
    """Return the element of a term with its status, and with where it comes from if that is
    given."""
    origin = f"<basic:source>{xml_text(source)}</basic:source>" if source else ""
    return (
        f"<termSec><term>{xml_text(term)}</term>"
        f"<min:administrativeStatus>{status}Term-admn-sts</min:administrativeStatus>"
        f"{origin}</termSec>"
    )


def xml_text(text: str) -> str:
    """Escape a text; XML 1.0 has no place for most control characters and lone surrogates."""
    return escape("".join(letter for letter in text if _is_xml(letter)))


def _is_xml(letter: str) -> bool:
    code = ord(letter)
    return (
        code in (0x9, 0xA, 0xD)
        or 0x20 <= code <= 0xD7FF
        or 0xE000 <= code <= 0xFFFD
        or (code >= 0x10000)
    )
