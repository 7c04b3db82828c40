"""Remove from a workspace what nothing needs any more, and record it, so that an audit stays
clean.
"""

import contextlib
import datetime
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from storage import inventory
from storage.datasets import ArtifactRef
from storage.lineage import lineage_of
from storage.mirror import mirror_of
from storage.object_store import StoredObject
from storage.workspace import Workspace
from tasks.retention import (
    MaintenanceConfig,
    kept_snapshots,
    last_use,
    needed,
    removable,
)
from tasks.withdraw import remove_artifacts

_DAY_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What maintenance would remove, or has removed."""

    artifacts: tuple[ArtifactRef, ...]
    bytes: int
    snapshots: tuple[str, ...]
    """Ids of the snapshots whose tables go; their names and history stay."""
    checkpoints: tuple[str, ...]
    """Cache keys of trainings that were given up."""
    locks: tuple[Path, ...]
    strays: tuple[StoredObject, ...] = ()
    """Objects in the workspace's bucket that its index does not name."""

    @property
    def by_kind(self) -> Mapping[str, int]:
        """Return how many artifacts go, by kind."""
        return dict(sorted(Counter(ref.kind for ref in self.artifacts).items()))


def plan_upkeep(
    workspace: Workspace,
    config: MaintenanceConfig,
    current: frozenset[ArtifactRef],
    now: datetime.datetime,
) -> Upkeep:
    """Say what may go; nothing is changed.

    Args:
        workspace: the workspace.
        config: the limits.
        current: what is up to date with the settings.
        now: the time, with its zone.
    """
    graph, records = lineage_of(workspace), list(workspace.ledger.readable_records())
    snapshots = kept_snapshots(workspace, config.snapshots)
    held = {item.ref: item for item in inventory.artifacts(workspace.root)}
    used = last_use(records)
    ages = {ref: now - used.get(ref, _moment(item.written)) for ref, item in held.items()}
    gone = removable(ages, current | needed(workspace, graph, snapshots), config)
    kept_ids = {snapshot.snapshot_id for snapshot in snapshots}
    return Upkeep(
        tuple(gone),
        sum(held[ref].bytes for ref in gone),
        _snapshots_without(workspace, kept_ids, frozenset(gone)),
        tuple(workspace.checkpoints.older_than(now.timestamp() - _seconds(config))),
        tuple(inventory.idle_locks(workspace.root, config.artifact_days * _DAY_SECONDS)),
        _strays(workspace, now - datetime.timedelta(hours=config.stray_hours)),
    )


def _strays(workspace: Workspace, before: datetime.datetime) -> tuple[StoredObject, ...]:
    mirror = mirror_of(workspace.root)
    return () if mirror is None else tuple(mirror.strays(before))


def _seconds(config: MaintenanceConfig) -> float:
    return float(config.checkpoint_days * _DAY_SECONDS)


def _moment(seconds: float) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)


def _snapshots_without(
    workspace: Workspace, kept: set[str], gone: frozenset[ArtifactRef]
) -> tuple[str, ...]:
    """Return the snapshots of the history that lose a table."""
    names = dict.fromkeys(entry.snapshot_id for entry in workspace.memory.history())
    found = []
    for name in names:
        if name not in kept:
            snapshot = workspace.memory.snapshot(name)
            if gone & {*snapshot.tables, snapshot.evidence}:
                found.append(name)
    return tuple(found)


def carry_out(workspace: Workspace, upkeep: Upkeep, flow_run: str = "") -> None:
    """Record and remove; the caller holds the lease.

    The record comes first: after a crash in between, the rest goes with the next maintenance.
    """
    if upkeep.artifacts:
        body = {
            "decision": "maintain",
            "author": "",
            "reason": "retention of [maintenance]",
            "purged": [ref.to_json() for ref in upkeep.artifacts],
            "snapshots": list(upkeep.snapshots),
            "flow_run": flow_run,
        }
        workspace.ledger.append("decision", body)
        remove_artifacts(workspace, upkeep.artifacts)
    for key in upkeep.checkpoints:
        workspace.checkpoints.drop(key)
    for path in upkeep.locks:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
    mirror = mirror_of(workspace.root)
    if mirror is not None:
        mirror.remove_strays(item.path for item in upkeep.strays)
