"""Why a system with a phrase memory gains what it gains: two cells of an experiment taken apart.

`python -m benchmarks.cell_findings FILE TESTSET [DATA]` prints tables from the workspace of the
experiment FILE, where `rnnsearch` and `phrasenet-gate` were trained with seed 1 on the texts DATA
(laws): lengths beside those of the pairs that were trained on, and what became of the offered
phrases. `--search N` also translates N sentences of the test set anew, drawn with seed 1, in all
ways of `WAYS`, on one thread. It prints figures and no sentence.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.measuring import say
from benchmarks.results_page import markdown_table
from flows.opening import open_settings
from model.config import DecodingConfig
from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.decoding import open_models, translate_rows
from tasks.metrics.mteval import bleu_of_sums
from tasks.metrics.ngram_counts import Counts, sentence_counts
from tasks.metrics.significance import compare
from tasks.tagging.occurrences import leftmost_free
from tasks.text.english import tokenise
from tasks.text.script import normalise

Row = Mapping[str, Any]
bleu = partial(bleu_of_sums, flavour="v13a")
SYSTEMS = ("rnnsearch", "phrasenet-gate")
BUCKETS = (0, 10, 15, 20, 25, 30, 40, 1000)
"""Borders of the lengths of sources, in words."""
LIMITS = (30, 40, 50, 80)
"""Most words of a pair on either side."""
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "as in the experiment": ("offered", {}),
    "greedy": ("offered", {"beam": 1}),
    "beam of 10": ("offered", {"beam": 10}),
    'length_rule = "raw"': ("offered", {"length_rule": "raw"}),
    "min_length_ratio = 1.0": ("offered", {"min_length_ratio": 1.0}),
    "min_length_ratio = 1.1": ("offered", {"min_length_ratio": 1.1}),
    "min_length_ratio = 1.2": ("offered", {"min_length_ratio": 1.2}),
    "nothing offered": ("nothing", {}),
    "all offered phrases required": ("required", {}),
    "only right phrases offered": ("right", {}),
    "only right phrases offered, all required": ("right, required", {}),
}
"""Which phrases are offered, and what differs in `[decoding]`."""


class Translations(NamedTuple):
    """What two systems said of the same sentences."""

    references: list[list[str]]
    rows: Sequence[Sequence[Row]]
    """For each system its translations."""

    def of(self, keep: Callable[[Row], bool]) -> "Translations":
        """Return those of the sentences that a row of the second system is kept for."""
        kept = [at for at, row in enumerate(self.rows[1]) if keep(row)]
        return Translations(
            [self.references[at] for at in kept],
            [[rows[at] for at in kept] for rows in self.rows],
        )

    def counts(self) -> Counts:
        """Return what BLEU of words is made of."""
        said = [[[word.lower() for word in row["words"]] for row in rows] for rows in self.rows]
        return sentence_counts(said, [self.references], "closest")


def outputs(workspace: Workspace) -> dict[str, tuple[ArtifactRef, Row]]:
    """Return the newest table that each labelled step wrote, with the record."""
    found = {}
    for record in workspace.ledger.readable_records():
        if record.kind == "run" and record.body["outputs"]:
            ref = ArtifactRef.from_json(record.body["outputs"][0])
            found[record.body["label"]] = (ref, record.body)
    return found


def references_of(workspace: Workspace, ref: ArtifactRef) -> dict[str, list[str]]:
    """Return the words of the first reference of each sentence, lower-cased."""
    return {
        row["sentence_id"]: [word.lower() for word in tokenise(normalise(row["references"][0]))]
        for row in workspace.read_rows(ref)
    }


def cut_pairs(pairs: Sequence[Row]) -> Iterator[list[str]]:
    """Yield how many pairs a limit of words on either side keeps, and whom it costs."""
    sides = np.array([(row["num_source_words"], row["num_target_words"]) for row in pairs])
    for most in LIMITS:
        fits = sides <= most
        kept, lost = fits.all(axis=1), fits[:, 0] & ~fits[:, 1]
        yield [f"{most}", f"{kept.sum():,}", f"{lost.sum():,}", _ratio(sides[kept])]


def lengths(training: Iterable[Row], said: Translations) -> Iterator[list[str]]:
    """Yield target words for each source word, bucket by bucket of the source's length."""
    trained = [(len(row["source_words"]), len(row["target_words"])) for row in training]
    sources = [len(row["source_words"]) for row in said.rows[0]]
    kinds = [trained, list(zip(sources, map(len, said.references), strict=True))]
    for rows in said.rows:
        kinds.append(list(zip(sources, (len(row["words"]) for row in rows), strict=True)))
    for low, high in zip(BUCKETS, BUCKETS[1:], strict=False):
        parts = [np.array([pair for pair in kind if low <= pair[0] < high]) for kind in kinds]
        numbers = [f"{len(parts[0]):,}", f"{len(parts[1]):,}"]
        yield [f"{low} to {high - 1}", *numbers, *map(_ratio, parts)]


