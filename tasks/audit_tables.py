"""Which tables an audit looks into: found in the graph, by the run that read or wrote them."""

from collections.abc import Iterator
from dataclasses import dataclass

from storage.datasets import ArtifactRef
from storage.lineage import Lineage, Node, artifact_id
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.arguments import references, result_from_json


@dataclass(frozen=True, slots=True)
class OutputOf:
    """An artifact with the run that wrote it."""

    run: Node
    ref: ArtifactRef


def inputs_of(run: Node, name: str) -> list[ArtifactRef]:
    """Return the artifacts that a run read under a name; none if it has no such input."""
    return references(result_from_json(run.detail["inputs"].get(name)))


def runs_behind(graph: Lineage, snapshot: Snapshot, step: str) -> list[Node]:
    """Return the runs of a step that a snapshot was made with, in the order of their labels."""
    found = [
        node
        for node in graph.reachable([artifact_id(snapshot.phrases)], "up")
        if node.kind == "run" and node.detail["step"] == step
    ]
    return sorted(found, key=lambda node: node.title)


def training_pairs(graph: Lineage, snapshot: Snapshot, workspace: Workspace) -> list[ArtifactRef]:
    """Return the pairs that the phrases of a snapshot were mined from, as far as they are kept."""
    return _mined_from(graph, snapshot, workspace, "pairs")


def training_links(graph: Lineage, snapshot: Snapshot, workspace: Workspace) -> list[ArtifactRef]:
    """Return the links of the pairs that the phrases of a snapshot were mined from."""
    return _mined_from(graph, snapshot, workspace, "links")


def _mined_from(
    graph: Lineage, snapshot: Snapshot, workspace: Workspace, name: str
) -> list[ArtifactRef]:
    refs = [ref for run in runs_behind(graph, snapshot, "mine") for ref in inputs_of(run, name)]
    return [ref for ref in dict.fromkeys(refs) if workspace.holds(ref)]


def raw_tables(graph: Lineage, workspace: Workspace, kind: str) -> list[ArtifactRef]:
    """Return all tables of a kind that the graph knows and the workspace holds."""
    refs = [node.ref for node in graph.nodes.values() if node.ref and node.ref.kind == kind]
    return [ref for ref in refs if workspace.holds(ref)]


def outputs_of(graph: Lineage, workspace: Workspace, step: str) -> Iterator[OutputOf]:
    """Yield what the runs of a step wrote and the workspace holds, in the order of the ledger."""
    for node in graph.nodes.values():
        if node.kind == "run" and node.detail["step"] == step:
            for value in node.detail["outputs"]:
                ref = ArtifactRef.from_json(value)
                if workspace.holds(ref):
                    yield OutputOf(node, ref)
