"""Write the figures of an evaluated workspace as Markdown: no sentence of its data, only numbers.

`python -m benchmarks.results_page -c laws.toml > results.md`, after `phrasenet run -c laws.toml`.
"""

import argparse
import os
import platform
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from flows.driver import step_window
from flows.opening import open_settings
from flows.pipeline import refresh, tag
from flows.planning import current_evaluation
from flows.settings import Settings
from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.memory_queries import stats
from tasks.run import Run

MEGABYTE = 1e6


def results_page(settings_file: Path) -> str:
    """Return the page; the workspace must be up to date with the settings."""
    settings, workspace = open_settings(settings_file)
    results = current_evaluation(workspace, settings)
    parts = [
        *_about(workspace, settings),
        *_scores(workspace, results),
        *_memory(workspace),
        *_offered(workspace, settings),
        *_uses(workspace, results),
        *_steps(workspace),
        "## Settings\n",
        f"```toml\n{settings_file.read_text('utf-8').rstrip()}\n```\n",
    ]
    return "\n".join(parts)


def _about(workspace: Workspace, settings: Settings) -> Iterator[str]:
    flow = [record for record in workspace.ledger.records() if record.kind == "flow"][-1]
    versions = ", ".join(f"{name} {version}" for name, version in flow.body["versions"].items())
    yield f"Command: `phrasenet run -c {settings.file.name}`\n"
    yield f"Machine: {platform.machine()}, {os.cpu_count()} processors, no GPU\n"
    yield f"Versions: {versions}\n"
    yield f"Ledger: digest `{workspace.ledger.digest()}`\n"


def _scores(
    workspace: Workspace, results: Mapping[str, Mapping[str, Mapping[str, ArtifactRef]]]
) -> Iterator[str]:
    for testset, systems in results.items():
        rows = [row for refs in systems.values() for row in workspace.read_rows(refs["scores"])]
        yield f"## Scores on {testset}\n"
        for metric in dict.fromkeys(row["metric"] for row in rows):
            chosen = [row for row in rows if row["metric"] == metric]
            subsets = {row["subset"]: row["sentences"] for row in chosen}
            values = {(row["system"], row["subset"]): row["value"] for row in chosen}
            header = [metric, *(f"{subset} ({count:,})" for subset, count in subsets.items())]
            yield markdown_table(
                header,
                [
                    [system, *(f"{values[system, subset]:.2f}" for subset in subsets)]
                    for system in systems
                ],
            )
            yield f"`{chosen[0]['signature']}`\n"


def _memory(workspace: Workspace) -> Iterator[str]:
    head = workspace.memory.head()
    assert head is not None, "the workspace was evaluated, so its memory was published"
    yield "## Phrase memory\n"
    yield f"Snapshot `{head.snapshot_id}`\n"
    rows = stats(workspace, head)
    yield markdown_table(
        ["category", "origin", "state", "phrases"],
        [[row["category"], row["origin"], row["state"], f"{row['phrases']:,}"] for row in rows],
    )


def _offered(workspace: Workspace, settings: Settings) -> Iterator[str]:
    """Count, for each test set, the offered phrases and those whose target the reference holds."""
    planner = Run(workspace, step_window(None, None), mode="plan")
    tagged = tag(planner, settings, refresh(planner, settings))
    yield "## Offered phrases that the reference holds\n"
    for testset, ref in tagged.held_out:
        offered: Counter[tuple[str, str]] = Counter()
        found: Counter[tuple[str, str]] = Counter()
        for row in workspace.read_rows(ref):
            for slot in row["slots"]:
                kind = slot["category"], slot["origin"]
                offered[kind] += 1
                found[kind] += slot["target_start"] >= 0
        total = offered.total()
        yield (
            f"{testset.name}: {total:,} offered to {ref.rows:,} sentences "
            f"({total / ref.rows:.2f} each), {found.total() / max(total, 1):.1%} found\n"
        )
        yield markdown_table(
            ["category", "origin", "offered", "found"],
            [
                [*kind, f"{offered[kind]:,}", f"{found[kind] / offered[kind]:.1%}"]
                for kind in sorted(offered)
            ],
        )


def _uses(
    workspace: Workspace, results: Mapping[str, Mapping[str, Mapping[str, ArtifactRef]]]
) -> Iterator[str]:
    yield "## Offered phrases in the output\n"
    rows = []
    for testset, systems in results.items():
        for system, refs in systems.items():
            uses = Counter(
                use
                for row in workspace.read_rows(refs["translations"], ["uses"])
                for use in row["uses"]
            )
            total = max(uses.total(), 1)
            appeared = uses["appeared"] + uses["produced"]
            shares = [f"{appeared / total:.1%}", f"{uses['produced'] / total:.1%}"]
            rows.append([testset, system, f"{uses.total():,}", *shares])
    yield markdown_table(["test set", "system", "offered", "appeared", "produced"], rows)


def _steps(workspace: Workspace) -> Iterator[str]:
    """Give seconds and peak memory of the newest computation of each call."""
    newest = {
        record.body["label"]: record.body
        for record in workspace.ledger.records()
        if record.kind == "run"
    }
    yield "## Seconds and peak memory of each step\n"
    yield markdown_table(
        ["step", "wall s", "processor s", "peak MB"],
        [
            [
                label,
                f"{body['seconds']:,.1f}",
                f"{body['processor_seconds']:,.1f}",
                f"{body['peak_memory_bytes'] / MEGABYTE:,.0f}",
            ]
            for label, body in newest.items()
        ],
    )


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main() -> int:
    """Print the page of the settings file named on the command line."""
    parser = argparse.ArgumentParser(description="Print the figures of an evaluated workspace.")
    parser.add_argument("-c", "--config", required=True, metavar="FILE")
    options = parser.parse_args()
    sys.stdout.write(results_page(Path(options.config)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
