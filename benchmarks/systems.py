"""All systems on the built-in sample with the same budget, and the page of their figures.

`python -m benchmarks.systems DIR` writes the sample and a settings file into DIR and runs what is
out of date there; `python -m benchmarks.systems DIR --page > docs/results/sample.md` writes the
page from that workspace. Both can be stopped and repeated.
"""

import argparse
import os
import platform
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.results_page import markdown_table
from flows.demo import SETTINGS, write_demo
from flows.driver import step_window
from flows.pipeline import refresh
from flows.planning import current_evaluation
from flows.workspaces import open_settings
from model.config import SYSTEMS
from storage.files import write_bytes
from storage.workspace import Workspace
from tasks.metrics.mteval import bleu_of_sums, count_corpus
from tasks.metrics.significance import Comparison, compare
from tasks.metrics.values_kept import VALUES_KEPT
from tasks.run import Run
from tasks.text.detokenise import detokenise

FILE = "systems.toml"
DEV, TEST = "synthetic-dev", "synthetic-test"
TARGET_WORDS = 327_000
"""Target words that every system is trained on, repeated ones and end marks counted."""
FIRST, LAST = "rnnsearch", "phrasenet-gate"
BASELINES: Mapping[str, str] = {
    "phrasenet-gate": "rnnsearch",
    "phrasenet-softmax": "rnnsearch",
    "rnnsearch+context-gate": "rnnsearch",
    "phrasenet-gate+context-gate": "rnnsearch",
    "phrasenet-softmax+context-gate": "rnnsearch",
    "groundhog-vanilla+gate": "groundhog-vanilla",
    "groundhog-coverage": "groundhog-gru",
    "groundhog-coverage+gate": "groundhog-coverage",
    "transformer+phrase-gate": "transformer",
    "transformer+phrase-softmax": "transformer",
}
"""What each system is compared with, where it is not `groundhog-gru`, or nothing."""
ALONE = ("rnnsearch", "groundhog-vanilla", "groundhog-gru", "transformer")
CERTAIN = 0.05


def write_project(folder: Path) -> Path:
    """Write the sample and the settings of the comparison; returns the settings file."""
    write_demo(folder)
    others = [name for name in SYSTEMS if name not in (FIRST, LAST)]
    baselines = ", ".join(f'"{name}"' for name in (FIRST, *others))
    settings = SETTINGS.replace("epochs = 9\n", f"target_words = {TARGET_WORDS}\n")
    settings = settings.replace("both systems train side by side", "one system after the other")
    settings += f"\n[evaluation]\nbaselines = [{baselines}]\n\n[execution]\nworkers = 1\n"
    write_bytes(folder / FILE, settings.encode())
    return folder / FILE


def systems_page(settings_file: Path) -> str:
    """Return the page; the workspace must be up to date with the settings."""
    settings, workspace = open_settings(settings_file)
    results = current_evaluation(workspace, settings)
    outputs = {
        system: list(workspace.read_rows(refs["translations"]))
        for system, refs in results[TEST].items()
    }
    order = [system for system in SYSTEMS if system in outputs]
    planner = Run(workspace, step_window(None, None), mode="plan")
    lines = next(item.lines for item in refresh(planner, settings).testsets if item.name == TEST)
    references = {row["sentence_id"]: row["references"] for row in workspace.read_rows(lines)}
    values = {
        (testset, system): {
            (row["metric"], row["subset"]): row["value"]
            for row in workspace.read_rows(refs["scores"])
        }
        for testset, systems in results.items()
        for system, refs in systems.items()
    }
    return "\n".join(
        [
            *_about(workspace, settings_file),
            "## Translations\n",
            _scores(order, values, outputs),
            "## Against the baseline of each\n",
            _comparisons(order, outputs, references),
            "## Size and cost\n",
            _costs(workspace, order, outputs),
            "## Settings\n",
            f"```toml\n{settings_file.read_text('utf-8').rstrip()}\n```\n",
        ]
    )


def _about(workspace: Workspace, settings_file: Path) -> Iterator[str]:
    flow = [record for record in workspace.ledger.records() if record.kind == "flow"][-1]
    versions = ", ".join(f"{name} {version}" for name, version in flow.body["versions"].items())
    yield "# All systems on the built-in synthetic sample\n"
    yield (
        "The sample is synthetic (4,000 training pairs, 200 for dev, 300 for test): figures say "
        "that each system works and what its parts do, not how well anything translates. Every "
        f"system was trained on {TARGET_WORDS:,} target words of the same batches with the same "
        "seed and settings, which are those of the demo and were not tuned for any of them; the "
        "weights with the smallest loss on dev were kept. One training of each: other seeds give "
        "other figures.\n"
    )
    yield (
        "Command: `python -m benchmarks.systems DIR`, then `python -m benchmarks.systems DIR "
        "--page`. The phrase-based row of the papers (`smt`) is not among the systems.\n"
    )
    yield f"Machine: {platform.machine()}, {os.cpu_count()} processors, no GPU\n"
    yield f"Versions: {versions}\n"
    yield f"Ledger of `{settings_file.name}`: digest `{workspace.ledger.digest()}`\n"


