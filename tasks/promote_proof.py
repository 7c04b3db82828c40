"""What is known of a model beside its translations: that test sets were held out of its training,
under which licences its sources stand, and what people took back."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from storage.datasets import ArtifactRef
from storage.lineage import Lineage, Node, lineage_of, run_id
from storage.registry import ModelEntry
from storage.workspace import Workspace
from tasks.arguments import references, result_from_json
from tasks.audit_models import licences_of
from tasks.promotion.config import PromotionConfig
from tasks.promotion.finding import Finding
from tasks.promotion.rules import judge_held_out, judge_licences, judge_marks

_LOOKS_FOR_TEST_SETS, _LEAVES_OUT = "quality", "judge"
_TEACHES_NO_TEXT = "aligner"
"""What an aligner was trained on shapes links, and gives the model no sentence to learn from."""


def known_of(
    workspace: Workspace,
    entry: ModelEntry,
    lines: Mapping[str, ArtifactRef],
    config: PromotionConfig,
    *,
    by_person: bool,
) -> tuple[Finding, ...]:
    """Return what the rules say that need no translation.

    Args:
        workspace: where the ledger is.
        entry: the candidate.
        lines: the test sets that count, as they are today.
        config: what is allowed.
        by_person: whether a person asks, who may promote again what was rolled back.
    """
    graph = lineage_of(workspace)
    proofs = {name: why_not_held_out(graph, entry, name, ref) for name, ref in lines.items()}
    marks = [mark.reason for mark in workspace.registry.marks(entry.model_id)]
    is_rejected = not by_person and entry.model_id in workspace.production.rolled_back()
    return (
        *judge_held_out(proofs),
        *judge_licences(licences_of(entry), config.accept_licences, config.refuse_conditions),
        *judge_marks(marks, is_rejected=is_rejected),
    )


def why_not_held_out(graph: Lineage, entry: ModelEntry, testset: str, lines: ArtifactRef) -> str:
    """Say what is missing from the proof that a model never learned from a test set; empty if it
    is whole.

    The proof: whatever the training read was made, as the ledger says, of text that the step
    `quality` searched for these lines, and of which `judge` left out what was found.
    """
    training = graph.nodes.get(run_id(entry.run_key))
    if training is None:
        return "the ledger has no record of its training, so nothing proves what it learned from"
    proof = _Proof(graph, lines)
    found = proof.of_run(training)
    if found == "searched":
        return ""
    if found == "no text":
        return "the ledger does not say that its training text was searched for test sets"
    return (
        f"{proof.missing} was not searched for the sentences of {testset} as they are today, or "
        "what was found there was kept; train it anew"
    )


Standing = Literal["searched", "not searched", "no text"]


@dataclass
class _Proof:
    """Walks upwards from a training.

    Where several runs made the same artifact, one that is proven is enough: the content is the
    same. An artifact may be among its own origins, where a step changed nothing.
    """

    graph: Lineage
    lines: ArtifactRef
    missing: str = ""
    """The call whose text was not searched, by its label."""
    known: dict[str, Standing] = field(default_factory=dict)

    def of_run(self, run: Node) -> Standing:
        """Say whether all training text that a run read was searched for the lines."""
        step = run.detail["step"]
        if step == _TEACHES_NO_TEXT:
            return "no text"
        if step == _LOOKS_FOR_TEST_SETS:
            held_out = references(result_from_json(run.detail["inputs"].get("held_out")))
            return "searched" if self.lines in held_out else self._is_missing(run)
        if step == _LEAVES_OUT and run.detail["settings"]["config"]["decontaminate"] == "off":
            return self._is_missing(run)
        above = {self.of_artifact(node) for node in self.graph.neighbours(run.node_id, "up")}
        return _first(("not searched", "searched"), above)

    def of_artifact(self, node: Node) -> Standing:
        """Say the same of an artifact; what was never made of training text counts as no text."""
        if node.node_id not in self.known:
            self.known[node.node_id] = "no text"
            above = self.graph.neighbours(node.node_id, "up")
            made = {self.of_run(other) for other in above if other.kind == "run"}
            self.known[node.node_id] = _first(("searched", "not searched"), made)
        return self.known[node.node_id]

    def _is_missing(self, run: Node) -> Standing:
        self.missing = run.detail["label"]
        return "not searched"


def _first(order: Sequence[Standing], found: Collection[Standing]) -> Standing:
    return next((standing for standing in order if standing in found), "no text")
