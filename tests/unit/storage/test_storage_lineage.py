"""What rests on what in the graph of the ledger."""

from storage.datasets import ArtifactRef
from storage.lineage import artifact_id, lineage_of, run_id
from storage.workspace import Workspace

LINES = ArtifactRef("test_lines", "1" * 32, 3)
WORDS = ArtifactRef("words", "2" * 32, 3)
OLD, NEW = ArtifactRef("model", "3" * 32, 8), ArtifactRef("model", "4" * 32, 8)


def add_run(workspace: Workspace, label: str, inputs: list[ArtifactRef], made: ArtifactRef) -> None:
    body = {
        "key": label,
        "label": label,
        "step": label.split()[0],
        "inputs": [{"artifact": ref.to_json()} for ref in inputs],
        "outputs": [made.to_json()],
    }
    workspace.ledger.append("run", body)


def test_a_model_that_was_tested_on_the_same_words_made_no_other_model(
    workspace: Workspace,
) -> None:
    add_run(workspace, "words test", [LINES], WORDS)
    add_run(workspace, "train old", [WORDS], OLD)
    add_run(workspace, "words promotion candidate", [LINES, OLD], WORDS)
    add_run(workspace, "train new", [WORDS], NEW)
    graph = lineage_of(workspace)
    behind = graph.behind(graph.nodes[run_id("train new")])
    assert [node.title for node in behind] == ["words test"]
    assert graph.nodes[artifact_id(NEW)] not in graph.reachable([artifact_id(OLD)], "down")
    assert graph.nodes[artifact_id(NEW)] in graph.reachable([artifact_id(LINES)], "down")


def test_words_that_only_a_model_made_rest_on_it(workspace: Workspace) -> None:
    add_run(workspace, "words promotion candidate", [LINES, OLD], WORDS)
    graph = lineage_of(workspace)
    assert graph.nodes[artifact_id(WORDS)] in graph.reachable([artifact_id(OLD)], "down")
