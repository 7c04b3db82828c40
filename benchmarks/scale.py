"""What a refresh costs with many pairs, step by step: time, memory, files, orchestration.

`python -m benchmarks.scale --pairs N` refreshes the memory of N pairs through Prefect, as the
command does, and prints a table. `PHRASENET_LAWS` names a folder with `train.tsv.zst` (columns:
source, target, document); what is beyond its size is made by `benchmarks.scale_text`. The aligner
is trained once, on the first 20,000 pairs, and used for all sizes; with `--engine joint-hmm`, links
cost a tenth. Everything is kept in `--folder`: a run that was interrupted goes on when the command
is given again, and `--table` compares the sizes that are done. Give `--workers 1` to compare wall
times.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.measuring import say
from benchmarks.peak_memory import watched
from benchmarks.results_page import markdown_table
from benchmarks.scale_plan import MILLION, Cost, costs
from benchmarks.scale_text import Pair, texts
from flows.opening import open_settings
from storage.workspace import Workspace
from tasks.mining.alignment_config import AlignmentConfig
from tasks.readers.opening import open_bytes

ALIGNER_PAIRS = 20_000
SHARD_PAIRS = 40_000
"""About a minute of work for all steps together, so that handing out calls weighs little."""
LAWS = "PHRASENET_LAWS"
RESULT = "scale.json"
SETTINGS = """
[workspace]
path = "workspace"

[[corpus]]
name = "text"
path = "pairs.tsv"
columns = ["source", "target", "document"]
licence = "Apache-2.0"
{dictionary}
[alignment]
engine = "{engine}"

