"""What every flow does around its stages: settings, workspace, lease, ledger, and who is told."""

import contextlib
import importlib.metadata
import logging
import platform
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from flows.checking import accept_change
from flows.devices import must_have_devices
from flows.events import tell_memory_changed, tell_promotion, tell_refused
from flows.pipeline import STEPS
from flows.settings import Settings, load_settings
from flows.untold import tell_untold
from storage.datasets import ArtifactRef
from storage.errors import ConfigError, PhrasenetError, WorkspaceError
from storage.workspace import Workspace, open_workspace
from tasks.check import ChecksFailed, memory_change
from tasks.dask_calls import Cluster
from tasks.execution import ExecutionConfig
from tasks.observer import Observer, Silent
from tasks.own_process import stop_signals_reach_children
from tasks.past import Past
from tasks.pending_records import adopt
from tasks.run import Run
from tasks.step import read_code
from tasks.window import StepWindow, UntilReached

log = logging.getLogger(__name__)

LIBRARIES = ("torch", "prefect", "pyarrow", "duckdb", "jieba", "rjieba", "sacrebleu", "sil-thot")

observer: ContextVar[Observer] = ContextVar("observer", default=Silent())  # noqa: B039 - stateless
"""Who is told what the flows that start in this context do."""

lease_is_held: ContextVar[bool] = ContextVar("lease_is_held", default=False)
"""Whether the command line holds the lease already and looked for the devices, before it started a
server; a flow must not do so again."""

stop: ContextVar[Callable[[], None]] = ContextVar("stop", default=lambda: None)  # noqa: B039
"""Raises `KeyboardInterrupt` if a person asked to stop; asked between the steps of a flow."""

Stages = Callable[[Run, Settings], ArtifactRef | None]
"""The stages of a flow; they return the report, if they make one."""

REPORT_FILE = "report.html"
REFRESH = "refresh-phrase-memory"
"""Name of the flow that only refreshes the memory."""
EXPERIMENT = "experiment"
"""Name of the flow that runs cells; each has settings, and so devices, of its own."""

MAX_RESTARTS = 3
"""How often a run is started again because its process died; more often, something is wrong with
the run and not with the machine."""


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


@dataclass(frozen=True, slots=True)
class Request:
    """What a run of a flow was asked for."""

    settings_file: str
    from_step: str | None = None
    until_step: str | None = None
    accept_change: bool = False
    allow_changed: bool = False
    """Whether an interrupted training goes on although code, settings or data changed."""
    as_of: str | None = None
    wait_seconds: float = 0.0
    restarts: int = 0

    @property
    def window(self) -> StepWindow:
        """Return the wanted part of the flow.

        Raises:
            ConfigError: a step is not known, or the last lies before the first.
        """
        return step_window(self.from_step, self.until_step)

    def must_be_fresh(self) -> None:
        """Refuse a run whose process died again and again.

        Raises:
            WorkspaceError: it did.
        """
        if self.restarts > MAX_RESTARTS:
            raise WorkspaceError(
                f"The process of this run died {self.restarts} times in a row, so it is not "
                "started again. Look at the logs of the runs before it (memory, disk, node), mend "
                "the cause, and start the deployment by hand; what was finished is reused."
            )


