"""Rows of tables: systems in the order of a paper, means over seeds, and what was not run."""

from collections.abc import Callable, Sequence
from typing import Any

from tasks.experiments.papers import TOGETHER
from tasks.experiments.results import Result, Results
from tasks.experiments.table import NOT_RUN, NOTHING, Entry, figure

SYSTEM = "system"


def rows_of(results: Results, systems: Sequence[str]) -> list[str]:
    """Return the names of the rows: the systems in the paper's order, each with its variants.

    A system that the matrix does not have is a row as well, and says that it was not run.
    """
    return [
        name
        for system in systems
        for name in (results.of_system(system) or ([system] if system not in TOGETHER else []))
    ]


def has_any(results: Results, systems: Sequence[str]) -> bool:
    """Say whether any of the systems, or a variant of one, has a result."""
    return any(results.cells(name) for system in systems for name in results.of_system(system))


def missing_row(results: Results, name: str, width: int) -> tuple[Entry, ...]:
    """Return the row of a system without a result: that it was not run, or why it failed."""
    errors = [
        results.failed[str(item.cell)]
        for item in results.planned
        if item.cell.name == name and str(item.cell) in results.failed
    ]
    text = f"failed: {errors[0]}" if errors else NOT_RUN
    return (Entry(name), *(Entry(text) for _ in range(width - 1)))


def speed(results: Results, name: str) -> float | None:
    """Return the words of output a second of processor time, over all test sets and seeds."""
    return speed_of([results.found[cell] for cell in results.cells(name)])


def speed_of(found: Sequence[Result]) -> float | None:
    """Return the words of output a second of processor time, over all test sets of some cells."""
    decoded = [test["decoding"] for result in found for test in result["tests"].values()]
    seconds = sum(each["processor_seconds"] for each in decoded)
    return sum(each["words"] for each in decoded) / seconds if seconds else None


def listed(names: Sequence[str]) -> str:
    """Return names in one line."""
    return ", ".join(names) or NOTHING


def by_cell(
    results: Results, name: str, value: Callable[[dict[str, Any]], float | None], testset: str
) -> Entry:
    """Return the mean over the seeds of a figure of a test set."""
    values = [
        value(results.found[cell]["tests"][testset])
        for cell in results.cells(name)
        if testset in results.found[cell]["tests"]
    ]
    return mean_of(values)


def mean_of(values: Sequence[float | None], form: str = "z.2f") -> Entry:
    """Return the mean of the figures that there are."""
    known = [value for value in values if value is not None]
    return figure(sum(known) / len(known) if known else None, form)


def filled(
    results: Results,
    systems: Sequence[str],
    width: int,
    row: Callable[[str], Sequence[Entry]],
) -> tuple[tuple[Entry, ...], ...]:
    """Return a row for each system; those without a result say so."""
    if not has_any(results, systems):
        return ()
    return tuple(
        (Entry(name), *row(name)) if results.cells(name) else missing_row(results, name, width)
        for name in rows_of(results, systems)
    )
