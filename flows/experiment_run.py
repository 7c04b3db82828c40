"""Runs the cells of an experiment: many systems trained and measured side by side, each once.

What all cells share, the phrase memory and the tagged sentences, is made by the driver. Each cell
then trains and measures its system in a process of its own, so that one that fails stops no other;
the driver alone appends to the ledger and writes the results.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from flows.devices import must_have_devices
from flows.driver import step_window, versions
from flows.evaluation import look_into
from flows.experiment_cells import (
    Cell,
    cell_digest,
    data_names,
    data_settings,
    settings_digest,
    shaping_settings,
    sources_of,
)
from flows.experiment_code import with_code
from flows.experiment_gpus import Gpus, gpu_names, names_one
from flows.pipeline import Refreshed, Tagged, refresh, tag
from flows.settings import Settings
from flows.training import train_systems
from model.fit import use_threads
from storage.errors import PhrasenetError, WorkspaceError
from storage.result_files import FORMAT, ResultFiles
from storage.workspace import Workspace
from tasks.experiment_result import (
    parameters_of,
    record_of,
    test_result,
    training_result,
)
from tasks.observer import Silent
from tasks.own_process import in_own_process
from tasks.prefect_call import side_by_side
from tasks.progress import Progress, current_listeners, listen
from tasks.raised import place_of
from tasks.run import Run
from tasks.step import Outcome, StepCall, code_of_steps

Recorded = list[tuple[StepCall[Any], Outcome[Any]]]
Prepared = tuple[Refreshed, Tagged]
"""What all cells of one set of texts share."""


@dataclass
class Experiment:
    """One run of some cells, and how it ended."""

    cells: Sequence[Cell]
    results: ResultFiles
    at_once: int
    finished: list[str] = field(default_factory=list)
    failed: dict[str, BaseException] = field(default_factory=dict)

    def stages(self, run: Run, settings: Settings) -> None:
        """Make what the cells share, and run them."""
        for data in data_names(self.cells):
            cells = [cell for cell in self.cells if cell.planned.cell.data == data]
            self._run_cells(run, cells, _prepare(run, data_settings(settings, data), data))

    def _run_cells(self, run: Run, cells: Sequence[Cell], prepared: Prepared) -> None:
        by_name = {cell.name: cell for cell in cells}
        sources = sources_of(cells[0].settings)
        for name, ended in _ended_cells(run, cells, prepared, self.at_once):
            if isinstance(ended, BaseException):
                self.failed[name] = ended
                run.observer.said(f"{name} failed: {told(ended)}")
                continue
            result, recorded = ended
            ledger = _record(run, recorded)
            cell = by_name[name]
            about = {**_about(cell, sources), "flow_run": run.flow_run, "ledger": ledger}
            self.results.write(cell.planned.cell.file, about | result)
            self.finished.append(name)
            run.observer.said(f"{name:38} {_in_short(result)}")


def _in_short(result: Mapping[str, Any]) -> str:
    """Say in a line what came out of a cell."""
    scores = [
        f"{testset} {row['value']:.2f}"
        for testset, test in result["tests"].items()
        for row in test["scores"]
        if (row["metric"], row["subset"]) == ("BLEU", "all")
    ]
    return f"{result['training']['hours']:.2f} hours of training; BLEU: {', '.join(scores)}"


def _prepare(run: Run, settings: Settings, data: str) -> Prepared:
    """Make the memory of some texts and tag their sentences; what is there is reused."""
    run.about = data
    refreshed = refresh(run, settings)
    tagged = tag(run, settings, refreshed)
    run.about = ""
    return refreshed, tagged


def must_have_devices_of_cells(
    workspace: Workspace, settings: Settings, cells: Sequence[Cell]
) -> None:
    """Refuse cells that would compute on a device that this machine does not have.

    Args:
        workspace: whose results can be reused.
        settings: of the experiment.
        cells: that are to be run.

    Raises:
        ConfigError: a step of one of them needs such a device; names the first one.
    """
    for cell in cells:
        must_have_devices(
            workspace,
            cell.settings,
            partial(_plan_cell, settings, cell),
            step_window(None, None),
            advice="`--tables` writes the tables of the results that are there.",
        )


def _plan_cell(settings: Settings, cell: Cell, run: Run, of_cell: Settings) -> None:
    """Make the calls that a cell would make, in a run that only plans."""
    data = cell.planned.cell.data
    refreshed, tagged = _prepare(run, data_settings(settings, data), data)
    run.about = cell.name
    look_into(run, of_cell, refreshed, tagged, train_systems(run, of_cell, refreshed, tagged))


def _ended_cells(
    run: Run, cells: Sequence[Cell], prepared: Prepared, at_once: int
) -> Iterator[tuple[str, Any]]:
    """Yield each cell as it ends, with what `run_cell` returns or with its error."""
    arguments = {cell.name: (run.workspace, cell, prepared, run.flow_run) for cell in cells}
    if run.mode == "prefect":
        each = max(cell.settings.training.processes for cell in cells)
        names = [] if any(names_one(cell.settings) for cell in cells) else gpu_names()
        gpus = Gpus(names, each, at_once)
        code = code_of_steps()
        work = [
            (name, partial(_in_own_process, gpus, name, code, given))
            for name, given in arguments.items()
        ]
        yield from side_by_side(work, run.observer.progress, at_once)
        return
    for name, given in arguments.items():
        listen(name, (run.observer.progress,))
        try:
            yield name, run_cell(*given)
        except Exception as error:
            yield name, error


def _in_own_process(gpus: Gpus, name: str, code: Mapping[str, str], given: tuple[Any, ...]) -> Any:
    """Run a cell in a process of its own, with GPUs of its own where there are any."""
    with gpus.lent() as environment:
        return in_own_process(
            name, with_code, code, run_cell, *given, has_children=True, environment=environment
        )


class _Relay(Silent):
    """Tells what a cell's steps do to whoever listens to the cell."""

    def __init__(self) -> None:
        self._listeners = current_listeners()

    def progress(self, progress: Progress) -> None:
        """Hand on."""
        for tell in self._listeners:
            tell(progress)


