"""Calls of steps on the workers of a Dask cluster that see the same workspace.

Prefect submits them; what is new here is what happens when a worker does not answer. A shard whose
worker dies is run again by Dask, and a shard that takes much longer than the others is run a second
time elsewhere, after which the first result counts. Both are safe since every file is written once
and named by its content.
"""

import contextlib
import os
import time
import tomllib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any, TypeVar

from storage.errors import ConfigError, WorkspaceError
from storage.workspace import Workspace
from tasks.errands import Errand
from tasks.execution import LOCAL_CLUSTER, ExecutionConfig, is_of_this_machine
from tasks.progress import Listener, Progress
from tasks.step import StepCall

R = TypeVar("R")

STRAGGLER_FACTOR = 3.0
"""A shard is a straggler when it has run so many times the median of those that are done."""
STRAGGLER_SECONDS = 60.0
"""A shard is no straggler before that."""
_POLL_SECONDS = 0.1


class Cluster:
    """The cluster of the settings, joined or started when the first shards are submitted."""

    def __init__(self, config: ExecutionConfig) -> None:
        """Remember the settings; nothing is started yet."""
        self._config = config
        self._stack = contextlib.ExitStack()
        self._runner: Any = None

    def __enter__(self) -> "Cluster":
        """Begin a run."""
        return self

    def __exit__(self, *_: object) -> None:
        """End what was started."""
        self._stack.close()

    @property
    def sees_this_machine(self) -> bool:
        """Say whether its workers read and write in the folders of the driver's machine."""
        return not self._config.leaves_this_machine

    def runner(self) -> Any:
        """Return Prefect's task runner for the cluster, with its first worker there.

        Raises:
            ConfigError: see `_started`.
        """
        if self._runner is None:
            self._runner = _started(self._config, self._stack)
        return self._runner


def _started(config: ExecutionConfig, stack: contextlib.ExitStack) -> Any:
    """Join or start a cluster, which `stack` ends.

    Raises:
        ConfigError: Dask is not installed, the class of the cluster is not known or refuses its
            options, or scheduler or workers do not answer in time.
    """
    try:
        from prefect_dask.task_runners import DaskTaskRunner
    except ImportError as error:
        raise ConfigError(
            'execution.runner is "dask", but prefect-dask is not installed. '
            "Run `pip install 'phrasenet[dask]'`, here and on the workers."
        ) from error
    _check_api(config)
    try:
        runner = stack.enter_context(DaskTaskRunner(**_arguments(config)))
        runner.client.wait_for_workers(1, timeout=config.wait_for_workers)
    except Exception as error:
        raise ConfigError(_no_cluster(config, error)) from error
    return runner


def _check_api(config: ExecutionConfig) -> None:
    """Workers report to Prefect's API, which must not be the private one if they are elsewhere."""
    api = os.environ.get("PREFECT_API_URL", "")
    if config.leaves_this_machine and (not api or is_of_this_machine(api)):
        raise ConfigError(
            f"The workers of {config.address or config.cluster} cannot reach the private Prefect "
            "server of this command, which listens to this machine only. Start a standing server "
            "that they reach and set PREFECT_API_URL (docs/scale.md)."
        )


def _arguments(config: ExecutionConfig) -> dict[str, Any]:
    client = {"timeout": config.wait_for_workers}
    if config.address:
        return {"address": config.address, "client_kwargs": client}
    options: dict[str, Any] = {"n_workers": config.workers}
    if config.cluster == LOCAL_CLUSTER:
        options |= {"threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": None}
    options |= dict(map(_option, config.cluster_options))
    return {
        "cluster_class": config.cluster,
        "cluster_kwargs": options,
        "client_kwargs": client,
    }


def _option(text: str) -> tuple[str, Any]:
    """Read `name=value`: a value that is no number, truth or list of TOML is a text."""
    name, _, value = text.partition("=")
    try:
        return name.strip(), tomllib.loads(f"x = {value}")["x"]
    except tomllib.TOMLDecodeError:
        return name.strip(), value.strip()