def _ratio(pairs: NDArray[np.int64]) -> str:
    return f"{pairs[:, 1].sum() / pairs[:, 0].sum():.2f}" if len(pairs) else "–"


def kinds_of_sentences(said: Translations) -> Iterator[list[str]]:
    """Yield BLEU of words of kinds of sentences, with and without its brevity penalty."""
    is_right = {
        id(row): all(_holds(words, slot) for slot in row["slots"])
        for row, words in zip(said.rows[1], said.references, strict=True)
    }
    kinds: dict[str, Callable[[Row], bool]] = {
        "all": lambda row: True,
        "with phrases": lambda row: bool(row["slots"]),
        "without phrases": lambda row: not row["slots"],
        "all phrases in the reference": lambda row: bool(row["slots"]) and is_right[id(row)],
        "a phrase not in the reference": lambda row: bool(row["slots"]) and not is_right[id(row)],
        "up to 30 words": lambda row: len(row["source_words"]) <= 30,
        "over 30 words": lambda row: len(row["source_words"]) > 30,
    }
    for name, keep in kinds.items():
        chosen = said.of(keep)
        if not chosen.references:
            yield [name, "0", *["–"] * 6]
            continue
        counts = chosen.counts()
        first, (second,) = compare(counts, bleu)
        sums = counts.sum(axis=1)
        long_enough = np.where(np.arange(sums.shape[1]) == 1, sums[:, :1], sums)
        whole = bleu(long_enough)
        ratio = sums[:, 0] / sums[:, 1]
        gain = second.difference
        yield [
            name, f"{counts.shape[1]:,}", f"{first.value:.2f}", f"{second.score.value:.2f}",
            f"{gain.value:+z.2f} [{gain.low:+z.2f}, {gain.high:+z.2f}]",
            f"{second.bootstrap.p_value:.3f}", f"{ratio[0]:.2f}, {ratio[1]:.2f}",
            f"{whole[1] - whole[0]:+z.2f}",
        ]  # fmt: skip


def phrases_by_origin(said: Translations) -> Iterator[list[str]]:
    """Yield what became of the offered phrases, by where they come from."""
    found: dict[str, Counter[str]] = {}
    for first, second, words in zip(*said.rows, said.references, strict=True):
        outputs_ = [[word.lower() for word in row["words"]] for row in (first, second)]
        for slot, use in zip(second["slots"], second["uses"], strict=True):
            length = len(slot["target"].split())
            right = _holds(words, slot)
            hits = [right and _holds(output, slot) for output in outputs_]
            for origin in (slot["origin"], "all"):
                count = found.setdefault(origin, Counter())
                count.update(offered=1, words=length, right=right, first=hits[0], second=hits[1])
                count.update(produced=use == "produced", wrong=use == "produced" and not right)
                count.update(gained=length * (int(hits[1]) - int(hits[0])))
    keys = ("offered", "words", "right", "first", "second", "produced", "wrong", "gained")
    for origin in sorted(found):
        yield [origin, *(f"{found[origin][key]:,}" for key in keys)]


def _holds(words: list[str], slot: Row) -> bool:
    return leftmost_free(slot["target"].lower().split(), words, [False] * len(words)) >= 0


def offered(way: str, row: Row, words: list[str]) -> tuple[Row, frozenset[int]]:
    """Return a tagged row with the phrases of one way, and the slots that are required."""
    slots = [] if way == "nothing" else list(row["slots"])
    if way.startswith("right"):
        kept = [slot for slot in slots if _holds(words, slot)]
        slots = [{**slot, "slot": number} for number, slot in enumerate(kept)]
    required = (slot["slot"] for slot in slots) if way.endswith("required") else ()
    return {**row, "slots": slots}, frozenset(required)


