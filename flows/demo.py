"""The demo: the whole pipeline on the built-in synthetic sample, with an ending for people."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from flows.commands.options import program
from flows.commands.run import BESIDE_THE_REPORT
from flows.opening import open_settings
from flows.planning import current_evaluation
from storage.files import write_bytes
from storage.workspace import Workspace
from tasks.sample.files import sample_files
from tasks.sample.newswire import LICENCE, generate

SEED = 2016
NUM_EXAMPLES = 3
SETTINGS = f"""\
# The demo: a synthetic sample written by phrasenet itself. Change something and run it again.

[workspace]
path = "workspace"

[[corpus]]
name = "synthetic"
path = "data/train.tsv"
columns = ["source", "target"]
licence = "{LICENCE}"

[[dictionary]]
name = "names"
path = "data/names.tsv"
columns = ["source", "target", "category"]
licence = "{LICENCE}"

[[testset]]
name = "synthetic-dev"
source = "data/dev.zh"
references = ["data/dev.en"]
role = "dev"
gold = "data/dev.gold"                  # links of the words below, known since the sample is made
gold_words = ["data/dev.words.zh", "data/dev.words.en"]

[[testset]]
name = "synthetic-test"
source = "data/test.zh"
references = ["data/test.en"]
gold = "data/test.gold"
gold_words = ["data/test.words.zh", "data/test.words.en"]

[model]
system = "phrasenet-gate"
embedding = 64
hidden = 96
initial_values = "scaled"               # small networks learn slowly from the paper's small weights
source_vocabulary = 1000
target_vocabulary = 1000

[training]
batch_size = 40
threads = 1                             # both systems train side by side
epochs = 9
learning_rate = 0.003
final_learning_rate = 0.0003

[decoding]
beam = 5
"""


def write_demo(folder: Path) -> Path:
    """Write the sample and its settings into a folder; returns the settings file."""
    for name, text in sample_files(generate(SEED)).items():
        write_bytes(folder / "data" / name, text.encode())
    settings = folder / "phrasenet.toml"
    if not settings.exists():
        write_bytes(settings, SETTINGS.encode())
    return settings


def closing(settings_file: Path, report: str) -> Iterator[str]:
    """Yield the lines that end the demo: scores, what the memory changed, what to try next."""
    settings, workspace = open_settings(settings_file)
    results = current_evaluation(workspace, settings)["synthetic-test"]
    yield ""
    yield from _scores(workspace, results)
    yield ""
    yield from _examples(workspace, results)
    yield ""
    yield f"Report: {report}"
    yield BESIDE_THE_REPORT
    yield ""
    yield "Three things to try next:"
    call = program()
    yield f"  {call} memory stats -c {settings_file}"
    yield f"  {call} translate -c {settings_file} --explain {settings_file.parent}/data/test.zh"
    yield f"  {call} init mine        # then the same with your own texts"


def _scores(workspace: Workspace, results: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "BLEU on the test part of the synthetic sample, which says that the pipeline works and"
    yield "nothing about real text:"
    subsets = ("all", "with phrases", "without phrases")
    yield f"  {'':16}" + "".join(f"{subset:>18}" for subset in subsets)
    for system, refs in results.items():
        values = {
            row["subset"]: row["value"]
            for row in workspace.read_rows(refs["scores"])
            if row["metric"] == "BLEU"
        }
        yield f"  {system:16}" + "".join(f"{values[subset]:18.2f}" for subset in subsets)


def _examples(workspace: Workspace, results: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield three sentences in which both systems differ; produced phrases stand in brackets."""
    outputs = {
        system: list(workspace.read_rows(refs["translations"])) for system, refs in results.items()
    }
    systems = list(outputs)
    yield "What the phrase memory changed ([ ] was produced whole, in phrase mode, by"
    yield f"{systems[-1]}):"
    shown = 0
    for rows in zip(*outputs.values(), strict=True):
        if "produced" in rows[-1]["uses"] and rows[0]["words"] != rows[-1]["words"]:
            yield f"  {''.join(rows[0]['source_words'])}"
            for system, row in zip(systems, rows, strict=True):
                yield f"    {system:16} {_bracketed(row['steps'])}"
            shown += 1
        if shown == NUM_EXAMPLES:
            return


def _bracketed(steps: Sequence[Mapping[str, Any]]) -> str:
    pieces: list[str] = []
    for index, item in enumerate(steps):
        before = steps[index - 1]["slot"] if index else -1
        after = steps[index + 1]["slot"] if index + 1 < len(steps) else -1
        opens = "[" if item["slot"] >= 0 and item["slot"] != before else ""
        closes = "]" if item["slot"] >= 0 and item["slot"] != after else ""
        pieces.append(f"{opens}{item['word']}{closes}")
    return " ".join(pieces)
