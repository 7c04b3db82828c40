"""`phrasenet doctor`: what this machine has and lacks, with the command that mends it."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
)

_MARKS = {"ok": "ok", "note": "note", "lacking": "LACKING"}


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "doctor",
        "say what this machine has and lacks, and the command that mends it; exit code 2 if "
        "something that is needed is lacking",
        "phrasenet doctor -c laws.toml",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from flows.doctor import examine

    code = 0
    for found in examine(Path(options.config)):
        code = 2 if found.state == "lacking" else code
        if options.json:
            emit_json(asdict(found))
            continue
        emit(f"{_MARKS[found.state]:8} {found.subject:14} {found.detail}")
        if found.remedy:
            emit(f"{'':8} {'':14} -> {found.remedy}")
    return code
