"""What short lists and int8 gain and cost: tables for `docs/results/speed.md`.

`python -m benchmarks.decoding_options FILE MODEL SOURCE REFERENCE` translates lines with a model of
a workspace, each way in turn on the same lines, on one thread and in processor time; then it
searches with networks that have first values and 16,000 words, for speed alone.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.measuring import median_in_turn, say
from benchmarks.results_page import markdown_table
from benchmarks.speed import BEAM, RATIO, SENTENCES, SOURCE_LENGTH, describe, network
from benchmarks.speed_data import LARGE, SMALL, Size
from flows.inference import OpenTranslator, open_translator
from model.batches import Example
from model.config import DecodingConfig
from model.search import translate
from tasks.decoding import translate_rows
from tasks.lines import printed
from tasks.metrics.mteval import count_corpus

ROUNDS = 3
LISTED = 1_000
"""Words on the lists of the networks with first values."""
WAYS: dict[str, dict[str, Any]] = {
    "float32, all words": {},
    "short_list = 500": {"short_list": 500},
    "short_list = 250": {"short_list": 250},
    'readout = "int8"': {"readout": "int8"},
    'short_list = 500, readout = "int8"': {"short_list": 500, "readout": "int8"},
}


def main(arguments: Sequence[str]) -> int:
    """Print the tables."""
    torch.set_num_threads(1)
    settings, model, source, reference = arguments
    lines = Path(source).read_text("utf-8").splitlines()
    references = Path(reference).read_text("utf-8").splitlines()
    say(f"{len(lines)} lines:\n\n{of_lines(Path(settings), model, lines, references)}\n")
    for size in (SMALL, LARGE):
        say(f"{describe(size)}, beam {BEAM}:\n\n{of_first_values(size)}\n")
    return 0


def of_lines(settings: Path, model: str, lines: Sequence[str], references: Sequence[str]) -> str:
    """Compare translations of lines."""
    opened = {
        name: open_translator(settings, [model], partial(_changed, way))
        for name, way in WAYS.items()
    }
    found: dict[str, list[str]] = {}
    rows = [next(iter(opened.values())).tagger.tag(line) for line in lines]

    def work(name: str, one: OpenTranslator) -> None:
        made = translate_rows(one.models, rows)
        found[name] = [printed(each.row, one.casing) for each in made]

    seconds = median_in_turn(
        {name: partial(work, name, one) for name, one in opened.items()}, ROUNDS
    )
    plain = next(iter(WAYS))
    return markdown_table(
        ["way", "speed", "changed outputs", "BLEU"],
        [
            [
                name,
                f"{seconds[plain] / seconds[name]:.2f}",
                str(sum(a != b for a, b in zip(found[plain], found[name], strict=True))),
                f"{bleu(found[name], references):.2f}",
            ]
            for name in WAYS
        ],
    )


def _changed(way: Mapping[str, Any], config: DecodingConfig) -> DecodingConfig:
    return replace(config, **way)


def bleu(outputs: Sequence[str], references: Sequence[str]) -> float:
    """Return BLEU in percent."""
    return count_corpus([outputs], [references]).scores()[0].value


def of_first_values(size: Size) -> str:
    """Compare searches of translations of a forced length."""
    random, translator = np.random.default_rng(3), network(size, "rnnsearch")
    batch = [
        Example(random.integers(2, size.vocabulary - 2, SOURCE_LENGTH).astype(np.int32))
        for _ in range(SENTENCES[size])
    ]
    # Few words are frequent: the third power makes half of the draws fall on an eighth of them.
    drawn = size.vocabulary * random.random((len(batch), 20 * SOURCE_LENGTH)) ** 3
    listed = [np.union1d(np.arange(LISTED), ids.astype(np.int64)) for ids in drawn]
    say(f"{len(np.unique(np.concatenate(listed))):,} words on the lists together.\n")
    plain = DecodingConfig(
        beam=BEAM, batch_size=len(batch), max_length_ratio=RATIO, min_length_ratio=RATIO
    )
    narrow, whole = replace(plain, precision="bfloat16"), replace(plain, readout="int8")
    works = {
        "float32": lambda: translate(translator, batch, plain),
        f"float32, {LISTED:,} words and 20 for each source word": lambda: translate(
            translator, batch, plain, listed=listed
        ),
        "float32, int8 readout": lambda: translate(translator, batch, whole),
        "bfloat16": lambda: translate(translator, batch, narrow),
        "bfloat16, int8 readout": lambda: translate(
            translator, batch, replace(narrow, readout="int8")
        ),
    }
    seconds = median_in_turn(works, ROUNDS if size is SMALL else 1)
    first = next(iter(seconds.values()))
    return markdown_table(
        ["way", "speed"], [[name, f"{first / each:.2f}"] for name, each in seconds.items()]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
