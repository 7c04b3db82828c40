"""Random schedules of days and faults, and what must hold after each run and at the end.

A schedule is a row of days. Each day the sources change and a run begins, which a fault may end;
at the end one run goes undisturbed. Afterwards everything must be as if nothing had ever happened.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchmarks.fault_points import KINDS, Died, Fault, Injector, Kind, faults_in
from storage.datasets import MANIFEST, ArtifactRef, Manifest
from storage.errors import PhrasenetError
from storage.files import PARTIAL
from storage.memory import Snapshot
from storage.workspace import Workspace, open_workspace
from tasks.verify import verify_workspace

DAYS = 3
MAX_FAULTS = 4


class Flow(Protocol):
    """Something that refreshes a workspace for a day, holding its lease."""

    def __call__(self, root: Path, day: int) -> None:
        """Do what is out of date; may raise."""


@dataclass
class Tally:
    """What became of schedules."""

    schedules: int = 0
    faults: Counter[Kind] = field(default_factory=Counter)
    """Faults that struck, by kind."""
    completed: Counter[Kind] = field(default_factory=Counter)
    """Runs that a fault did not stop."""
    stopped: Counter[Kind] = field(default_factory=Counter)
    """Runs that ended with an error or died."""
    broken: list[str] = field(default_factory=list)
    """What was not as it must be."""

    def __iadd__(self, other: "Tally") -> "Tally":
        """Add up."""
        self.schedules += other.schedules
        self.faults.update(other.faults)
        self.completed.update(other.completed)
        self.stopped.update(other.stopped)
        self.broken += other.broken
        return self


@dataclass(frozen=True)
class Expected:
    """What undisturbed runs give, day by day."""

    snapshots: tuple[frozenset[str], ...]
    """Of each day: a refresh keeps the aligner of an earlier day, so each day before it is one."""
    places: int
    """Places that a run of the first day reaches."""

    @staticmethod
    def of(flow: Flow, folder: Path) -> "Expected":
        """Run all days undisturbed, each alone and after each other one, in new workspaces."""
        snapshots, places = [], 0
        for day in range(DAYS):
            with faults_in(folder / f"{day}-{day}", None) as injector:
                ids = {_head_after(flow, folder / f"{day}-{day}", (day,))}
            places = max(places, injector.reached)
            others = (other for other in range(DAYS) if other != day)
            ids |= {_head_after(flow, folder / f"{other}-{day}", (other, day)) for other in others}
            snapshots.append(frozenset(ids))
        return Expected(tuple(snapshots), places)


def _head_after(flow: Flow, root: Path, days: tuple[int, ...]) -> str:
    for day in days:
        flow(root, day)
    head = open_workspace(root).memory.head()
    assert head is not None, "a refresh publishes a snapshot"
    return head.snapshot_id


def schedule_of(seed: int, places: int) -> list[tuple[int, Fault]]:
    """Return the days of a schedule with the fault of each.

    Args:
        seed: chooses all.
        places: that a whole run reaches; a run that reuses much reaches fewer.
    """
    chosen = random.Random(seed)
    days = [chosen.randrange(DAYS) for _ in range(chosen.randint(1, MAX_FAULTS))]
    # Early places are met more often, since later runs reuse what is finished.
    return [
        (
            day,
            Fault(
                chosen.choice(KINDS),
                int(places * chosen.random() ** 2),
                chosen.randrange(1 << 30),
            ),
        )
        for day in days
    ]


def run_schedule(
    seed: int, flow: Flow, expected: Expected, root: Path, before: Callable[[Path], None]
) -> Tally:
    """Run one schedule and say what was broken.

    Args:
        seed: of the schedule.
        flow: what runs.
        expected: of undisturbed runs.
        root: a new folder for the workspace.
        before: makes what must not be lost, such as a person's decision.
    """
    tally, chosen = Tally(schedules=1), schedule_of(seed, expected.places)
    before(root)
    kept = protected(root)
    is_damaged = False
    for number, (day, fault) in enumerate(chosen):
        injector = _run_with(flow, root, day, fault, tally)
        is_damaged |= fault.kind == "unreadable file" and injector.has_struck
        where = f"seed {seed}, run {number}, {fault}"
        if injector.intruded:
            tally.broken.append(f"{where}: two writers at a time")
        found = [] if is_damaged else _half_done(root, expected)
        tally.broken += [f"{where}: {item}" for item in found]
    day = chosen[-1][0]
    try:
        flow(root, day)
    except Exception as error:
        tally.broken.append(f"seed {seed}, end: {type(error).__name__}: {error}")
        return tally
    tally.broken += [f"seed {seed}, end: {item}" for item in _ended(root, expected, day, kept)]
    return tally


def _run_with(flow: Flow, root: Path, day: int, fault: Fault, tally: Tally) -> Injector:
    is_stopped = False
    with faults_in(root, fault) as injector:
        try:
            flow(root, day)
        except (PhrasenetError, OSError, Died):
            is_stopped = True
        except Exception as error:
            is_stopped = True
            tally.broken.append(f"{fault} looks like a defect: {type(error).__name__}: {error}")
    if injector.has_struck:
        tally.faults[fault.kind] += 1
        (tally.stopped if is_stopped else tally.completed)[fault.kind] += 1
    elif is_stopped:
        tally.broken.append(f"a run stopped although {fault} never struck")
    return injector


def protected(root: Path) -> dict[str, bytes]:
    """Return what may never change again: records of the ledger, and what people said."""
    patterns = ("ledger/records/*.json", "memory/decisions/*.json", "ledger/key")
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for pattern in patterns
        for path in root.glob(pattern)
    }


def _half_done(root: Path, expected: Expected) -> Iterator[str]:
    """Say what is not whole right after a run that may have been cut short."""
    workspace = open_workspace(root)
    yield from _broken_artifacts(workspace)
    yield from workspace.ledger.problems()
    head = workspace.memory.head()
    if head is not None:
        if head.snapshot_id not in frozenset().union(*expected.snapshots):
            yield f"HEAD is {head.snapshot_id}, which no day gives"
        yield from _broken_snapshot(workspace, head)


def _broken_artifacts(workspace: Workspace) -> Iterator[str]:
    for path in workspace.root.rglob(MANIFEST):
        if PARTIAL not in path.parts:
            manifest = Manifest.read(path.parent)
            ref = ArtifactRef(manifest.kind, manifest.content_digest, manifest.rows)
            broken = workspace.why_broken(ref)
            if broken is not None:
                yield broken


def _broken_snapshot(workspace: Workspace, head: Snapshot) -> Iterator[str]:
    for ref in (*head.tables, head.evidence):
        broken = workspace.why_broken(ref)
        if broken is not None:
            yield f"HEAD is not whole: {broken}"


def _ended(root: Path, expected: Expected, day: int, kept: dict[str, bytes]) -> Iterator[str]:
    """Say what is not as if nothing had happened."""
    workspace = open_workspace(root)
    head = workspace.memory.head()
    if head is None or head.snapshot_id not in expected.snapshots[day]:
        yield f"HEAD is not that of day {day}"
    else:
        yield from _broken_snapshot(workspace, head)
    yield from workspace.ledger.problems()
    # What a fault damaged and no run of this day needed is found, and mended when it is needed.
    damage = ("was changed", "is missing", "there is no readable", "describes another")
    yield from (item for item in verify_workspace(workspace) if not any(w in item for w in damage))
    now = protected(root)
    for name, data in kept.items():
        if now.get(name) != data:
            yield f"{name} was lost or changed"
    leftovers = [str(path) for path in root.rglob("*.partial") if path.is_file()]
    leftovers += map(str, (root / PARTIAL).glob("*"))
    yield from (f"{name} was left" for name in leftovers)
