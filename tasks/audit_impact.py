"""What depends on a source, a file, a line or a phrase, down to models and translations."""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any

from storage.errors import InputError
from storage.lineage import Lineage, Node, artifact_id
from storage.memory import Snapshot
from storage.workspace import Workspace

READERS = ("ingest", "dictionary", "testset")
"""Steps whose label names a source."""

RESTING = """
SELECT
    COUNT(*) AS supported,
    COUNT(*) FILTER (others = 0) AS resting_alone
FROM (
    SELECT phrase_id, COUNT(*) FILTER (provider <> $source) AS others
    FROM evidence
    GROUP BY phrase_id
    HAVING COUNT(*) FILTER (provider = $source) > 0
)
"""
"""Phrases that a source speaks for, and those of them for which nothing else does."""


@dataclass(frozen=True, slots=True)
class Impact:
    """What would have to be made again, or would be gone."""

    of: tuple[Node, ...]
    """Where it begins."""
    steps: dict[str, int]
    """Runs that read it, directly or not, by step."""
    artifacts: dict[str, int]
    """What was made of it, by kind."""
    snapshots: tuple[str, ...]
    models: tuple[dict[str, Any], ...]
    phrases: dict[str, int]
    """Of a source: phrases of the current snapshot that it supports, and that rest on it alone."""


def nodes_of(workspace: Workspace, graph: Lineage, text: str) -> tuple[Node, ...]:
    """Return where something begins: a source or a system by its name, or anything by its id.

    A system is its newest model.

    Raises:
        InputError: there is nothing of that name or id.
    """
    readings = tuple(
        node
        for node in graph.nodes.values()
        if node.kind == "run"
        and node.detail["step"] in READERS
        and node.title in {f"{step} {text}" for step in READERS}
    )
    if readings:
        return readings
    try:
        return (graph.find(text),)
    except InputError as error:
        models = [artifact_id(entry.ref) for entry in workspace.registry.named(text)]
        if len(models) == 1 and models[0] in graph.nodes:
            return (graph.nodes[models[0]],)
        names = ", ".join(source_names(graph)) or "none"
        raise InputError(f"{error} Sources by name: {names}.") from error


def source_names(graph: Lineage) -> list[str]:
    """Return the names of the sources that were ever read."""
    return sorted(
        {
            node.title.removeprefix(node.detail["step"]).strip()
            for node in graph.nodes.values()
            if node.kind == "run" and node.detail["step"] in READERS
        }
    )


def impact(
    workspace: Workspace,
    graph: Lineage,
    roots: Sequence[Node],
    snapshot: Snapshot | None,
    free: Set[str] = frozenset(),
) -> Impact:
    """Gather all that depends on some nodes.

    Args:
        workspace: the workspace.
        graph: its lineage.
        roots: where to begin.
        snapshot: the state of the memory whose phrases are counted, for sources.
        free: ids of nodes that do not depend on what is asked for.
    """
    found = graph.reachable([node.node_id for node in roots], "down", free)
    artifacts = [node.ref for node in found if node.ref is not None]
    models = {ref.digest for ref in artifacts if ref.kind == "model"}
    return Impact(
        of=tuple(roots),
        steps=dict(Counter(node.detail["step"] for node in found if node.kind == "run")),
        artifacts=dict(Counter(ref.kind for ref in artifacts)),
        snapshots=tuple(node.node_id for node in found if node.kind == "snapshot"),
        models=tuple(
            {"model": entry.model_id, "system": entry.system, "registered": entry.registered}
            for entry in workspace.registry.entries()
            if entry.model_id in models
        ),
        phrases=_phrases(workspace, roots, snapshot),
    )


def _phrases(
    workspace: Workspace, roots: Sequence[Node], snapshot: Snapshot | None
) -> dict[str, int]:
    sources = {
        node.title.removeprefix(node.detail["step"]).strip()
        for node in roots
        if node.kind == "run" and node.detail["step"] in READERS
    }
    if snapshot is None or len(sources) != 1 or not workspace.holds(snapshot.evidence):
        return {}
    asked = {"source": sources.pop()}
    (row,) = workspace.query(RESTING, {"evidence": snapshot.evidence}, asked)
    return row
