"""`phrasenet audit export`: the ledger as OpenLineage events or as a page to click through."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
    zero_or_more,
)


def add(group: Any) -> None:
    """Add the command to the group `audit`."""
    parser = add_command(
        group,
        "export",
        "write the ledger as OpenLineage events or as a page to click through",
        "phrasenet audit export events.jsonl",
    )
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a page (.html), or events, one JSON object a line"
    )
    parser.add_argument("--url", help="send events to this server instead of writing a file")
    parser.add_argument("--namespace", default="phrasenet", help="of jobs and datasets (phrasenet)")
    parser.add_argument("--owner", default="", help="who is responsible, for the ownership facet")
    parser.add_argument(
        "--since",
        type=zero_or_more,
        default=0,
        metavar="RECORD",
        help="begin with this record of the ledger (0); sending an event twice does no harm",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from flows.opening import workspace_of
    from storage.errors import InputError
    from storage.openlineage import events
    from storage.openlineage_transport import send_events, write_events
    from storage.secret_urls import without_secrets

    if (options.file is None) == (options.url is None):
        raise InputError("Name a FILE to write, or a server with --url; one of the two.")
    workspace = workspace_of(Path(options.config))
    if options.file is not None and options.file.endswith(".html"):
        return _write_page(workspace, options)
    last = workspace.ledger.last()
    following = 0 if last is None else last.sequence + 1
    if options.since > following:
        raise InputError(
            f"--since is {options.since}, and the ledger holds {following} records; expected 0 to "
            f"{following}."
        )
    made = events(workspace, namespace=options.namespace, owner=options.owner, since=options.since)
    if options.url is None:
        number = write_events(made, Path(options.file))
    else:
        number = send_events(made, options.url)
    target = without_secrets(options.url or options.file)
    if options.json:
        emit_json({"to": target, "events": number, "next": following})
    else:
        emit(f"{target}: {number:,} events. The next time, --since {following} sends what is new.")
    return 0


def _write_page(workspace: Any, options: argparse.Namespace) -> int:
    from storage.files import write_bytes
    from storage.lineage import lineage_of
    from tasks.audit_page import shown_nodes
    from tasks.reports.lineage_page import lineage_page

    graph = lineage_of(workspace)
    title = f"Where everything in {workspace.root.name} came from"
    text = lineage_page(shown_nodes(graph), title=title, ledger=workspace.ledger.digest())
    write_bytes(Path(options.file), text.encode("utf-8", "replace"))
    if options.json:
        emit_json({"to": options.file, "things": len(graph.nodes)})
    else:
        emit(f"{options.file}: {len(graph.nodes):,} things to click through. Open it in a browser.")
    return 0
