"""Where the dependence on something begins: a source, a file, a document, a line or a phrase."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.lineage import Lineage, Node, artifact_id
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.arguments import source_file
from tasks.audit_impact import nodes_of, source_names
from tasks.audit_rows import phrases_in
from tasks.audit_tables import raw_tables
from tasks.lineage import queries
from tasks.lineage import withdrawal_queries as asked
from tasks.lineage.withdrawal import Target
from tasks.withdraw_plan import rows_of
from tasks.withdraw_target import NothingCalledSo, find_target


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where the dependence on something begins."""

    nodes: tuple[Node, ...]
    """What was read, or the tables in which it stands."""
    title: str = ""
    """Of what stands within tables: the line, document or phrase, as a person calls it."""
    free: frozenset[str] = frozenset()
    """Nodes of tables made of others that hold it, in which it does not stand."""
    num_phrases: int | None = None
    """Phrases of the current memory of which a line holds both sides; None for all else."""


def beginning_of(
    workspace: Workspace, graph: Lineage, snapshot: Snapshot | None, text: str
) -> Beginning:
    """Find what a person names.

    Args:
        workspace: the workspace.
        graph: its lineage.
        snapshot: the current state of the memory.
        text: a source by its name; anything that has an id; a file by its path, if it is as it was
            when it was read, or by the name that its rows carry; `corpus:document`,
            `corpus:file:line` or `dictionary:line`; a phrase in Chinese.

    Raises:
        InputError: there is nothing of that name or id.
    """
    try:
        return Beginning(nodes_of(workspace, graph, text))
    except InputError as unknown:
        found = _file(workspace, graph, text)
        if found is not None:
            return found
        try:
            target = find_target(workspace, graph, snapshot, text)
        except NothingCalledSo as error:
            if graph.beginning_with(text):  # several: they are named
                raise unknown from None
            raise InputError(_nothing(graph, text, error.nearest)) from error
    return _within(workspace, graph, snapshot, target)


def _nothing(graph: Lineage, text: str, nearest: str) -> str:
    names = ", ".join(source_names(graph)) or "none was read yet"
    return (
        f"Nothing here is called {text!r}, and no id begins so.{nearest} Name a source ({names}), "
        "a file, corpus:document, corpus:file:line, dictionary:line, a phrase in Chinese or an id."
    )


def _file(workspace: Workspace, graph: Lineage, text: str) -> Beginning | None:
    path = Path(text)
    if path.is_file():
        node = graph.nodes.get(f"file/{source_file(path).digest}")
        if node is not None:
            return Beginning((node,))
    holding = [
        graph.nodes[artifact_id(ref)]
        for ref in raw_tables(graph, workspace, "raw_pairs")
        if workspace.query(queries.PAIR_OF_FILE, {"raw_pairs": ref}, {"file": text})
    ]
    return Beginning(tuple(holding), f"file {text}") if holding else None


def _within(
    workspace: Workspace, graph: Lineage, snapshot: Snapshot | None, target: Target
) -> Beginning:
    if target.kind == "phrase":
        return _of_phrase(workspace, graph, target)
    held = dict(rows_of(workspace, graph, target))
    rows = [row for found in held.values() for row in found]
    identities = sorted({row["pair_id"] for row in rows}) if target.of_corpus else []

    def stands_in(ref: ArtifactRef) -> bool:
        (row,) = workspace.query(asked.HOLDS_PAIRS, {"pairs": ref}, {"pair_ids": identities})
        return bool(row["number"])

    free = _free(workspace, graph, ("words", "pairs"), stands_in) if identities else frozenset()
    is_line = target.kind == "line"
    number = _num_phrases(workspace, snapshot, graph, identities) if is_line else None
    nodes = tuple(graph.nodes[artifact_id(ref)] for ref in held)
    return Beginning(nodes, f"{target.kind} {target.name}", free, number)


def _of_phrase(workspace: Workspace, graph: Lineage, target: Target) -> Beginning:
    identities = {"phrase_ids": list(target.phrase_ids)}

    def is_known_to(ref: ArtifactRef) -> bool:
        return bool(workspace.query(queries.KNOWS_PHRASES, {"phrases": ref}, identities))

    def is_offered_in(ref: ArtifactRef) -> bool:
        return bool(workspace.query(queries.OFFERS_PHRASES, {"tagged": ref}, identities))

    tables = [ref for ref in raw_tables(graph, workspace, "phrases") if is_known_to(ref)]
    free = _free(workspace, graph, ("tagged",), is_offered_in)
    nodes = tuple(graph.nodes[artifact_id(ref)] for ref in tables)
    return Beginning(nodes, f"phrase {', '.join(target.phrase_ids)}", free)


def _free(
    workspace: Workspace,
    graph: Lineage,
    kinds: tuple[str, ...],
    holds: Callable[[ArtifactRef], bool],
) -> frozenset[str]:
    tables = [ref for kind in kinds for ref in raw_tables(graph, workspace, kind)]
    return frozenset(artifact_id(ref) for ref in tables if not holds(ref))


def _num_phrases(
    workspace: Workspace, snapshot: Snapshot | None, graph: Lineage, pair_ids: list[str]
) -> int:
    kept = raw_tables(graph, workspace, "pairs")
    if snapshot is None or not kept or not workspace.holds(snapshot.phrases):
        return 0
    found: set[str] = set()
    for identity in pair_ids:
        for pair in workspace.query(queries.KEPT_PAIR, {"pairs": kept}, {"pair_id": identity}):
            found |= set(phrases_in(workspace, snapshot, pair))
    return len(found)
