"""Scores with intervals: the overview, one table a metric, what differs from the baseline."""

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tasks.metrics.values_kept import VALUES_KEPT, VALUES_KEPT_BY_REFERENCE
from tasks.reports.comparison_tables import MAIN_METRIC
from tasks.reports.evaluation_data import EvaluationData, Rows, of
from tasks.reports.page import NOTHING, about, folded, strong, table
from tasks.reports.plots import intervals
from tasks.reports.provenance import Source, source_note

_USUAL = ("BLEU", "BLEU-v11b", "chrF", VALUES_KEPT)
"""Metrics that are shown at once; the others when asked for."""
_LOWER_IS_BETTER = {"TER"}
_REFERENCE = "a reference"
_MEANINGS = {
    "BLEU": "BLEU as today's papers report it, 0 to 100: shared word sequences with the reference, "
    "with a penalty for short output.",
    "BLEU-v11b": "BLEU as mteval-v11b makes it, which the papers of PhraseNet and Context Gates "
    "report.",
    "chrF": "Shared character sequences, 0 to 100; kinder to other forms of the same word.",
    "TER": "Edits needed for each 100 words of the reference: lower is better.",
    VALUES_KEPT: "Percent of the numbers, dates and times of the Chinese that stand in the "
    "English, in any writing. A reference: what people keep.",
}


def scores(data: EvaluationData) -> str:
    """Return the tables of scores of every test set."""
    text = about(
        "Each table holds one metric: a row for each system, a column for each kind of sentence "
        "with their number in brackets. The best score of a column stands out. Only scores with "
        "the same signature, which is printed below, may be compared."
    )
    return text + "".join(_of_testset(data, testset) for testset in data.testsets)


def _of_testset(data: EvaluationData, testset: str) -> str:
    rows = [_as_own_row(row) for row in data.scores if row["testset"] == testset]
    rows.sort(key=lambda row: row["system"] == _REFERENCE)
    sources = data.read_from("scores", testset=testset)
    tables = {
        metric: _metric_table(of(rows, metric=metric), metric, sources)
        for metric in dict.fromkeys(row["metric"] for row in rows)
    }
    usual = [metric for metric in _USUAL if metric in tables] or list(tables)[:1]
    return (
        f"<h3>{html.escape(testset)}</h3>{_interval_plot(data, testset)}"
        + "".join(tables[metric] for metric in usual)
        + folded(
            "More metrics", "".join(text for name, text in tables.items() if name not in usual)
        )
        + folded("Shares of right word sequences", _ngrams(data, testset))
    )


