"""What a withdrawal would take out: rows, sentences, phrases, decisions, and what rests on them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storage.datasets import ArtifactRef
from storage.lineage import Lineage, Node, artifact_id
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.audit_explain import explain
from tasks.audit_tables import raw_tables, training_pairs
from tasks.lineage import withdrawal_queries as asked
from tasks.lineage.held_elsewhere import Sentence, held_by, sentence_of
from tasks.lineage.tombstones import Key, sentence_key
from tasks.lineage.withdrawal import Target
from tasks.tagging.matcher import Matcher

SOURCE_KINDS = ("raw_pairs", "entries", "test_lines")


@dataclass(frozen=True, slots=True)
class Current:
    """What is up to date with the settings, as a plan of all stages found it."""

    refs: frozenset[ArtifactRef]
    """All that its calls read and wrote."""
    keys: frozenset[str]
    """Cache keys of its calls."""
    sources: tuple[ArtifactRef, ...]
    """The tables that hold what was last read of the sources that the settings name."""


@dataclass(frozen=True, slots=True)
class Found:
    """All that belongs to a target."""

    target: Target
    tables: tuple[ArtifactRef, ...]
    """Tables of what was read, now and earlier, that hold rows of it."""
    rows: tuple[Mapping[str, Any], ...]
    """These rows, each once."""
    num_current: int
    """How many of them are of the sources as they were last read."""
    sentences: tuple[Sentence, ...]
    """That no remaining source holds."""
    num_held: int
    """Sentences that stay, since a remaining source holds them."""
    phrase_ids: tuple[str, ...]
    """Phrases for which nothing else speaks."""

    @property
    def pair_ids(self) -> list[str]:
        """Return the ids of its pairs."""
        return [row["pair_id"] for row in self.rows] if self.target.of_corpus else []

    @property
    def keys(self) -> list[Key]:
        """Return what is not to come back."""
        return [*self.target.keys, *(sentence_key(item.text) for item in self.sentences)]


def find_rows(
    workspace: Workspace,
    graph: Lineage,
    snapshot: Snapshot | None,
    current: Current,
    target: Target,
) -> Found:
    """Find all that belongs to a target, in the tables of today and of all earlier runs."""
    tables: list[ArtifactRef] = []
    rows: dict[Any, Mapping[str, Any]] = {}
    now: set[Any] = set()
    for ref, found in rows_of(workspace, graph, target):
        tables.append(ref)
        keyed = {_identity(row): row for row in found}
        rows.update(keyed)
        now |= keyed.keys() if ref in current.sources else set()
    sentences = _sentences(workspace, graph, target, list(rows.values()))
    held = held_by(sentences, _remaining(workspace, graph, current, target, rows.values()))
    return Found(
        target,
        tuple(tables),
        tuple(rows.values()),
        len(now),
        tuple(item for item in sentences if item not in held),
        len(held),
        target.phrase_ids or _resting(workspace, graph, snapshot, target, list(rows.values())),
    )


def rows_of(
    workspace: Workspace, graph: Lineage, target: Target
) -> Iterator[tuple[ArtifactRef, list[dict[str, Any]]]]:
    """Yield the tables that hold rows of a target, with these rows."""
    if target.of_corpus:
        kind, query, belongs = "raw_pairs", asked.PAIRS_OF, target.holds_pair
        parameters: dict[str, Any] = {
            "corpus": target.provider,
            "document": None if target.kind == "corpus" else target.document,
        }
    elif target.of_dictionary:
        kind, query, belongs = "entries", asked.ENTRIES_OF, target.holds_entry
        parameters = {"dictionary": target.provider}
    else:
        return
    for ref in raw_tables(graph, workspace, kind):
        rows = [row for row in workspace.query(query, {kind: ref}, parameters) if belongs(row)]
        if rows:
            yield ref, rows


def _identity(row: Mapping[str, Any]) -> Any:
    return row.get("pair_id") or (row["dictionary"], row["line"], row["source"], row["target"])


def _sentences(
    workspace: Workspace, graph: Lineage, target: Target, rows: Sequence[Mapping[str, Any]]
) -> list[Sentence]:
    kept_as: dict[str, dict[str, set[str]]] = {}
    words = raw_tables(graph, workspace, "words")
    if target.of_corpus and words and rows:
        parameters = {"pair_ids": [row["pair_id"] for row in rows]}
        for row in workspace.query(asked.WORDS_OF, {"words": words}, parameters):
            sides = kept_as.setdefault(row["pair_id"], {"source": set(), "target": set()})
            sides["source"] |= {row["source"], "".join(row["source_words"])}
            sides["target"] |= {row["target"], " ".join(row["target_words"])}
    found = (
        sentence_of(
            row[side],
            is_source=side == "source",
            kept_as=sorted(kept_as.get(row.get("pair_id", ""), {}).get(side, ())),
        )
        for row in rows
        for side in ("source", "target")
    )
    return list(dict.fromkeys(filter(None, found)))


def _remaining(
    workspace: Workspace,
    graph: Lineage,
    current: Current,
    target: Target,
    rows: Iterable[Mapping[str, Any]],
) -> Iterator[str]:
    """Yield the texts of all current sources but the target's, as read and as cut into words."""
    for ref in current.sources:
        for row in workspace.read_rows(ref):
            belongs = (ref.kind == "raw_pairs" and target.holds_pair(row)) or (
                ref.kind == "entries" and target.holds_entry(row)
            )
            if not belongs:
                yield row["source"]
                yield from row["references"] if ref.kind == "test_lines" else (row["target"],)
    words = [ref for ref in raw_tables(graph, workspace, "words") if ref in current.refs]
    if words:
        gone = [row["pair_id"] for row in rows] if target.of_corpus else []
        for row in workspace.query(asked.TEXTS_OF_PAIRS, {"words": words}, {"pair_ids": gone}):
            yield from (row["source"], row["target"])


