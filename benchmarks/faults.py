"""Figures of docs/results/faults.md: what faults did to runs, and what was broken afterwards."""

import shutil
import tempfile
from pathlib import Path

from benchmarks.fault_flow import say_something, small_flow
from benchmarks.fault_points import KINDS
from benchmarks.fault_real import RealFlow
from benchmarks.fault_schedules import Expected, Flow, Tally, run_schedule
from benchmarks.measuring import say

SMALL_SCHEDULES = 200
REAL_SCHEDULES = 10


def run() -> None:
    """Run all schedules and print a table for each flow."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _report("small flow", small_flow, folder / "small", SMALL_SCHEDULES)
        _report(
            "refresh of examples/tiny", RealFlow(folder / "days"), folder / "real", REAL_SCHEDULES
        )


def _report(title: str, flow: Flow, folder: Path, number: int) -> None:
    expected, total = Expected.of(flow, folder / "undisturbed"), Tally()
    for seed in range(number):
        total += run_schedule(seed, flow, expected, folder / str(seed), say_something)
        shutil.rmtree(folder / str(seed))
    say(f"\n{title}: {total.schedules} schedules, {expected.places} places in a whole run\n")
    say("| fault | struck | run went on | run stopped |")
    say("| --- | --- | --- | --- |")
    for kind in KINDS:
        row = (total.faults[kind], total.completed[kind], total.stopped[kind])
        say(f"| {kind} | {' | '.join(map(str, row))} |")
    say(f"\nbroken afterwards: {len(total.broken)}")
    for line in total.broken:
        say(f"- {line}")
