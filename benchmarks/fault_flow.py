"""A small flow of every kind of step, for many schedules of faults in little time.

It has shards, a merge, a snapshot, a training with a checkpoint, and days on which some of its
sources change. Workspace, cache, ledger, lease and registry are those of every flow.
"""

import uuid
from pathlib import Path

from storage.datasets import ArtifactRef
from storage.memory import Snapshot
from storage.registry import SourceLicence
from storage.workspace import Workspace, open_workspace
from tasks.run import Run
from tasks.step import current_call, step
from tasks.window import StepWindow

STEPS = ("fault-read", "fault-double", "fault-merge", "fault-settle", "publish", "fault-train")
SHARDS = 3
_DELAYS = (0.0, 0.0)
_DOUBLED = "SELECT source, 2 * count AS count FROM counts ORDER BY source"
_MERGED = "SELECT source, SUM(count)::BIGINT AS count FROM counts GROUP BY source ORDER BY source"


@step(name="fault-read", writes=("source_counts",), retry_delays_seconds=_DELAYS)
def read(workspace: Workspace, *, shard: int, edition: int) -> ArtifactRef:
    """Read a shard of the sources."""
    rows = [{"source": f"词{number}", "count": number + edition} for number in range(shard, 40, 2)]
    return workspace.write_rows("source_counts", rows)


@step(name="fault-double", writes=("source_counts",), retry_delays_seconds=_DELAYS)
def double(workspace: Workspace, *, counts: ArtifactRef) -> ArtifactRef:
    """Count a shard."""
    return workspace.write_query("source_counts", _DOUBLED, {"counts": counts})


@step(name="fault-merge", writes=("source_counts",), retry_delays_seconds=_DELAYS)
def merge(workspace: Workspace, *, counts: tuple[ArtifactRef, ...]) -> ArtifactRef:
    """Add up all shards."""
    return workspace.write_query("source_counts", _MERGED, {"counts": counts})


@step(name="fault-settle", writes=("source_counts", "target_counts"), retry_delays_seconds=_DELAYS)
def settle(workspace: Workspace, *, merged: ArtifactRef) -> tuple[ArtifactRef, ArtifactRef]:
    """Make two tables that belong together."""
    rows = list(workspace.read_rows(merged))
    targets = [{"target": row["source"], "count": row["count"]} for row in rows]
    return (
        workspace.write_rows("source_counts", rows[::2]),
        workspace.write_rows("target_counts", targets),
    )


@step(name="fault-train", writes=("model",), retry_delays_seconds=_DELAYS)
def train(workspace: Workspace, *, phrases: ArtifactRef) -> ArtifactRef:
    """Add numbers up in three goes, with a checkpoint after each."""
    key, numbers = current_call().key, workspace.read_columns(phrases, ["count"])["count"]
    kept = workspace.checkpoints.get(key)
    done, total = (0, 0) if kept is None else map(int, kept["state"].split())
    for go in range(done, 3):
        total += sum(numbers[go::3])
        workspace.checkpoints.put(key, {"state": f"{go + 1} {total}".encode()}, about={}, keep=2)
    ref = workspace.write_bundle("model", {"weights": str(total).encode()})
    workspace.checkpoints.drop(key)
    return ref


def small_flow(root: Path, day: int) -> None:
    """Refresh and train for a day, as the driver of a flow does."""
    workspace = open_workspace(root)
    with workspace.lease():
        workspace.sweep()
        run = Run(workspace, StepWindow(STEPS), flow_run=f"{day}-{uuid.uuid4().hex}")
        workspace.ledger.append("flow", {"flow": "small", "flow_run": run.flow_run})
        calls = [
            run.prepare(read, f"{shard}", shard=shard, edition=day if shard == day % SHARDS else 0)
            for shard in range(SHARDS)
        ]
        counts = run.all(calls)
        doubled = run.all(
            [run.prepare(double, f"{number}", counts=ref) for number, ref in enumerate(counts)]
        )
        merged = run.one(merge, "", counts=tuple(doubled))
        snapshot = Snapshot(*run.one(settle, "", merged=merged))
        run.publish("publish", snapshot)
        model = run.one(train, "", phrases=snapshot.phrases)
        licence = SourceLicence("corpus", "words", "Apache-2.0")
        run.register("fault-train", model, "small", snapshot, (licence,))
        workspace.ledger.append("end", {"flow_run": run.flow_run, "outcome": "completed"})


def say_something(root: Path) -> None:
    """Let a person decide something, which no fault may lose."""
    workspace = open_workspace(root)
    with workspace.lease():
        table = workspace.write_rows("decisions", [])  # changes no memory
        workspace.decisions.append(table)
        body = {"decision": "review", "author": "", "reason": "", "table": table.to_json()}
        workspace.ledger.append("decision", body)
