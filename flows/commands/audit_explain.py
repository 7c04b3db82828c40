"""`phrasenet audit explain`: how a phrase got in, and what it did; or where a model came from."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    count_up_to,
    emit,
    emit_json,
)

if TYPE_CHECKING:
    from storage.lineage import Lineage
    from storage.registry import ModelEntry
    from storage.workspace import Workspace

_SHORTEST_ID = 4
"""Digits of an id that are taken for a model's."""
_NEAR = 0.7
"""How near a name has to be to a system's to be taken for it: most words are phrases."""
_LINES = 5
_MOST_LINES = 100_000


def add(group: Any) -> None:
    """Add the command to the group `audit`."""
    parser = add_command(
        group,
        "explain",
        "say how a phrase got in, and which models and translations it shaped; or where a model "
        "came from",
        "phrasenet audit explain 中央银行",
    )
    parser.add_argument(
        "named",
        metavar="PHRASE|MODEL",
        help="Chinese; the beginning of the id of a phrase or a model; or a system, for its newest "
        "model",
    )
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
    from flows.opening import workspace_of
    from storage.errors import InputError
    from storage.lineage import lineage_of
    from tasks.audit_explain import SHORTEST_PREFIX

    named = options.named.strip()
    if not named:
        raise InputError("The phrase is empty. Name a phrase, a model, or the beginning of an id.")
    workspace = workspace_of(Path(options.config))
    graph = lineage_of(workspace)
    models = [
        entry
        for entry in workspace.registry.named(named)
        if entry.system == named or len(named) >= _SHORTEST_ID
    ]
    for entry in models:
        _explain_model(workspace, graph, entry, as_json=options.json)
    # A model may be there without a memory, if it was asked for: then no phrase was meant.
    if not models or workspace.memory.head() is not None:
        found = _explain_phrases(workspace, graph, named, options)
        if not found and not models:
            raise InputError(
                f"Neither the memory nor a sentence knows {named}, {_no_model(workspace, named)} "
                "Name a phrase in Chinese, a system, or the beginning of the id of a phrase "
                f"({SHORTEST_PREFIX} digits or more) or a model ({_SHORTEST_ID} or more)."
            )
    return 0


def _no_model(workspace: "Workspace", named: str) -> str:
    """Say that a name is no model's: of a system without one, or mistyped."""
    from model.config import SYSTEMS
    from storage.names import did_you_mean
    from tasks.smt.config import SMT_SYSTEMS

    known = [*SYSTEMS, *SMT_SYSTEMS]
    if named in known:
        return f"and the system {named} has no model here yet."
    known += [entry.system for entry in workspace.registry.entries()]
    return f"and no model is called so.{did_you_mean(named, known, cutoff=_NEAR)}"


def _explain_phrases(
    workspace: "Workspace", graph: "Lineage", named: str, options: argparse.Namespace
) -> int:
    """Explain the phrases of this name; returns how many there are."""
    from dataclasses import asdict

    from flows.opening import snapshot_of
    from storage.asking import asking
    from tasks.audit_explain import explain
    from tasks.lineage.explanation import explanation_lines

    snapshot = snapshot_of(workspace, options.as_of)
    with asking(workspace) as asked:
        found = explain(asked, graph, snapshot, named, num_lines=options.n)
    for item in found:
        if options.json:
            emit_json(asdict(item))
            continue
        for line in explanation_lines(asdict(item)):
            emit(line)
    return len(found)


def _explain_model(
    workspace: "Workspace", graph: "Lineage", entry: "ModelEntry", *, as_json: bool
) -> None:
    from dataclasses import asdict

    from flows.commands.models_show import facts_of, print_facts
    from tasks.audit_model_origin import origin_of
    from tasks.lineage.model_origin import origin_lines

    facts = facts_of(workspace, entry) | asdict(origin_of(workspace, graph, entry))
    if as_json:
        emit_json(facts)
        return
    print_facts(facts)
    for line in origin_lines(facts):
        emit(line)
