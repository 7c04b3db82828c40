"""Plots as SVG text to be put into a page; the same data give the same bytes."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

_STYLES = ("-", "--", ":", "-.")
"""Lines are told apart by style as well as by colour."""


def loss_curves(logs: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Draw the training loss of each system over the target words seen, and its loss on dev.

    Args:
        logs: by system, rows with `target_words`, `loss` and `dev_loss` (None where not measured).
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "phrasenet", "svg.fonttype": "none"}):
        figure = Figure(figsize=(8, 3.6), layout="constrained")
        axes = figure.add_subplot()
        for number, (system, rows) in enumerate(logs.items()):
            style, colour = _STYLES[number % len(_STYLES)], f"C{number}"
            words = [row["target_words"] for row in rows]
            losses = [row["loss"] for row in rows]
            axes.plot(words, losses, style, color=colour, alpha=0.7, label=f"{system}, training")
            dev = [(row["target_words"], row["dev_loss"]) for row in rows if row["dev_loss"]]
            if dev:
                axes.plot(*zip(*dev, strict=True), "o", color=colour, label=f"{system}, dev")
        axes.set_xlabel("target words seen")
        axes.set_ylabel("loss per word (nats)")
        axes.grid(alpha=0.3)
        axes.legend()
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    return svg[svg.index("<svg") :]
