"""The frame of every page: style for light and dark, a bar of contents, tables that scroll."""

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.reports.assets import asset
from tasks.reports.provenance import Source, source_note

NOTHING = "–"
"""What stands in a cell for which there is no figure."""


class Markup(str):
    """Text that is HTML already and is put into a page as it is."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """What a page has around and beside its sections."""

    kicker: str = ""
    lead: str = ""
    style: str = ""
    """A style sheet beside that of every page."""
    script: str = ""
    """Run at the end; a page with a script runs nothing else, and one is never fetched."""


def page(title: str, sections: Sequence[tuple[str, str]], frame: Frame | None = None) -> str:
    """Return a whole HTML page of titled sections, whose bodies are HTML already."""
    frame = frame or Frame()
    contents = "".join(
        f'<li><a href="#{_anchor(name)}">{html.escape(name)}</a></li>' for name, _ in sections
    )
    body = "".join(
        f'<section aria-labelledby="{_anchor(name)}"><h2 id="{_anchor(name)}">{html.escape(name)}'
        f"</h2>{text}</section>"
        for name, text in sections
    )
    kicker = f'<p class="kicker">{html.escape(frame.kicker)}</p>' if frame.kicker else ""
    lead = f'<p class="lead">{html.escape(frame.lead)}</p>' if frame.lead else ""
    script = f"<script>{frame.script}</script>" if frame.script else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{_policy(frame.script)}<title>{html.escape(title)}</title>"
        f"<style>{asset('page.css')}{frame.style}</style></head>"
        f'<body><header class="top">{kicker}<h1>{html.escape(title)}</h1>{lead}</header>'
        f'<nav aria-label="Contents"><ul>{contents}</ul></nav><main>{body}</main>{script}'
        "</body></html>\n"
    )


def _policy(script: str) -> str:
    """Let a page with a script run that script alone, and fetch nothing; empty without one."""
    if not script:
        return ""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    caption: str = "",
    note: str = "",
    sources: Sequence[Source] = (),
) -> str:
    """Return a table that scrolls sideways on a narrow screen; figures stand on the right.

    The first column names the rows. Cells are text, or `Markup`.
    """
    numeric = [_is_numeric([row[column] for row in rows]) for column in range(len(header))]
    head = "".join(
        f'<th scope="col"{_side(right)}>{_text(name)}</th>'
        for name, right in zip(header, numeric, strict=True)
    )
    body = "".join(_row(row, numeric) for row in rows)
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    label = html.escape(caption or header[0])
    below = f'<p class="note">{html.escape(note)}</p>' if note else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>{title}'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{below}"
        f"{source_note(sources)}"
    )


def _row(row: Sequence[str], numeric: Sequence[bool]) -> str:
    first, *others = row
    cells = "".join(
        f"<td{_side(right)}>{_text(text)}</td>"
        for text, right in zip(others, numeric[1:], strict=True)
    )
    return f'<tr><th scope="row"{_side(numeric[0])}>{_text(first)}</th>{cells}</tr>'


def _is_numeric(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell not in ("", NOTHING)]
    return bool(filled) and all(_begins_with_digit(cell) for cell in filled)


def _begins_with_digit(cell: str) -> bool:
    plain = cell.removeprefix("<strong>") if isinstance(cell, Markup) else cell
    return plain.lstrip("+-−<").startswith(tuple("0123456789"))


def _side(right: bool) -> str:
    return ' class="number"' if right else ""


def _text(cell: str) -> str:
    return cell if isinstance(cell, Markup) else html.escape(cell)


def strong(text: str) -> Markup:
    """Return a cell whose text stands out."""
    return Markup(f"<strong>{html.escape(text)}</strong>")


def folded(summary: str, body: str) -> str:
    """Return HTML that is shown when a reader asks for it; nothing for nothing."""
    if not body:
        return ""
    return f'<details class="more"><summary>{html.escape(summary)}</summary>{body}</details>'


def about(text: str) -> str:
    """Return the paragraph that says what a section shows."""
    return f'<p class="about">{html.escape(text)}</p>'


def _anchor(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower())


def embedded_json(value: object) -> str:
    """Write JSON that cannot end the element of a page in which it stands."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
