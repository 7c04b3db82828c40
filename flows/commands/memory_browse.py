"""`phrasenet memory browse`: the memory as one page to search in, without a server."""

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

_DEFAULT_PHRASES = 20_000


def add(group: Any) -> None:
    """Add the command to the group `memory`."""
    parser = add_command(
        group,
        "browse",
        "write the memory as one HTML page to search in, conflicts first",
        "phrasenet memory browse -o memory.html",
    )
    parser.add_argument(
        "-o", dest="output", default="memory.html", metavar="FILE", help="the page (memory.html)"
    )
    parser.add_argument(
        "-n",
        type=count_up_to(10_000_000),
        default=_DEFAULT_PHRASES,
        metavar="COUNT",
        help=f"most phrases on the page ({_DEFAULT_PHRASES:,})",
    )
    parser.add_argument(
        "--as-of", metavar="SNAPSHOT|DATE", help="an earlier snapshot, or that of a date"
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from flows.opening import snapshot_of
    from flows.workspaces import current_pairs
    from storage.files import write_bytes
    from tasks.exports import record_export
    from tasks.memory_browse import memory_data
    from tasks.reports.memory_page import memory_page

    workspace, cleaned = current_pairs(Path(options.config))
    snapshot = snapshot_of(workspace, options.as_of)
    title = f"Phrase memory of {workspace.root.resolve().parent.name}"
    data = memory_data(workspace, snapshot, cleaned.shards, options.n, title)
    path = Path(options.output)
    write_bytes(path, memory_page(data).encode())
    shown = [snapshot.phrases, snapshot.evidence, *cleaned.pairs]
    record_export(workspace, path, "memory as a page", shown)
    if options.json:
        emit_json({"file": str(path), "phrases": len(data.phrases), "of": data.total})
    else:
        emit(f"{path}: {len(data.phrases):,} of {data.total:,} phrases. Open it in a browser.")
    return 0
