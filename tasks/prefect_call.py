"""Calls of steps as Prefect task runs: named, retried by kind of error, cached by us and not by
Prefect.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from storage.workspace import Workspace
from tasks.progress import Listener, Progress, add_listener, listen
from tasks.step import Outcome, StepCall, execute, is_passing

R = TypeVar("R")


def outcomes(
    workspace: Workspace, calls: Sequence[StepCall[R]], listener: Listener, workers: int
) -> Iterator[tuple[StepCall[R], Outcome[R]]]:
    """Run calls that do not depend on each other as task runs, at most `workers` at a time."""
    if len(calls) == 1:
        # In the driver's own thread, so that Ctrl-C reaches the work.
        listen(calls[0].label, (listener,))
        yield calls[0], _outcome_in(_as_task(calls[0])(workspace, calls[0]))
        return
    running: deque[tuple[StepCall[R], Any]] = deque()
    for call in calls:
        if len(running) == workers:
            yield _finished(*running.popleft())
        listen(call.label, (listener,))
        running.append((call, _as_task(call).submit(workspace, call)))
    while running:
        yield _finished(*running.popleft())


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


def _execute_as_task(workspace: Workspace, call: StepCall[R]) -> Any:
    """Execute a call within a Prefect task; a reused result ends in the state `Cached`."""
    from prefect.states import Completed

    add_listener(_artifact_listener())
    outcome = execute(workspace, call)
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
