"""`phrasenet experiment`: train and compare systems; tables like those of the papers."""

import argparse
import os
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
        "--cells",
        metavar="N",
        type=count_up_to(_MOST_AT_ONCE),
        help="cells at once (processors divided by training.threads)",
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
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of whole numbers") from None


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
    if not options.tables:
        summary |= _run(options, settings, cells, results, terminal)
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


def _run(
    options: argparse.Namespace,
    settings: "Settings",
    cells: "list[Cell]",
    results: "ResultFiles",
    terminal: "Terminal",
) -> dict[str, Any]:
    """Run the cells that are asked for and have no result yet."""
    from flows.experiment_tables import result_of
    from tasks.experiments.matrix import chosen_cells

    planned = chosen_cells([cell.planned for cell in cells], options.systems, options.seeds)
    asked = [cell for cell in cells if cell.planned in planned]
    missing = [cell for cell in asked if result_of(cell, results) is None]
    reused = [cell.name for cell in asked if cell not in missing]
    at_once = options.cells or _at_once(settings)
    terminal.say(
        f"{len(asked)} cells: {len(reused)} have their results in {results.root}, "
        f"{len(missing)} to run, {min(at_once, max(1, len(missing)))} at once"
    )
    if not missing:
        return {"reused": reused}
    results.prepare()
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
    from storage.workspace import open_workspace

    workspace = open_workspace(
        settings.workspace_path, settings.execution.engine, settings.workspace.remote
    )
    patience = settings.execution.wait_seconds if options.wait is None else options.wait
    with workspace.lease(wait_seconds=patience):
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


def _at_once(settings: "Settings") -> int:
    """Return how many cells fit side by side: each takes the threads of its training."""
    threads = settings.training.threads
    return max(1, len(os.sched_getaffinity(0)) // threads) if threads else 1


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
