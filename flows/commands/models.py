"""`phrasenet models`: which models there are, what they were made from, which is in production."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands import models_export, models_promote, models_show
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
        commands,
        "models",
        "which models there are, what they were made from, and which one is in production",
        "list",
    )
    parser = add_command(group, "list", "list the models, oldest first", "phrasenet models list")
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_list)
    models_show.add(group)
    models_promote.add(group)
    models_export.add(group)


def _list(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from flows.opening import workspace_of
    from storage.moments import shown

    workspace = workspace_of(Path(options.config))
    registry, production = workspace.registry, workspace.production.current()
    entries = registry.entries()
    if not entries:
        warn("there is no model yet; run `phrasenet retrain`")
    if options.json:
        for entry in entries:
            marks = [asdict(mark) for mark in registry.marks(entry.model_id)]
            chosen = entry.model_id == production
            emit_json({**asdict(entry), "production": chosen, "withdrawn": marks})
        return 0
    emit(f"{'model':14} {'system':24} {'memory':14} registered")
    for entry in entries:
        emit(
            f"{entry.model_id[:12]:14} {entry.system:24} {entry.snapshot_id[:12]:14} "
            f"{shown(entry.registered)}"
            f"{'  in production' if entry.model_id == production else ''}"
            f"{'  trained on withdrawn text' if registry.marks(entry.model_id) else ''}"
        )
    return 0
