"""`phrasenet audit`: where everything came from, and whether it is as it was recorded."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands import (
    audit_explain,
    audit_export,
    audit_models,
    audit_trace,
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
    parser = add_command(
        group,
        "verify",
        "check the ledger's chain, every byte of every recorded artifact, and all seals",
        "phrasenet audit verify",
    )
    parser.add_argument(
        "--root", metavar="HEX", help="also demand that a seal with this root is kept and holds"
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_verify)
    parser = add_command(
        group,
        "seal",
        "seal what is there, and print the root to keep elsewhere",
        "phrasenet audit seal",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_seal)


def _verify(options: argparse.Namespace) -> int:
    from flows.workspaces import workspace_of
    from tasks.verify import verify_workspace

    workspace = workspace_of(Path(options.config))
    if options.root is not None:
        workspace.seals.with_root(options.root)
    findings = verify_workspace(workspace)
    if options.json:
        emit_json({"ok": not findings, "findings": findings, "ledger": workspace.ledger.digest()})
    else:
        for finding in findings:
            emit(finding)
        if not findings:
            emit(f"All is as it was recorded. Ledger {workspace.ledger.digest()}.")
    return 2 if findings else 0


def _seal(options: argparse.Namespace) -> int:
    from flows.workspaces import workspace_of

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
