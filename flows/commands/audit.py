"""`phrasenet audit`: where everything came from, and whether it is as it was recorded."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands import (
    audit_explain,
    audit_export,
    audit_models,
    audit_trace,
    audit_verify,
    audit_withdraw,
)
from flows.commands.options import (
    add_command,
    add_group,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
)


def add(commands: Any) -> None:
    """Add the group and its commands."""
    group = add_group(
        commands, "audit", "where everything came from, and whether it is unchanged", "verify"
    )
    audit_explain.add(group)
    audit_trace.add(group)
    audit_models.add(group)
    audit_export.add(group)
    audit_withdraw.add(group)
    audit_verify.add(group)
    parser = add_command(
        group,
        "seal",
        "seal what is there, and print the root to keep elsewhere",
        "phrasenet audit seal",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_seal)


def _seal(options: argparse.Namespace) -> int:
    from flows.opening import workspace_of

    workspace = workspace_of(Path(options.config))
    with workspace.lease():
        seal = workspace.seals.make()
    if options.json:
        emit_json({"seal": seal.number, "root": seal.root, "leaves": len(seal.leaves)})
        return 0
    emit(f"Seal {seal.number} over {len(seal.leaves):,} files. Keep this root elsewhere:")
    emit(seal.root)
    emit("`phrasenet audit verify --root ROOT` tells later whether all of it is still there.")
    return 0
