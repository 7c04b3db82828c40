"""What a refresh with 1 % new pairs costs, as a share of the first refresh of everything.

`PHRASENET_LAWS` names a folder with `train.tsv.zst` (columns: source, target, document); without it
the built-in sample is used. 20,000 pairs are refreshed, or as many as `PHRASENET_BENCH_PAIRS` says,
then whole new documents with 1 % of these are added and 0.2 % of the lines changed, in four old
documents. Processor time of everything, and of each step, both refreshes in one process.
"""

import os
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from benchmarks.measuring import figure, processor_seconds, say
from flows.driver import step_window
from flows.pipeline import refresh
from flows.settings import load_settings
from storage.workspace import Workspace, open_workspace
from tasks.readers.opening import open_bytes
from tasks.run import Run
from tasks.sample.newswire import generate

NUM_PAIRS = int(os.environ.get("PHRASENET_BENCH_PAIRS", "20000"))
NUM_NEW, NUM_CHANGED = NUM_PAIRS // 100, NUM_PAIRS // 500
DOCUMENT_PAIRS = 50
"""Pairs of a document of the built-in sample, which has none."""
LAWS = "PHRASENET_LAWS"
SETTINGS = """
[workspace]
path = "workspace"

[[corpus]]
name = "text"
path = "pairs.tsv"
columns = ["source", "target", "document"]
licence = "Apache-2.0"
"""


def run() -> None:
    """Print the processor seconds of both refreshes and their ratio."""
    lines = list(islice(_laws(), 2 * NUM_PAIRS)) if os.environ.get(LAWS) else list(_sample())
    old, new = _split(lines)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "phrasenet.toml").write_text(SETTINGS)
        whole, first = _refresh(folder, old)
        part, second = _refresh(folder, [*_changed(old), *new])
    figure(f"{len(old):,} pairs", whole, "processor seconds")
    figure(f"{len(new)} pairs more, {NUM_CHANGED} changed", part, "processor seconds")
    figure("share", 100 * part / whole, "%")
    for step, seconds in sorted(second.items(), key=lambda item: -item[1]):
        say(f"    {step:12} {first.get(step, 0):8.2f} -> {seconds:6.2f} s")


def _laws() -> Iterator[str]:
    with open_bytes(Path(os.environ[LAWS]) / "train.tsv.zst") as file:
        yield from (line.decode().rstrip("\n") for line in file)


def _sample() -> Iterator[str]:
    made = generate(seed=3, train=NUM_PAIRS + 2 * NUM_NEW, dev=0, test=0).train
    for place, pair in enumerate(made):
        yield f"{pair.source}\t{pair.target}\tdocument-{place // DOCUMENT_PAIRS}"


def _split(lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """Cut whole documents into old text and new text."""
    documents: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        documents[line.rpartition("\t")[2]].append(line)
    old: list[str] = []
    new: list[str] = []
    for held in documents.values():
        if len(old) < NUM_PAIRS:
            old += held
        elif len(new) < NUM_NEW:
            new += held[: NUM_NEW - len(new)]
    return old, new


def _changed(lines: list[str]) -> list[str]:
    """Change some lines in a few documents."""
    names = sorted({line.rpartition("\t")[2] for line in lines})
    chosen = set(random.Random(1).sample(names, 4))
    left, changed = NUM_CHANGED, []
    for line in lines:
        source, target, document = line.split("\t")[:3]
        if document in chosen and left:
            target, left = f"{target} Indeed.", left - 1
        changed.append(f"{source}\t{target}\t{document}")
    return changed


def _refresh(folder: Path, lines: Iterable[str]) -> tuple[float, dict[str, float]]:
    """Refresh a project; returns the processor seconds of all, and of each step."""
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    settings = load_settings(folder / "phrasenet.toml")
    workspace = open_workspace(settings.workspace_path, settings.execution.engine)
    before = len(list(workspace.ledger.records()))
    with workspace.lease():
        flow = Run(workspace, step_window(None, None))
        seconds = processor_seconds(lambda: refresh(flow, settings))
    return seconds, _seconds(workspace, before)


def _seconds(workspace: Workspace, after: int) -> dict[str, float]:
    seconds: dict[str, float] = defaultdict(float)
    for record in list(workspace.ledger.records())[after:]:
        if record.kind == "run":
            seconds[record.body["step"]] += record.body["processor_seconds"]
    return dict(seconds)
