"""`phrasenet models export`: a model that translates elsewhere, without the workspace."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
    warn,
)


def add(group: Any) -> None:
    """Add the command to the group `models`."""
    parser = add_command(
        group,
        "export",
        "write a model, the current phrase memory, card and licences to a folder that translates "
        "anywhere",
        "phrasenet models export 3fa9 laws-model",
    )
    parser.add_argument("model", metavar="MODEL", help="beginning of the model's id")
    parser.add_argument("folder", metavar="DIR", help="a new or empty folder")
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_export)


def _export(options: argparse.Namespace) -> int:
    from dataclasses import asdict, replace

    from flows.opening import open_settings
    from model.device_names import AUTO
    from storage.exported import MARKER
    from tasks.audit_models import licences_of
    from tasks.export_model import export_model
    from tasks.exports import record_export
    from tasks.promote_models import offered_to

    settings, workspace = open_settings(Path(options.config))
    entry = workspace.registry.find(options.model)
    offered = offered_to(workspace, entry, settings.memory)
    decoding = replace(settings.decoding, device=AUTO)  # another machine has other devices
    rules = {"memory": asdict(offered), "decoding": asdict(decoding)}
    folder = Path(options.folder)
    exported = export_model(workspace, entry, folder, rules)
    record_export(
        workspace, folder, "model with its memory", exported.refs, content=folder / MARKER
    )
    for mark in workspace.registry.marks(entry.model_id):
        warn(f"the model was trained on text that was withdrawn since ({mark.reason})")
    verdict = licences_of(entry)
    for problem in (*verdict.conflicts, *map(_unknown, verdict.unknown)):
        warn(problem)
    if options.json:
        memory = [ref.to_json() for ref in exported.memory]
        emit_json({"folder": options.folder, "model": entry.model_id, "memory": memory})
        return 0
    emit(
        f"{options.folder}: model {entry.model_id[:12]}, memory, card and licences. "
        f"`phrasenet translate --model {options.folder}` uses it."
    )
    return 0


def _unknown(licence: str) -> str:
    return f"nothing is known of the licence {licence!r}; read it before you pass the folder on"
