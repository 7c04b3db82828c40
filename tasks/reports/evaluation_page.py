"""The report of an evaluation as one HTML page that needs nothing else: no network, no scripts.

Colours follow the reader's choice of dark or light, the page can be read on a telephone, and what a
colour says is also said in words or by a mark.
"""

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.metrics.phrase_use import UseCount
from tasks.metrics.values_kept import VALUES_KEPT, VALUES_KEPT_BY_REFERENCE
from tasks.reports.comparison_tables import comparison_tables
from tasks.reports.page import page, table
from tasks.reports.plots import loss_curves


@dataclass(frozen=True, slots=True)
class SystemOutput:
    """What one system made of a sentence."""

    system: str
    steps: Sequence[Mapping[str, Any]]
    """Output words with `word`, `mode` and `slot`."""
    uses: Sequence[str]
    """For each slot: offered, appeared or produced."""


@dataclass(frozen=True, slots=True)
class ExampleSentence:
    """A sentence with its references and every system's output."""

    sentence_id: str
    source_words: Sequence[str]
    slots: Sequence[Mapping[str, Any]]
    references: Sequence[str]
    outputs: Sequence[SystemOutput]


@dataclass(frozen=True, slots=True)
class EvaluationData:
    """All that the page shows."""

    title: str
    scores: Sequence[Mapping[str, Any]]
    """Rows with `testset`, `system`, `subset`, `metric`, `value`, `sentences`, `signature`."""
    comparisons: Sequence[Mapping[str, Any]]
    """Rows of the table `comparisons`: a system against the baseline on one kind of sentences."""
    logs: Mapping[str, Sequence[Mapping[str, Any]]]
    """Training log by system."""
    memory: Sequence[tuple[str, str, int]]
    """Active phrases: category, origin, count."""
    uses: Mapping[tuple[str, str], Sequence[UseCount]]
    """Phrase use by test set and system; the last row is the sum."""
    examples: Mapping[str, Sequence[ExampleSentence]]


_VALUES_NOTE = (
    "Percent of the numbers, dates and times of the Chinese that stand in the English, in any "
    "writing. A reference: what people keep."
)


def evaluation_page(data: EvaluationData) -> str:
    """Return the page as HTML text."""
    testsets = list(dict.fromkeys(row["testset"] for row in data.scores))
    sections = [
        ("Scores", "".join(_scores(data, testset) for testset in testsets)),
        ("Better than the baseline, or chance", comparison_tables(data.comparisons)),
        ("Phrases offered, appeared, produced", _uses(data)),
        ("Phrase memory", _memory(data)),
        ("Training", _training(data)),
        ("Sentences", "".join(_examples(data, testset) for testset in data.examples)),
    ]
    return page(data.title, [(name, text) for name, text in sections if text])


def _scores(data: EvaluationData, testset: str) -> str:
    """Show one table a metric: systems by kind of sentence, the signature below it.

    What a reference keeps of the values is the last row of the table on what systems keep.
    """
    rows = [
        {**row, "metric": VALUES_KEPT, "system": "a reference"}
        if row["metric"] == VALUES_KEPT_BY_REFERENCE
        else row
        for row in data.scores
        if row["testset"] == testset
    ]
    rows.sort(key=lambda row: row["system"] == "a reference")
    return f"<h3>{html.escape(testset)}</h3>" + "".join(
        _metric_table([row for row in rows if row["metric"] == metric], metric)
        for metric in dict.fromkeys(row["metric"] for row in rows)
    )


