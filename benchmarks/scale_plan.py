"""What a hundred million pairs would take, from the measured costs of a run that was.

`python -m benchmarks.scale_plan -c FILE [--pairs 100000000]` prints two tables of Markdown: what
each step of the newest refresh of the workspace cost for a million pairs, and the expected wall
time on several clusters. Costs are taken to grow with the number of pairs; the aligner, which is
trained on a sample at that size, does not.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.cluster_simulation import Cluster, Stage, simulate
from benchmarks.results_page import markdown_table
from flows.opening import open_settings
from flows.pipeline import STEPS
from storage.datasets import ArtifactRef
from storage.workspace import Workspace

MILLION = 1e6
SHARD_SECONDS, LEAST_SHARD_SECONDS = 300.0, 30.0
"""Aimed at time of one shard: long beside what handing it out costs, short beside a loss; shorter
where there are more workers than shards of that length."""
WORKERS_OF_A_MACHINE = 16
MACHINES = (1, 10, 100)
SHARDED = frozenset(
    (
        *("words", "quality", "judge", "clean", "align", "linked", "mine", "sequences"),
        *("contexts", "term-units", "judge-terms", "confirm", "settle", "lexical-counts"),
        *("overhangs", "rule-uses", "tag"),
    )
)
SAMPLED = frozenset({"aligner"})
"""Steps that see a sample of fixed size, however many pairs there are."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What all calls of a step took together, and the largest of them."""

    processor_seconds: float
    bytes_read: int
    bytes_written: int
    peak_bytes: int
    wall_seconds: float = 0.0
    """Of all calls, one after the other."""


def costs(workspace: Workspace) -> tuple[int, dict[str, Cost]]:
    """Return the pairs that were read, and the costs of each step, in the order of the steps.

    The newest computation of each call counts.
    """
    newest = {
        record.body["label"]: record.body
        for record in workspace.ledger.records()
        if record.kind == "run"
    }
    by_step: dict[str, list[Mapping[str, Any]]] = {}
    for body in newest.values():
        by_step.setdefault(body["step"], []).append(body)
    pairs = sum(
        ref["rows"]
        for body in by_step.get("ingest", ())
        for ref in body["outputs"]
        if ref["kind"] == "raw_pairs"
    )
    order = [name for name in STEPS if name in by_step]
    return pairs, {name: _cost(workspace, by_step[name]) for name in order}


def _cost(workspace: Workspace, bodies: Sequence[Mapping[str, Any]]) -> Cost:
    return Cost(
        sum(body["processor_seconds"] for body in bodies),
        sum(_size(workspace, body["inputs"]) for body in bodies),
        sum(_size(workspace, body["outputs"]) for body in bodies),
        max(body["peak_memory_bytes"] for body in bodies),
        sum(body["seconds"] for body in bodies),
    )


def _size(workspace: Workspace, value: Any) -> int:
    """Return the bytes of all artifacts that are named anywhere in a plain value."""
    if isinstance(value, Mapping):
        if {"kind", "digest", "rows"} <= value.keys():
            folder = workspace.folder_of(ArtifactRef.from_json(value))
            return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        return sum(_size(workspace, item) for item in value.values())
    return sum(_size(workspace, item) for item in value) if isinstance(value, list) else 0


def stages_of(measured: Mapping[str, Cost], pairs: int, wanted: float, workers: int) -> list[Stage]:
    """Return the stages of a refresh of `wanted` pairs, if `pairs` cost what was measured."""
    stages = []
    for name, cost in measured.items():
        scale = 1 if name in SAMPLED else wanted / pairs
        seconds = cost.processor_seconds * scale
        stages.append(Stage(name, seconds, _shards(seconds, workers) if name in SHARDED else 1))
    return stages


def _shards(seconds: float, workers: int) -> int:
    fewest, most = seconds / SHARD_SECONDS, seconds / LEAST_SHARD_SECONDS
    return max(2, round(fewest), min(2 * workers, round(most)))


def page(workspace: Workspace, wanted: float) -> Iterator[str]:
    """Yield the parts of the page."""
    pairs, measured = costs(workspace)
    per_million = MILLION / pairs
    yield f"Measured on {pairs:,} pairs, ledger `{workspace.ledger.digest()}`:\n"
    yield markdown_table(
        ["step", "processor s", "MB read", "MB written", "peak MB, not scaled", "in shards"],
        [
            [
                name,
                f"{cost.processor_seconds * (1 if name in SAMPLED else per_million):,.1f}",
                f"{cost.bytes_read * per_million / 1e6:,.0f}",
                f"{cost.bytes_written * per_million / 1e6:,.0f}",
                f"{cost.peak_bytes / 1e6:,.0f}",
                "yes" if name in SHARDED else "a sample" if name in SAMPLED else "no",
            ]
            for name, cost in measured.items()
        ],
    )
    yield f"Simulated for {wanted:,.0f} pairs:\n"
    yield markdown_table(
        ["machines", "workers", "hours", "of it not in shards", "shards run again", "copies"],
        [_row(machines, measured, pairs, wanted) for machines in MACHINES],
    )


def _row(machines: int, measured: Mapping[str, Cost], pairs: int, wanted: float) -> list[str]:
    workers = machines * WORKERS_OF_A_MACHINE
    stages = stages_of(measured, pairs, wanted, workers)
    times = simulate(stages, Cluster(workers), seed=1)
    alone = sum(
        time.wall_seconds for time, stage in zip(times, stages, strict=True) if stage.shards == 1
    )
    return [
        f"{machines}",
        f"{workers:,}",
        f"{sum(time.wall_seconds for time in times) / 3600:,.1f}",
        f"{alone / 3600:,.1f}",
        f"{sum(time.lost for time in times):,}",
        f"{sum(time.copies for time in times):,}",
    ]


def main() -> int:
    """Print the tables for the workspace of a settings file."""
    parser = argparse.ArgumentParser(description="Print what many pairs would take.")
    parser.add_argument("-c", "--config", required=True, metavar="FILE")
    parser.add_argument("--pairs", type=float, default=1e8)
    options = parser.parse_args()
    _, workspace = open_settings(Path(options.config))
    sys.stdout.write("\n".join(page(workspace, options.pairs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