def _as_own_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a reference keeps of the values is a row of the table on what systems keep."""
    if row["metric"] == VALUES_KEPT_BY_REFERENCE:
        return {**row, "metric": VALUES_KEPT, "system": _REFERENCE}
    return dict(row)


def _metric_table(rows: Rows, metric: str, sources: Sequence[Source]) -> str:
    subsets = list(dict.fromkeys(row["subset"] for row in rows))
    sentences = {row["subset"]: row["sentences"] for row in rows}
    values = {(row["system"], row["subset"]): row["value"] for row in rows}
    signatures = sorted({row["signature"] for row in rows})
    assert len(signatures) == 1, f"scores of different signatures in one table: {signatures}"
    best = {subset: _best(values, subset, metric) for subset in subsets}
    header = ["system", *(f"{subset} ({sentences[subset]:,})" for subset in subsets)]
    body = [
        [system, *(_cell(values.get((system, subset)), best[subset]) for subset in subsets)]
        for system in dict.fromkeys(row["system"] for row in rows)
    ]
    note = f"{_MEANINGS.get(metric, '')} {signatures[0]}".strip()
    return table(header, body, caption=metric, note=note, sources=sources)


def _best(values: Mapping[tuple[str, str], float], subset: str, metric: str) -> float | None:
    """Return the best score of a column, or None where fewer than two systems have one."""
    found = [
        round(value, 2)
        for (system, which), value in values.items()
        if which == subset and system != _REFERENCE
    ]
    if len(found) < 2 or len(set(found)) == 1:
        return None
    return min(found) if metric in _LOWER_IS_BETTER else max(found)


def _cell(value: float | None, best: float | None) -> str:
    if value is None:
        return NOTHING
    text = f"{value:z.2f}"
    return strong(text) if best is not None and round(value, 2) == best else text


def main_intervals(data: EvaluationData, testset: str) -> list[tuple[str, float, float, float]]:
    """Return system, score and both ends of its interval on all sentences, where known."""
    rows = of(data.comparisons, testset=testset, subset="all", metric=MAIN_METRIC)
    found = [(row["system"], row["value"], row["low"], row["high"]) for row in rows]
    first = next((row for row in rows if row.get("baseline_value") is not None), None)
    if first is None:
        return found
    own = (first["baseline"], *(first[f"baseline_{name}"] for name in ("value", "low", "high")))
    return [own, *found]


def _interval_plot(data: EvaluationData, testset: str) -> str:
    rows = main_intervals(data, testset)
    if len(rows) < 2:
        return ""
    sources = data.read_from("comparisons", testset=testset)
    caption = f"{MAIN_METRIC} on {testset}, with 95 % intervals over resampled sentences"
    return (
        f'<div class="plots"><figure><figcaption>{html.escape(caption)}</figcaption>'
        f"{intervals(rows, MAIN_METRIC)}{source_note(sources)}</figure></div>"
    )


def _ngrams(data: EvaluationData, testset: str) -> str:
    rows = of(data.ngrams, testset=testset, subset="all")
    return "".join(
        _ngram_table(of(rows, flavour=flavour), flavour, data.read_from("ngrams", testset=testset))
        for flavour in dict.fromkeys(row["flavour"] for row in rows)
    )


def _ngram_table(rows: Rows, flavour: str, sources: Sequence[Source]) -> str:
    orders = sorted({row["order"] for row in rows})
    found = {(row["system"], row["order"]): row for row in rows}
    body = []
    for system in dict.fromkeys(row["system"] for row in rows):
        own = [found[system, order] for order in orders]
        body.append(
            [
                system,
                *(f"{row['individual']:.2f}" for row in own),
                *(f"{row['cumulative']:.2f}" for row in own),
                f"{own[0]['brevity_penalty']:.4f}",
                f"{own[0]['hypothesis_words']:,}",
                f"{own[0]['reference_words']:,}",
            ]
        )
    header = [
        "system",
        *(f"{order} right" for order in orders),
        *(f"BLEU-{order}" for order in orders),
        "penalty",
        "words",
        "reference words",
    ]
    note = (
        "Right: percent of the word sequences of that length which a reference holds, too. "
        f"BLEU-n: the score up to that length. {rows[0]['signature']}"
    )
    return table(header, body, caption=f"Sequences, {flavour}", note=note, sources=sources)


def tiles(data: EvaluationData) -> str:
    """Return the figures that a reader wants first, of the main system on the first test set."""
    testset, system = data.testsets[0], data.main
    items = "".join(
        f'<li><span class="name">{html.escape(name)}</span> <span class="value">'
        f'{html.escape(value)}</span> <span class="extra">{html.escape(detail)}</span></li>'
        for name, value, detail in _figures(data, testset, system)
    )
    sources = data.read_from("scores", "comparisons", "phrase_use", testset=testset)
    return f'<ul class="tiles">{items}</ul>{source_note(sources)}'


def _figures(data: EvaluationData, testset: str, system: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, figure and what it is compared with."""
    compared = of(
        data.comparisons, testset=testset, system=system, subset="all", metric=MAIN_METRIC
    )
    own = {
        row["metric"]: row for row in of(data.scores, testset=testset, system=system, subset="all")
    }
    if compared:
        row = compared[0]
        yield (
            f"{MAIN_METRIC}, {system}",
            f"{row['value']:.2f}",
            f"95 % interval {row['low']:.2f} to {row['high']:.2f}",
        )
        yield (
            f"Change against {row['baseline']}",
            f"{row['difference']:+z.2f}",
            f"{row['difference_low']:+z.2f} to {row['difference_high']:+z.2f}; "
            f"{row['better']:,} sentences up, {row['worse']:,} down",
        )
    elif "BLEU" in own:
        yield f"BLEU, {system}", f"{own['BLEU']['value']:.2f}", "no system to compare with"
    yield from _use_figures(data, testset, system)
    if VALUES_KEPT in own:
        yield "Numbers and dates kept", f"{own[VALUES_KEPT]['value']:.1f} %", _kept(data, testset)


def _use_figures(data: EvaluationData, testset: str, system: str) -> Iterator[tuple[str, str, str]]:
    total = of(data.phrase_use, testset=testset, system=system, category="", origin="")
    if total and total[0]["offered"]:
        row = total[0]
        yield (
            "Offered phrases in the output",
            f"{row['appeared'] / row['offered']:.1%}".replace("%", " %"),
            f"{row['produced']:,} of {row['offered']:,} emitted whole, in phrase mode",
        )


def _kept(data: EvaluationData, testset: str) -> str:
    rows = of(data.scores, testset=testset, subset="all")
    baseline = [
        row for row in rows if (row["metric"], row["system"]) == (VALUES_KEPT, data.baseline)
    ]
    reference = [row for row in rows if row["metric"] == VALUES_KEPT_BY_REFERENCE]
    parts = [f"{data.baseline} {row['value']:.1f} %" for row in baseline[:1]]
    parts += [f"a reference {row['value']:.1f} %" for row in reference[:1]]
    return ", ".join(parts)