[execution]
shards = {shards}
workers = {workers}
query_memory = "1GB"
"""
DICTIONARY = """
[[dictionary]]
name = "cedict"
path = "{path}"
format = "cedict"
licence = "CC-BY-SA-4.0"
"""
_WITH_SAVED_ALIGNER = """
import sys
from pathlib import Path
from flows import cleaning
from flows.cli import main
from flows.opening import open_settings
saved, file = map(Path, sys.argv[1:])
_, base = open_settings(saved)
runs = (r.body for r in base.ledger.newest_first() if r.kind == "run")
made = next(body for body in runs if body["step"] == "aligner")
from storage.datasets import ArtifactRef
files = base.read_bundle(ArtifactRef.from_json(made["outputs"][0]))
cleaning._aligner = lambda run, *_: run.workspace.write_bundle("aligner", files)
sys.exit(main(["refresh", "-c", str(file)]))
"""


def main() -> int:
    """Run one size, or compare those that are done."""
    parser = argparse.ArgumentParser(description="Measure a refresh of many pairs.")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--folder", type=Path, default=Path(".scale"))
    parser.add_argument("--dictionary", type=Path, help="CC-CEDICT, to be used beside the pairs")
    parser.add_argument("--engine", default=AlignmentConfig().engine, help="of the aligner")
    parser.add_argument("--shard-pairs", type=int, default=SHARD_PAIRS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--table", action="store_true", help="compare the sizes that are done")
    options = parser.parse_args()
    if options.pairs and options.pairs > 0:
        code = _run(options)
        if code:
            return code
    elif not options.table:
        parser.error("give --pairs N, or --table")
    if options.table:
        sys.stdout.write("\n".join(comparison(options.folder)))
    return 0


def _run(options: argparse.Namespace) -> int:
    saved = _prepared(options, f"aligner-{options.engine}", ALIGNER_PAIRS)
    code = _watched(
        [sys.executable, "-m", "flows.cli", "refresh", "-c", str(saved), "--until", "aligner"],
        saved.parent,
    )
    if code:
        return code
    file = _prepared(options, str(options.pairs), options.pairs)
    code = _watched([sys.executable, "-c", _WITH_SAVED_ALIGNER, str(saved), str(file)], file.parent)
    if code:
        return code
    _, workspace = open_settings(file)
    _write_result(workspace, file.parent)
    sys.stdout.write("\n".join(page(file.parent)))
    return 0


def _watched(command: list[str], folder: Path) -> int:
    """Run a command, and note the peak memory of its processes while it runs."""
    process = subprocess.Popen(command, start_new_session=True)
    try:
        with watched(process.pid, folder / "memory.json"):
            return process.wait()
    except KeyboardInterrupt:
        os.killpg(process.pid, signal.SIGINT)
        return process.wait()


def _prepared(options: argparse.Namespace, name: str, pairs: int) -> Path:
    """Write text and settings of one size, unless they are there; returns the settings file."""
    folder = Path(options.folder).resolve() / name
    folder.mkdir(parents=True, exist_ok=True)
    text, file = folder / "pairs.tsv", folder / "phrasenet.toml"
    if not text.exists():
        say(f"writing {pairs:,} pairs to {text}")
        partial = text.with_suffix(".partial")
        with partial.open("w", encoding="utf-8") as stream:
            stream.writelines("\t".join(pair) + "\n" for pair in texts(laws(), pairs))
        partial.rename(text)
    dictionary = options.dictionary
    file.write_text(
        SETTINGS.format(
            dictionary=DICTIONARY.format(path=dictionary.resolve()) if dictionary else "",
            engine=options.engine,
            shards=max(2, -(-pairs // options.shard_pairs)),
            workers=options.workers,
        )
    )
    return file


def laws() -> Iterator[Pair]:
    """Yield the pairs of the laws: source, target, document."""
    with open_bytes(Path(os.environ[LAWS]) / "train.tsv.zst") as file:
        for line in file:
            source, target, document = line.decode().rstrip("\n").split("\t")
            yield source, target, document


def _write_result(workspace: Workspace, folder: Path) -> None:
    pairs, measured = costs(workspace)
    wall, covered = spans(workspace)
    result = {
        "pairs": pairs,
        "wall_seconds": wall,
        "orchestration_seconds": wall - covered,
        "ledger": workspace.ledger.digest(),
        "steps": {name: _plain(cost) for name, cost in measured.items()},
    }
    (folder / RESULT).write_text(json.dumps(result, indent=1))


def _plain(cost: Cost) -> dict[str, float]:
    return {name: getattr(cost, name) for name in Cost.__slots__}


def spans(workspace: Workspace) -> tuple[float, float]:
    """Return the seconds from the first to the last step of each flow run, and those in which a
    step was worked on.
    """
    runs: dict[str, list[tuple[datetime, datetime]]] = {}
    for record in workspace.ledger.records():
        if record.kind == "run":
            start = datetime.fromisoformat(record.body["started"])
            end = start + timedelta(seconds=record.body["seconds"])
            runs.setdefault(record.body["flow_run"], []).append((start, end))
    wall = sum(
        (max(e for _, e in run) - min(s for s, _ in run)).total_seconds() for run in runs.values()
    )
    return wall, sum(_covered(sorted(run)) for run in runs.values())


def _covered(run: list[tuple[datetime, datetime]]) -> float:
    """Return the length of the union of intervals that are in order."""
    total, reached = 0.0, run[0][0]
    for start, end in run:
        if end > reached:
            total += (end - max(start, reached)).total_seconds()
            reached = end
    return total


def page(folder: Path) -> Iterator[str]:
    """Yield the table of one size."""
    result = json.loads((folder / RESULT).read_text())
    yield (
        f"\n{result['pairs']:,} pairs: {result['wall_seconds']:,.0f} s from the first step to the "
        f"last, of which no step was worked on in {_idle_percent(result):.1f} % (orchestration). "
        f"Largest process: {_largest(folder) / 1e6:,.0f} MB. "
        f"Ledger `{result['ledger']}`.\n"
    )
    yield markdown_table(
        ["step", "processor s", "wall s of all calls", "peak MB", "MB written"],
        [
            [
                name,
                f"{cost['processor_seconds']:,.1f}",
                f"{cost['wall_seconds']:,.1f}",
                f"{cost['peak_bytes'] / 1e6:,.0f}",
                f"{cost['bytes_written'] / 1e6:,.1f}",
            ]
            for name, cost in result["steps"].items()
        ],
    )


def comparison(folder: Path) -> Iterator[str]:
    """Yield the table of all sizes that are done: processor seconds for a million pairs."""
    found = [(json.loads(file.read_text()), file.parent) for file in folder.glob(f"*/{RESULT}")]
    results = sorted(found, key=lambda item: item[0]["pairs"])
    names = list(dict.fromkeys(name for result, _ in results for name in result["steps"]))
    each = [_per_million(result) for result, _ in results]
    totals = [sum(seconds.values()) for seconds in each]
    rows = [[name, *(_shown(seconds.get(name)) for seconds in each)] for name in names]
    rows.append(["all", *map(_shown, totals)])
    rows.append(["all, beside the first size", *(f"{100 * t / totals[0]:.0f} %" for t in totals)])
    rows.append(["largest process, MB", *(f"{_largest(at) / 1e6:,.0f}" for _, at in results)])
    rows.append(["no step worked on", *(f"{_idle_percent(result):.1f} %" for result, _ in results)])
    yield "Processor seconds for a million pairs:\n"
    yield markdown_table(["step", *(f"{result['pairs']:,} pairs" for result, _ in results)], rows)


def _per_million(result: Mapping[str, Any]) -> dict[str, float]:
    return {
        name: cost["processor_seconds"] * MILLION / result["pairs"]
        for name, cost in result["steps"].items()
    }


def _shown(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:,.1f}"


def _largest(folder: Path) -> float:
    """Return the peak memory of the largest process, in bytes."""
    return float(max(json.loads((folder / "memory.json").read_text()).values(), default=0))


def _idle_percent(result: Mapping[str, Any]) -> float:
    """Return the share of the time in which no step was worked on: orchestration."""
    return 100 * float(result["orchestration_seconds"]) / max(float(result["wall_seconds"]), 1e-9)


if __name__ == "__main__":
    sys.exit(main())
