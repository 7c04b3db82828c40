"""`phrasenet experiment`: train and compare systems; tables like those of the papers."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    count_up_to,
    emit,
    emit_json,
    seconds,
    zero_or_more,
)

if TYPE_CHECKING:
    from flows.experiment_cells import Cell
    from flows.settings import Settings
    from flows.terminal import Terminal
    from storage.result_files import ResultFiles

_MOST_AT_ONCE = 1024
_EXIT_DEFECT, _EXIT_MISTAKE = 1, 2


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "experiment",
        "train and compare systems, and write tables like those of the papers; a cell whose result "
        "is there is not run again",
        "phrasenet experiment -c experiments/sample.toml --systems rnnsearch,phrasenet-gate",
    )
    add_settings_option(parser)
    parser.add_argument(
        "--systems", metavar="A,B", type=_texts, default=[], help="run only these (all)"
    )
    parser.add_argument(
        "--seeds", metavar="N,M", type=_numbers, default=[], help="run only these seeds (all)"
    )
    parser.add_argument(
        "--data", metavar="A,B", type=_texts, default=[], help="run only on these texts (all)"
    )
    parser.add_argument(
        "--cells",
        metavar="N",
        type=count_up_to(_MOST_AT_ONCE),
        help="cells at once (GPUs divided by training.processes; without a GPU, processors divided "
        "by training.threads)",
    )
    parser.add_argument(
        "--results", metavar="DIR", help="folder of results and tables (that of the settings)"
    )
    parser.add_argument(
        "--tables",
        action="store_true",
        help="run nothing: write the tables of the results that are there, without the texts",
    )
    parser.add_argument(
        "--wait",
        type=seconds,
        metavar="SECONDS",
        help="wait so long for the workspace if another run holds it (no wait)",
    )
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _texts(text: str) -> list[str]:
    """Split at commas, but not inside of brackets, which are part of names."""
    found, depth = [""], 0
    for letter in text:
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if letter == "," and not depth:
            found.append("")
        else:
            found[-1] += letter
    names = [name.strip() for name in found]
    if not all(names):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of names such as a,b")
    return names


def _numbers(text: str) -> list[int]:
    try:
        return [zero_or_more(part) for part in text.split(",")]
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a list of whole numbers of 0 or more"
        ) from None


def _execute(options: argparse.Namespace) -> int:
    from flows.experiment_cells import all_cells
    from flows.experiment_tables import write_tables
    from flows.settings import load_settings
    from flows.terminal import Terminal
    from storage.result_files import ResultFiles

    settings = load_settings(Path(options.config))
    cells = all_cells(settings)
    folder = Path(options.results or settings.resolve(settings.experiment.results)).resolve()
    results, terminal = ResultFiles(folder), Terminal(sys.stderr)
    summary: dict[str, Any] = {"reused": [], "finished": [], "failed": {}, "defects": []}
    asked = _asked(options, cells)
    if options.tables:
        terminal.say(_what_is_there(cells, results))
    else:
        summary |= _run(options, settings, asked, results, terminal)
    tables = write_tables(
        settings, cells, results, summary["failed"], is_checked=not options.tables
    )
    for path in tables:
        terminal.say(f"Wrote {path}")
    if options.json:
        emit_json(_answer(summary, tables))
    else:
        emit(f"Report: {tables[-1]}")
    return _exit_code(summary)


def _asked(options: argparse.Namespace, cells: "list[Cell]") -> "list[Cell]":
    """Return the cells of the systems, seeds and texts that are asked for."""
    from tasks.experiments.matrix import chosen_cells

    planned = chosen_cells(
        [cell.planned for cell in cells], options.systems, options.seeds, options.data
    )
    return [cell for cell in cells if cell.planned in planned]


def _what_is_there(cells: "list[Cell]", results: "ResultFiles") -> str:
    """Say how many cells the tables will hold: a wrong folder or a changed setting leaves none."""
    from flows.experiment_tables import result_of

    there = [cell for cell in cells if result_of(cell, results, is_checked=False) is not None]
    return f"{len(there)} of {len(cells)} cells have results of these settings in {results.root}"


def _run(
    options: argparse.Namespace,
    settings: "Settings",
    asked: "list[Cell]",
    results: "ResultFiles",
    terminal: "Terminal",
) -> dict[str, Any]:
    """Run those of the cells that have no result yet."""
    from flows.experiment_gpus import cells_at_once
    from flows.experiment_tables import result_of

    missing = [cell for cell in asked if result_of(cell, results) is None]
    reused = [cell.name for cell in asked if cell not in missing]
    at_once = options.cells or cells_at_once(settings)
    terminal.say(
        f"{len(asked)} cells: {len(reused)} have their results in {results.root}, "
        f"{len(missing)} to run, {min(at_once, max(1, len(missing)))} at once"
    )
    if not missing:
        return {"reused": reused}
    summary = _run_missing(options, settings, missing, results, terminal, at_once)
    return summary | {"reused": reused}


def _run_missing(
    options: argparse.Namespace,
    settings: "Settings",
    missing: "list[Cell]",
    results: "ResultFiles",
    terminal: "Terminal",
    at_once: int,
) -> dict[str, Any]:
    from flows.commands.run import run_held
    from flows.experiment_run import must_have_devices_of_cells
    from storage.workspace import open_workspace

    workspace = open_workspace(
        settings.workspace_path, settings.execution.engine, settings.workspace.remote
    )
    patience = settings.execution.wait_seconds if options.wait is None else options.wait
    with workspace.lease(wait_seconds=patience):
        must_have_devices_of_cells(workspace, settings, missing)
        results.prepare()
        return run_held(
            "experiment",
            settings,
            terminal,
            {
                "cells": [cell.name for cell in missing],
                "results": str(results.root),
                "at_once": at_once,
            },
        )


def _answer(summary: dict[str, Any], tables: list[Path]) -> dict[str, Any]:
    return {
        "finished": summary["finished"],
        "reused": summary["reused"],
        "failed": summary["failed"],
        "ledger": summary.get("ledger"),
        "tables": [str(path) for path in tables],
    }


def _exit_code(summary: dict[str, Any]) -> int:
    if summary["defects"]:
        return _EXIT_DEFECT
    return _EXIT_MISTAKE if summary["failed"] else 0
