"""`phrasenet accept-unchanged`: a change of code that does not matter, as a person claims."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    count_up_to,
    emit,
    emit_json,
    stated_reason,
)

_MOST_CHECKS = 1_000_000


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "accept-unchanged",
        "let the results of a step count although its code changed; some are computed again and "
        "must be the same",
        'phrasenet accept-unchanged mine --reason "renamed a variable"',
    )
    parser.add_argument("steps", metavar="STEP", nargs="+", help="one or more steps")
    parser.add_argument(
        "--reason", required=True, type=stated_reason, help="why it does not matter, for the record"
    )
    parser.add_argument(
        "--checks",
        type=count_up_to(_MOST_CHECKS),
        default=1,
        metavar="N",
        help="calls of each step that are computed again (1)",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    import getpass
    from dataclasses import asdict

    from flows.acceptance import accept

    asked = getpass.getuser(), options.reason
    for item in accept(Path(options.config), options.steps, asked, options.checks):
        if options.json:
            emit_json(asdict(item))
        else:
            emit(
                f"{item.step}: {len(item.calls)} results count again; computed again with the same "
                f"content: {', '.join(item.checked)}."
            )
    return 0
