"""What came from what, artifact by artifact: the graph that the ledger's records draw.

Nodes are files of users, artifacts, runs of steps, snapshots of the memory, and decisions of
people. An edge leads from what was there first to what was made of it. Results that were reused
need no edges of their own: the run that computed them has them.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Literal

from storage.datasets import ArtifactRef
from storage.errors import InputError, PhrasenetError
from storage.ledger import LedgerRecord
from storage.memory import Snapshot
from storage.moments import past_moment, shown
from storage.workspace import Workspace

NodeKind = Literal["file", "artifact", "run", "snapshot", "decision"]
Direction = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Node:
    """One thing in the history of a workspace."""

    node_id: str
    """Kind or step, a slash, and a digest, key or number: unique in a workspace."""
    kind: NodeKind
    title: str
    """What a person calls it."""
    time: str = ""
    """When it was recorded first, ISO 8601; empty for what no record dates."""
    ref: ArtifactRef | None = None
    """Of an artifact."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """The body of the record, of a run or decision."""
    sequences: list[int] = field(default_factory=list)
    """Of a run: the records that say that it was computed, and each time that it was reused."""


@dataclass(slots=True)
class Lineage:
    """The graph."""

    nodes: dict[str, Node] = field(default_factory=dict)
    above: dict[str, list[str]] = field(default_factory=dict)
    """What a node was made of, in the order of the records."""
    below: dict[str, list[str]] = field(default_factory=dict)
    """What was made of a node."""
    accepted: dict[str, str] = field(default_factory=dict)
    """Keys under which runs count since a person accepted a change of code, to their own keys."""

    def neighbours(self, node_id: str, direction: Direction) -> list[Node]:
        """Return what a node was made of (up), or what was made of it (down)."""
        edges = self.above if direction == "up" else self.below
        return [self.nodes[other] for other in edges.get(node_id, [])]

    def behind(self, run: Node) -> list[Node]:
        """Return the runs that a run rests on, one for each label: as things stood when it ran.

        Several runs may have made the same artifact; the one that was computed or reused last
        before this run speaks for it.
        """
        moment = run.sequences[0]
        newest: dict[str, tuple[int, Node]] = {}
        for node in self.reachable([run.node_id], "up"):
            before = [sequence for sequence in node.sequences if sequence < moment]
            if before and max(before) > newest.get(node.title, (-1, node))[0]:
                newest[node.title] = (max(before), node)
        return [node for _, node in newest.values()]

    def reachable(
        self, node_ids: Iterable[str], direction: Direction, without: Set[str] = frozenset()
    ) -> list[Node]:
        """Return all that can be reached, nearest first, without the beginnings, and without some
        nodes and what can be reached through them alone."""
        seen = list(dict.fromkeys(node_ids))
        known = {*seen, *without}
        first = len(seen)
        for node_id in seen:
            for node in self.neighbours(node_id, direction):
                if node.node_id not in known:
                    known.add(node.node_id)
                    seen.append(node.node_id)
        return [self.nodes[node_id] for node_id in seen[first:]]

    def find(self, text: str) -> Node:
        """Return the node with this id, or whose digest, key or number begins so.

        Raises:
            InputError: there is none, or more than one.
        """
        if text in self.nodes:
            return self.nodes[text]
        found = self.beginning_with(text)
        if not text:
            raise InputError("The id is empty. Name an id, or the beginning of one.")
        if len(found) != 1:
            several = ", ".join(node.node_id for node in found[:5])
            raise InputError(
                f"{len(found)} files, artifacts, runs and snapshots have an id that begins with "
                f"{text!r}{': ' + several if found else ''}; expected one. `phrasenet audit trace` "
                "takes ids of artifacts, runs, snapshots, models, pairs, sentences and phrases."
            )
        return found[0]

    def beginning_with(self, text: str) -> list[Node]:
        """Return the nodes whose digest, key or number begins so."""
        return [node for node in self.nodes.values() if _short(node.node_id).startswith(text)]

    def has(self, text: str) -> bool:
        """Say whether an id, or the beginning of one, names exactly one node."""
        try:
            self.find(text)
        except InputError:
            return False
        return True

    def add(self, node: Node) -> None:
        """Add a node; one that is there already stays as it is."""
        self.nodes.setdefault(node.node_id, node)

    def connect(self, upper: str, lower: str) -> None:
        """Add an edge between two nodes."""
        if lower not in self.below.setdefault(upper, []):
            self.below[upper].append(lower)
            self.above.setdefault(lower, []).append(upper)


def _short(node_id: str) -> str:
    return node_id.rpartition("/")[2]


def artifact_id(ref: ArtifactRef) -> str:
    """Return the id of an artifact's node."""
    return f"{ref.kind}/{ref.digest}"