def run_cell(
    workspace: Workspace, cell: Cell, prepared: Prepared, flow_run: str
) -> tuple[dict[str, Any], Recorded]:
    """Train and measure one cell; returns its result and what the ledger has to record."""
    use_threads(cell.settings.training.threads)
    settings, (refreshed, tagged) = cell.settings, prepared
    run = Run(
        workspace, step_window(None, None), flow_run, observer=_Relay(), about=cell.name,
        handed_on=[],
    )  # fmt: skip
    trained = train_systems(run, settings, refreshed, tagged)
    results = look_into(run, settings, refreshed, tagged, trained)
    (made,) = trained
    items = {item.name: item for item in refreshed.testsets}
    tests = {
        name: test_result(
            workspace,
            items[name].role,
            items[name].lines,
            systems[made.system],
            record_of(run, systems[made.system]["translations"]),
        )
        for name, systems in results.items()
    }
    result = {
        "model": made.model.digest,
        "memory_snapshot": refreshed.snapshot.snapshot_id,
        "parameters": parameters_of(workspace, made.model),
        "training": training_result(workspace, made.log, record_of(run, made.model)),
        "code": {item.step.name: outcome.record["code"] for item, outcome in run.handed_on or ()},
        "tests": tests,
    }
    return result, list(run.handed_on or ())


def _record(run: Run, recorded: Recorded) -> dict[str, Any]:
    """Append to the ledger what a cell's process did; returns where that stands.

    Raises:
        WorkspaceError: that process ran other code than this one.
    """
    silent = Run(run.workspace, run.window, run.flow_run)
    for call, outcome in recorded:
        if outcome.record["code"] != call.step.fingerprint().digest:
            raise WorkspaceError(
                f"The code of step {call.step.name} changed while the experiment ran. Run again: "
                "what is still right is reused."
            )
        silent.recorded(call, outcome)
    last = run.workspace.ledger.last()
    assert last is not None, "the flow itself is on record"
    return {"sequence": last.sequence, "digest": last.digest()}


def _about(cell: Cell, sources: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a result says of its cell: settings, sources and versions."""
    planned = cell.planned
    return {
        "format": FORMAT,
        "cell": {
            "data": planned.cell.data,
            "name": planned.cell.name,
            "seed": planned.cell.seed,
            "system": planned.system,
        },
        "digest": cell_digest(cell, sources),
        "settings_digest": settings_digest(cell),
        "settings": shaping_settings(cell.settings),
        "sources": dict(sources),
        "versions": versions(),
    }


def told(error: BaseException) -> str:
    """Say what went wrong: a mistake in its own words, a defect with its kind and its place."""
    if isinstance(error, PhrasenetError):
        return str(error)
    place = place_of(error)
    return f"{type(error).__name__}: {error}" + (f" ({place})" if place else "")
