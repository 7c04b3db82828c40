"""Calls of steps on machines that do not see the folder in which the driver works.

Where the workspace is in a bucket, the driver puts there what the calls read and hands each worker
an errand. The worker fetches its inputs by their digests, computes, puts what it wrote into the
bucket, and gives back the reference alone. It has an access of its own to the bucket, and its
folder lasts as long as the worker.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from storage.datasets import ArtifactRef
from storage.errors import ConfigError, MissingArtifact, WorkspaceError
from storage.step_cache import CacheEntry, StepCache
from storage.visiting import (
    Place,
    deliver,
    is_any_lost,
    lease_of,
    note_arrived,
    note_lost,
    visit,
)
from storage.workspace import Workspace
from tasks.arguments import references, result_from_json, result_to_json
from tasks.step import Outcome, StepCall, execute, look_up

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Errand:
    """What travels to a worker beside the call, in place of a workspace that it sees."""

    place: Place
    previous: CacheEntry | None
    """The last call of the same label, from which the step may continue."""
    holder: str
    """Id of the holder of the lease for whom the work is done; it goes with the lease."""


def send_inputs(workspace: Workspace, calls: Sequence[StepCall[R]]) -> None:
    """See to it that what calls read is in the bucket, where workers find it.

    Raises:
        WorkspaceError: the server cannot be asked.
    """
    read = references([dict(call.arguments) for call in calls])
    deliver(workspace, read)
    note_arrived(workspace, read)


def errand_of(workspace: Workspace, place: Place, call: StepCall[R]) -> Errand:
    """Make the errand of a call.

    Args:
        workspace: the driver's.
        place: where the worker finds the artifacts of it.
        call: that the worker is to execute.
    """
    known = _previous(workspace, call)
    if known is not None and is_any_lost(workspace, _references_of(known)):
        known = None
    return Errand(place, known, lease_of(workspace))


def _previous(workspace: Workspace, call: StepCall[Any]) -> CacheEntry | None:
    """Return the last call of the same label, if the step may continue from it."""
    cache = StepCache(workspace.root)
    return cache.get(call.step.name, call.previous_key) if call.step.continues else None


def _references_of(entry: CacheEntry) -> tuple[ArtifactRef, ...]:
    """Return what an earlier call read and wrote."""
    return tuple(references(result_from_json([entry.record.get("inputs"), entry.result])))


@contextlib.contextmanager
def losses_noted(workspace: Workspace, calls: Sequence[StepCall[Any]]) -> Iterator[None]:
    """Look what the bucket lacks of what calls read, if one of them misses something: the next run
    sends it again, or makes it again where it is not here either.
    """
    try:
        yield
    except MissingArtifact:
        known = filter(None, (_previous(workspace, call) for call in calls))
        read = references([dict(call.arguments) for call in calls])
        note_lost(workspace, {*read, *(ref for entry in known for ref in _references_of(entry))})
        raise


def run_errand(errand: Errand, call: StepCall[R]) -> Outcome[R]:
    """Execute a call on the worker of a Dask cluster that runs this.

    Raises:
        WorkspaceBusy: the driver has the lease no more; what was made is not sent.
        WorkspaceError: this worker has no access to the bucket, or other code than the driver.
        ConfigError: what the access needs is not installed.
    """
    from distributed import get_worker

    worker = get_worker()
    with _named(f"Dask worker {worker.address}"):
        workspace = visit(errand.place, Path(worker.local_directory))
        if errand.previous is not None:
            cache = StepCache(workspace.root)
            cache.put(call.step.name, call.previous_key, errand.previous)
        outcome = execute(workspace, call)
        deliver(workspace, references(outcome.result), errand.holder)
    return outcome


@contextlib.contextmanager
def _named(who: str) -> Iterator[None]:
    """Say on which machine something is to be mended."""
    try:
        yield
    except (WorkspaceError, ConfigError) as error:
        raise type(error)(f"{who}: {error}") from error


def known_here(workspace: Workspace, calls: Sequence[StepCall[R]]) -> list[bool]:
    """Say of each call whether its result is known, so that no worker is asked."""
    return [isinstance(look_up(workspace, call), Outcome) for call in calls]


def bring_home(workspace: Workspace, call: StepCall[R], outcome: Outcome[R]) -> None:
    """Keep the result of an errand in the driver's workspace, as if it had been computed there."""
    entry = CacheEntry(outcome.record, result_to_json(outcome.result))
    note_arrived(workspace, references(outcome.result))
    StepCache(workspace.root).put(call.step.name, outcome.record["key"], entry)