def _metric_table(rows: Sequence[Mapping[str, Any]], metric: str) -> str:
    subsets = list(dict.fromkeys(row["subset"] for row in rows))
    sentences = {row["subset"]: row["sentences"] for row in rows}
    values = {(row["system"], row["subset"]): row["value"] for row in rows}
    signatures = sorted({row["signature"] for row in rows})
    assert len(signatures) == 1, f"scores of different signatures in one table: {signatures}"
    header = [metric, *(f"{subset} ({sentences[subset]:,})" for subset in subsets)]
    systems = dict.fromkeys(row["system"] for row in rows)
    body = [
        [system, *(f"{values[system, subset]:.2f}" for subset in subsets)] for system in systems
    ]
    meaning = f"{_VALUES_NOTE} {signatures[0]}" if metric == VALUES_KEPT else signatures[0]
    return table(header, body, note=meaning)


def _uses(data: EvaluationData) -> str:
    body = [
        [
            testset,
            system,
            row.category or "all",
            row.origin or "all",
            f"{row.offered:,}",
            _share(row.appeared, row.offered),
            _share(row.produced, row.offered),
        ]
        for (testset, system), rows in data.uses.items()
        for row in rows
        if row.offered
    ]
    header = ["test set", "system", "category", "origin", "offered", "appeared", "produced"]
    note = (
        "Offered: in a slot of the sentence (a system without phrase memory does not see it). "
        "Appeared: its words are in the output. Produced: the search emitted it whole, in phrase "
        "mode."
    )
    return table(header, body, note=note)


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({part / whole:.0%})"


def _memory(data: EvaluationData) -> str:
    body = [[category, origin, f"{count:,}"] for category, origin, count in data.memory]
    note = "Phrases that rules make of a sentence (dates, numbers) are not kept here beforehand."
    return table(["category", "origin", "phrases"], body, note=note)


def _training(data: EvaluationData) -> str:
    if not any(data.logs.values()):
        return "<p>The training was too short to be logged.</p>"
    return f"<figure>{loss_curves(data.logs)}</figure>"


def _examples(data: EvaluationData, testset: str) -> str:
    blocks = "".join(_example(example) for example in data.examples[testset])
    legend = (
        "<p><mark>Marked</mark> Chinese was offered a phrase; <mark>marked</mark> English was "
        "produced "
        "in phrase mode. The small number is the slot.</p>"
    )
    return f"<h3>{html.escape(testset)}</h3>{legend}{blocks}"


def _example(example: ExampleSentence) -> str:
    lines = [("source", _source(example), "zh")]
    lines += [("reference", html.escape(text), "en") for text in example.references]
    lines += [(output.system, _output(output), "en") for output in example.outputs]
    shown = "".join(
        f'<dt>{html.escape(name)}</dt><dd lang="{language}">{text}</dd>'
        for name, text, language in lines
    )
    return f'<article id="{html.escape(example.sentence_id)}"><dl>{shown}</dl></article>'


def _source(example: ExampleSentence) -> str:
    slot_at = {slot["start"]: slot for slot in example.slots}
    pieces: list[str] = []
    position = 0
    while position < len(example.source_words):
        slot = slot_at.get(position)
        end = slot["end"] if slot else position + 1
        text = html.escape("".join(example.source_words[position:end]))
        pieces.append(_marked(text, slot["slot"], slot["target"]) if slot else text)
        position = end
    return "\u2009".join(pieces)


def _marked(text: str, slot: int, title: str) -> str:
    return f'<mark title="{html.escape(title)}">{text}<sub>{slot + 1}</sub></mark>'


def _output(output: SystemOutput) -> str:
    return " ".join(
        _marked(" ".join(html.escape(item["word"]) for item in group), slot, "produced")
        if slot >= 0
        else " ".join(html.escape(item["word"]) for item in group)
        for slot, group in _grouped(output.steps)
    )


def _grouped(
    steps: Sequence[Mapping[str, Any]],
) -> Iterator[tuple[int, list[Mapping[str, Any]]]]:
    """Yield runs of words of one slot (-1 for words in word mode)."""
    group: list[Mapping[str, Any]] = []
    for item in steps:
        if group and item["slot"] != group[-1]["slot"]:
            yield group[-1]["slot"], group
            group = []
        group.append(item)
    if group:
        yield group[-1]["slot"], group
