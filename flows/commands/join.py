"""`phrasenet join`: help with trainings that another machine leads."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import add_command, add_settings_option, emit, seconds

_WAIT_SECONDS = 3600.0


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "join",
        "help with the trainings of a `phrasenet retrain` on another machine, as [training] nodes "
        "and rendezvous say; ends when none is left",
        "phrasenet join -c laws.toml",
    )
    add_settings_option(parser)
    parser.add_argument(
        "--wait",
        type=seconds,
        metavar="SECONDS",
        default=_WAIT_SECONDS,
        help="wait so long until there is something to train (3600)",
    )
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from flows.joining import join

    for label in join(Path(options.config), wait_seconds=options.wait):
        emit(f"Helped with {label}.")
    return 0
