"""Glossaries as JSON, and as TBX for tools of terminologists (ISO 30042:2019, TBX-Basic, DCT)."""

import json
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from tasks.exchange.entries import GlossaryEntry


def json_lines(entries: Iterable[GlossaryEntry], *, name: str) -> Iterator[str]:
    """Yield one JSON document over several lines: languages, and one object an entry."""
    yield "{"
    yield f'"name": {json.dumps(name, ensure_ascii=False)},'
    yield '"source_language": "zh", "target_language": "en",'
    yield '"entries": ['
    before = None
    for entry in entries:
        if before is not None:
            yield before + ","
        before = json.dumps(_object(entry), ensure_ascii=False)
    if before is not None:
        yield before
    yield "]"
    yield "}"


def _object(entry: GlossaryEntry) -> dict[str, object]:
    return {
        "id": entry.phrase_id,
        "source": entry.source,
        "target": entry.target,
        "category": entry.category,
        "origin": entry.origin,
        "reliability": entry.reliability,
        "note": entry.note,
    }


_TBX_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<tbx type="TBX-Basic" style="dct" xml:lang="zh" xmlns="urn:iso:std:iso:30042:ed-2"
  xmlns:min="http://www.tbxinfo.net/ns/min" xmlns:basic="http://www.tbxinfo.net/ns/basic">
<tbxHeader><fileDesc><sourceDesc><p>{name}</p></sourceDesc></fileDesc></tbxHeader>
<text><body>"""
_TBX_TAIL = "</body></text></tbx>"


def tbx_lines(entries: Iterable[GlossaryEntry], *, name: str) -> Iterator[str]:
    """Yield a TBX document, a concept a line: its subject is the category, its terms are preferred.

    Characters that XML cannot hold are left out.
    """
    yield _TBX_HEAD.format(name=_text(name))
    for entry in entries:
        note = f"<note>{_text(entry.note)}</note>" if entry.note else ""
        yield (
            f"<conceptEntry id={quoteattr('c' + entry.phrase_id)}>"
            f"<min:subjectField>{_text(entry.category)}</min:subjectField>{note}"
            f"{_language('zh', entry.source)}{_language('en', entry.target)}</conceptEntry>"
        )
    yield _TBX_TAIL


def _language(code: str, term: str) -> str:
    return (
        f'<langSec xml:lang="{code}"><termSec><term>{_text(term)}</term>'
        "<min:administrativeStatus>preferredTerm-admn-sts</min:administrativeStatus>"
        "</termSec></langSec>"
    )


def _text(text: str) -> str:
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
