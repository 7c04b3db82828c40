"""`phrasenet models show`: all that is known of one model."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
)

if TYPE_CHECKING:
    from storage.registry import ModelEntry
    from storage.workspace import Workspace


def add(group: Any) -> None:
    """Add the command to the group `models`."""
    parser = add_command(
        group,
        "show",
        "show a model: training, licences, its way into production, what the gate found",
        "phrasenet models show 3fa9",
    )
    parser.add_argument(
        "model",
        nargs="?",
        metavar="MODEL",
        help="beginning of its id, or a system for its newest model (the model in production)",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_show)


def _show(options: argparse.Namespace) -> int:
    from flows.opening import workspace_of

    workspace = workspace_of(Path(options.config))
    facts = facts_of(workspace, _chosen(workspace, options.model))
    if options.json:
        emit_json(facts)
    else:
        print_facts(facts)
    return 0


def _chosen(workspace: "Workspace", wanted: str | None) -> "ModelEntry":
    from storage.errors import InputError

    name = wanted if wanted is not None else workspace.production.current()
    if name is None:
        raise InputError("No model is in production. Name one; `phrasenet models list` shows them.")
    return workspace.registry.find(name)


def facts_of(workspace: "Workspace", entry: "ModelEntry") -> dict[str, Any]:
    """Return all that is known of a model."""
    from dataclasses import asdict

    from storage.lineage import lineage_of, run_id
    from tasks.audit_models import licences_of
    from tasks.promote_decide import decision_in_force, last_judged

    training = lineage_of(workspace).nodes.get(run_id(entry.run_key))
    judged = last_judged(workspace, entry)
    history = [item for item in workspace.production.history() if item.model_id == entry.model_id]
    verdict = licences_of(entry)
    is_current = workspace.production.current() == entry.model_id
    said = (decision_in_force(workspace) or {}) if is_current else {}
    return {
        **asdict(entry),
        "production": is_current,
        "forced_against": list(said["rules"]) if said.get("forced") else [],
        "history": [asdict(item) for item in history],
        "withdrawn": [asdict(mark) for mark in workspace.registry.marks(entry.model_id)],
        "whole": workspace.why_broken(entry.ref) is None,
        "training": dict(training.detail) if training else None,
        "go_together": verdict.go_together,
        "conditions": list(verdict.conditions),
        "findings": list(judged.findings) if judged else [],
    }


def print_facts(facts: dict[str, Any]) -> None:
    """Print what `facts_of` found."""
    from storage.moments import shown

    when = shown(facts["registered"])
    where = "in production" if facts["production"] else "not in production"
    emit(f"model {facts['model_id']}, {where}")
    if facts["forced_against"]:
        against = ", ".join(facts["forced_against"])
        emit(f"  a person put it there, although the gate spoke against it: {against}")
    emit(f"  system {facts['system']}, memory {facts['snapshot_id'][:12]}, {when}")
    if not facts["whole"]:
        emit("  its files are damaged or gone; `phrasenet audit verify` says which")
    if facts["training"] is not None:
        record = facts["training"]
        emit(f"  trained by {record['label']}, key {record['key']}, code {record['code'][:12]}")
    asked = ", ".join(facts["conditions"]) or "nothing"
    emit(f"  licences of {len(facts['licences'])} sources, which ask for {asked}")
    for mark in facts["withdrawn"]:
        emit(f"  trained on text that was withdrawn on {mark['time'][:10]}: {mark['reason']}")
    for item in facts["history"]:
        emit(
            f"  {shown(item['time'])}  {item['change']}: {item['reason']} (record {item['record']})"
        )
    for row in facts["findings"]:
        emit(f"  {row['verdict']:10}  {row['rule']}: {row['detail']}")