def searches(
    workspace: Workspace,
    models: Sequence[ArtifactRef],
    rows: Sequence[Row],
    references: Mapping[str, list[str]],
    decoding: DecodingConfig,
) -> Iterator[list[str]]:
    """Yield BLEU and length of both systems, way by way."""
    words = [references[row["sentence_id"]] for row in rows]
    for name, (way, changes) in WAYS.items():
        given, required = zip(*map(offered, [way] * len(rows), rows, words), strict=True)
        cells = [name]
        for system, ref in zip(SYSTEMS, models, strict=True):
            if system == SYSTEMS[0] and way != "offered":
                cells.extend(["–"] * 3)
                continue
            config = replace(decoding, **changes)
            opened = open_models([workspace.read_bundle(ref)], config, {})
            start = time.process_time()
            found = [each.row for each in translate_rows(opened, given, required)]
            seconds = time.process_time() - start
            sums = Translations(words, [found]).counts().sum(axis=1)
            ratio = sums[0, 0] / sums[0, 1]
            cells += [f"{bleu(sums)[0]:.2f}", f"{ratio:.2f}", f"{seconds:.0f}"]
        yield cells


class Cells(NamedTuple):
    """Two cells of an experiment, with what they share."""

    workspace: Workspace
    made: Mapping[str, tuple[ArtifactRef, Row]]
    test: str
    data: str

    def rows(self, label: str) -> list[Row]:
        """Return the rows that the step of a label wrote."""
        return list(self.workspace.read_rows(self.made[f"{label} [{self.data}]"][0]))

    def translations(self) -> list[tuple[ArtifactRef, Row]]:
        """Return the translations of the test set, with their records."""
        return [self.made[f"translate {self.test} {n} [{self.data}/{n}/1]"] for n in SYSTEMS]

    def references(self) -> dict[str, list[str]]:
        """Return the words of the test set's references."""
        return references_of(self.workspace, self.made[f"testset {self.test} [{self.data}]"][0])


def say_what_is_there(cells: Cells) -> None:
    """Print the tables that need no network."""
    references = cells.references()
    rows = [list(cells.workspace.read_rows(ref)) for ref, _ in cells.translations()]
    said = Translations([references[row["sentence_id"]] for row in rows[0]], rows)
    measured = [
        row
        for label, (ref, _) in cells.made.items()
        if label.startswith("quality ") and label.endswith(f"[{cells.data}]")
        for row in cells.workspace.read_rows(ref)
    ]
    head = ["most words", "pairs", "dropped for the target alone", "target words a source word"]
    say(markdown_table(head, list(cut_pairs(measured))))
    head = ["source words", "trained on", "sentences", "pairs trained on", "reference", *SYSTEMS]
    say(markdown_table(head, list(lengths(cells.rows("tag training 1/1"), said))))
    head = ["sentences", "number", *SYSTEMS, "gain", "p", "length", "gain, no brevity penalty"]
    say(markdown_table(head, list(kinds_of_sentences(said))))
    head = ["origin", "offered", "words", "in the reference", *(f"said by {n}" for n in SYSTEMS)]
    head += ["produced", "not in the reference", "right words gained"]
    say(markdown_table(head, list(phrases_by_origin(said))))


def say_searches(cells: Cells, number: int, decoding: DecodingConfig) -> None:
    """Print what search makes of some sentences."""
    models = [
        ArtifactRef.from_json(body["inputs"]["model"]["artifact"])
        for _, body in cells.translations()
    ]
    tagged = cells.rows(f"tag {cells.test}")
    chosen = sorted(random.Random(1).sample(range(len(tagged)), number))
    part = [tagged[at] for at in chosen]
    head = ["search", *(f"{n}: {what}" for n in SYSTEMS for what in ("BLEU", "length", "s"))]
    found = searches(cells.workspace, models, part, cells.references(), decoding)
    say(markdown_table(head, list(found)))


def main(arguments: Sequence[str]) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Take two cells of an experiment apart.")
    parser.add_argument("file", type=Path)
    parser.add_argument("testset")
    parser.add_argument("data", nargs="?", default="laws")
    parser.add_argument("--search", type=int, default=0, metavar="N")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    settings, workspace = open_settings(options.file)
    cells = Cells(workspace, outputs(workspace), options.testset, options.data)
    say_what_is_there(cells)
    if options.search:
        say_searches(cells, options.search, settings.decoding)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
