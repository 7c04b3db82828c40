"""`phrasenet audit trace` and `impact`: what something was made of, and what was made of it."""

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

_DEPTH = 50
_RESULTS = ("phrases", "tagged", "model", "translations", "scores", "report")


def add(group: Any) -> None:
    """Add the commands to the group `audit`."""
    _add_trace(group)
    _add_impact(group)


def _add_trace(group: Any) -> None:
    parser = add_command(
        group,
        "trace",
        "show the chain behind, or below, anything that has an id",
        "phrasenet audit trace 3fa9c2",
    )
    parser.add_argument(
        "of",
        metavar="ID",
        help="of a pair, phrase, sentence, model, snapshot, artifact, run or file, or its "
        "beginning; or the name of a source, or of a system (its newest model)",
    )
    parser.add_argument(
        "--down", action="store_true", help="what was made of it, instead of what it was made of"
    )
    parser.add_argument(
        "--depth", type=count_up_to(1000), default=_DEPTH, help=f"levels that are shown ({_DEPTH})"
    )
    parser.add_argument(
        "--mermaid", action="store_true", help="print a drawing: the text of a Mermaid flow chart"
    )
    parser.add_argument(
        "--as-of", metavar="DATE|RUN", help="as the ledger was at a date, or after a flow run"
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_trace)


def _add_impact(group: Any) -> None:
    parser = add_command(
        group,
        "impact",
        "count what depends on a source, a file, a line, a phrase, or anything that has an id",
        "phrasenet audit impact laws",
    )
    parser.add_argument(
        "of",
        metavar="SOURCE|FILE|LINE|PHRASE|ID",
        help="a corpus, dictionary or test set; a file; corpus:document; corpus:file:line, "
        "dictionary:line or a pair's id; a phrase in Chinese or its id; any other id",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_impact)


def _trace(options: argparse.Namespace) -> int:
    from flows.opening import workspace_of
    from storage.asking import asking
    from storage.lineage import lineage_of
    from tasks.lineage.tree import as_json, mermaid_lines, text_lines

    workspace = workspace_of(Path(options.config))
    graph = lineage_of(workspace, options.as_of)
    with asking(workspace) as asked:
        branches = _branches(asked, graph, options)
    for branch in branches:
        if options.json:
            emit_json(as_json(branch))
            continue
        lines = (
            mermaid_lines(branch, upwards=not options.down)
            if options.mermaid
            else text_lines(branch)
        )
        for line in lines:
            emit(line)
    return 0


def _branches(workspace: Any, graph: Any, options: argparse.Namespace) -> Any:
    """Return the chains of rows with this id if there are any, else of what the ledger knows."""
    from tasks.audit_impact import nodes_of
    from tasks.audit_rows import Rows, trace_row
    from tasks.audit_trace import trace

    direction: Any = "down" if options.down else "up"
    snapshot = workspace.memory.head()
    if snapshot is not None and not graph.has(options.of):
        rows = trace_row(Rows(workspace, graph, snapshot, direction), options.of)
        if rows:
            return rows
    return trace(graph, nodes_of(workspace, graph, options.of), direction, options.depth)


def _impact(options: argparse.Namespace) -> int:
    from flows.opening import workspace_of
    from storage.asking import asking
    from storage.errors import InputError
    from storage.lineage import lineage_of
    from tasks.audit_impact import impact
    from tasks.audit_target import beginning_of

    named = options.of.strip()
    if not named:
        raise InputError("The name is empty. Name a source, a file, a line, a phrase or an id.")
    workspace = workspace_of(Path(options.config))
    graph, snapshot = lineage_of(workspace), workspace.memory.head()
    with asking(workspace) as asked:
        beginning = beginning_of(asked, graph, snapshot, named)
        found = impact(asked, graph, beginning.nodes, snapshot, beginning.free)
    if options.json:
        emit_json(
            {
                "of": [{"id": node.node_id, "title": node.title} for node in found.of],
                "within": beginning.title,
                "steps": found.steps,
                "artifacts": found.artifacts,
                "snapshots": [node_id.partition("/")[2] for node_id in found.snapshots],
                "models": list(found.models),
                "phrases": found.phrases
                if beginning.num_phrases is None
                else {"stand_in_it": beginning.num_phrases},
            }
        )
        return 0
    _print(beginning, found)
    return 0


def _print(beginning: Any, found: Any) -> None:
    if beginning.title:
        emit(f"{beginning.title}, which stands in")
    for node in found.of:
        emit(f"{node.title}  [{node.node_id}]")
    if beginning.num_phrases is not None:
        emit(f"  {beginning.num_phrases:,} mined phrases of the current memory stand in it")
    if found.phrases:
        emit(
            f"  speaks for {found.phrases['supported']:,} phrases of the current memory; "
            f"{found.phrases['resting_alone']:,} of them rest on it alone"
        )
    emit(f"  {sum(found.steps.values()):,} runs would be made again: {_counted(found.steps)}")
    results = {kind: found.artifacts[kind] for kind in _RESULTS if kind in found.artifacts}
    emit(f"  results made of it: {_counted(results)}")
    for node_id in found.snapshots:
        emit(f"  snapshot {node_id.partition('/')[2]}")
    for model in found.models:
        emit(f"  model {model['model']} ({model['system']}, {model['registered'][:10]})")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "none"