def _resting(
    workspace: Workspace,
    graph: Lineage,
    snapshot: Snapshot | None,
    target: Target,
    rows: Sequence[Mapping[str, Any]],
) -> tuple[str, ...]:
    """Return the phrases that only the target speaks for."""
    if snapshot is None or not all(map(workspace.holds, snapshot.tables + (snapshot.evidence,))):
        return ()
    lines = sorted({row["line"] for row in rows}) if target.kind == "entry" else []
    claimed: Sequence[Mapping[str, Any]] = workspace.query(
        asked.CLAIMED_BY_ONE,
        {"phrases": snapshot.phrases, "evidence": snapshot.evidence},
        {"provider": target.provider, "lines": lines, "line_count": len(lines)},
    )
    if target.kind in ("document", "line"):
        claimed = _only_in(workspace, graph, snapshot, claimed, {row["pair_id"] for row in rows})
    return tuple(row["phrase_id"] for row in claimed)


def _only_in(
    workspace: Workspace,
    graph: Lineage,
    snapshot: Snapshot,
    phrases: Sequence[Mapping[str, Any]],
    pair_ids: set[str],
) -> list[Mapping[str, Any]]:
    """Return the phrases that stand in some of these pairs and in no other pair."""
    inside: set[int] = set()
    outside: set[int] = set()
    matcher = Matcher(([row["source"]], index) for index, row in enumerate(phrases))
    for ref in training_pairs(graph, snapshot, workspace):
        for row in workspace.read_rows(ref, ["pair_id", "source_words", "target_words"]):
            text = f" {' '.join(row['target_words'])} ".casefold()
            where = inside if row["pair_id"] in pair_ids else outside
            where.update(
                match.phrase
                for match in matcher.find(row["source_words"])
                if f" {phrases[match.phrase]['target']} ".casefold() in text
            )
    return [phrases[index] for index in sorted(inside - outside)]


def condemned(graph: Lineage, found: Found) -> list[Node]:
    """Return the artifacts that were made of a target, and the runs that made them."""
    roots = [artifact_id(ref) for ref in found.tables]
    return [graph.nodes[root] for root in roots] + graph.reachable(roots, "down")


def readings_of(graph: Lineage, found: Found, current: Current) -> Counter[str]:
    """Count the readings that would be done again."""
    runs = {
        node.node_id: node
        for ref in found.tables
        for node in graph.neighbours(artifact_id(ref), "up")
        if node.detail["key"] in current.keys
    }
    return Counter(node.detail["step"] for node in runs.values())


def models_of(
    workspace: Workspace, graph: Lineage, snapshot: Snapshot | None, found: Found
) -> list[dict[str, Any]]:
    """Return the models that were trained on a target, or were offered a phrase."""
    if found.target.kind == "phrase" and snapshot is not None:
        explained = [
            item
            for identity in found.target.phrase_ids
            for item in explain(workspace, graph, snapshot, identity, num_lines=1)
        ]
        trained = {row["model"] for item in explained for row in item.models if row["offered"]}
    else:
        below = condemned(graph, found)
        trained = {node.ref.digest for node in below if node.ref and node.ref.kind == "model"}
    return [
        {"model": entry.model_id, "system": entry.system, "registered": entry.registered}
        for entry in workspace.registry.entries()
        if entry.model_id in trained
    ]
