"""`phrasenet audit withdraw`: take a source, a line or a phrase out, and prove that it is gone."""

import argparse
import sys
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
    seconds,
    warn,
)


def add(group: Any) -> None:
    """Add the command to the group `audit`."""
    parser = add_command(
        group,
        "withdraw",
        "take a source, a line or a phrase out of the workspace, and prove that it is gone",
        'phrasenet audit withdraw laws:act-17 --reason "the owner asked" --dry-run',
    )
    parser.add_argument(
        "target",
        metavar="SOURCE|LINE|PHRASE",
        help="a corpus or dictionary; corpus:document; corpus:file:line, dictionary:line or a "
        "pair's id; a phrase in Chinese or its id",
    )
    parser.add_argument("--reason", required=True, metavar="TEXT", help="why; it is recorded")
    parser.add_argument("--author", help="who decided (your login name)")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and stop")
    parser.add_argument(
        "--purge-models",
        action="store_true",
        help="also remove the models that were trained on it; they cannot be cleaned",
    )
    parser.add_argument(
        "--wait",
        type=seconds,
        metavar="SECONDS",
        help="wait so long for the workspace if a run holds it (no wait)",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    import getpass

    from flows.opening import open_settings
    from storage.errors import InputError
    from tasks.withdraw import Asked

    named = options.target.strip()
    if not named or not options.reason.strip():
        raise InputError("Name what is to be withdrawn, and give a --reason that says why.")
    settings, workspace = open_settings(Path(options.config))
    asked_by = Asked(options.author or getpass.getuser(), options.reason.strip())
    if options.dry_run:
        return _plan_only(settings, workspace, named, options.json)
    patience = settings.execution.wait_seconds if options.wait is None else options.wait
    with workspace.lease(wait_seconds=patience):
        return _withdraw(settings, workspace, named, asked_by, options)


def _plan_only(settings: Any, workspace: Any, named: str, as_json: bool) -> int:
    from dataclasses import asdict

    from flows.withdraw import plan_withdrawal
    from tasks.lineage.withdrawal import plan_lines

    if _is_withdrawn(workspace, named, as_json):
        return 0
    _say_if_begun(workspace, named)
    plan = plan_withdrawal(settings, workspace, named).plan
    if as_json:
        emit_json(asdict(plan))
        return 0
    for line in plan_lines(plan):
        emit(line)
    emit("Nothing was changed: this was a dry run.")
    return 0


def _is_withdrawn(workspace: Any, named: str, as_json: bool) -> bool:
    """Say so if something was withdrawn before."""
    from tasks.withdraw_state import begun

    earlier = begun(workspace, named)
    if earlier is None or not earlier.finished:
        return False
    if as_json:
        emit_json({"withdrawn": named, "already": True, "record": earlier.record})
    else:
        emit(
            f"{named} was withdrawn before (record {earlier.record} of the ledger); nothing to do."
        )
    return True


def _say_if_begun(workspace: Any, named: str) -> None:
    from tasks.withdraw_state import begun

    earlier = begun(workspace, named)
    if earlier is not None:
        warn(
            f"the withdrawal of {named} was interrupted (record {earlier.record} of the ledger); "
            "this command completes it"
        )


def _withdraw(
    settings: Any, workspace: Any, named: str, asked_by: Any, options: argparse.Namespace
) -> int:
    from flows.commands.run import run_held
    from flows.terminal import Terminal
    from flows.withdraw import finish_withdrawal, plan_withdrawal, withdraw
    from tasks.lineage.withdrawal import plan_lines
    from tasks.pending_records import adopt
    from tasks.withdraw import keep_production, take_production

    adopt(workspace)
    if _is_withdrawn(workspace, named, options.json):
        return 0
    _say_if_begun(workspace, named)
    written = finish_withdrawal(workspace, named)
    if written is not None:
        return _told(*written, options)
    planned = plan_withdrawal(settings, workspace, named)
    terminal = Terminal(sys.stderr)
    for line in plan_lines(planned.plan):
        terminal.say(line)
    receipt, files = withdraw(
        planned,
        asked_by,
        lambda: run_held("refresh", settings, terminal, {"accept_change": True}),
        purge_models=options.purge_models,
        demote=take_production if settings.promotion.demote_withdrawn else keep_production,
    )
    return _told(receipt, files, options)


def _told(receipt: Any, files: list[Path], options: argparse.Namespace) -> int:
    from dataclasses import asdict

    if options.json:
        emit_json({**asdict(receipt), "clean": receipt.is_clean, "receipt": str(files[-1])})
    else:
        _tell(receipt, files)
    for path in receipt.found:
        warn(f"{path} still holds some of it")
    return 0 if receipt.is_clean else 2


def _tell(receipt: Any, files: list[Path]) -> None:
    emit(
        f"Withdrawn: {receipt.kind} {receipt.withdrawn}, {receipt.rows:,} rows. Rebuilt "
        f"{receipt.rebuilt['computed']:,} steps, reused {receipt.rebuilt['reused']:,}; removed "
        f"{len(receipt.removed):,} artifacts; {len(receipt.phrases):,} phrases are gone."
    )
    if receipt.models_marked:
        emit(
            f"Marked {len(receipt.models_marked):,} models that were trained on it: weights cannot "
            "be cleaned. Train anew with `phrasenet run`."
        )
    for path in receipt.exports:
        emit(f"Exported before, and not ours to delete: {path}")
    held = "none holds it" if receipt.is_clean else f"{len(receipt.found):,} still hold some of it"
    emit(f"Searched {receipt.files_searched:,} files: {held}. Receipt: {files[-1]}")
