"""The tables of PhraseNet and Context Gates in their layout, from the results of an experiment."""

from collections.abc import Sequence
from typing import Any

from tasks.experiments.matrix import CellName
from tasks.experiments.paper_analyses import (
    alignment,
    correlation,
    halved,
    lengths,
    scaled,
    subjective,
)
from tasks.experiments.papers import ARCHITECTURE, CONTEXT_GATES, PHRASENET, TOGETHER
from tasks.experiments.results import ALL, Results, are_certain
from tasks.experiments.rows import (
    SYSTEM,
    by_cell,
    filled,
    has_any,
    listed,
    mean_of,
    missing_row,
    rows_of,
    speed,
)
from tasks.experiments.table import NOTHING, Entry, Table, figure


def paper_tables(results: Results) -> list[Table]:
    """Return the tables of both papers; what was not run says so."""
    papers = [
        _scores(results, "phrasenet-1", "PhraseNet, table 1: BLEU", (*PHRASENET, *TOGETHER)),
        _fourgrams(results),
        _use(results),
        halved(results),
        _scores(results, "context-gates-2", "Context Gates, table 2: BLEU", CONTEXT_GATES),
        subjective(results),
        alignment(results),
        _scores(
            results, "context-gates-5", "Context Gates, table 5: what the gate reads", ARCHITECTURE
        ),
        correlation(results),
        scaled(results),
        lengths(results),
    ]
    return [table for table in papers if table.rows]


def _scores(results: Results, name: str, title: str, systems: Sequence[str]) -> Table:
    """Return a table of BLEU on all test sets, with parameters, speed and where it is on record."""
    if not has_any(results, systems):
        return Table(name, title, (), ())
    testsets = results.testsets()
    header = (
        SYSTEM, "seeds", "parameters", "words/s", *testsets, "average", "baseline", "difference",
        "ledger",
    )  # fmt: skip
    rows = [_score_row(results, row, testsets, len(header)) for row in rows_of(results, systems)]
    note = (
        f"{results.metric}, mean over the seeds; the average is over {listed(results.in_domain())}"
        ". A dagger: the difference from the baseline goes the same way with every seed, and p of "
        "the paired bootstrap is below 0.05 for each (table `significance`). Words/s: words of "
        "output a second of processor time while all test sets were decoded. Ledger: digest of its "
        "newest record when the cell of the first seed was done."
    )
    return Table(name, title, header, tuple(rows), note)


def _score_row(
    results: Results, name: str, testsets: Sequence[str], width: int
) -> tuple[Entry, ...]:
    cells = results.cells(name)
    if not cells:
        return missing_row(results, name, width)
    planned = results.plan(name)
    baseline = planned.baseline if results.cells(planned.baseline) else ""
    first = results.found[cells[0]]
    own, theirs = results.average(name), results.average(baseline) if baseline else None
    difference = own - theirs if own is not None and theirs is not None else None
    marks = {
        testset: bool(baseline) and _is_certain(results, name, baseline, testset)
        for testset in testsets
    }
    tests = [mark for testset, mark in marks.items() if testset in results.in_domain()]
    return (
        Entry(name),
        Entry(listed([str(cell.seed) for cell in cells])),
        figure(first["parameters"]["all"] or None, ",.0f"),
        figure(speed(results, name), ",.0f"),
        *(
            figure(results.mean_score(name, testset), is_certain=marks[testset])
            for testset in testsets
        ),
        figure(own),
        Entry(baseline or NOTHING),
        figure(difference, "+z.2f", is_certain=bool(tests) and all(tests)),
        Entry(first["ledger"]["digest"][:12]),
    )


def _is_certain(results: Results, name: str, baseline: str, testset: str) -> bool:
    return are_certain([found for _, found in results.comparisons(name, baseline, testset)])


def _fourgrams(results: Results) -> Table:
    testsets = results.testsets()
    flavour = "v11b" if results.metric == "BLEU-v11b" else "v13a"
    header = (SYSTEM, *testsets)

    def right(test: dict[str, Any]) -> float | None:
        return next(
            (row["individual"] for row in test["ngrams"]
             if (row["subset"], row["order"], row["flavour"]) == (ALL, 4, flavour)), None
        )  # fmt: skip

    rows = filled(
        results, (*PHRASENET, *TOGETHER), len(header),
        lambda name: [by_cell(results, name, right, testset) for testset in testsets],
    )  # fmt: skip
    note = (
        "Percent of the word sequences of length 4 that a reference holds, mteval's individual "
        "score; the paper's table is read as this one."
    )
    return Table("phrasenet-2", "PhraseNet, table 2: 4-gram score", header, rows, note)


def _use(results: Results) -> Table:
    testsets = results.testsets()
    kinds = ("offered", "appeared", "produced")
    header = (SYSTEM, *(f"{testset}, {kind}" for testset in testsets for kind in kinds))

    def row(name: str) -> list[Entry]:
        return [
            mean_of([_used(results, cell, testset, kind) for cell in results.cells(name)], ",.0f")
            for testset in testsets
            for kind in kinds
        ]

    note = (
        "Phrases that were offered, whose words are in the output, and that search emitted whole. "
        "What figure 8 of the paper shows is not known to us; this and BLEU by length (table "
        "`context-gates-figure-7`) stand in its place."
    )
    rows = filled(results, (*PHRASENET, *TOGETHER), len(header), row)
    return Table("phrasenet-8", "PhraseNet, figure 8: use of phrases", header, rows, note)


def _used(results: Results, cell: CellName, testset: str, kind: str) -> float | None:
    test = results.found[cell]["tests"].get(testset, {"phrase_use": []})
    return next((row[kind] for row in test["phrase_use"] if not row["origin"]), None)
