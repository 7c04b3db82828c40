"""`phrasenet audit explain`: how a phrase got in, and what it did."""

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

_LINES = 5
_MOST_LINES = 100_000


def add(group: Any) -> None:
    """Add the command to the group `audit`."""
    parser = add_command(
        group,
        "explain",
        "say how a phrase got in, and which models and translations it shaped",
        "phrasenet audit explain 中央银行",
    )
    parser.add_argument("phrase", metavar="PHRASE", help="Chinese, or the beginning of an id")
    parser.add_argument("--as-of", metavar="SNAPSHOT|DATE", help="an earlier state of the memory")
    parser.add_argument(
        "-n",
        type=count_up_to(_MOST_LINES),
        default=_LINES,
        metavar="COUNT",
        help=f"training lines shown ({_LINES})",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from flows.opening import snapshot_of, workspace_of
    from storage.asking import asking
    from storage.errors import InputError
    from storage.lineage import lineage_of
    from tasks.audit_explain import explain
    from tasks.lineage.explanation import explanation_lines

    if not options.phrase.strip():
        raise InputError("The phrase is empty. Name a phrase, or the beginning of an id.")
    workspace = workspace_of(Path(options.config))
    snapshot = snapshot_of(workspace, options.as_of)
    graph = lineage_of(workspace)
    with asking(workspace) as asked:
        found = explain(asked, graph, snapshot, options.phrase.strip(), num_lines=options.n)
    for item in found:
        if options.json:
            emit_json(asdict(item))
            continue
        for line in explanation_lines(asdict(item)):
            emit(line)
    if not found and not options.json:
        emit(f"Neither the memory nor a sentence knows {options.phrase}.")
    return 0
