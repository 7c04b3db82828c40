"""The flow `experiment`: systems trained and measured side by side."""

from pathlib import Path
from typing import Any

from prefect import flow

from flows.driver import EXPERIMENT, Request, drive
from flows.experiment_cells import all_cells
from flows.experiment_run import Experiment, told
from flows.settings import load_settings
from storage.errors import PhrasenetError
from storage.result_files import ResultFiles


@flow(name=EXPERIMENT, validate_parameters=False)
def experiment_flow(
    settings_file: str = "phrasenet.toml",
    cells: list[str] | None = None,
    results: str = "results",
    at_once: int = 1,
) -> dict[str, Any]:
    """Train and measure systems side by side; what is done already is reused.

    Args:
        settings_file: the settings file, on the machine where the flow runs.
        cells: names of the cells to run; all if left out.
        results: folder of the results.
        at_once: cells that are worked on at the same time.

    Returns:
        The flow's summary; `cells` counts those that were run, `failed` names errors by cell.
    """
    known = all_cells(load_settings(Path(settings_file)))
    chosen = [cell for cell in known if cells is None or cell.name in cells]
    experiment = Experiment(chosen, ResultFiles(Path(results)), at_once)
    summary = drive(EXPERIMENT, experiment.stages, Request(settings_file))
    failed = {name: told(error) for name, error in experiment.failed.items()}
    return summary | {
        "cells": len(chosen),
        "finished": experiment.finished,
        "failed": failed,
        "defects": [
            name
            for name, error in experiment.failed.items()
            if not isinstance(error, PhrasenetError)
        ],
    }
