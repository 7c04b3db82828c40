"""What Context Gates looks into beside BLEU: weighted contexts, alignment, gates and lengths."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from tasks.experiments.papers import ALIGNED, SMT
from tasks.experiments.results import ALL, Results
from tasks.experiments.rows import SYSTEM, by_cell, filled, mean_of
from tasks.experiments.statistics import (
    GATE,
    GATE_UNITS,
    LONG,
    NO_GATE,
    SHORT,
    bleu_counts,
    inside,
)
from tasks.experiments.table import Entry, Table, figure
from tasks.metrics.gate_analysis import pearson
from tasks.metrics.sentence_bleu import sentence_bleu

_HUMAN = "not rated: `phrasenet ratings --help` says how raters get their sheets"


def halved(results: Results) -> Table:
    """Context Gates shows one sentence here; its figures on a whole test set say the same."""
    table = scaled(results)
    kept = [row for row in table.rows if row[1].text in ("a = 1, b = 1", "a = 0.5, b = 1",
                                                        "a = 1, b = 0.5")]  # fmt: skip
    note = (
        "The paper shows one sentence, translated with halved source context (a) or target context "
        "(b); here are the whole test sets, since results hold no sentence."
    )
    title = "Context Gates, table 1: halved contexts"
    return Table("context-gates-1", title, table.header, tuple(kept), note)


def scaled(results: Results) -> Table:
    """Return BLEU and length of output under weighted contexts."""
    flavour = "bleu_v11b" if results.metric == "BLEU-v11b" else "bleu_v13a"
    header = ("system, test set", "weights", "BLEU", "words of output")
    rows = []
    for name in results.names():
        for testset in results.testsets():
            for (source, target), points in _joined(
                results, name, testset, "scaling", ("source_scale", "target_scale")
            ):
                weights = f"a = {source:g}, b = {target:g}"
                rows.append(
                    (
                        Entry(f"{name}, {testset}"),
                        Entry(weights),
                        mean_of([point[flavour] for point in points]),
                        mean_of([point["hypothesis_words"] for point in points]),
                    )
                )
    note = (
        "A trained system without context gate decodes with its source contexts multiplied by a "
        "and its target contexts by b."
    )
    title = "Context Gates, figure 2: weighted contexts"
    return Table("context-gates-figure-2", title, header, tuple(rows), note)


def _joined(
    results: Results, name: str, testset: str, kept: str, keys: tuple[str, str]
) -> Iterator[tuple[tuple[Any, Any], list[dict[str, Any]]]]:
    """Yield the rows of a kept table that have the same keys, of all seeds, in their order."""
    found: dict[tuple[Any, Any], list[dict[str, Any]]] = {}
    for cell in results.cells(name):
        test = results.found[cell]["tests"].get(testset, {})
        for row in test.get(kept) or ():
            found.setdefault((row[keys[0]], row[keys[1]]), []).append(row)
    yield from found.items()


def subjective(results: Results) -> Table:
    """Return the table of what people judged, which no machine fills."""
    header = (SYSTEM, "adequacy", "fluency")
    rows = filled(
        results, ("groundhog-gru", "groundhog-gru+gate"), len(header),
        lambda name: [Entry("not rated"), Entry("not rated")],
    )  # fmt: skip
    title = "Context Gates, table 3: judgements of people"
    return Table("context-gates-3", title, header, rows, f"{_HUMAN.capitalize()}.")


def alignment(results: Results) -> Table:
    """Return alignment errors on the test sets that have gold links."""
    testsets = [
        testset
        for testset in results.testsets()
        if any(_measure(result["tests"].get(testset), "AER") is not None
               for result in results.found.values())
    ]  # fmt: skip
    header = (SYSTEM, *(f"{testset}, {name}" for testset in testsets for name in ("SAER", "AER")))

    def row(name: str) -> list[Entry]:
        return [
            by_cell(results, name, partial(_measure, metric=metric), testset)
            for testset in testsets
            for metric in ("SAER", "AER")
        ]

    others = [
        system
        for system in dict.fromkeys(item.system for item in results.planned)
        if system not in (*ALIGNED, *SMT)
    ]
    rows = filled(results, (*ALIGNED, *others), len(header), row) if testsets else ()
    linked = ", ".join(f"{_linked(results, testset):,} of {testset}" for testset in testsets)
    note = (
        "Error of the attention under forced decoding of the reference, in percent; lower is "
        f"better. Sentences with gold links: {linked}."
    )
    return Table("context-gates-4", "Context Gates, table 4: alignment", header, rows, note)


def _linked(results: Results, testset: str) -> int:
    """Return the number of sentences of a test set that have gold links."""
    numbers: list[int] = [
        row["sentences"]
        for result in results.found.values()
        for row in result["tests"].get(testset, {"measures": ()})["measures"]
        if row["metric"] == "AER"
    ]
    return max(numbers)


def _measure(test: dict[str, Any] | None, metric: str, subset: str = ALL) -> float | None:
    return next(
        (row["value"] for row in (test or {}).get("measures", ())
         if (row["metric"], row["subset"]) == (metric, subset)), None
    )  # fmt: skip


def correlation(results: Results) -> Table:
    """Table 6: does the gate rise where the translation got better than the baseline's?"""
    testsets = results.testsets()
    header = (
        "system, sentences",
        *(f"{testset}, BLEU" for testset in testsets),
        "adequacy",
        "fluency",
    )
    rows = [
        (
            Entry(f"{name}, {subset}"),
            *(mean_of(list(_correlations(results, name, t, subset)), "+z.3f") for t in testsets),
            Entry("not rated"),
            Entry("not rated"),
        )
        for name in results.names()
        if results.cells(name) and _has_gate(results, name)
        for subset in (SHORT, LONG)
    ]
    note = (
        "Pearson's r between the mean gate of a sentence and its gain of smoothed sentence BLEU "
        f"over the baseline. Adequacy and fluency: {_HUMAN}."
    )
    title = "Context Gates, table 6: gate and improvement"
    return Table("context-gates-6", title, header, tuple(rows), note)