def drive(name: str, stages: Stages, request: Request) -> dict[str, Any]:
    """Run the stages of a flow under Prefect; must be called inside of a Prefect flow.

    Args:
        name: of the flow.
        stages: what to do.
        request: settings file, steps and choices.

    Returns:
        How many calls of steps were computed and reused, the snapshot and the ledger's digest.
    """
    from prefect.runtime import flow_run

    request.must_be_fresh()
    read_code()
    settings = load_settings(Path(request.settings_file))
    workspace = open_workspace(
        settings.workspace_path, settings.execution.engine, settings.workspace.remote
    )
    identity = str(flow_run.id)
    held = lease_is_held.get()
    patience = max(settings.execution.wait_seconds, request.wait_seconds)
    lease = workspace.lease(wait_seconds=patience)
    with contextlib.nullcontext() if held else lease:
        workspace.sweep()
        adopt(workspace)
        if not held and name not in (REFRESH, EXPERIMENT):
            must_have_devices(workspace, settings, stages, request.window)
        run = _run_of(workspace, settings, request, identity)
        workspace.ledger.append("flow", _flow_record(name, identity, settings, request))
        report = None
        with (
            _ending_recorded(workspace, identity),
            _cluster(settings.execution) as run.cluster,
            _told(name, run, settings, request),
            stop_signals_reach_children(),
            contextlib.suppress(UntilReached),
        ):
            report = stages(run, settings)
        summary = _summary(run, workspace, report)
    if held:
        return summary
    from flows.approval import with_approval

    return with_approval(settings, workspace, summary)


def _run_of(workspace: Workspace, settings: Settings, request: Request, identity: str) -> Run:
    run = Run(
        workspace,
        request.window,
        identity,
        "prefect",
        observer.get(),
        settings.execution.workers,
    )
    run.stop, run.allow_changed = stop.get(), request.allow_changed
    run.past = None if request.as_of is None else Past.of(workspace, request.as_of)
    return run


@contextlib.contextmanager
def _told(name: str, run: Run, settings: Settings, request: Request) -> Iterator[None]:
    """Tell automations that the memory changed or drifted, and what was refused."""
    workspace, settings_file = run.workspace, request.settings_file
    tell_untold(workspace, settings_file)  # of a run whose process died
    before = workspace.memory.head()
    accepted = accept_change.set(request.accept_change or accept_change.get())
    try:
        yield
    except ChecksFailed as error:
        tell_refused(workspace, settings_file, str(error))
        raise
    finally:
        accept_change.reset(accepted)
        if workspace.memory.head() != before:
            # Also if a later stage fails; what fails here is told by the next run.
            try:
                tell_untold(workspace, settings_file)
            except (PhrasenetError, OSError) as error:
                log.warning("drift of the memory is told by the next run: %s", error)
    after = workspace.memory.head()
    if after is not None and after != before:
        change = memory_change(workspace, before, after)
        # The other flows train by themselves what has to be trained.
        much = change.share > settings.refresh.retrain_share and name == REFRESH
        tell_memory_changed(workspace, settings_file, change, retrain=much)
    if "promotion" in run.told:
        tell_promotion(workspace, settings_file, run.told["promotion"])


def _cluster(execution: ExecutionConfig) -> contextlib.AbstractContextManager[Cluster | None]:
    """Give the cluster on which shards run, or None for threads of this process."""
    return Cluster(execution) if execution.runner == "dask" else contextlib.nullcontext()


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
        **({"backfilled": run.backfilled} if run.past is not None else {}),
        **run.told,
        "report": str(workspace.folder_of(report) / REPORT_FILE) if report else None,
        "snapshot": head.snapshot_id if head else None,
        "ledger": workspace.ledger.digest(),
    }


def _flow_record(name: str, identity: str, settings: Settings, request: Request) -> dict[str, Any]:
    return {
        "flow": name,
        "flow_run": identity,
        "from": request.from_step,
        "until": request.until_step,
        **({"as_of": request.as_of} if request.as_of else {}),
        **({"accepted_change": True} if request.accept_change else {}),
        "settings": settings_as_json(settings),
        "versions": versions(),
        "machine": {"system": platform.system(), "processor": platform.machine()},
    }


def versions() -> dict[str, str]:
    """Return the versions of this program, of Python and of the libraries that shape results."""
    return {
        "phrasenet": importlib.metadata.version("phrasenet"),
        "python": platform.python_version(),
        **{library: importlib.metadata.version(library) for library in LIBRARIES},
    }


def settings_as_json(settings: Settings) -> dict[str, Any]:
    """Return the resolved settings as plain JSON."""
    return {
        key: str(value) if isinstance(value, Path) else value
        for key, value in asdict(settings).items()
    }
