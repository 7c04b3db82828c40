"""Attention to one sentence as a drawing (SVG): words read across, words written down, gates.

The page of `phrasenet run` draws the same with a script, for every sentence; this one stands in
pages without scripts.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.metrics.attention_table import AttentionMatrix

STYLE = (
    "svg .axis { font-size: 11.5px; fill: var(--ink); } "
    "svg .field { fill: none; stroke: var(--line); } svg .heat { fill: var(--accent); } "
    "svg .gate { fill: var(--c1); } svg .gate-back { fill: var(--panel); stroke: var(--line); }"
)
"""Style sheet of the drawings."""
END = "⏎"
_CELL, _LETTER, _WIDE, _LONGEST, _BAR = 16.0, 7.2, 13.0, 16, 40.0
_FAINT = 0.05
"""Attention below it is not drawn."""


@dataclass(frozen=True, slots=True)
class Attended:
    """What a system attended to in a sentence."""

    system: str
    matrix: AttentionMatrix
    gates: Sequence[float | None]
    """Mean context gate of each row of the matrix, between 0 and 1; empty for a system without."""


def attention_figure(shown: Attended) -> str:
    """Return the drawing with its caption as HTML."""
    lines, columns = [*shown.matrix.words, END], [*shown.matrix.source_words, END]
    left, top = _width(lines) + 10, _width(columns) * 0.9 + 14
    across, down = len(columns) * _CELL, len(lines) * _CELL
    beside = _BAR + 44 if shown.gates else 0.0
    width, height = left + across + max(beside, top * 0.6), top + down + 2
    parts = [
        f'<rect class="field" x="{left:.1f}" y="{top:.1f}" width="{across:.1f}" '
        f'height="{down:.1f}"/>',
        *(_column(word, left + (at + 0.5) * _CELL + 4, top - 6) for at, word in enumerate(columns)),
        *(
            _line(shown, row, lines, columns, (left, top + row * _CELL))
            for row in range(len(lines))
        ),
    ]
    if shown.gates:
        parts.append(_text("gate %", left + across + 12, top - 6))
    name = html.escape(shown.system)
    return (
        f'<figure><figcaption>{name}</figcaption><svg role="img" aria-label="Attention of {name}" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.1f} {height:.1f}">'
        f"{''.join(parts)}</svg></figure>"
    )


def _line(
    shown: Attended,
    row: int,
    lines: Sequence[str],
    columns: Sequence[str],
    place: tuple[float, float],
) -> str:
    """Draw what one word attended to, and its gate."""
    left, y = place
    drawn = [_text(_short(lines[row]), left - 6, y + 12, 'text-anchor="end"')]
    for at, (word, share) in enumerate(zip(columns, shown.matrix.rows_IJ[row], strict=True)):
        if share >= _FAINT:
            told = html.escape(f"{lines[row]} ← {word}, {100 * share:.0f} %")
            drawn.append(
                f'<rect class="heat" x="{left + at * _CELL + 0.5:.1f}" y="{y + 0.5:.1f}" '
                f'width="{_CELL - 1:.0f}" height="{_CELL - 1:.0f}" fill-opacity="{share:.2f}">'
                f"<title>{told}</title></rect>"
            )
    if shown.gates:
        drawn.append(_gate(shown.gates[row], left + len(columns) * _CELL + 12, y))
    return "".join(drawn)


def _gate(gate: float | None, x: float, y: float) -> str:
    size = f'y="{y + 3:.1f}" height="{_CELL - 6:.0f}"'
    back = f'<rect class="gate-back" x="{x:.1f}" {size} width="{_BAR:.0f}"/>'
    if gate is None or gate != gate:
        return back
    bar = f'<rect class="gate" x="{x:.1f}" {size} width="{_BAR * gate:.1f}"/>'
    return f"{back}{bar}{_text(f'{100 * gate:.0f}', x + _BAR + 4, y + 12)}"


def _column(word: str, x: float, y: float) -> str:
    return _text(_short(word), x, y, f'transform="rotate(-60 {x:.1f} {y:.1f})" lang="zh"')


def _text(text: str, x: float, y: float, more: str = "") -> str:
    return f'<text class="axis" x="{x:.1f}" y="{y:.1f}" {more}>{html.escape(text)}</text>'


def _short(word: str) -> str:
    return word if len(word) <= _LONGEST else f"{word[: _LONGEST - 1]}…"


def _width(words: Sequence[str]) -> float:
    """Return the room that the longest label takes."""
    return max(
        sum(_WIDE if ord(letter) > 0x2E7F else _LETTER for letter in _short(word)) for word in words
    )
