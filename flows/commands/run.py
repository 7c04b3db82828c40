"""`phrasenet run`, `refresh`, `retrain` and `evaluate`: do what is out of date."""

import argparse
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit_json,
    seconds,
)

if TYPE_CHECKING:
    from flows.settings import Settings
    from flows.terminal import Terminal
    from storage.workspace import Workspace

BESIDE_THE_REPORT = "Beside it: a model card for each system, and attribution.md for its sources."
_FLOWS = {
    "run": "everything: refresh the memory, train, translate the test sets and report",
    "refresh": "read the sources, mine phrases and publish a snapshot of the phrase memory",
    "retrain": "refresh, then tag the sentences and train the models",
    "evaluate": "retrain, then translate the test sets, score and report",
}


def add(commands: Any) -> None:
    """Add the four commands."""
    for name, help_text in _FLOWS.items():
        parser = add_command(
            commands,
            name,
            f"{help_text}; only what is out of date runs",
            f"phrasenet {name} -c laws.toml",
        )
        add_settings_option(parser)
        _add_options(parser, name)
        add_json_option(parser)
        parser.set_defaults(execute=partial(_execute, name), as_of=None)


def _add_options(parser: argparse.ArgumentParser, name: str) -> None:
    """Add which steps run, and what is allowed to them."""
    parser.add_argument(
        "--from",
        dest="first",
        metavar="STEP",
        help="begin with this step; the steps before it are taken as they last were",
    )
    parser.add_argument("--until", dest="last", metavar="STEP", help="stop after this step")
    if name != "refresh":
        parser.add_argument(
            "--allow-changed",
            action="store_true",
            help="let an interrupted training go on although code, settings or data changed "
            "since; the ledger and the model say so",
        )
    parser.add_argument(
        "--wait",
        type=seconds,
        metavar="SECONDS",
        help="wait so long for the workspace if another run holds it (no wait)",
    )
    parser.add_argument(
        "--accept-change",
        action="store_true",
        help="publish a memory that differs from the current one by more than [checks] allows",
    )
    if name == "refresh":
        parser.add_argument(
            "--as-of",
            metavar="DATE",
            help="backfill: take the sources as they were last read by then; the snapshot is "
            "kept under its id and not published",
        )


def _execute(name: str, options: argparse.Namespace) -> int:
    from flows.driver import step_window
    from tasks.past import moment_of_past

    step_window(options.first, options.last)
    if options.as_of is not None:
        moment_of_past(options.as_of)
    parameters = {
        "from_step": options.first,
        "until_step": options.last,
        "accept_change": options.accept_change,
        **({"as_of": options.as_of} if options.as_of else {}),
        **({} if name == "refresh" else {"allow_changed": options.allow_changed}),
    }
    summary = run_flow(name, Path(options.config), parameters, wait=options.wait)
    if options.json:
        emit_json(summary)
    return 0


def run_flow(
    name: str,
    settings_file: Path,
    parameters: Mapping[str, Any] | None = None,
    *,
    wait: float | None = None,
    name_report: bool = True,
) -> dict[str, Any]:
    """Run a flow with a Prefect API of its own, or the one that is configured.

    Args:
        name: the command's name of the flow.
        settings_file: its settings.
        parameters: of the flow, beside the settings file.
        wait: seconds to wait for the lease; those of the settings if left out.
        name_report: say where the report is.

    Returns:
        The flow's summary: counts of computed and reused calls, snapshot, digest of the ledger.
    """
    from flows.settings import load_settings
    from flows.source_files import expect_sources
    from flows.terminal import Terminal
    from storage.workspace import open_workspace

    settings = load_settings(settings_file)
    if not any((parameters or {}).get(part) for part in ("from_step", "until_step", "as_of")):
        expect_sources(settings)
    workspace = open_workspace(
        settings.workspace_path, settings.execution.engine, settings.workspace.remote
    )
    patience = settings.execution.wait_seconds if wait is None else wait
    terminal = Terminal(sys.stderr)
    with workspace.lease(wait_seconds=patience):
        _must_have_devices(name, settings, workspace, parameters or {})
        summary = run_held(name, settings, terminal, parameters)
    terminal.say(_closing(summary))
    for found in summary.get("drift", {}).get("findings", ()):
        terminal.say(f"The memory drifted: {found['fact']}")
    if "promotion" in summary:
        terminal.say(_promotion(summary["promotion"]))
    if name in ("run", "evaluate") and not settings.testsets:
        terminal.say("No test set is named; add a [[testset]] to get scores and a report.")
    elif name_report and summary["report"]:
        terminal.say(f"Report: {summary['report']}\n{BESIDE_THE_REPORT}")
    return summary


def _must_have_devices(
    name: str, settings: "Settings", workspace: "Workspace", parameters: Mapping[str, Any]
) -> None:
    """Refuse what cannot be computed here before a server is started for it."""
    from flows.devices import must_have_devices
    from flows.driver import step_window
    from flows.stages import evaluate_stages, retrain_stages

    if name != "refresh":
        window = step_window(parameters.get("from_step"), parameters.get("until_step"))
        stages = retrain_stages if name == "retrain" else evaluate_stages
        must_have_devices(workspace, settings, stages, window)


def run_held(
    name: str,
    settings: "Settings",
    terminal: "Terminal",
    parameters: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Run a flow with some parameters, whose caller holds the lease; returns its summary."""
    from flows.private_server import prefect_server
    from flows.terminal import warnings_said

    with prefect_server(settings.workspace_path) as server:
        # Prefect is imported only now that its environment is set, while its server starts.
        from flows.session import run_in_session

        server.wait()
        where = server.url.removesuffix("/api")
        terminal.say(f"Workspace {settings.workspace_path}, watch at {where} while this runs")
        asked = {"settings_file": str(settings.file), **(parameters or {})}
        with warnings_said(terminal):
            return run_in_session(name, terminal, server.url, asked)


def _closing(summary: dict[str, Any]) -> str:
    computed, reused = summary["computed"], summary["reused"]
    if computed == 0:
        head = f"Everything is up to date: all {reused} steps were reused."
    else:
        head = f"Done: {computed} steps computed, {reused} reused."
    if "backfilled" in summary:
        return f"{head}  Snapshot {summary['backfilled'][:12]} is kept beside the history."
    snapshot = f"  Memory snapshot {summary['snapshot'][:12]}." if summary["snapshot"] else ""
    return f"{head}{snapshot}"


def _promotion(told: Mapping[str, Any]) -> str:
    """Say what became of the new model, and which rule spoke."""
    model = told["model"][:12]
    stays = f"{told['from'][:12]} stays" if told["from"] else "none is"
    said = {
        "promoted": f"Model {model} is in production now.",
        "in production": f"Model {model} is in production.",
        "waits for approval": f"Model {model} is fit for production and waits for a person: "
        f"phrasenet models promote {model} --reason TEXT",
        "refused": f"Model {model} was not promoted, {stays} in production: "
        + ("; ".join(told["reasons"]) or "a person declined it"),
    }
    return said[told["outcome"]]
