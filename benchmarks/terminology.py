"""Terms in translations of annual reports, with a phrase memory, without it, and with --require.

`python -m benchmarks.terminology DATA DIR` writes texts and settings into DIR: paragraphs of the
reports of one year to test on, those of the other years to learn from, with terms of the tested
year. DATA holds `full_data_YEAR.jsonl.gz` of the WMT25 terminology task, track 2 (CC BY-NC 4.0).
Then `phrasenet experiment -c DIR/terminology.toml`, and `python -m benchmarks.terminology DATA DIR
--page > docs/results/terminology.md`. The page holds figures and no sentence.
"""

import argparse
import contextlib
import gzip
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.results_page import markdown_table
from flows.cli import main as phrasenet
from flows.commands.scored_texts import read_texts
from flows.experiment_cells import Cell, all_cells
from flows.settings import Settings, load_settings
from storage.errors import InputError
from storage.files import write_bytes
from storage.result_files import ResultFiles
from tasks.metrics.bleu import Score, corpus_bleu
from tasks.metrics.terminology import term_scores, terminology
from tasks.readers.lines import read_lines
from tasks.readers.term_lists import read_term_sets
from tasks.text.script import normalise

YEARS, TESTED, DEV = (2015, 2016, 2017, 2018), 2015, 2016
DICTIONARIES = ("proper", "random")
LONGEST_CHARACTERS = 120
"""Longer paragraphs are left out: systems of this size do not translate them."""
FILE, TEST = "terminology.toml", "reports-2015"
SYSTEMS = ("rnnsearch", "phrasenet-gate")
SETTINGS = """\
# Annual reports with agreed terms, written by `python -m benchmarks.terminology`.

[workspace]
path = "workspace"

[[corpus]]
name = "reports"
path = "train.tsv"
columns = ["source", "target", "document"]
licence = "CC-BY-NC-4.0"

[[dictionary]]
name = "reports-2015"
path = "terms.jsonl"
format = "terms-json"
terms = ["proper"]
category = "by-rule"
licence = "CC-BY-NC-4.0"

[[testset]]
name = "reports-2016"
source = "dev.zh"
references = ["dev.en"]
role = "dev"

[[testset]]
name = "reports-2015"
source = "test.zh"
references = ["test.en"]
terms = "terms.jsonl"

[text]
max_words = 80

[model]
embedding = 128
hidden = 192
initial_values = "scaled"
source_vocabulary = 8000
target_vocabulary = 8000

[training]
batch_size = 40
threads = 1
epochs = 10
learning_rate = 0.001
final_learning_rate = 0.0001

[decoding]
beam = 5

[evaluation]
term_settings = true

[experiment]
systems = ["rnnsearch", "phrasenet-gate"]
target_words = 400_000
results = "results"
"""


def write_project(data: Path, folder: Path) -> None:
    """Write texts, terms and settings.

    Raises:
        InputError: a file of the task is missing.
    """
    pairs = {year: list(_paragraphs(_documents(data, year), year)) for year in YEARS}
    learned = [pair for year in YEARS if year not in (TESTED, DEV) for pair in pairs[year]]
    write_bytes(folder / "train.tsv", "".join("\t".join(p) + "\n" for p in learned).encode())
    for name, year in (("test", TESTED), ("dev", DEV)):
        for side, ending in ((0, "zh"), (1, "en")):
            text = "".join(pair[side] + "\n" for pair in pairs[year])
            write_bytes(folder / f"{name}.{ending}", text.encode())
    terms = {name: _documents(data, TESTED)[0][name] for name in DICTIONARIES}
    write_bytes(folder / "terms.jsonl", (json.dumps(terms, ensure_ascii=False) + "\n").encode())
    write_bytes(folder / FILE, SETTINGS.encode())


def _documents(data: Path, year: int) -> list[dict[str, Any]]:
    path = data / f"full_data_{year}.jsonl.gz"
    try:
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            return [json.loads(line) for line in stream]
    except FileNotFoundError:
        raise InputError(f"{path} is not there. Bring the WMT25 terminology task.") from None


def _paragraphs(
    documents: Sequence[Mapping[str, Any]], year: int
) -> Iterator[tuple[str, str, str]]:
    """Yield the paragraphs of documents that have as many on both sides, with the document."""
    for number, document in enumerate(documents):
        sides = [[" ".join(line.split()) for line in document[side].split("\n") if line.strip()]
                 for side in ("zh", "en")]  # fmt: skip
        if len(sides[0]) == len(sides[1]):
            for chinese, english in zip(*sides, strict=True):
                if len(chinese) <= LONGEST_CHARACTERS:
                    yield chinese, english, f"{year}-{number}"


