"""The frame of every page: style for light and dark, a table of contents, tables that scroll."""

import html
from collections.abc import Sequence

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --mark: #ffe08a; --ink: #1a1a1a; --back: #fff;
  --soft: #666; }
@media (prefers-color-scheme: dark) {
  :root { --mark: #6b5200; --ink: #eaeaea; --back: #16181b; --soft: #a5a5a5; }
}
body { font: 16px/1.5 system-ui, sans-serif, "Noto Sans CJK SC", "WenQuanYi Micro Hei";
  color: var(--ink); background: var(--back); max-width: 62rem; margin: 0 auto; padding: 1rem; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: 0; list-style: none; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .8rem .25rem 0; text-align: left; border-bottom: 1px solid var(--line);
  vertical-align: bottom; }
td { white-space: nowrap; } th { max-width: 8rem; }
td.number, th.number { text-align: right; }
.note { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
mark { background: var(--mark); color: inherit; border-radius: .2rem; padding: 0 .15rem; }
sub { font-size: .65em; color: var(--soft); }
figure { margin: 1rem 0; } svg { max-width: 100%; height: auto; background: #fff; }
article { border-bottom: 1px solid var(--line); padding: .6rem 0; }
dl { display: grid; grid-template-columns: 9.5rem 1fr; gap: .15rem .8rem; margin: 0; }
dt { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; } dd { margin: 0; }
@media (max-width: 38rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
"""


def page(title: str, sections: Sequence[tuple[str, str]]) -> str:
    """Return a whole HTML page of titled sections, whose bodies are HTML already."""
    contents = "".join(
        f'<li><a href="#{_anchor(name)}">{html.escape(name)}</a></li>' for name, _ in sections
    )
    body = "".join(
        f'<section><h2 id="{_anchor(name)}">{html.escape(name)}</h2>{text}</section>'
        for name, text in sections
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{html.escape(title)}</h1><nav><ul>{contents}</ul></nav>{body}</body></html>\n"
    )


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, note: str = "") -> str:
    """Return a table that scrolls sideways on a narrow screen; figures stand on the right."""
    numeric = [
        bool(rows) and all(row[column][:1].isdigit() for row in rows)
        for column in range(len(header))
    ]
    head = "".join(_cell("th", text, right) for text, right in zip(header, numeric, strict=True))
    body = "".join(
        "<tr>"
        + "".join(_cell("td", text, right) for text, right in zip(row, numeric, strict=True))
        + "</tr>"
        for row in rows
    )
    below = f'<p class="note">{html.escape(note)}</p>' if note else ""
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        f"</div>{below}"
    )


def _cell(tag: str, text: str, right: bool) -> str:
    name = ' class="number"' if right else ""
    return f"<{tag}{name}>{html.escape(text)}</{tag}>"


def _anchor(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower())
