"""`phrasenet maintain`: remove what nothing needs any more."""

import argparse
import sys
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
    seconds,
)


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "maintain",
        "remove tables of old snapshots, results that nothing needs, checkpoints of trainings that "
        "were given up and Prefect's old runs, as [maintenance] says",
        "phrasenet maintain --dry-run",
    )
    parser.add_argument("--dry-run", action="store_true", help="only say what would be removed")
    parser.add_argument(
        "--wait",
        type=seconds,
        metavar="SECONDS",
        help="wait so long for the workspace if a run holds it (no wait)",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from flows.opening import open_settings
    from flows.private_server import prefect_server

    settings, workspace = open_settings(Path(options.config))
    patience = settings.execution.wait_seconds if options.wait is None else options.wait
    with workspace.lease(wait_seconds=patience):
        with prefect_server(settings.workspace_path) as server:
            from flows.session import maintain_in_session

            server.wait()
            summary = maintain_in_session(str(settings.file), dry_run=options.dry_run)
        if server.process is not None and not options.dry_run:
            from flows.prefect_history import shrink_private_database

            shrink_private_database(server.log.parent)
    if options.json:
        emit_json(summary)
        return 0
    from flows.maintain import text_of

    emit(text_of(summary))
    if options.dry_run:
        print("Nothing was removed; leave --dry-run out to do it.", file=sys.stderr)  # noqa: T201
    return 0
