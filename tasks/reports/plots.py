"""Plots as SVG text to be put into a page; the same data give the same bytes.

Colours are those of the page's style sheet, so that a plot follows the reader's choice of dark or
light. Lines are told apart by style and mark as well as by colour.
"""

import html
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

_STYLES = ("-", "--", ":", "-.", (0, (5, 1)))
_MARKS = ("o", "s", "^", "D", "v", "P", "X")
_PLACEHOLDERS = ("#010101", "#020202", "#030303", "#040404", "#050505", "#060606")
"""Colours that Matplotlib writes and that become those of the style sheet."""
_INK, _SOFT, _LINE = "#0a0a0a", "#0b0b0b", "#0c0c0c"
_VARIABLES = {
    **{colour: f"var(--c{number})" for number, colour in enumerate(_PLACEHOLDERS)},
    _INK: "var(--ink)",
    _SOFT: "var(--soft)",
    _LINE: "var(--line)",
}
_NOT_OURS = re.compile(r' id="[\w.]+_\d+"|<metadata>.*?</metadata>|<style.*?</style>', re.DOTALL)
"""Ids that several plots would share, and what would speak for the whole page."""
_SIZE_INCHES = (5.0, 2.9)


def loss_curves(logs: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Draw the training loss of each system over the target words seen, and its loss on dev.

    Args:
        logs: by system, rows with `target_words`, `loss` and `dev_loss` (None where not measured).
    """
    with _drawing("loss", "target words seen", "loss per word (nats)") as (axes, done):
        for number, (system, rows) in enumerate(logs.items()):
            style, _, colour = _look(number)
            words = [row["target_words"] for row in rows]
            losses = [row["loss"] for row in rows]
            axes.plot(words, losses, linestyle=style, color=colour, label=f"{system}, training")
            dev = [(row["target_words"], row["dev_loss"]) for row in rows if row["dev_loss"]]
            if dev:
                _dots(axes, dev, number, f"{system}, dev")
        axes.legend(frameon=False, fontsize=8)
    return done[0]


def dev_losses(curves: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Draw the loss on dev of each system over the target words seen.

    Args:
        curves: by system, target words and loss after each pass.
    """
    with _drawing("dev loss", "target words seen", "loss per word (nats)") as (axes, done):
        for number, (system, points) in enumerate(curves.items()):
            style, mark, colour = _look(number)
            axes.plot(
                *zip(*points, strict=True),
                mark,
                linestyle=style,
                color=colour,
                markersize=4,
                label=system,
            )
        axes.legend(frameon=False, fontsize=8)
    return done[0]


def _dots(axes: Any, points: Sequence[tuple[float, float]], number: int, label: str) -> None:
    _, mark, colour = _look(number)
    axes.plot(*zip(*points, strict=True), mark, color=colour, markersize=5, label=label)


def by_length(
    values: Mapping[str, Sequence[float | None]], buckets: Sequence[str], unit: str
) -> str:
    """Draw one line a system over classes of sentence length; gaps where there is no sentence.

    Args:
        values: one figure for each class, by system.
        buckets: the names of the classes.
        unit: what the figures are.
    """
    with _drawing(f"length {unit}", "source words", unit) as (axes, done):
        for number, (system, row) in enumerate(values.items()):
            style, mark, colour = _look(number)
            figures = [float("nan") if value is None else value for value in row]
            axes.plot(figures, mark, linestyle=style, color=colour, markersize=5, label=system)
        axes.set_xticks(range(len(buckets)), buckets)
        axes.legend(frameon=False, fontsize=8)
    return done[0]


def gate_dots(classes: Mapping[str, Mapping[str, tuple[float, float]]]) -> str:
    """Draw the mean gate of each class of words with one deviation to either side.

    Args:
        classes: (mean, deviation) by system and class of words; systems share their classes.
    """
    names = list(dict.fromkeys(name for row in classes.values() for name in row))
    with _drawing("gates", "context gate: 0 target side, 1 source side", "") as (axes, done):
        for number, (system, row) in enumerate(classes.items()):
            _, mark, colour = _look(number)
            shift = 0.16 * (number - (len(classes) - 1) / 2)
            places = [names.index(name) + shift for name in row]
            means, deviations = zip(*row.values(), strict=True)
            axes.errorbar(means, places, xerr=deviations, fmt=mark, color=colour, label=system)
        axes.set_yticks(range(len(names)), names)
        axes.set_xlim(0, 1)
        axes.invert_yaxis()
        axes.legend(frameon=False, fontsize=8)
    return done[0]


def intervals(rows: Sequence[tuple[str, float, float, float]], unit: str) -> str:
    """Draw scores as points with their intervals, one line a system.

    Args:
        rows: system, score, low and high end of the interval.
        unit: what the scores are.
    """
    height = 0.9 + 0.36 * len(rows)
    with _drawing(f"intervals {unit}", unit, "", height=height) as (axes, done):
        for number, (_, value, low, high) in enumerate(rows):
            _, mark, colour = _look(number)
            span = [[value - low], [high - value]]
            axes.errorbar([value], [number], xerr=span, fmt=mark, color=colour, capsize=4)
        axes.set_yticks(range(len(rows)), [row[0] for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
    return done[0]


def _look(number: int) -> tuple[Any, str, str]:
    return (
        _STYLES[number % len(_STYLES)],
        _MARKS[number % len(_MARKS)],
        _PLACEHOLDERS[number % len(_PLACEHOLDERS)],
    )


@contextmanager
def _drawing(
    name: str, across: str, up: str, *, height: float = _SIZE_INCHES[1]
) -> Iterator[tuple[Any, list[str]]]:
    """Give axes to draw on, and a list that holds the finished SVG at the end."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    done: list[str] = []
    settings: Any = {
        "svg.hashsalt": f"phrasenet {name}",
        "svg.fonttype": "none",
        "text.parse_math": False,
    }
    with mpl.rc_context(settings):
        figure = Figure(figsize=(_SIZE_INCHES[0], height), layout="constrained")
        figure.patch.set_alpha(0)
        axes = figure.add_subplot()
        axes.patch.set_alpha(0)
        yield axes, done
        _dress(axes, across, up)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    done.append(_themed(text.getvalue(), f"{up or across} by system"))


def _dress(axes: Any, across: str, up: str) -> None:
    axes.set_xlabel(across, color=_SOFT)
    axes.set_ylabel(up, color=_SOFT)
    axes.grid(color=_LINE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(colors=_SOFT, length=0, labelsize=9)
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(_LINE)
    legend = axes.get_legend()
    for text in legend.get_texts() if legend else ():
        text.set_color(_INK)


def _themed(svg: str, label: str) -> str:
    """Take the colours of the page, leave out what is not the plot's own, and name the plot."""
    text = _NOT_OURS.sub("", svg[svg.index("<svg") :])
    for placeholder, variable in _VARIABLES.items():
        text = text.replace(placeholder, variable)
    return text.replace("<svg ", f'<svg role="img" aria-label="{html.escape(label)}" ', 1)
