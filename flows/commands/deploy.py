"""`phrasenet deploy`: set up schedules, work pools and automations on a Prefect server."""

import argparse
import os
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
)


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "deploy",
        "set up schedules, work pools and automations on the Prefect server that PREFECT_API_URL "
        "names, as [deployment] says",
        "phrasenet deploy -c laws.toml",
    )
    parser.add_argument(
        "--prefect-file",
        default="prefect.yaml",
        metavar="FILE",
        help="where the deployments are described (prefect.yaml)",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from flows.private_server import prefect_server
    from flows.settings import load_settings
    from storage.errors import ConfigError

    settings, prefect_file = load_settings(Path(options.config)), Path(options.prefect_file)
    if not prefect_file.is_file():
        raise ConfigError(
            f"There is no {prefect_file}. Run this in the root of phrasenet's source, or name the "
            "file with --prefect-file."
        )
    if not os.environ.get("PREFECT_API_URL"):
        raise ConfigError(
            "Deployments need a Prefect server of their own. Start one (`prefect server start`, or "
            "deploy/compose.yaml) and name it: export PREFECT_API_URL=http://127.0.0.1:4200/api"
        )
    with prefect_server(settings.workspace_path) as server:
        server.wait()
        from flows.deploying import deploy

        summary = deploy(settings, prefect_file.resolve())
    if options.json:
        emit_json(summary)
        return 0
    emit(f"Deployments: {', '.join(summary['deployments'])}.")
    emit(
        f"Automations: {len(summary['automations'])}; told: {', '.join(summary['notified']) or '-'}"
    )
    emit("Start a worker for each pool, where the settings file and the workspace are:")
    for pool in summary["pools"]:
        emit(f"  prefect worker start --pool {pool}")
    return 0
