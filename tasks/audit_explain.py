"""How a phrase got in and what it did: evidence, the lines behind it, decisions, snapshots, the
models that were trained with it, and how often it was offered, appeared and was produced.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from storage.datasets import ArtifactRef
from storage.lineage import Lineage
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.audit_tables import inputs_of, outputs_of, raw_tables, training_pairs
from tasks.lineage import queries
from tasks.tagging.matcher import Matcher
from tasks.tagging.occurrences import leftmost_free
from tasks.text.either_script import in_either_script

SHORTEST_PREFIX = 6
"""Digits of an id that are taken for one."""
_NO_ID = "-"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A training line that holds both sides of a phrase."""

    pair_id: str
    corpus: str
    document: str
    file: str
    line: int
    licence: str
    source: tuple[str, str, str]
    """The text before the phrase, of it and after it, as words."""
    target: tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """All that is known of one phrase."""

    phrase: dict[str, Any]
    """Its row of the memory, or what its slots say if a rule proposed it."""
    evidence: list[dict[str, Any]] = field(default_factory=list)
    occurrences: list[Occurrence] = field(default_factory=list)
    """The first lines; how many there are is in `num_lines`."""
    num_lines: int = 0
    decisions: list[dict[str, Any]] = field(default_factory=list)
    snapshots: list[dict[str, Any]] = field(default_factory=list)
    """Which published snapshots held it, oldest first, with its state in each."""
    models: list[dict[str, Any]] = field(default_factory=list)
    """Models whose training data were offered it, with how often."""
    uses: list[dict[str, Any]] = field(default_factory=list)
    """How often it was offered, appeared and was produced, by test set and model."""


def explain(
    workspace: Workspace, graph: Lineage, snapshot: Snapshot, text: str, *, num_lines: int
) -> list[Explanation]:
    """Explain the phrases with a source text, or whose id begins so.

    Args:
        workspace: the workspace.
        graph: its lineage.
        snapshot: which state of the memory is asked.
        text: Chinese in either script, or at least six digits of an id.
        num_lines: most training lines shown of each phrase.

    Returns:
        One explanation for each phrase of the memory, the active one first; if there is none, one
        for each phrase that a rule offered to some sentence.
    """
    for source in in_either_script(text):
        if found := _explain(workspace, graph, snapshot, (source, text), num_lines):
            return found
    return []


def _explain(
    workspace: Workspace,
    graph: Lineage,
    snapshot: Snapshot,
    names: tuple[str, str],
    num_lines: int,
) -> list[Explanation]:
    """Explain the phrases with exactly this source text, or whose id begins with the other one."""
    source, prefix = names
    asked = {"source": source, "prefix": prefix if len(prefix) >= SHORTEST_PREFIX else _NO_ID}
    rows = workspace.query(queries.PHRASES, {"phrases": snapshot.phrases}, asked)
    if rows:
        return [_of_memory(workspace, graph, snapshot, row, num_lines) for row in rows]
    tagged = [output.ref for output in outputs_of(graph, workspace, "tag")]
    if not tagged:
        return []
    offered = workspace.query(queries.SLOTS_OF_TEXT, {"tagged": tagged}, asked)
    return [_of_rule(workspace, graph, row) for row in offered]


def _of_memory(
    workspace: Workspace, graph: Lineage, snapshot: Snapshot, row: dict[str, Any], num_lines: int
) -> Explanation:
    one = {"phrase_id": row["phrase_id"]}
    pairs = training_pairs(graph, snapshot, workspace)
    occurrences, total = _occurrences(workspace, graph, pairs, row, num_lines)
    return Explanation(
        phrase=row,
        evidence=workspace.query(queries.EVIDENCE, {"evidence": snapshot.evidence}, one),
        occurrences=occurrences,
        num_lines=total,
        decisions=_decisions(workspace, row["source"]),
        snapshots=_snapshots(workspace, row["phrase_id"]),
        models=_models(workspace, graph, row["phrase_id"]),
        uses=_uses(workspace, graph, row["phrase_id"]),
    )


def _of_rule(workspace: Workspace, graph: Lineage, row: dict[str, Any]) -> Explanation:
    return Explanation(
        phrase=row,
        models=_models(workspace, graph, row["phrase_id"]),
        uses=_uses(workspace, graph, row["phrase_id"]),
    )


