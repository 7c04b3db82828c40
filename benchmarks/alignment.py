"""Alignment error of every engine and heuristic, on the built-in sample and on laws by hand.

Laws need `../shared/data` beside the project, or `--data DIR`; the first `--pairs` of them train
the aligners together with laws/dev. `eflomal` is left out where it is not installed.
`python -m benchmarks.alignment > docs/results/alignment.md` writes the page, which holds no
sentence.
"""

import argparse
import io
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import get_args

import zstandard

from benchmarks.measuring import say
from storage.errors import InputError
from tasks.eflomal import link_pairs, train_priors
from tasks.metrics.alignment_error import GoldLinks, alignment_scores
from tasks.mining.alignment import Aligner
from tasks.mining.alignment_config import AlignmentConfig, Engine, Heuristic
from tasks.mining.symmetrise import Links
from tasks.recipe import WordRecipe
from tasks.sample.chunks import SamplePair
from tasks.sample.newswire import generate
from tasks.text.lexicon import Lexicon
from tasks.text.script import normalise
from tasks.word_maker import WordMaker
from tests.law_links import law_links

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
SAMPLE_SEED = 2016
_HEADER = "| engine | heuristic | precision | recall | AER |\n| --- | --- | --- | --- | --- |"

Pair = tuple[Sequence[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Task:
    """What trains an aligner, and what it is judged by."""

    name: str
    train: Sequence[Pair]
    judged: Sequence[Pair]
    gold: Sequence[GoldLinks]


def tasks(laws: Path, num_pairs: int) -> Iterator[Task]:
    """Yield the tasks for which there is data."""
    sample = generate(SAMPLE_SEED)
    train = [_words(made) for made in sample.train]
    clean = [made for made in sample.train if not made.is_noise]
    yield Task("The sample's training pairs", train, *_answers(clean))
    yield Task("The sample's test pairs, which trained nothing", train, *_answers(sample.test))
    if laws.exists():
        dev, gold = law_links(laws)
        read = [*_law_pairs(laws / "train.tsv.zst", num_pairs), *dev]
        name = f"Sixty pairs of laws/dev, trained on {len(read):,} pairs"
        yield Task(name, read, [dev[place] for place in gold], list(gold.values()))


def _words(made: SamplePair) -> Pair:
    return made.source_words, made.target_words


def _answers(pairs: Sequence[SamplePair]) -> tuple[list[Pair], list[GoldLinks]]:
    gold = [GoldLinks(frozenset(p.links), frozenset(p.possible_links)) for p in pairs]
    return [_words(made) for made in pairs], gold


def _law_pairs(file: Path, number: int) -> Iterator[Pair]:
    maker = WordMaker(WordRecipe(lowercase=True), Lexicon())
    with file.open("rb") as packed:
        text = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(packed), "utf-8")
        for line in islice(text, number):
            source, target = line.rstrip("\n").split("\t")[:2]
            yield maker.chinese(source).words, maker.english(normalise(target))


def _trained(
    engine: Engine, pairs: Sequence[Pair]
) -> Callable[[Sequence[Pair], AlignmentConfig], list[Links]]:
    """Train an engine once; returns what links pairs with any heuristic."""
    config = AlignmentConfig(engine=engine)
    if engine == "eflomal":
        priors = train_priors(pairs, config)
        return lambda judged, how: link_pairs(judged, priors, how)
    aligner = Aligner.train(pairs, config)
    return lambda judged, how: aligner.with_settings(how).align_pairs(judged)


def measure(task: Task, engines: Sequence[Engine]) -> None:
    """Print a table of one task."""
    say(f"\n## {task.name}\n")
    say(f"{len(task.gold):,} pairs with {sum(len(g.sure) for g in task.gold):,} sure links.\n")
    say(_HEADER)
    seconds = {}
    for engine in engines:
        start = time.process_time(), os.times().children_user
        try:
            link = _trained(engine, task.train)
        except InputError as error:
            say(f"| {engine} | not measured: {str(error).split('.')[0]} | | | |")
            continue
        used = time.process_time() - start[0] + os.times().children_user - start[1]
        seconds[engine] = used
        for heuristic in get_args(Heuristic):
            how = replace(AlignmentConfig(engine=engine), heuristic=heuristic)
            scores = alignment_scores(link(task.judged, how), task.gold)
            row = f"{scores.precision:.3f} | {scores.recall:.3f} | {scores.error_rate:.3f}"
            say(f"| {engine} | {heuristic} | {row} |")
    _say_seconds(task, seconds)


def _say_seconds(task: Task, seconds: Mapping[Engine, float]) -> None:
    say("\n| engine | processor seconds of training | pairs a second |\n| --- | --- | --- |")
    for engine, used in seconds.items():
        say(f"| {engine} | {used:,.1f} | {len(task.train) / used:,.0f} |")


def main() -> int:
    """Print the page."""
    parser = argparse.ArgumentParser(description="Measure the aligners.")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--pairs", type=int, default=20_000, metavar="N")
    parser.add_argument("--engines", default=",".join(get_args(Engine)), metavar="A,B")
    options = parser.parse_args()
    engines = [name for name in get_args(Engine) if name in options.engines.split(",")]
    say("# Alignment error\n")
    say(f"`python -m benchmarks.alignment --pairs {options.pairs}`, {platform.machine()}, ")
    say(f"{os.cpu_count()} processors that other work shared, Python {platform.python_version()}.")
    for task in tasks(options.data / "laws", options.pairs):
        measure(task, engines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