def _no_cluster(config: ExecutionConfig, error: Exception) -> str:
    said = next(iter(str(error).splitlines()), "") or type(error).__name__
    if config.address:
        return (
            f"execution.address {config.address}: no Dask scheduler with a worker answered within "
            f"{config.wait_for_workers:g} s ({said}). Start `dask scheduler` and `dask worker`, or "
            "mend the address."
        )
    return (
        f"execution.cluster {config.cluster}: the cluster could not be started ({said}). Check its "
        "name and execution.cluster_options."
    )


@dataclass(slots=True)
class _Running:
    """A call that is on its way, with the copies of it that were submitted."""

    call: StepCall[Any]
    started: float
    futures: list[Any] = field(default_factory=list)

    def finished(self) -> Any:
        """Return the first future that is done, or None."""
        return next((future for future in self.futures if future.wrapped_future.done()), None)


def submit_all(
    cluster: Cluster,
    task_of: Any,
    where_of: Callable[[StepCall[R]], Workspace | Errand],
    calls: Sequence[StepCall[R]],
    tell: Listener,
) -> Iterator[tuple[int, Any]]:
    """Run calls on the cluster; yields the number of each as it ends, and what it gave.

    Args:
        cluster: where they run.
        task_of: makes Prefect's task of a call.
        where_of: gives what a worker needs beside the call: the workspace, where all see the same
            folder, or else an errand.
        calls: they do not depend on each other. As many are on their way as the workers have
            threads, so that the time of a call is that of its work.
        tell: hears how many are done.

    Raises:
        WorkspaceError: the workers that ran one of the calls died again and again.
        Exception: whatever a call raised.
    """
    runner, start = cluster.runner(), time.monotonic()
    waiting = deque(enumerate(calls))
    running: dict[int, _Running] = {}
    seconds: list[float] = []
    while waiting or running:
        free = _threads(runner) - sum(len(one.futures) for one in running.values())
        while waiting and (free > 0 or not running):
            number, call = waiting.popleft()
            running[number] = _Running(
                call, time.monotonic(), [_submit(runner, task_of, where_of, call)]
            )
            free -= 1
        time.sleep(_POLL_SECONDS)
        for number, one in list(running.items()):
            future, taken = one.finished(), time.monotonic() - one.started
            if future is not None:
                result = _result(one.call, future)
                seconds.append(taken)
                del running[number]
                tell(_progress(calls, len(seconds), time.monotonic() - start))
                yield number, result
            elif free > 0 and len(one.futures) == 1 and is_straggler(taken, seconds):
                again = replace(one.call, shares_lock=False)
                one.futures.append(_submit(runner, task_of, where_of, again))
                free -= 1


def _submit(runner: Any, task_of: Any, where_of: Any, call: StepCall[Any]) -> Any:
    return runner.submit(task_of(call), parameters={"where": where_of(call), "call": call})


def _threads(runner: Any) -> int:
    """Count the threads of all workers that are there now."""
    return sum(runner.client.nthreads().values())


def is_straggler(running: float, finished: Sequence[float]) -> bool:
    """Say whether a shard that has run for so many seconds should be run elsewhere too.

    Args:
        running: seconds since it was submitted.
        finished: seconds that the others of its step took, so far.
    """
    if not finished:
        return False
    return running > max(STRAGGLER_SECONDS, STRAGGLER_FACTOR * median(finished))


def _progress(calls: Sequence[StepCall[Any]], done: int, seconds: float) -> Progress:
    return Progress(calls[0].step.name, done, len(calls), "shards", seconds)


def _result(call: StepCall[Any], future: Any) -> Any:
    try:
        return future.result()
    except Exception as error:
        if type(error).__name__ != "KilledWorker":
            raise
        raise WorkspaceError(
            f"{call.label}: every worker that ran it died, most likely for want of memory. Raise "
            "execution.shards, so that each shard is smaller, or give the workers more memory; "
            "finished shards are kept."
        ) from error
