"""Calls of steps as Prefect task runs: named, retried by kind of error, cached by us and not by
Prefect.
"""

import queue
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from storage.visiting import Place, place_of
from storage.workspace import Workspace
from tasks.arguments import files, references
from tasks.dask_calls import Cluster, submit_all
from tasks.errands import (
    Errand,
    bring_home,
    errand_of,
    known_here,
    losses_noted,
    run_errand,
    send_inputs,
)
from tasks.own_process import LostProcess, end_processes
from tasks.progress import Listener, Progress, add_listener, listen
from tasks.step import Outcome, StepCall, execute, is_passing
from tasks.tombstones import TOMBSTONES

R = TypeVar("R")


def outcomes(
    workspace: Workspace,
    calls: Sequence[StepCall[R]],
    listener: Listener,
    workers: int,
    cluster: Cluster | None = None,
) -> Iterator[tuple[StepCall[R], Outcome[R]]]:
    """Run calls that do not depend on each other as task runs.

    Args:
        workspace: where they read and write.
        calls: of one step each or of several.
        listener: hears of progress.
        workers: how many of them are worked on at a time, on this machine.
        cluster: where calls run that may leave this machine.
    """
    if len(calls) == 1:
        # In the driver's own thread, so that Ctrl-C reaches the work.
        listen(calls[0].label, (listener,))
        yield calls[0], _outcome_in(_as_task(calls[0])(workspace, calls[0]))
        return
    place = None if cluster is None or cluster.sees_this_machine else place_of(workspace)
    if cluster is not None and not any(_stays_here(call, place) for call in calls):
        yield from _in_order(calls, _on_cluster(cluster, workspace, place, calls, listener))
        return
    running: deque[tuple[StepCall[R], Any]] = deque()
    for call in calls:
        if len(running) == workers:
            yield _finished(*running.popleft())
        listen(call.label, (listener,))
        running.append((call, _as_task(call).submit(workspace, call)))
    while running:
        yield _finished(*running.popleft())


def _stays_here(call: StepCall[Any], place: Place | None) -> bool:
    """Say whether a call is one for the driver's machine: workers that share no folder with it may
    not see the user's files, either, and lack the key that tells what was withdrawn.
    """
    if call.step.with_driver or place is None:
        return call.step.with_driver
    arguments = dict(call.arguments)
    needs_key = any(ref.kind == TOMBSTONES for ref in references(arguments))
    return needs_key or bool(files(arguments))


def _on_cluster(
    cluster: Cluster,
    workspace: Workspace,
    place: Place | None,
    calls: Sequence[StepCall[R]],
    listener: Listener,
) -> Iterator[tuple[int, Outcome[R]]]:
    """Run calls on a cluster; yields the number and the outcome of each as it ends."""
    if place is None:
        found = submit_all(cluster, _as_task, lambda call: workspace, calls, listener)
        yield from ((number, _outcome_in(value)) for number, value in found)
        return
    known = known_here(workspace, calls)
    for number in (number for number, is_known in enumerate(known) if is_known):
        yield number, _outcome_in(_as_task(calls[number])(workspace, calls[number]))
    others = [number for number, is_known in enumerate(known) if not is_known]
    away = [calls[number] for number in others]
    if not away:
        return
    send_inputs(workspace, away)
    errand = partial(errand_of, workspace, place)
    with losses_noted(workspace, away):
        for position, value in submit_all(cluster, _as_task, errand, away, listener):
            outcome = _outcome_in(value)
            bring_home(workspace, away[position], outcome)
            yield others[position], outcome


def _in_order(
    calls: Sequence[StepCall[R]], found: Iterator[tuple[int, Outcome[R]]]
) -> Iterator[tuple[StepCall[R], Outcome[R]]]:
    """Yield the calls with their outcomes, each as soon as all before it are there."""
    waiting: dict[int, Outcome[R]] = {}
    reached = 0
    for number, outcome in found:
        waiting[number] = outcome
        while reached in waiting:
            yield calls[reached], waiting.pop(reached)
            reached += 1


def side_by_side(
    work: Sequence[tuple[str, Callable[[], R]]], listener: Listener, at_once: int
) -> Iterator[tuple[str, R | BaseException]]:
    """Run long pieces of work as task runs, at most `at_once` at a time; an error stops no other.

    Yields the name of each piece as it ends, with its result or its error. When the caller leaves
    early, the processes that work for the pieces are ended.
    """
    waiting, running = deque(work), 0
    values: dict[str, R | BaseException] = {}
    ended: queue.SimpleQueue[str] = queue.SimpleQueue()
    try:
        while waiting or running:
            while waiting and running < at_once:
                name, function = waiting.popleft()
                listen(name, (listener,))
                future = _as_long_task(name, function, values).submit()
                future.add_done_callback(lambda _, name=name: ended.put(name))
                running += 1
            name = ended.get()
            running -= 1
            yield name, values.get(name, LostProcess(f"{name} ended without a result"))
    finally:
        if running:
            end_processes()


def _as_long_task(
    name: str, function: Callable[[], R], values: dict[str, R | BaseException]
) -> Any:
    """Return the Prefect task for a piece of work; it is tried once and goes on from its cache."""
    from prefect import task
    from prefect.cache_policies import NO_CACHE

    def work() -> None:
        add_listener(_artifact_listener())
        try:
            values[name] = function()
        except BaseException as error:
            values[name] = error
            raise

    run_name = name.replace("{", "{{").replace("}", "}}")
    return task(name="cell", task_run_name=run_name, cache_policy=NO_CACHE, persist_result=False)(
        work
    )


def _finished(call: StepCall[R], future: Any) -> tuple[StepCall[R], Outcome[R]]:
    return call, _outcome_in(future.result())


def _as_task(call: StepCall[R]) -> Any:
    """Return the Prefect task for a call: named, retried by kind of error, never cached by
    Prefect.
    """
    from prefect import task
    from prefect.cache_policies import NO_CACHE

    delays = call.step.retry_delays_seconds
    decorate = task(
        name=call.step.name,
        task_run_name=call.label.replace("{", "{{").replace("}", "}}"),
        retries=len(delays),
        retry_delay_seconds=list(delays),
        retry_condition_fn=_should_retry,
        cache_policy=NO_CACHE,
        persist_result=False,
    )
    return decorate(_execute_as_task)


def _should_retry(task: Any, task_run: Any, state: Any) -> bool:
    return isinstance(state.data, BaseException) and is_passing(state.data)


def _outcome_in(value: Any) -> Outcome[Any]:
    """Return the outcome in what Prefect gives back: of a cached task it hands out the state."""
    if isinstance(value, Outcome):
        return value
    data = value.data
    outcome: Outcome[Any] = data if isinstance(data, Outcome) else data.result
    return outcome


def _execute_as_task(where: Workspace | Errand, call: StepCall[R]) -> Any:
    """Execute a call within a Prefect task; a reused result ends in the state `Cached`."""
    from prefect.states import Completed

    add_listener(_artifact_listener())
    outcome = run_errand(where, call) if isinstance(where, Errand) else execute(where, call)
    if outcome.how == "reused":
        return Completed(name="Cached", message="reused", data=outcome)
    return outcome


def _artifact_listener() -> Listener:
    """Return a listener that keeps a progress artifact of the current task run up to date."""
    from prefect.artifacts import create_progress_artifact, update_progress_artifact

    made: list[Any] = []

    def tell(progress: Progress) -> None:
        percent = round(100 * progress.share, 1)
        if made:
            update_progress_artifact(made[0], progress=percent, description=str(progress))
        else:
            made.append(create_progress_artifact(progress=percent, description=str(progress)))

    return tell
