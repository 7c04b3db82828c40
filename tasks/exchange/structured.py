"""Glossaries as JSON, and as TBX for tools of terminologists (ISO 30042:2019, TBX-Basic, DCT)."""

import json
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import quoteattr

from tasks.exchange.entries import GlossaryEntry
from tasks.exchange.termbase import document, subject_field, term_section, xml_text


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


def tbx_lines(entries: Iterable[GlossaryEntry], *, name: str) -> Iterator[str]:
    """Yield a TBX document, a concept a line: its subject is the category, its terms are preferred.

    Characters that XML cannot hold are left out.
    """
    return document(map(_concept, entries), title=name)


def _concept(entry: GlossaryEntry) -> str:
    note = f"<note>{xml_text(entry.note)}</note>" if entry.note else ""
    return (
        f"<conceptEntry id={quoteattr('c' + entry.phrase_id)}>"
        f"{subject_field(entry.category)}{note}"
        f'<langSec xml:lang="zh">{term_section(entry.source, "preferred")}</langSec>'
        f'<langSec xml:lang="en">{term_section(entry.target, "preferred")}</langSec>'
        "</conceptEntry>"
    )
