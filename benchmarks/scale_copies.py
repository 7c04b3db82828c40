"""What the steps that see one pair at a time cost for a pair of a later copy of the text.

`python -m benchmarks.scale_copies` takes pairs of the laws (`PHRASENET_LAWS`, see
`benchmarks.scale`) and what `benchmarks.scale_text` makes of the same pairs in each round, and
measures what `words` and `quality` do with them: blocks of all rounds in turn, in one process, and
nothing remembered from another block. The first block is measured once more at the end, after all
others, so that what a process gathers would show.
"""

import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from benchmarks.measuring import processor_seconds
from benchmarks.results_page import markdown_table
from benchmarks.scale import laws
from benchmarks.scale_text import MOST_ROUNDS, changed
from tasks.recipe import WordRecipe
from tasks.rules import grammar
from tasks.text.lexicon import Lexicon
from tasks.text.overlap import HeldOutIndex
from tasks.text.quality import measure
from tasks.text.script import normalise
from tasks.word_maker import WordMaker

PAIRS, EVERY, TURNS = 2_000, 100, 3
STEPS = ("words", "quality")
MICRO = 1e6


class Copy(NamedTuple):
    """The pairs of one round, and what they hold."""

    pairs: list[tuple[str, str]]
    words: list[tuple[list[str], list[str]]]
    facts: Mapping[str, float]
    """Of a pair, in the mean."""


def main() -> int:
    """Print the table."""
    first = list(islice(laws(), 0, PAIRS * EVERY, EVERY))
    maker, index = WordMaker(WordRecipe(), Lexicon.of_files({})), HeldOutIndex((), 8)
    blocks = {"the laws": _copy([pair[:2] for pair in first], maker)}
    for turn in range(MOST_ROUNDS):
        made = [changed(*pair[:2], turn, place) for place, pair in enumerate(first)]
        blocks[f"round {turn + 1}"] = _copy(made, maker)
    blocks["the laws, at the end"] = blocks["the laws"]
    costs = {(name, step): float("inf") for name in blocks for step in STEPS}
    for _ in range(TURNS):
        for name, block in blocks.items():
            for step, seconds in zip(STEPS, _seconds(block, maker, index), strict=True):
                costs[name, step] = min(costs[name, step], seconds)
    sys.stdout.write("\n".join(_table(blocks, costs)) + "\n")
    return 0


def _copy(made: list[tuple[str, str]], maker: WordMaker) -> Copy:
    pairs = [(normalise(source), normalise(target)) for source, target in made]
    cut = [maker.chinese(source) for source, _ in pairs]
    words = [(each.words, maker.english(pair[1])) for each, pair in zip(cut, pairs, strict=True)]
    totals = {
        "Chinese characters": sum(len(source) for source, _ in pairs),
        "English words": sum(len(english) for _, english in words),
        "spans of the rules": sum(len(each.rules) for each in cut),
    }
    return Copy(pairs, words, {name: total / len(pairs) for name, total in totals.items()})


def _seconds(copy: Copy, maker: WordMaker, index: HeldOutIndex) -> Iterator[float]:
    """Measure the making of words, and the measuring of pairs."""

    def cut() -> None:
        for source, target in copy.pairs:
            maker.chinese(source)
            maker.english(target)

    def judge() -> None:
        for pair, words in zip(copy.pairs, copy.words, strict=True):
            measure(pair, pair, words, index)

    for work in (cut, judge):
        grammar.forget()
        yield processor_seconds(work)


def _table(blocks: Mapping[str, Copy], costs: Mapping[tuple[str, str], float]) -> Iterator[str]:
    rows = []
    for name, block in blocks.items():
        cells = [name, *(f"{value:.2f}" for value in block.facts.values())]
        for step in STEPS:
            share = costs[name, step] / costs["the laws", step]
            each = costs[name, step] / len(block.pairs) * MICRO
            cells += [f"{each:.0f}", f"{100 * share:.0f} %"]
        rows.append(cells)
    facts = list(blocks["the laws"].facts)
    shown = (cell for step in STEPS for cell in (f"{step}, µs", "beside the laws"))
    yield markdown_table(["", *facts, *shown], rows)


if __name__ == "__main__":
    sys.exit(main())
