"""Where a model came from: its training, the snapshot of the memory, and every source behind it."""

from dataclasses import dataclass
from typing import Any

from storage.lineage import Lineage, Node, run_id
from storage.memory import HistoryEntry
from storage.registry import ModelEntry, SourceLicence
from storage.workspace import Workspace

KINDS = {"ingest": "corpus", "dictionary": "dictionary", "testset": "testset"}
"""Steps that read sources, and what these are."""


@dataclass(frozen=True, slots=True)
class ReadSource:
    """A source as it was read for a model; of a test set, so that its sentences were held out."""

    kind: str
    """`corpus`, `dictionary` or `testset`."""
    name: str
    licence: str
    """Empty for a test set, from which nothing enters a model."""
    url: str
    attribution: str
    files: tuple[str, ...]
    """Digests of the files that were read."""
    rows: int
    """Pairs, entries or lines that came in."""
    record: int
    """Of the ledger, of the reading."""
    time: str


@dataclass(frozen=True, slots=True)
class ModelOrigin:
    """Where a model came from."""

    record: int | None
    """Of the ledger, of the training; None if it has none."""
    functions: int
    """How many functions the digest of the training's code stands for."""
    snapshot: dict[str, Any]
    """Id of the memory snapshot, and when it was published first; empty if it never was."""
    sources: tuple[ReadSource, ...]


def origin_of(workspace: Workspace, graph: Lineage, entry: ModelEntry) -> ModelOrigin:
    """Gather where a model came from, as things stood when it was trained.

    Args:
        workspace: the workspace.
        graph: its lineage.
        entry: the model.
    """
    training = graph.nodes.get(run_id(entry.run_key))
    published = next(filter(_is_of(entry.snapshot_id), workspace.memory.history()), None)
    snapshot = {"id": entry.snapshot_id, "published": published.time if published else ""}
    if training is None:
        return ModelOrigin(None, 0, snapshot, ())
    licences = {(item.kind, item.source): item for item in entry.licences}
    readings = [node for node in graph.behind(training) if node.detail["step"] in KINDS]
    sources = (_source(graph, node, licences) for node in readings)
    return ModelOrigin(
        record=training.sequences[0],
        functions=len(workspace.ledger.code(training.detail["code"])),
        snapshot=snapshot,
        sources=tuple(sorted(sources, key=lambda source: (source.kind, source.name))),
    )


def _is_of(snapshot_id: str) -> Any:
    def of_snapshot(entry: HistoryEntry) -> bool:
        return entry.snapshot_id == snapshot_id

    return of_snapshot


def _source(
    graph: Lineage, reading: Node, licences: dict[tuple[str, str], SourceLicence]
) -> ReadSource:
    step = reading.detail["step"]
    kind, name = KINDS[step], reading.title.removeprefix(step).strip()
    licence = licences.get((kind, name), SourceLicence(kind, name, ""))
    above = graph.neighbours(reading.node_id, "up")
    first = reading.detail["outputs"][0]["kind"]
    rows = [ref["rows"] for ref in reading.detail["outputs"] if ref["kind"] == first]
    return ReadSource(
        kind=kind,
        name=name,
        licence=licence.licence,
        url=licence.url,
        attribution=licence.attribution,
        files=tuple(node.node_id.partition("/")[2] for node in above if node.kind == "file"),
        rows=sum(rows),
        record=reading.sequences[0],
        time=reading.time,
    )