def _occurrences(
    workspace: Workspace,
    graph: Lineage,
    pairs: Sequence[ArtifactRef],
    phrase: dict[str, Any],
    limit: int,
) -> tuple[list[Occurrence], int]:
    """Find the training lines that hold both sides; returns the first ones and their number."""
    if not pairs:
        return [], 0
    matcher, target = Matcher([([phrase["source"]], 0)]), phrase["target"].split()
    found: list[tuple[dict[str, Any], tuple[int, int], int]] = []
    asked = {"source": phrase["source"]}
    for row in workspace.query(queries.OCCURRENCES, {"pairs": pairs}, asked):
        matches = matcher.find(row["source_words"])
        words = row["target_words"]
        place = leftmost_free(target, words, [False] * len(words))
        if matches and place >= 0:
            found.append((row, (matches[0].start, matches[0].end), place))
    raw = _raw_lines(workspace, graph, [row["pair_id"] for row, _, _ in found[:limit]])
    shown = [
        Occurrence(
            pair_id=row["pair_id"],
            corpus=row["corpus"],
            document=row["document"],
            file=raw.get(row["pair_id"], {}).get("file", ""),
            line=raw.get(row["pair_id"], {}).get("line", 0),
            licence=raw.get(row["pair_id"], {}).get("licence", ""),
            source=_around(row["source_words"], *span),
            target=_around(row["target_words"], place, place + len(target)),
        )
        for row, span, place in found[:limit]
    ]
    return shown, len(found)


def _raw_lines(
    workspace: Workspace, graph: Lineage, pair_ids: Sequence[str]
) -> dict[str, dict[str, Any]]:
    tables = raw_tables(graph, workspace, "raw_pairs")
    if not tables or not pair_ids:
        return {}
    rows = workspace.query(queries.RAW_LINES, {"raw_pairs": tables}, {"pair_ids": list(pair_ids)})
    return {row["pair_id"]: row for row in rows}


def _around(words: Sequence[str], start: int, end: int) -> tuple[str, str, str]:
    return " ".join(words[:start]), " ".join(words[start:end]), " ".join(words[end:])


def _decisions(workspace: Workspace, source: str) -> list[dict[str, Any]]:
    tables = workspace.decisions.tables()
    asked = {"source": source}
    return workspace.query(queries.DECISIONS, {"decisions": tables}, asked) if tables else []


def _snapshots(workspace: Workspace, phrase_id: str) -> list[dict[str, Any]]:
    """Say in which published snapshots the phrase is; of one published twice, each time."""
    states: dict[ArtifactRef, list[dict[str, Any]]] = {}
    held: list[dict[str, Any]] = []
    for entry in workspace.memory.history():
        phrases = workspace.memory.snapshot(entry.snapshot_id).phrases
        if phrases not in states:
            asked = {"phrase_id": phrase_id}
            states[phrases] = (
                workspace.query(queries.HOLDS_PHRASE, {"phrases": phrases}, asked)
                if workspace.holds(phrases)
                else []
            )
        held += [
            {"snapshot": entry.snapshot_id, "time": entry.time, "state": row["state"]}
            for row in states[phrases]
        ]
    return held


def _models(workspace: Workspace, graph: Lineage, phrase_id: str) -> list[dict[str, Any]]:
    """Say how often the training data of each model offered the phrase."""
    found = []
    for entry in workspace.registry.entries():
        run = graph.nodes.get(f"run/{entry.run_key}")
        tagged = inputs_of(run, "tagged") if run else []
        tables = [ref for ref in tagged if workspace.holds(ref)]
        if not tables:
            continue
        (row,) = workspace.query(queries.OFFERED, {"tagged": tables}, {"phrase_id": phrase_id})
        if row["offered"]:
            found.append(
                {
                    "model": entry.model_id,
                    "system": entry.system,
                    "registered": entry.registered,
                    **row,
                }
            )
    return found


def _uses(workspace: Workspace, graph: Lineage, phrase_id: str) -> list[dict[str, Any]]:
    """Say how each evaluated model used the phrase on each test set."""
    found = []
    for output in outputs_of(graph, workspace, "translate"):
        rows = workspace.query(queries.USES, {"translations": output.ref}, {"phrase_id": phrase_id})
        counts = {row["use"]: row["slots"] for row in rows}
        if counts:
            produced = counts.get("produced", 0)
            model = next(iter(inputs_of(output.run, "model")), None)
            found.append(
                {
                    "evaluation": output.run.title.removeprefix("translate "),
                    "model": model.digest if model else "",
                    "time": output.run.time,
                    "offered": sum(counts.values()),
                    "appeared": produced + counts.get("appeared", 0),
                    "produced": produced,
                }
            )
    return found
