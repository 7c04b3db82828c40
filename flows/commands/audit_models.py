"""`phrasenet audit compare` and `licences`: what models differ in, and under which terms."""

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

_TOGETHER = {
    True: "These licences go together.",
    False: "These licences do NOT go together:",
    None: "Whether these licences go together is not known.",
}
_SHOWN = 40


def add(group: Any) -> None:
    """Add the commands to the group `audit`."""
    parser = add_command(
        group,
        "compare",
        "say what changed between two models: data, code, settings, libraries, memory",
        "phrasenet audit compare 3fa9 77b0",
    )
    parser.add_argument("first", metavar="MODEL", help="beginning of the id of one model")
    parser.add_argument("second", metavar="MODEL", help="of the other")
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_compare)
    parser = add_command(
        group,
        "licences",
        "list the licences and attributions of a model, and whether they go together",
        "phrasenet audit licences 3fa9",
    )
    parser.add_argument("model", metavar="MODEL", help="beginning of a model's id")
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_licences)


def _compare(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from flows.opening import workspace_of
    from storage.lineage import lineage_of
    from storage.moments import shown
    from tasks.audit_models import compare_models

    workspace = workspace_of(Path(options.config))
    models = [workspace.registry.find(prefix) for prefix in (options.first, options.second)]
    found = compare_models(workspace, lineage_of(workspace), models[0], models[1])
    if options.json:
        emit_json(asdict(found))
        return 0
    for entry in models:
        emit(
            f"{entry.model_id[:12]} {entry.system}, memory {entry.snapshot_id[:12]}, "
            f"{shown(entry.registered)}"
        )
    for area, reasons in found.changes.items():
        emit(f"{area}: {'nothing changed' if not reasons else ''}".rstrip())
        for reason in reasons[:_SHOWN]:
            emit(f"  {reason}")
        if len(reasons) > _SHOWN:
            emit(f"  and {len(reasons) - _SHOWN:,} more; --json lists all")
    counted = ", ".join(f"{count:,} {name}" for name, count in found.memory.items())
    emit(f"phrases of the memory: {counted or 'a snapshot is not kept'}")
    return 0


def _licences(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from flows.opening import workspace_of
    from tasks.audit_models import licences_of

    entry = workspace_of(Path(options.config)).registry.find(options.model)
    verdict = licences_of(entry)
    if options.json:
        emit_json(
            {
                "model": entry.model_id,
                "licences": [asdict(item) for item in entry.licences],
                "go_together": verdict.go_together,
                **asdict(verdict),
            }
        )
        return 0
    emit(f"{entry.model_id[:12]} {entry.system}")
    for item in entry.licences:
        emit(f"  {item.kind:11} {item.source:24} {item.licence}")
        for more in filter(None, (item.url, item.attribution)):
            emit(f"  {'':36} {more}")
    _print_verdict(verdict)
    return 0


def _print_verdict(verdict: Any) -> None:
    emit(_TOGETHER[verdict.go_together])
    for conflict in verdict.conflicts:
        emit(f"  {conflict}")
    if verdict.unknown:
        emit(f"  Nothing is known of the licence {', '.join(map(repr, verdict.unknown))}.")
    asked = ", ".join(verdict.conditions) or "nothing"
    emit(f"Together they ask for: {asked}. This is a table of conditions, not legal advice.")
