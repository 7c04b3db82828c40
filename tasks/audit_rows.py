"""The chain behind, or below, one row: a pair that was read, a phrase, a sentence of a test set."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storage.datasets import ArtifactRef
from storage.lineage import Direction, Lineage, artifact_id
from storage.memory import Snapshot
from storage.records import ID_LENGTH
from storage.workspace import Workspace
from tasks.audit_explain import SHORTEST_PREFIX, Explanation, explain
from tasks.audit_tables import outputs_of, raw_tables
from tasks.audit_trace import trace
from tasks.lineage import queries
from tasks.lineage.tree import Branch
from tasks.reports.evidence_text import evidence_text

_LINES_EACH = 3
"""Training lines that are shown behind a mined phrase."""
_BELOW_ARTIFACT = 50
"""Levels behind a table that a row stands in."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Where rows are looked up."""

    workspace: Workspace
    graph: Lineage
    snapshot: Snapshot
    direction: Direction


def trace_row(rows: Rows, text: str) -> list[Branch]:
    """Return the chains of the pairs, phrases and sentences whose id begins so; usually one."""
    if len(text) < SHORTEST_PREFIX:
        return []
    found: list[Branch] = []
    sentences, others = (_sentences, _asked), (_pairs, _phrases)
    is_sentence = ":" in text
    for look_up in (*sentences, *others) if is_sentence else (*others, *sentences):
        found += look_up(rows, text)
        if found and (is_sentence or len(text) >= ID_LENGTH):
            break  # a whole id is of one thing
    return found


def _pairs(rows: Rows, text: str) -> Iterator[Branch]:
    for ref, row in _with_id(rows, "raw_pairs", queries.PAIRS_BY_ID, text):
        title = f"pair of {row['corpus']}, {row['file']}, line {row['line']:,} ({row['licence']})"
        below = _below_pair if rows.direction == "down" else _table_behind
        yield Branch(row["pair_id"], "pair", title, branches=list(below(rows, ref, row)))


def _with_id(
    rows: Rows, kind: str, query: str, prefix: str
) -> Iterator[tuple[ArtifactRef, dict[str, Any]]]:
    """Yield the tables of a kind that hold rows with an id, with these rows; each row once."""
    known: set[str] = set()
    for ref in raw_tables(rows.graph, rows.workspace, kind):
        for row in rows.workspace.query(query, {kind: ref}, {"prefix": prefix}):
            identity = str(next(iter(row.values())))
            if identity not in known:
                known.add(identity)
                yield ref, row


def _table_behind(rows: Rows, ref: ArtifactRef, row: Mapping[str, Any]) -> list[Branch]:
    node = rows.graph.nodes[artifact_id(ref)]
    return trace(rows.graph, [node], "up", _BELOW_ARTIFACT)


def _below_pair(rows: Rows, ref: ArtifactRef, row: Mapping[str, Any]) -> Iterator[Branch]:
    """Yield what became of a pair: why it was dropped, or the phrases that it speaks for."""
    one = {"pair_id": row["pair_id"]}
    for table in raw_tables(rows.graph, rows.workspace, "dropped"):
        for dropped in rows.workspace.query(queries.DROPPED_PAIR, {"dropped": table}, one):
            detail = f" ({dropped['detail']})" if dropped["detail"] else ""
            yield Branch(artifact_id(table), "artifact", f"dropped: {dropped['reason']}{detail}")
    kept = raw_tables(rows.graph, rows.workspace, "pairs")
    for pair in rows.workspace.query(queries.KEPT_PAIR, {"pairs": kept}, one) if kept else []:
        for identity in phrases_in(rows.workspace, rows.snapshot, pair):
            yield from _phrases(rows, identity)


