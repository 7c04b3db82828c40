"""`phrasenet models promote` and `rollback`: which model is in production from now on."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
    stated_reason,
)


def add(group: Any) -> None:
    """Add the commands to the group `models`."""
    parser = add_command(
        group,
        "promote",
        "put a model to the test against the one in production, and in its place if no rule speaks "
        "against it",
        'phrasenet models promote 3fa9 --reason "trained on the laws of this year"',
    )
    parser.add_argument("model", metavar="MODEL", help="beginning of the model's id")
    parser.add_argument("--reason", required=True, type=stated_reason, help="why, for the record")
    parser.add_argument(
        "--force",
        action="store_true",
        help="promote it even if rules speak against it; they are recorded with your reason",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_promote)
    parser = add_command(
        group,
        "rollback",
        "put the model back into production that was there before",
        'phrasenet models rollback --reason "names are wrong since Monday"',
    )
    parser.add_argument("--reason", required=True, type=stated_reason, help="why, for the record")
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_rollback)


def _promote(options: argparse.Namespace) -> int:
    from flows.opening import open_settings
    from flows.promotion import promote_by_person
    from flows.terminal import Terminal
    from storage.errors import InputError

    settings, workspace = open_settings(Path(options.config))
    entry = workspace.registry.find(options.model)
    judged, is_promoted = promote_by_person(
        settings,
        workspace,
        entry,
        options.reason,
        force=options.force,
        observer=Terminal(sys.stderr),
    )
    outcome = "promoted" if is_promoted else "refused"
    if options.json:
        emit_json(
            {
                "model": entry.model_id,
                "from": judged.production,
                "outcome": outcome,
                "forced": is_promoted and bool(judged.rules),
                "rules": judged.rules,
                "findings": list(judged.findings),
            }
        )
    else:
        _print_findings(judged.findings)
        if is_promoted:
            emit(f"Model {entry.model_id[:12]} is in production.{_instead(judged.production)}")
    if not is_promoted:
        raise InputError(
            f"model {entry.model_id[:12]} was not promoted, because of {', '.join(judged.rules)}:\n"
            + "\n".join(f"  {reason}" for reason in judged.reasons)
            + "\nThe old one stays. --force promotes it all the same, which is recorded."
        )
    return 0


def _print_findings(findings: Sequence[Mapping[str, Any]]) -> None:
    for row in findings:
        emit(f"{row['verdict']:10}  {row['rule']}: {row['detail']}")


def _instead(before: str | None) -> str:
    if before is None:
        return ""
    return f" Before it was {before[:12]}; `phrasenet models rollback` goes back."


def _rollback(options: argparse.Namespace) -> int:
    from flows.opening import workspace_of
    from tasks.promote_decide import roll_back

    now, before = roll_back(workspace_of(Path(options.config)), options.reason)
    if options.json:
        emit_json({"model": before, "from": now or None})
    else:
        emit(f"Model {before[:12]} is in production again{f', {now[:12]} is not' if now else ''}.")
    return 0
