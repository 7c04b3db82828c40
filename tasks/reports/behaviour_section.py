"""How systems behave: with the length of a sentence, where they attend, how their gates stand."""

import html
from collections.abc import Mapping
from typing import Any

from tasks.reports.evaluation_data import EvaluationData, Rows, of
from tasks.reports.page import NOTHING, about, folded, table
from tasks.reports.plots import by_length, gate_dots
from tasks.reports.provenance import source_note

_ALL = "all"


def lengths(data: EvaluationData) -> str:
    """Return plots and tables of scores and lengths by the length of the source."""
    if not data.lengths:
        return ""
    text = about(
        "Sentences in classes of their length in source words. Long sentences are where a system "
        "forgets: watch whether the score falls, and whether the output grows too short."
    )
    return text + "".join(
        f"<h3>{html.escape(testset)}</h3>{_lengths_of(data, of(data.lengths, testset=testset))}"
        for testset in dict.fromkeys(row["testset"] for row in data.lengths)
    )


def _lengths_of(data: EvaluationData, rows: Rows) -> str:
    rows = [row for row in rows if row["sentences"]]
    buckets = [_bucket(row) for row in of(rows, system=rows[0]["system"])]
    systems = dict.fromkeys(row["system"] for row in rows)
    scored = {name: [row["bleu_v13a"] for row in of(rows, system=name)] for name in systems}
    longs = {name: [row["hypothesis_words"] for row in of(rows, system=name)] for name in systems}
    longs["reference"] = [row["reference_words"] for row in of(rows, system=rows[0]["system"])]
    sources = data.read_from("lengths", testset=rows[0]["testset"])
    plots = (
        '<div class="plots"><figure><figcaption>BLEU-v13a by sentence length</figcaption>'
        f"{by_length(scored, buckets, 'BLEU-v13a')}</figure>"
        "<figure><figcaption>Words of the output by sentence length</figcaption>"
        f"{by_length(longs, buckets, 'output words, mean')}</figure></div>{source_note(sources)}"
    )
    return plots + folded("The figures of both plots", _length_table(data, rows))


def _bucket(row: Mapping[str, Any]) -> str:
    return f"{row['low']}+" if row["high"] < 0 else f"{row['low']}–{row['high'] - 1}"


def _length_table(data: EvaluationData, rows: Rows) -> str:
    names = ("source_words", "hypothesis_words", "reference_words")
    body = [
        [
            _bucket(row),
            row["system"],
            f"{row['sentences']:,}",
            _figure(row["bleu_v11b"]),
            _figure(row["bleu_v13a"]),
            *(_figure(row[name], 1) for name in names),
        ]
        for row in rows
    ]
    header = [
        "source words",
        "system",
        "sentences",
        "BLEU-v11b",
        "BLEU-v13a",
        "words, mean",
        "output words",
        "reference words",
    ]
    note = rows[0]["signature"]
    return table(
        header, body, note=note, sources=data.read_from("lengths", testset=rows[0]["testset"])
    )


def _figure(value: float | None, digits: int = 2) -> str:
    return NOTHING if value is None or value != value else f"{value:.{digits}f}"


def attention(data: EvaluationData) -> str:
    """Return what the attention, the gates and the words left out or repeated say."""
    parts = [_measures(data), *(_gates_of(data, side) for side in _SIDES), _scaling(data)]
    found = "".join(parts)
    if not found:
        return ""
    text = about(
        "Each output, and the first reference, was fed to the system to see what it attends to, "
        "word by word, and how its context gate stands. The pictures of single sentences are "
        "further below."
    )
    return text + found


_SIDES = {
    "translation": "Context gate by class of word, over the systems' own output",
    "reference": "Context gate by class of word, over the references",
}


def _measures(data: EvaluationData) -> str:
    """One column a metric and signature; one row a system, test set and kind of sentence."""
    if not data.measures:
        return ""
    metrics = list(dict.fromkeys((row["metric"], row["signature"]) for row in data.measures))
    found = {_place(row): row for row in data.measures}
    places = list(dict.fromkeys(place[:3] for place in found))
    body = [
        [*place, *(_measure(found.get((*place, *metric))) for metric in metrics)]
        for place in places
    ]
    note = " ".join(_said(metric, signature) for metric, signature in metrics)
    header = ["test set", "system", "sentences", *(metric for metric, _ in metrics)]
    made = table(header, body, note=note, sources=data.read_from("measures"))
    return f"<h3>Alignment, repetition, terms</h3>{made}"


_MEANINGS = {
    "AER": "alignment error against the gold links, in percent; lower is better",
    "SAER": "the same from the whole attention instead of its peak; lower is better",
    "Alignment precision": "percent of the links found that are gold links",
    "Alignment recall": "percent of the sure gold links that were found",
    "Words left out": "percent of the source words which the reference looks at and the output "
    "does not; lower is better",
    "Words said twice": "percent of the source words that got one word more than in the "
    "reference; lower is better",
    "Repeated pairs": "percent of neighbouring words said again without need; lower is better",
    "Mean gate": "0 follows the target side, 1 the source",
    "Gate-BLEU Pearson": "whether sentences with a wider open gate improved more, -1 to 1",
}


def _said(metric: str, signature: str) -> str:
    meaning = _MEANINGS.get(metric)
    return f"{metric}: {meaning} ({signature})." if meaning else f"{metric} ({signature})."


def _place(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(row[name] for name in ("testset", "system", "subset", "metric", "signature"))


def _measure(row: Mapping[str, Any] | None) -> str:
    return NOTHING if row is None else _figure(row["value"])


def _gates_of(data: EvaluationData, side: str) -> str:
    rows = [row for row in of(data.gates, side=side) if row["words"]]
    return "".join(
        _gate_plot(data, of(rows, testset=testset), f"{_SIDES[side]}, {testset}")
        for testset in dict.fromkeys(row["testset"] for row in rows)
    )


def _gate_plot(data: EvaluationData, rows: Rows, caption: str) -> str:
    sources = data.read_from("gates", testset=rows[0]["testset"])
    classes: dict[str, dict[str, tuple[float, float]]] = {}
    for row in rows:
        own = classes.setdefault(row["system"], {})
        own[row["word_class"]] = (row["mean"], row["deviation"])
    body = [
        [
            row["word_class"],
            row["system"],
            f"{row['words']:,}",
            _figure(row["mean"], 3),
            _figure(row["deviation"], 3),
        ]
        for row in rows
    ]
    header = ["class of word", "system", "words", "mean gate", "deviation"]
    made = table(header, body, sources=sources)
    return (
        f'<div class="plots"><figure><figcaption>{html.escape(caption)}</figcaption>'
        f"{gate_dots(classes)}{source_note(sources)}</figure></div>"
        + folded("The figures of this plot", made)
    )


def _scaling(data: EvaluationData) -> str:
    if not data.scaling:
        return ""
    body = [
        [
            f"{row['source_scale']:g}",
            f"{row['target_scale']:g}",
            row["system"],
            row["testset"],
            f"{row['bleu_v11b']:.2f}",
            f"{row['bleu_v13a']:.2f}",
            f"{row['hypothesis_words']:.1f}",
        ]
        for row in data.scaling
    ]
    header = [
        "source x a",
        "target x b",
        "system",
        "test set",
        "BLEU-v11b",
        "BLEU-v13a",
        "output words",
    ]
    note = (
        "Source and target contexts multiplied by hand, without training again: how much of each "
        f"the system needs. {data.scaling[0]['signature']}"
    )
    made = table(header, body, note=note, sources=data.read_from("scaling"))
    return f"<h3>Contexts scaled by hand</h3>{made}"
