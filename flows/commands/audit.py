"""`phrasenet audit`: is everything as it was recorded?"""

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
)


def add(commands: Any) -> None:
    """Add the group and its commands."""
    group = add_group(commands, "audit", "is everything as it was recorded", "verify")
    parser = add_command(
        group,
        "verify",
        "check the ledger's chain and every byte of every recorded artifact",
        "phrasenet audit verify",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_verify)


def _verify(options: argparse.Namespace) -> int:
    from flows.workspaces import workspace_of
    from tasks.verify import verify_workspace

    workspace = workspace_of(Path(options.config))
    findings = verify_workspace(workspace)
    if options.json:
        emit_json({"ok": not findings, "findings": findings, "ledger": workspace.ledger.digest()})
    else:
        for finding in findings:
            emit(finding)
        if not findings:
            emit(f"All is as it was recorded. Ledger {workspace.ledger.digest()}.")
    return 2 if findings else 0