def phrases_in(
    workspace: Workspace, snapshot: Snapshot, pair: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return the ids of the mined phrases of which a pair, cut into words, holds both sides."""
    sides = {
        "source": "".join(pair["source_words"]),
        "target": f" {' '.join(pair['target_words'])} ",
    }
    found = workspace.query(queries.PHRASES_IN, {"phrases": snapshot.phrases}, sides)
    return [row["phrase_id"] for row in found]


def _phrases(rows: Rows, text: str) -> Iterator[Branch]:
    for found in explain(rows.workspace, rows.graph, rows.snapshot, text, num_lines=_LINES_EACH):
        yield _phrase_branch(rows, found)


def _phrase_branch(rows: Rows, found: Explanation) -> Branch:
    phrase = found.phrase
    title = f"phrase {phrase['source']} = {phrase['target']} ({phrase['origin']})"
    branches = _uses(found) if rows.direction == "down" else _origins(rows, found)
    return Branch(phrase["phrase_id"], "phrase", title, branches=list(branches))


def _origins(rows: Rows, found: Explanation) -> Iterator[Branch]:
    """Yield what a phrase rests on: rules, lines of dictionaries, decisions, training lines."""
    if not found.evidence:
        provider = found.phrase.get("provider", "")
        yield Branch(f"rule/{provider}", "rule", f"rule {provider}")
    for row in found.evidence:
        branches = list(_readings(rows, row)) if row["origin"] != "mined" else []
        identity = f"evidence/{row['origin']}/{row['provider']}/{row['line']}"
        yield Branch(identity, "evidence", evidence_text(row), branches=branches)
    for line in found.occurrences:
        title = f"line {line.line:,} of {line.file} in {line.corpus} ({line.licence})"
        yield Branch(line.pair_id, "pair", title)
    if found.num_lines > len(found.occurrences):
        more = f"{found.num_lines - len(found.occurrences):,} more training lines"
        yield Branch("more", "pair", more, cut_off=True)


def _readings(rows: Rows, evidence: Mapping[str, Any]) -> Iterator[Branch]:
    """Yield the runs that read a dictionary, with the file that they read."""
    for node in rows.graph.nodes.values():
        if node.kind == "run" and node.title == f"dictionary {evidence['provider']}":
            yield from trace(rows.graph, [node], "up", 1)


def _uses(found: Explanation) -> Iterator[Branch]:
    for row in found.models:
        title = f"model {row['system']}, offered to {row['offered']:,} training sentences"
        yield Branch(f"model/{row['model']}", "artifact", title, row["registered"])
    for row in found.uses:
        title = (
            f"translation {row['evaluation']}: offered {row['offered']:,}, appeared "
            f"{row['appeared']:,}, produced {row['produced']:,}"
        )
        yield Branch(f"use/{row['evaluation']}/{row['model']}", "use", title, row["time"])


def _sentences(rows: Rows, text: str) -> Iterator[Branch]:
    for ref, row in _with_id(rows, "test_lines", queries.SENTENCES_BY_ID, text):
        title = f"sentence {row['position'] + 1:,} of {row['testset']}"
        branches = (
            list(_translations(rows, row["sentence_id"]))
            if rows.direction == "down"
            else _table_behind(rows, ref, row)
        )
        yield Branch(row["sentence_id"], "sentence", title, branches=branches)


def _asked(rows: Rows, text: str) -> Iterator[Branch]:
    """Yield the sentences that users translated and had recorded."""
    for ref in rows.workspace.translations.tables():
        if not rows.workspace.holds(ref) or artifact_id(ref) not in rows.graph.nodes:
            continue
        found = rows.workspace.query(queries.ASKED_BY_ID, {"asked": ref}, {"prefix": text})
        for row in found:
            identity = row["sentence_id"]
            branches = (
                list(_translations(rows, identity))
                if rows.direction == "down"
                else _table_behind(rows, ref, row)
            )
            title = f"sentence of a user: {''.join(row['source_words'])}"
            yield Branch(identity, "sentence", title, branches=branches)


def _translations(rows: Rows, sentence_id: str) -> Iterator[Branch]:
    """Yield each system's translation with its slots, and behind each slot where it came from."""
    upwards = Rows(rows.workspace, rows.graph, rows.snapshot, "up")
    once: dict[str, Branch] = {}
    for output in outputs_of(rows.graph, rows.workspace, "translate"):
        for row in rows.workspace.query(
            queries.TRANSLATION, {"translations": output.ref}, {"sentence_id": sentence_id}
        ):
            slots = [
                _slot_branch(slot, use, lambda slot: _behind_slot(upwards, slot, once))
                for slot, use in zip(row["slots"], row["uses"], strict=True)
            ]
            title = f"{output.run.title.removeprefix('translate ')}: {' '.join(row['words'])}"
            yield Branch(artifact_id(output.ref), "artifact", title, output.run.time, slots)


def _slot_branch(
    slot: Mapping[str, Any], use: str, behind: Callable[[Mapping[str, Any]], list[Branch]]
) -> Branch:
    title = f"slot {slot['slot']}: {slot['source']} = {slot['target']}, {use}"
    return Branch(f"slot/{slot['slot']}", "slot", title, branches=behind(slot))


def _behind_slot(rows: Rows, slot: Mapping[str, Any], once: dict[str, Branch]) -> list[Branch]:
    """Return where a slot's phrase came from; what was spelled out before is only named."""
    identity = slot["phrase_id"]
    if slot["origin"] == "rule":
        return [Branch(f"rule/{slot['provider']}", "rule", f"rule {slot['provider']}")]
    if identity in once:
        known = once[identity]
        return [Branch(known.node_id, known.kind, known.title, seen_above=True)]
    found = list(_phrases(rows, identity))
    once.update({branch.node_id: branch for branch in found})
    return found