def run_id(key: str) -> str:
    """Return the id of the node of a step's run."""
    return f"run/{key}"


def snapshot_node_id(snapshot_id: str) -> str:
    """Return the id of the node of a snapshot."""
    return f"snapshot/{snapshot_id}"


def lineage_of(workspace: Workspace, as_of: str | None = None) -> Lineage:
    """Draw the graph of a workspace.

    Args:
        workspace: the workspace.
        as_of: leave out what was recorded later: a date or time, or the id of a flow run, whose
            records still count.

    Raises:
        InputError: the ledger knows no such date or flow run.
    """
    graph = Lineage()
    for record in _until(list(workspace.ledger.readable_records()), as_of):
        if record.kind == "run":
            _add_run(graph, record)
        elif record.kind == "reuse":
            _note_reuse(graph, record)
        elif record.kind in ("publish", "backfill"):
            _add_snapshot(graph, workspace, record)
        elif record.kind == "decision":
            _add_decision(graph, record)
    _free_words_of_models(graph)
    return graph


def _free_words_of_models(graph: Lineage) -> None:
    """Take out the edges by which sentences would rest on a model that is only tested on them.

    The gate cuts test sentences with the words that a model knows. Where that gives the table that
    was made without a model, the table, and other models that were trained beside it, owe nothing
    to that model.
    """
    for node_id, makers in graph.above.items():
        if not node_id.startswith("words/"):
            continue
        tests = [maker for maker in makers if _reads_model(graph, maker)]
        if len(tests) == len(makers):
            continue
        for maker in tests:
            makers.remove(maker)
            graph.below[maker].remove(node_id)


def _reads_model(graph: Lineage, run: str) -> bool:
    return any(upper.startswith("model/") for upper in graph.above.get(run, []))


def _until(records: list[LedgerRecord], as_of: str | None) -> list[LedgerRecord]:
    if as_of is None:
        return records
    of_run = [number for number, item in enumerate(records) if item.body.get("flow_run") == as_of]
    if of_run:
        return records[: of_run[-1] + 1]
    moment = _moment(as_of)
    before = [item for item in records if datetime.datetime.fromisoformat(item.time) <= moment]
    if not before:
        first = f" The first record is of {shown(records[0].time)}." if records else ""
        raise InputError(f"Nothing had been recorded by {shown(moment.isoformat())}.{first}")
    return before


def _moment(text: str) -> datetime.datetime:
    try:
        return past_moment(text)
    except ValueError as error:
        raise InputError(
            f"{text!r} is neither the id of a flow run in the ledger nor a date or time; expected "
            "one such as 2026-03-01 or 2026-03-01T08:30."
        ) from error


def _add_run(graph: Lineage, record: LedgerRecord) -> None:
    body = record.body
    node_id = run_id(body["key"])
    graph.add(Node(node_id, "run", body["label"], record.time, detail=body))
    graph.nodes[node_id].sequences.append(record.sequence)
    for upper in _inputs(graph, body, record.time):
        graph.connect(upper, node_id)
    for value in body["outputs"]:
        ref = ArtifactRef.from_json(value)
        graph.add(Node(artifact_id(ref), "artifact", _title(ref, body["label"]), record.time, ref))
        graph.connect(node_id, artifact_id(ref))