def _scores(
    order: Sequence[str],
    values: Mapping[tuple[str, str], Mapping[tuple[str, str], float]],
    outputs: Mapping[str, Sequence[Mapping[str, Any]]],
) -> str:
    header = [
        "system", "BLEU dev", "BLEU test", "with phrases", "without phrases", "values kept %",
        "offered", "appeared", "produced",
    ]  # fmt: skip
    rows = []
    for system in order:
        test = values[TEST, system]
        uses = Counter(use for row in outputs[system] for use in row["uses"])
        appeared = uses["appeared"] + uses["produced"]
        rows.append(
            [
                f"`{system}`",
                f"{values[DEV, system]['BLEU', 'all']:.2f}",
                *(f"{test['BLEU', s]:.2f}" for s in ("all", "with phrases", "without phrases")),
                f"{test[VALUES_KEPT, 'all']:.1f}",
                f"{uses.total():,}",
                f"{appeared:,}",
                f"{uses['produced']:,}",
            ]
        )
    return markdown_table(header, rows)


def _comparisons(
    order: Sequence[str],
    outputs: Mapping[str, Sequence[Mapping[str, Any]]],
    references: Mapping[str, Sequence[str]],
) -> str:
    rows = []
    for system in order:
        if system in ALONE:
            continue
        baseline = BASELINES.get(system, "groundhog-gru")
        found = _compared(outputs[baseline], outputs[system], references)
        difference = found.difference
        rows.append(
            [
                f"`{system}`",
                f"`{baseline}`",
                f"{difference.value:+.2f} [{difference.low:.2f}, {difference.high:.2f}]",
                f"{found.sign.better}, {found.sign.worse}",
                *(f"{p:.3g}" for p in (found.sign.p_value, found.bootstrap.p_value,
                                       found.randomisation.p_value)),
                "yes" if found.bootstrap.p_value < CERTAIN else "no",
            ]
        )  # fmt: skip
    header = [
        "system", "baseline", "difference, 95 % interval", "sentences up, down", "p sign test",
        "p bootstrap", "p randomisation", f"p < {CERTAIN}",
    ]  # fmt: skip
    note = (
        "\nDifferences of BLEU in the flavour v13a on the test part; 1,000 trials, seed 1; "
        "p-values are not adjusted for the number of comparisons.\n"
    )
    return markdown_table(header, rows) + note


def _compared(
    baseline: Sequence[Mapping[str, Any]],
    system: Sequence[Mapping[str, Any]],
    references: Mapping[str, Sequence[str]],
) -> Comparison:
    texts = [[detokenise(row["words"]) for row in rows] for rows in (baseline, system)]
    streams = list(zip(*(references[row["sentence_id"]] for row in baseline), strict=True))
    corpus = count_corpus(texts, streams, flavour="v13a")
    return compare(corpus.counts, lambda sums: bleu_of_sums(sums, "v13a"))[1][0]


def _costs(
    workspace: Workspace,
    order: Sequence[str],
    outputs: Mapping[str, Sequence[Mapping[str, Any]]],
) -> str:
    newest = {
        record.body["label"]: record.body
        for record in workspace.ledger.records()
        if record.kind == "run"
    }
    sizes = {entry.system: _parameters(workspace, entry.ref) for entry in
             workspace.registry.entries()}  # fmt: skip
    rows = []
    for system in order:
        train, decode = newest[f"train {system}"], newest[f"translate {TEST} {system}"]
        words = sum(len(row["words"]) for row in outputs[system])
        rows.append(
            [
                f"`{system}`",
                f"{sizes[system]:,}",
                f"{train['processor_seconds']:,.1f}",
                f"{TARGET_WORDS / train['processor_seconds']:,.0f}",
                f"{train['peak_memory_bytes'] / 1e6:,.0f}",
                f"{words / decode['processor_seconds']:,.0f}",
            ]
        )
    header = [
        "system", "parameters", "training, processor s", "target words/s", "peak MB",
        "decoding, words/s",
    ]  # fmt: skip
    note = (
        "\nProcessor seconds of one thread, the measuring of dev after each pass and the start of "
        "a process included; decoding with a beam of 5, the loading of the model included.\n"
    )
    return markdown_table(header, rows) + note


def _parameters(workspace: Workspace, ref: Any) -> int:
    from model.checkpoint import load

    translator = load(workspace.read_bundle(ref)).translator
    return sum(parameter.numel() for parameter in translator.parameters())


def main() -> int:
    """Run the comparison in a folder, or print its page."""
    parser = argparse.ArgumentParser(description="Compare all systems on the built-in sample.")
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--page", action="store_true", help="print the page of a finished run")
    options = parser.parse_args()
    if options.page:
        sys.stdout.write(systems_page(options.folder / FILE))
        return 0
    from flows.commands.run import run_flow

    run_flow("run", write_project(options.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
