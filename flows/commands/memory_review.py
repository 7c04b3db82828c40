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


def add(group: Any) -> None:
    """Add the command to the group `memory`."""
    parser = add_command(
        group,
        "review",
        "write phrases to a sheet, most rewarding first, or read decisions from one",
        "phrasenet memory review --export review.xlsx",
    )
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--export", metavar="FILE", help="write a sheet: .xlsx or .csv")
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
    from flows.workspaces import current_held_out, snapshot_of
    from tasks.readers.review_sheet import write_sheet
    from tasks.review import review_queue

    workspace, held_out = current_held_out(Path(options.config))
    rows = review_queue(workspace, snapshot_of(workspace, None), held_out)
    write_sheet(Path(options.export), rows[: options.n])
    answer = {"file": options.export, "rows": len(rows[: options.n]), "waiting": len(rows)}
    if options.json:
        emit_json(answer)
        return 0
    emit(
        f"{options.export}: {answer['rows']:,} of {answer['waiting']:,} phrases that wait for a "
        "decision. Write accept, reject or replace into the column decision, then read the sheet "
        "with `phrasenet memory review --import`."
    )
    return 0


def _import(options: argparse.Namespace) -> int:
    import getpass

    from flows.workspaces import workspace_of
    from tasks.review import import_decisions

    workspace = workspace_of(Path(options.config))
    author = options.author or getpass.getuser()
    counts = import_decisions(workspace, Path(options.sheet), author, options.reason)
    if options.json:
        emit_json({"decisions": counts, "author": author})
        return 0
    if not counts:
        emit(f"{options.sheet}: the column decision is empty in every row; nothing was kept.")
        return 0
    kept = ", ".join(f"{count:,} {word}" for word, count in sorted(counts.items()))
    emit(f"Kept as decided by {author}: {kept}. The next `phrasenet refresh` obeys.")
    return 0
