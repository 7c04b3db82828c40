"""What every flow does around its stages: settings, workspace, lease, ledger, and who is told."""

import contextlib
import importlib.metadata
import platform
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import asdict
from pathlib import Path
from typing import Any

from flows.pipeline import STEPS
from flows.settings import Settings, load_settings
from storage.datasets import ArtifactRef
from storage.errors import ConfigError, PhrasenetError
from storage.workspace import Workspace, open_workspace
from tasks.observer import Observer, Silent
from tasks.run import Run
from tasks.step import read_code
from tasks.window import StepWindow, UntilReached

LIBRARIES = ("torch", "prefect", "pyarrow", "duckdb", "jieba", "rjieba", "sacrebleu", "sil-thot")

observer: ContextVar[Observer] = ContextVar("observer", default=Silent())  # noqa: B039 - stateless
"""Who is told what the flows that start in this context do."""

lease_is_held: ContextVar[bool] = ContextVar("lease_is_held", default=False)
"""Whether the command line holds the lease already, so that a flow must not ask for it again."""

stop: ContextVar[Callable[[], None]] = ContextVar("stop", default=lambda: None)  # noqa: B039
"""Raises `KeyboardInterrupt` if a person asked to stop; asked between the steps of a flow."""

Stages = Callable[[Run, Settings], ArtifactRef | None]
"""The stages of a flow; they return the report, if they make one."""

REPORT_FILE = "report.html"


def step_window(first: str | None, last: str | None) -> StepWindow:
    """Make the window of `--from` and `--until`.

    Raises:
        ConfigError: one of them names no step, or the last lies before the first.
    """
    for option, name in (("--from", first), ("--until", last)):
        if name is not None and name not in STEPS:
            raise ConfigError(f"{option} {name}: no such step. Steps: {', '.join(STEPS)}.")
    if first is not None and last is not None and STEPS.index(last) < STEPS.index(first):
        raise ConfigError(f"--until {last} lies before --from {first}; nothing would run.")
    return StepWindow(STEPS, first, last)


def drive(name: str, settings_file: str, window: StepWindow, stages: Stages) -> dict[str, Any]:
    """Run the stages of a flow under Prefect; must be called inside of a Prefect flow.

    Returns:
        How many calls of steps were computed and reused, the snapshot and the ledger's digest.
    """
    from prefect.runtime import flow_run

    read_code()
    settings = load_settings(Path(settings_file))
    workspace = open_workspace(settings.workspace_path, settings.execution.engine)
    identity = str(flow_run.id)
    held = lease_is_held.get()
    lease = workspace.lease(wait_seconds=settings.execution.wait_seconds)
    with contextlib.nullcontext() if held else lease:
        workspace.sweep()
        run = Run(
            workspace, window, identity, "prefect", observer.get(), settings.execution.workers
        )
        run.stop = stop.get()
        workspace.ledger.append("flow", _flow_record(name, identity, settings, window))
        report = None
        with _ending_recorded(workspace, identity), contextlib.suppress(UntilReached):
            report = stages(run, settings)
        return _summary(run, workspace, report)


@contextlib.contextmanager
def _ending_recorded(workspace: Workspace, flow_run: str) -> Iterator[None]:
    """Record how a flow ended; one that was killed has no such record."""
    try:
        yield
    except BaseException as error:
        outcome = "stopped" if isinstance(error, KeyboardInterrupt) else "failed"
        body = {"flow_run": flow_run, "outcome": outcome, "error": type(error).__name__}
        with contextlib.suppress(PhrasenetError, OSError):  # the error itself is what matters
            workspace.ledger.append("end", body)
        raise
    workspace.ledger.append("end", {"flow_run": flow_run, "outcome": "completed", "error": ""})


def _summary(run: Run, workspace: Workspace, report: ArtifactRef | None) -> dict[str, Any]:
    head = workspace.memory.head()
    return {
        "flow_run": run.flow_run,
        **run.counts,
        "report": str(workspace.folder_of(report) / REPORT_FILE) if report else None,
        "snapshot": head.snapshot_id if head else None,
        "ledger": workspace.ledger.digest(),
    }


def _flow_record(
    name: str, identity: str, settings: Settings, window: StepWindow
) -> dict[str, Any]:
    return {
        "flow": name,
        "flow_run": identity,
        "from": window.first,
        "until": window.last,
        "settings": settings_as_json(settings),
        "versions": {
            "phrasenet": importlib.metadata.version("phrasenet"),
            "python": platform.python_version(),
            **{library: importlib.metadata.version(library) for library in LIBRARIES},
        },
        "machine": {"system": platform.system(), "processor": platform.machine()},
    }


def settings_as_json(settings: Settings) -> dict[str, Any]:
    """Return the resolved settings as plain JSON."""
    return {
        key: str(value) if isinstance(value, Path) else value
        for key, value in asdict(settings).items()
    }
