"""Whether anything that was learned from stands in a dev or test set: looked up anew, whatever the
cleaning said when it ran."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from storage.datasets import ArtifactRef
from storage.lineage import Lineage, Node, run_id
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.audit_tables import inputs_of, training_pairs
from tasks.clean import held_out_texts
from tasks.text.overlap import HeldOutIndex, Overlap, fold

_READ = ["pair_id", "source", "target", "source_words", "target_words"]


@dataclass(frozen=True, slots=True)
class Learned:
    """Something that learned from pairs."""

    name: str
    """The memory, or a model by its id."""
    pairs: tuple[ArtifactRef, ...]


@dataclass(frozen=True, slots=True)
class Contamination:
    """Pairs that something learned from and that a test set holds."""

    learned: str
    testset: str
    pair_ids: tuple[str, ...]


def learners(workspace: Workspace, graph: Lineage, snapshot: Snapshot | None) -> list[Learned]:
    """Return the current memory and all models that are kept, with the pairs behind each."""
    found = []
    if snapshot is not None:
        pairs = training_pairs(graph, snapshot, workspace)
        found.append(Learned("the phrase memory", tuple(pairs)))
    for entry in workspace.registry.entries():
        training = graph.nodes.get(run_id(entry.run_key))
        if training is not None and workspace.holds(entry.ref):
            refs = [ref for ref in _trained_on(graph, training) if workspace.holds(ref)]
            found.append(Learned(f"model {entry.model_id[:12]} ({entry.system})", tuple(refs)))
    return found


def _trained_on(graph: Lineage, training: Node) -> list[ArtifactRef]:
    """Return the pairs whose tagged sentences a training read."""
    runs = [node for node in graph.behind(training) if node.detail["step"] == "tag"]
    refs = [ref for run in runs for ref in inputs_of(run, "shard") if ref.kind == "pairs"]
    return list(dict.fromkeys(refs))


def held_out_index(
    workspace: Workspace, graph: Lineage, lines: Sequence[ArtifactRef], overlap_words: int
) -> HeldOutIndex:
    """Index dev and test sets as the cleaning does.

    Args:
        workspace: where the tables are.
        graph: its lineage.
        lines: the test sets; one that was never cut into words is left out.
        overlap_words: how long a run of words is an overlap.
    """
    cut = {ref: _words_of(workspace, graph, ref) for ref in lines}
    return HeldOutIndex(
        (
            text
            for ref, words in cut.items()
            if words is not None
            for text in held_out_texts(workspace, ref, words)
        ),
        overlap_words,
    )


def _words_of(workspace: Workspace, graph: Lineage, lines: ArtifactRef) -> ArtifactRef | None:
    """Return the words that a test set was cut into last."""
    found = None
    for node in graph.nodes.values():
        if (
            node.kind == "run"
            and node.detail["step"] == "words"
            and lines in inputs_of(node, "raw")
        ):
            words = ArtifactRef.from_json(node.detail["outputs"][0])
            found = words if workspace.holds(words) else found
    return found


def contaminations(
    workspace: Workspace, learned: Iterable[Learned], index: HeldOutIndex, kinds: Sequence[str]
) -> Iterator[Contamination]:
    """Yield what was learned from and is held out.

    Args:
        workspace: where the tables are.
        learned: what learned from which pairs.
        index: the dev and test sets.
        kinds: which overlaps count: `whole`, `run`.
    """
    known: dict[ArtifactRef, dict[str, list[str]]] = {}
    for item in learned:
        by_testset: dict[str, list[str]] = {}
        for ref in item.pairs:
            if ref not in known:
                known[ref] = _overlaps(workspace, ref, index, kinds)
            for testset, pair_ids in known[ref].items():
                by_testset.setdefault(testset, []).extend(pair_ids)
        for testset, pair_ids in sorted(by_testset.items()):
            yield Contamination(item.name, testset, tuple(sorted(set(pair_ids))))


def _overlaps(
    workspace: Workspace, pairs: ArtifactRef, index: HeldOutIndex, kinds: Sequence[str]
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in workspace.read_rows(pairs, _READ):
        for side in ("source", "target"):
            overlap: Overlap | None = index.find(fold(row[side]), row[f"{side}_words"])
            if overlap is not None and overlap.kind in kinds:
                found.setdefault(overlap.testset, []).append(row["pair_id"])
                break
    return found