def terms_page(folder: Path) -> str:
    """Return the page of the cells that were run in the folder."""
    settings = load_settings(folder / FILE)
    results = ResultFiles(settings.resolve(settings.experiment.results))
    rows: list[list[str]] = []
    for cell in all_cells(settings):
        result = results.read(cell.planned.cell.file)
        if result is None:
            rows.append([cell.planned.cell.name, *["not run"] * 6])
            continue
        rows += _rows(cell, result["tests"][TEST])
        rows.append(_required(settings, folder, cell, result["model"]))
    header = ["system", "offered", "BLEU", *(f"{name}, {what}" for name in DICTIONARIES
              for what in ("success %", "consistency %, first"))]  # fmt: skip
    return "\n".join([*_about(settings), markdown_table(header, rows)])


def _about(settings: Settings) -> Iterator[str]:
    yield "# Terms with and without a phrase memory\n"
    yield (
        "Paragraphs of a central bank's annual report of 2015 (WMT25 terminology task, track 2), "
        "translated by small systems that learned from the reports of 2017 and 2018 alone: what "
        "counts is how often an agreed term is said, and not how well the rest is translated. "
        "Success and consistency are those of `docs/metrics.md`, with each dictionary of the "
        "task.\n"
    )
    yield (
        "Commands: `python -m benchmarks.terminology DATA DIR`, `phrasenet experiment -c FILE`, "
        "and `python -m benchmarks.terminology DATA DIR --page`. "
        f"Budget: {settings.experiment.target_words:,} target words a system.\n"
    )


def _rows(cell: Cell, test: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield a row for the memory as it is, and one for each setting of the task."""
    system = cell.planned.cell.name
    bleu = next(
        row["value"] for row in test["scores"]
        if (row["metric"], row["subset"]) == ("BLEU", "all")
    )  # fmt: skip
    yield [system, "the memory", f"{bleu:.2f}", *_terms(test["measures"], "all")]
    for row in test.get("term_settings", ()):
        if row["metric"] == "BLEU":
            given = row["subset"].removeprefix("terms given: ")
            figures = _terms(test["term_settings"], row["subset"])
            yield [system, f"{given} terms", f"{row['value']:.2f}", *figures]


def _terms(rows: Sequence[Mapping[str, Any]], subset: str) -> list[str]:
    values = {row["metric"]: row["value"] for row in rows if row["subset"] == subset}
    return [
        _figure(values, name, what)
        for name in DICTIONARIES
        for what in ("success", "consistency, first")
    ]


def _figure(values: Mapping[str, float], dictionary: str, what: str) -> str:
    found = [
        value for metric, value in values.items()
        if dictionary in metric.lower() and what in metric.lower()
    ]  # fmt: skip
    return f"{found[0]:.1f}" if found else "–"


def _required(settings: Settings, folder: Path, cell: Cell, model: str) -> list[str]:
    """Translate with `--require` of the proper terms, and score that."""
    wanted = folder / "required.tsv"
    source = folder / "test.zh"
    number = sum(1 for _ in read_lines(source))
    sets = read_term_sets(folder / "terms.jsonl", number)
    pairs: dict[str, str] = {}
    for term in sets["proper"][0]:
        # Terms that are the same but for their spelling of Latin letters keep the first.
        pairs.setdefault("".join(normalise(term.source).split()), term.targets[0])
    lines = "".join(f"{chinese}\t{english}\n" for chinese, english in pairs.items())
    write_bytes(wanted, lines.encode())
    told = io.StringIO()
    complaints = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(complaints):
        code = phrasenet(["translate", "-c", str(settings.file), "--model", model,
                          "--require", str(wanted), str(source)])  # fmt: skip
    if code:
        raise InputError(f"{cell.name}: {complaints.getvalue()}")
    outputs = folder / f"required-{cell.planned.cell.name}.en"
    write_bytes(outputs, told.getvalue().encode())
    texts = read_texts([str(outputs)], [str(folder / "test.en")])
    sources = [text for _, text in read_lines(source)]
    measures = [
        score
        for name in DICTIONARIES
        for score in _scores_of(sources, texts.outputs[0], texts.references, sets[name], name)
    ]
    values = {score.name: score.value for score in measures}
    bleu = corpus_bleu(texts.outputs[0], texts.references).value
    figures = [
        _figure(values, name, what)
        for name in DICTIONARIES
        for what in ("success", "consistency, first")
    ]
    return [cell.planned.cell.name, "proper terms, required", f"{bleu:.2f}", *figures]


def _scores_of(
    sources: Sequence[str],
    outputs: Sequence[str],
    references: Any,
    terms: Any,
    dictionary: str,
) -> list[Score]:
    scored = terminology(sources, outputs, references, terms, "substring")
    return term_scores(scored, dictionary, "substring")


def main() -> int:
    """Write the project into a folder, or print the page of its finished experiment."""
    parser = argparse.ArgumentParser(description="Measure terms in translations of reports.")
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--page", action="store_true", help="print the page of a finished run")
    options = parser.parse_args()
    if options.page:
        sys.stdout.write(terms_page(options.folder))
        return 0
    write_project(options.data, options.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
