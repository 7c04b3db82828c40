"""What maintenance keeps and what it may remove: the rules, on the lineage and the age of things.

Kept whatever its age: what is up to date with the settings; the current snapshot of the memory and
each registered model, with all that they were made from; the tables of recent snapshots and of
those that models were tagged with; models, reports, scores, what people said, and what users had
translated and recorded. What is left is removed once nobody has written or reused it for a while:
all of it can be made again.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from storage.datasets import ArtifactRef
from storage.errors import ConfigError, PhrasenetError
from storage.ledger import LedgerRecord
from storage.lineage import Lineage, artifact_id
from storage.memory import Snapshot
from storage.workspace import Workspace

NEVER_REMOVED = frozenset(
    {
        "model",
        "report",
        "scores",
        "comparisons",
        "gate_findings",
        "decisions",
        "ratings",
        "worksheets",
        "tombstones",
    }
)
"""Kinds of artifacts that people cite, or that nothing can make again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenanceConfig:
    """For how long what nothing needs any more is kept; `phrasenet maintain` removes it."""

    snapshots: int = 14
    """Newest snapshots of the memory that keep their tables, beside the current one and those of
    registered models; a rollback to any other is not possible any more."""
    artifact_days: int = 30
    """Days after which a result that nothing needs is removed, since it was last made or reused."""
    checkpoint_days: int = 14
    """Days after which the checkpoint of a training that was given up is removed."""
    run_days: int = 30
    """Days after which Prefect's record of a flow run that ended is removed; the ledger keeps its
    own for ever."""
    stray_hours: int = 24
    """Hours after which an object in the bucket of a workspace on S3 is removed if its index does
    not name it, such as what a machine sent that died; more than a push may take."""

    def __post_init__(self) -> None:
        """Refuse negative numbers."""
        limits = ("snapshots", "artifact_days", "checkpoint_days", "run_days", "stray_hours")
        for name in limits:
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be 0 or more.")


def kept_snapshots(workspace: Workspace, number: int) -> list[Snapshot]:
    """Return the snapshots that keep their tables: the current one, the `number` newest of the
    history, those of registered models, and those of backfills.

    Those whose file is damaged are left out; `verify` tells of them.
    """
    memory, head = workspace.memory, workspace.memory.head()
    history = [entry.snapshot_id for entry in memory.history()]
    names = list(dict.fromkeys(reversed(history)))[:number]
    names += [entry.snapshot_id for entry in workspace.registry.entries()]
    names += [item.body["snapshot"] for item in _records(workspace, "backfill")]
    found = [head] if head is not None else []
    for name in dict.fromkeys(names):
        try:
            found.append(memory.snapshot(name))
        except PhrasenetError:
            continue
    return found


def _records(workspace: Workspace, kind: str) -> Iterator[LedgerRecord]:
    return (item for item in workspace.ledger.readable_records() if item.kind == kind)


def needed(
    workspace: Workspace, graph: Lineage, snapshots: Iterable[Snapshot]
) -> frozenset[ArtifactRef]:
    """Return the tables of snapshots, of people's decisions and of what users had recorded, and all
    that the current memory and the models came from.

    With them goes what the same runs wrote beside it: a step is reused whole or not at all.
    """
    head = workspace.memory.head()
    models = [entry.ref for entry in workspace.registry.entries()]
    roots = [*models, *(_tables(head) if head is not None else ())]
    ids = [artifact_id(ref) for ref in roots if artifact_id(ref) in graph.nodes]
    above = graph.reachable(ids, "up")
    refs = [node.ref for node in above if node.ref is not None]
    outputs = [value for node in above if node.kind == "run" for value in node.detail["outputs"]]
    of_snapshots = [ref for snapshot in snapshots for ref in _tables(snapshot)]
    decided = [
        node.detail["table"]
        for node in graph.nodes.values()
        if node.kind == "decision" and "table" in node.detail
    ]
    values = map(ArtifactRef.from_json, [*outputs, *decided])
    recorded = workspace.translations.tables()
    return frozenset([*roots, *refs, *values, *of_snapshots, *recorded])


def _tables(snapshot: Snapshot) -> tuple[ArtifactRef, ...]:
    return (*snapshot.tables, snapshot.evidence)


def last_use(records: Iterable[LedgerRecord]) -> Mapping[ArtifactRef, datetime.datetime]:
    """Return when each artifact was last computed or reused."""
    outputs: dict[str, list[ArtifactRef]] = {}
    used: dict[ArtifactRef, datetime.datetime] = {}
    for record in records:
        if record.kind == "run":
            refs = [ArtifactRef.from_json(value) for value in record.body["outputs"]]
            outputs[record.body["key"]] = refs
        elif record.kind != "reuse":
            continue
        time = datetime.datetime.fromisoformat(record.time)
        for ref in outputs.get(record.body["key"], ()):
            used[ref] = max(time, used.get(ref, time))
    return used


def removable(
    ages: Mapping[ArtifactRef, datetime.timedelta],
    needed_refs: frozenset[ArtifactRef],
    config: MaintenanceConfig,
) -> list[ArtifactRef]:
    """Return the artifacts that may go, in the order of their kinds and digests.

    Args:
        ages: how long ago each artifact that the workspace holds was last made or used.
        needed_refs: what stays whatever its age.
        config: the limits.
    """
    limit = datetime.timedelta(days=config.artifact_days)
    found = [
        ref
        for ref, age in ages.items()
        if age >= limit and ref not in needed_refs and ref.kind not in NEVER_REMOVED
    ]
    return sorted(found, key=lambda ref: (ref.kind, ref.digest))
