"""How a phrase got in and what it did: evidence, the lines behind it, decisions, snapshots, the
models that were trained with it, and how often it was offered, appeared and was produced.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from storage.datasets import ArtifactRef
from storage.lineage import Lineage
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.audit_tables import inputs_of, outputs_of, raw_tables, training_links, training_pairs
from tasks.lexical_scores import lexical_scores
from tasks.lineage import queries
from tasks.tagging.matcher import Matcher
from tasks.tagging.occurrences import Standing, around, standings
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
    source_span: tuple[int, int]
    """In words, half-open."""
    target_span: tuple[int, int]
    linked: bool
    """Whether the aligner linked the two; else they only stand opposite each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """All that is known of one phrase."""

    phrase: dict[str, Any]
    """Its row of the memory, or what its slots say if a rule proposed it."""
    evidence: list[dict[str, Any]] = field(default_factory=list)
    lexical: dict[str, Any] | None = None
    """`tasks.lexical_scores.LexicalScores` of a mined phrase."""
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
    occurrences, total = _occurrences(workspace, graph, snapshot, row, num_lines)
    scores = lexical_scores(workspace, snapshot, [row["phrase_id"]]).get(row["phrase_id"])
    return Explanation(
        phrase=row,
        lexical=None if scores is None else asdict(scores),
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
    workspace: Workspace, graph: Lineage, snapshot: Snapshot, phrase: dict[str, Any], limit: int
) -> tuple[list[Occurrence], int]:
    """Find the training lines that hold both sides; returns the first ones and their number."""
    pairs = training_pairs(graph, snapshot, workspace)
    if not pairs:
        return [], 0
    matcher, target = Matcher([([phrase["source"]], 0)]), phrase["target"].split()
    found: list[tuple[dict[str, Any], list[tuple[int, int]]]] = []
    asked = {"source": phrase["source"]}
    for row in workspace.query(queries.OCCURRENCES, {"pairs": pairs}, asked):
        spans = [(match.start, match.end) for match in matcher.find(row["source_words"])]
        if standings(spans, target, row["target_words"]):
            found.append((row, spans))
    shown = [row["pair_id"] for row, _ in found[:limit]]
    raw = _raw_lines(workspace, graph, shown)
    links = _links(workspace, training_links(graph, snapshot, workspace), shown)
    lines = []
    for row, spans in found[:limit]:
        known = links.get(row["pair_id"], [])
        best = standings(spans, target, row["target_words"], known)[0]
        lines.append(_occurrence(row, raw, best))
    return lines, len(found)


def _occurrence(
    row: dict[str, Any], raw: dict[str, dict[str, Any]], standing: Standing
) -> Occurrence:
    line = raw.get(row["pair_id"], {})
    return Occurrence(
        pair_id=row["pair_id"],
        corpus=row["corpus"],
        document=row["document"],
        file=line.get("file", ""),
        line=line.get("line", 0),
        licence=line.get("licence", ""),
        source=around(row["source_words"], *standing.source),
        target=around(row["target_words"], *standing.target),
        source_span=standing.source,
        target_span=standing.target,
        linked=standing.num_links > 0,
    )


def _links(
    workspace: Workspace, tables: Sequence[ArtifactRef], pair_ids: Sequence[str]
) -> dict[str, list[tuple[int, int]]]:
    """Return the links of some pairs by id."""
    if not tables or not pair_ids:
        return {}
    rows = workspace.query(queries.LINKS_OF, {"links": tables}, {"pair_ids": list(pair_ids)})
    return {
        row["pair_id"]: list(zip(row["source_index"], row["target_index"], strict=True))
        for row in rows
    }


def _raw_lines(
    workspace: Workspace, graph: Lineage, pair_ids: Sequence[str]
) -> dict[str, dict[str, Any]]:
    tables = raw_tables(graph, workspace, "raw_pairs")
    if not tables or not pair_ids:
        return {}
    rows = workspace.query(queries.RAW_LINES, {"raw_pairs": tables}, {"pair_ids": list(pair_ids)})
    return {row["pair_id"]: row for row in rows}


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
