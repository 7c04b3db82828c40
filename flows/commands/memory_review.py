"""`phrasenet memory review`: sheets for a terminologist, and what was decided in them."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    count_up_to,
    emit,
    emit_json,
)

_DEFAULT_ROWS = 500
_TO_DO_SHEET = "Write accept, reject or replace into the column decision"
_TO_DO_TERMBASE = "Make right terms preferred and wrong ones deprecated"


def add(group: Any) -> None:
    """Add the command to the group `memory`."""
    parser = add_command(
        group,
        "review",
        "write phrases to a sheet, most rewarding first, or read decisions from one",
        "phrasenet memory review --export review.xlsx",
    )
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--export", metavar="FILE", help="write a sheet: .xlsx, .csv or .tbx")
    action.add_argument(
        "--import", dest="sheet", metavar="FILE", help="read accept, reject and replace from one"
    )
    parser.add_argument(
        "-n",
        type=count_up_to(1_000_000),
        default=_DEFAULT_ROWS,
        metavar="COUNT",
        help=f"phrases in the sheet ({_DEFAULT_ROWS})",
    )
    parser.add_argument("--author", help="who decided (your login name)")
    parser.add_argument("--reason", default="", help="why, for rows without a reason of their own")
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    return _import(options) if options.sheet is not None else _export(options)


def _export(options: argparse.Namespace) -> int:
    from flows.opening import snapshot_of
    from flows.workspaces import current_held_out
    from tasks.exports import record_export
    from tasks.review import review_queue, write_review

    workspace, held_out = current_held_out(Path(options.config))
    snapshot = snapshot_of(workspace, None)
    rows = review_queue(workspace, snapshot, held_out)
    write_review(Path(options.export), rows[: options.n])
    record_export(workspace, Path(options.export), "phrases to review", [snapshot.phrases])
    answer = {"file": options.export, "rows": len(rows[: options.n]), "waiting": len(rows)}
    if options.json:
        emit_json(answer)
        return 0
    todo = _TO_DO_TERMBASE if options.export.lower().endswith(".tbx") else _TO_DO_SHEET
    emit(
        f"{options.export}: {answer['rows']:,} of {answer['waiting']:,} phrases that wait for a "
        f"decision. {todo}, then read it with `phrasenet memory review --import "
        f"{options.export}`."
    )
    return 0


def _import(options: argparse.Namespace) -> int:
    import getpass

    from flows.opening import workspace_of
    from tasks.review import import_decisions

    workspace = workspace_of(Path(options.config))
    author = options.author or getpass.getuser()
    counts = import_decisions(workspace, Path(options.sheet), author, options.reason)
    if options.json:
        emit_json({"decisions": counts, "author": author})
        return 0
    if not counts:
        emit(f"{options.sheet}: nothing is decided there; nothing was kept.")
        return 0
    kept = ", ".join(f"{count:,} {word}" for word, count in sorted(counts.items()))
    emit(f"Kept as decided by {author}: {kept}. The next `phrasenet refresh` obeys.")
    return 0
