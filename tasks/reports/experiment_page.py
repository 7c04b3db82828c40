"""The page of an experiment: its tables with figures, in one self-contained file."""

import html
from collections.abc import Mapping, Sequence

from tasks.experiments.results import POOL, Results
from tasks.experiments.table import Entry, Table
from tasks.reports.attention_figure import STYLE
from tasks.reports.page import Frame, about, page, strong, table
from tasks.reports.plots import by_length, dev_losses, intervals

_MOST_LINES = 6
"""Systems in one plot: more lines cannot be told apart."""
_LEAD = (
    "Systems trained with one budget on the same sentences, words and seeds. Figures stand out "
    "where the difference from the baseline goes the same way with every seed and chance alone "
    "would seldom make it."
)


def experiment_page(
    title: str,
    results: Sequence[Results],
    tables: Mapping[str, Sequence[Table]],
    drawings: Mapping[str, str],
) -> str:
    """Return the page.

    Args:
        title: of the experiment.
        results: of each set of texts.
        tables: by the name of the texts.
        drawings: HTML behind the tables, by the name of the texts.
    """
    sections = [
        (
            _heading(each, len(results)),
            _section(each, tables[each.data]) + drawings.get(each.data, ""),
        )
        for each in results
    ]
    style = STYLE if drawings else ""
    frame = Frame(kicker="phrasenet experiment", lead=_LEAD, style=style)
    return page(f"Experiment {title}", sections, frame)


def _heading(results: Results, number: int) -> str:
    return "Results" if number == 1 else f"Trained on {results.data}"


def _section(results: Results, tables: Sequence[Table]) -> str:
    if not results.found:
        return about("No cell of these texts has a result yet.")
    plots = "".join([*_gains(results), *_losses(results), *_length_plots(results)])
    return f'<div class="plots">{plots}</div>' + "".join(map(_as_html, tables))


def _as_html(made: Table) -> str:
    if not made.rows:
        return ""
    rows = [[_cell(entry) for entry in row] for row in made.rows]
    return table(list(made.header), rows, caption=made.title, note=made.note)


def _cell(entry: Entry) -> str:
    return strong(entry.text) if entry.is_certain else entry.text


def _plot(caption: str, drawing: str) -> str:
    return f"<figure><figcaption>{html.escape(caption)}</figcaption>{drawing}</figure>"


def _gains(results: Results) -> list[str]:
    """Draw every cell's gain over its baseline with its interval."""
    rows = [
        (f"{name}, {seed}", found.difference.value, found.difference.low, found.difference.high)
        for name in results.names()
        for seed, found in results.comparisons(name, results.plan(name).baseline, POOL)
    ]
    if not rows:
        return []
    unit = f"gain of {results.metric} over the baseline"
    return [_plot(f"{unit}, with 95 % intervals", intervals(rows, unit))]


def _losses(results: Results) -> list[str]:
    """Draw the losses on dev of the first seed of each system."""
    curves = {
        name: losses
        for name in results.names()
        for cell in results.cells(name)[:1]
        if (losses := results.found[cell]["training"]["dev_losses"])
    }
    names = list(curves)
    return [
        _plot(
            "Loss on dev, first seed",
            dev_losses({name: curves[name] for name in names[at : at + _MOST_LINES]}),
        )
        for at in range(0, len(names), _MOST_LINES)
    ]


def _length_plots(results: Results) -> list[str]:
    """Draw BLEU and length of output by length of source, on the first test of the domain."""
    testset = next(iter(results.in_domain()), None)
    if testset is None:
        return []
    names = [name for name in results.names() if results.cells(name)]
    flavour = "bleu_v11b" if results.metric == "BLEU-v11b" else "bleu_v13a"
    drawn = []
    for at in range(0, len(names), _MOST_LINES):
        for key, unit in ((flavour, "BLEU"), ("hypothesis_words", "words of output")):
            buckets, values = _by_length(results, names[at : at + _MOST_LINES], testset, key)
            drawn.append(_plot(f"{unit} by length, {testset}", by_length(values, buckets, unit)))
    return drawn


def _by_length(
    results: Results, names: Sequence[str], testset: str, key: str
) -> tuple[list[str], dict[str, list[float | None]]]:
    """Return the classes of length and the mean over the seeds of each system in each class."""
    rows = {
        name: [
            {row["low"]: row for row in results.found[cell]["tests"][testset]["lengths"]}
            for cell in results.cells(name)
            if testset in results.found[cell]["tests"]
        ]
        for name in names
    }
    lows = sorted({low for found in rows.values() for each in found for low in each})
    return [f"{low}+" for low in lows], {
        name: [_mean([each[low][key] for each in found if low in each]) for low in lows]
        for name, found in rows.items()
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