def _has_gate(results: Results, name: str) -> bool:
    cell = results.cells(name)[0]
    return any(
        (results.columns(cell, testset)[GATE] != NO_GATE).any()
        for testset in results.found[cell]["tests"]
    )


def _correlations(results: Results, name: str, testset: str, subset: str) -> Iterator[float | None]:
    """Yield the correlation of each seed that its baseline has as well."""
    others = {cell.seed: cell for cell in results.cells(results.plan(name).baseline)}
    for cell in results.cells(name):
        if cell.seed not in others or testset not in results.found[cell]["tests"]:
            continue
        ours, theirs = results.columns(cell, testset), results.columns(others[cell.seed], testset)
        if len(ours[GATE]) != len(theirs[GATE]):
            continue
        chosen = inside(ours, subset) & (ours[GATE] != NO_GATE)
        gain = sentence_bleu(bleu_counts(ours, results.metric)) - sentence_bleu(
            bleu_counts(theirs, results.metric)
        )
        yield pearson((ours[GATE][chosen] / GATE_UNITS).tolist(), gain[chosen].tolist())


def lengths(results: Results) -> Table:
    """Return BLEU and length of output for classes of source length."""
    flavour = "bleu_v11b" if results.metric == "BLEU-v11b" else "bleu_v13a"
    rows = []
    for name in results.names():
        for testset in results.testsets():
            for (low, high), points in _joined(results, name, testset, "lengths", ("low", "high")):
                rows.append(
                    (
                        Entry(f"{name}, {testset}"),
                        Entry(f"{low} to {high - 1}" if high > 0 else f"{low} and more"),
                        figure(points[0]["sentences"], ",.0f"),
                        mean_of([point[flavour] for point in points]),
                        mean_of([point["hypothesis_words"] for point in points]),
                        mean_of([point["reference_words"] for point in points]),
                    )
                )
    header = (
        "system, test set", "source words", "sentences", "BLEU", "words of output",
        "words of reference",
    )  # fmt: skip
    title = "Context Gates, figure 7: BLEU and length of output by length of source"
    return Table("context-gates-figure-7", title, header, tuple(rows))
