"""`phrasenet models`: which models there are and what they were made from."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_group,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
    warn,
)


def add(commands: Any) -> None:
    """Add the group and its commands."""
    group = add_group(
        commands, "models", "which models there are and what they were made from", "list"
    )
    parser = add_command(group, "list", "list the models, oldest first", "phrasenet models list")
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_list)


def _list(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from flows.workspaces import workspace_of

    registry = workspace_of(Path(options.config)).registry
    entries = registry.entries()
    if not entries:
        warn("there is no model yet; run `phrasenet retrain`")
    if options.json:
        for entry in entries:
            marks = [asdict(mark) for mark in registry.marks(entry.model_id)]
            emit_json({**asdict(entry), "withdrawn": marks})
        return 0
    emit(f"{'model':14} {'system':24} {'memory':14} registered")
    for entry in entries:
        emit(
            f"{entry.model_id[:12]:14} {entry.system:24} {entry.snapshot_id[:12]:14} "
            f"{entry.registered}"
            f"{'  trained on withdrawn text' if registry.marks(entry.model_id) else ''}"
        )
    return 0