def _note_reuse(graph: Lineage, record: LedgerRecord) -> None:
    key = record.body["key"]
    reused = graph.nodes.get(run_id(graph.accepted.get(key, key)))
    if reused is not None:  # else its record is lost, which `verify` tells
        reused.sequences.append(record.sequence)


def _title(ref: ArtifactRef, label: str) -> str:
    counted = "files" if ref.kind in ("model", "report") else "rows"
    return f"{ref.kind} of {label}, {ref.rows:,} {counted}"


def _inputs(graph: Lineage, body: Mapping[str, Any], time: str) -> Iterator[str]:
    """Yield the nodes that a run read, adding files, and artifacts whose run is not known."""
    for value in _leaves(body["inputs"]):
        if "artifact" in value:
            ref = ArtifactRef.from_json(value["artifact"])
            graph.add(Node(artifact_id(ref), "artifact", _title(ref, "unknown"), "", ref))
            yield artifact_id(ref)
        else:
            node_id = f"file/{value['file']}"
            graph.add(Node(node_id, "file", f"file read by {body['label']}", time))
            yield node_id


def _leaves(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the references in the inputs of a record."""
    if isinstance(value, Mapping):
        if set(value) == {"artifact"} or (set(value) == {"file"} and _is_text(value["file"])):
            yield value
            return
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)  # an argument may itself be called `file`


def _add_snapshot(graph: Lineage, workspace: Workspace, record: LedgerRecord) -> None:
    snapshot_id = record.body["snapshot"]
    node_id = snapshot_node_id(snapshot_id)
    graph.add(Node(node_id, "snapshot", f"snapshot {snapshot_id[:12]}", record.time))
    for ref in _tables_of(workspace, snapshot_id):
        graph.add(Node(artifact_id(ref), "artifact", _title(ref, "unknown"), "", ref))
        graph.connect(artifact_id(ref), node_id)


def _tables_of(workspace: Workspace, snapshot_id: str) -> list[ArtifactRef]:
    """Return the tables of a snapshot; none if it is gone, which `verify` tells."""
    try:
        snapshot: Snapshot = workspace.memory.snapshot(snapshot_id)
    except PhrasenetError:
        return []
    return [snapshot.phrases, snapshot.evidence]


def _add_decision(graph: Lineage, record: LedgerRecord) -> None:
    body = record.body
    node_id = f"decision/{record.sequence}"
    author = f" of {body['author']}" if body.get("author") else ""
    title = f"{body['decision']}{author}"
    graph.add(Node(node_id, "decision", title, record.time, detail=body))
    if "table" in body:
        ref = ArtifactRef.from_json(body["table"])
        graph.add(Node(artifact_id(ref), "artifact", _title(ref, title), record.time, ref))
        graph.connect(node_id, artifact_id(ref))
    uppers = [artifact_id(ref) for ref in _judged(body)]
    for call in body["calls"] if body["decision"] == "accept-unchanged" else ():
        graph.accepted[call["key"]] = call["of"]
        uppers.append(run_id(call["of"]))
    for upper in uppers:
        if upper in graph.nodes:
            graph.connect(upper, node_id)
    for name, upwards in (("from", True), ("to", False)):
        if body["decision"] == "rollback" and body.get(name):
            other = snapshot_node_id(body[name])
            if other in graph.nodes:
                graph.connect(*((other, node_id) if upwards else (node_id, other)))


def _judged(body: Mapping[str, Any]) -> Iterator[ArtifactRef]:
    """Yield the model that a decision about production is about, and what the gate found."""
    if body["decision"] in ("promote", "refuse-promotion", "rollback-model"):
        yield ArtifactRef("model", body["model"], 0)
        if "findings" in body:
            yield ArtifactRef.from_json(body["findings"])
