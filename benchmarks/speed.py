"""Training and decoding beside Joey NMT on the same batches: tables for `docs/results/speed.md`.

`python -m benchmarks.speed` measures on one thread with processor
time, everything in turn on the same batch; a ratio is the median over batches. It takes about ten
minutes. Without Joey NMT (see `benchmarks/joey.py`) `rnnsearch` in float32 takes its place.
"""

import platform
import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version

import numpy as np
import torch

from benchmarks import joey
from benchmarks.results_page import markdown_table
from benchmarks.speed_data import (
    BATCH,
    BUCKETS,
    LARGE,
    SMALL,
    Size,
    bucketed,
    random_order,
    sentences,
)
from model.batches import Example, collate_source, collate_target
from model.config import DecodingConfig, ModelConfig, Precision
from model.search import translate
from model.translator import Translator, build_translator

BEAM, LENGTH, SOURCE_LENGTH = 5, 30, 24
RATIO = LENGTH / SOURCE_LENGTH
Work = Callable[[list[Example]], object]
SYSTEMS: Mapping[Size, Sequence[tuple[str, Precision]]] = {
    SMALL: (
        ("rnnsearch", "float32"),
        ("rnnsearch", "bfloat16"),
        ("phrasenet-gate", "float32"),
        ("phrasenet-gate+context-gate", "float32"),
    ),
    LARGE: (("rnnsearch", "float32"), ("rnnsearch", "bfloat16")),
}
BATCHES = {SMALL: 7, LARGE: 2}
SENTENCES = {SMALL: 40, LARGE: 16}


def main() -> int:
    """Print the figures as Markdown."""
    torch.set_num_threads(1)
    write(
        f"Machine: {platform.machine()}, 1 thread, no GPU; Python {platform.python_version()}, "
        f"torch {version('torch')}, Joey NMT {'2.3.0' if joey.is_there() else 'missing'}\n"
    )
    for size, systems in SYSTEMS.items():
        write(f"## Training, {describe(size)}\n\n{training(size, systems)}\n")
        write(f"Peak memory of the process so far: {peak_gigabytes():.1f} GB.\n")
        write(f"## Beam {BEAM}, {describe(size)}\n\n{decoding(size)}\n")
    write(f"## Whole recipe, {describe(SMALL)}\n\n{recipe(SMALL)}\n")
    return 0


def write(text: str) -> None:
    """Print at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def describe(size: Size) -> str:
    """Return the widths in words."""
    return (
        f"{size.name}: embedding {size.embedding}, hidden {size.hidden}, {size.vocabulary:,} words"
    )


def peak_gigabytes() -> float:
    """Return the most memory that this process had (Linux counts kilobytes)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def trainer(size: Size, system: str, precision: Precision) -> Work:
    """Return forward and backward pass, clipping and Adam of one of our systems."""
    translator = network(size, system)
    optimizer = torch.optim.Adam(translator.parameters(), lr=1e-3, fused=True)

    def work(batch: list[Example]) -> None:
        translator.train()
        source, target = translator.collate(batch)
        loss = -translator.log_likelihood(source, target, precision=precision).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(translator.parameters(), 1.0)
        optimizer.step()

    return work


def network(size: Size, system: str) -> Translator:
    """Return a network with first values."""
    config = ModelConfig(
        system=system, embedding=size.embedding, hidden=size.hidden, initial_values="scaled"
    )
    return build_translator(config, size.vocabulary, size.vocabulary, seed=1)


def joey_trainer(size: Size) -> Work:
    """Return the same of Joey NMT."""
    other = joey.Joey(size)
    return lambda batch: other.step(collate_source(batch, 0), collate_target(batch, 0))


def training(size: Size, systems: Sequence[tuple[str, Precision]]) -> str:
    """Compare on bucketed batches."""
    works: dict[str, Work] = {"Joey NMT": joey_trainer(size)} if joey.is_there() else {}
    works |= {f"{system}, {format_}": trainer(size, system, format_) for system, format_ in systems}
    batches = bucketed(sentences(BUCKETS * BATCH, size.vocabulary), BATCHES[size] + 1)
    return table(measure(works, batches), batches, words, "target words/s")


def recipe(size: Size) -> str:
    """Compare Joey in its own random order with bucketed batches in bfloat16."""
    pairs = sentences(BUCKETS * BATCH, size.vocabulary)
    own, count = trainer(size, "rnnsearch", "bfloat16"), 5
    ours = measure({"rnnsearch, bucketed, bfloat16": own}, bucketed(pairs, count + 1))
    rates = {name: rate(seconds, bucketed(pairs, count + 1)) for name, seconds in ours.items()}
    if joey.is_there():
        batches = random_order(pairs, count + 1)
        theirs = measure({"Joey NMT, random order": joey_trainer(size)}, batches)
        rates = {name: rate(seconds, batches) for name, seconds in theirs.items()} | rates
    first = next(iter(rates.values()))
    rows = [[name, f"{value:,.0f}", f"{value / first:.2f}"] for name, value in rates.items()]
    return markdown_table(["recipe", "target words/s", "ratio"], rows)


def rate(seconds: Sequence[float], batches: Sequence[Sequence[Example]]) -> float:
    """Return target words a second without the first batch."""
    return sum(words(batch) for batch in batches[1:]) / sum(seconds[1:])


def decoding(size: Size) -> str:
    """Compare searches of translations of a forced length, with first values."""
    random = np.random.default_rng(3)
    ours = network(size, "rnnsearch")

    def search(precision: Precision) -> Work:
        config = DecodingConfig(
            beam=BEAM,
            batch_size=SENTENCES[size],
            max_length_ratio=RATIO,
            min_length_ratio=RATIO,
            precision=precision,
        )
        return lambda batch: translate(ours, batch, config)

    works: dict[str, Work] = {}
    if joey.is_there():
        other = joey.Joey(size)
        works["Joey NMT"] = lambda batch: other.translate(collate_source(batch, 0), BEAM, LENGTH)
    works |= {"rnnsearch, float32": search("float32"), "rnnsearch, bfloat16": search("bfloat16")}
    batches = [
        [
            Example(random.integers(2, size.vocabulary - 2, SOURCE_LENGTH).astype(np.int32))
            for _ in range(SENTENCES[size])
        ]
        for _ in range(4)
    ]
    return table(measure(works, batches), batches, len, "sentences/s")


def measure(works: Mapping[str, Work], batches: Sequence[list[Example]]) -> dict[str, list[float]]:
    """Return the processor seconds of each work for each batch, all in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for batch in batches:
        for name, work in works.items():
            start = time.process_time()
            work(batch)
            seconds[name].append(time.process_time() - start)
    return seconds


def words(batch: Sequence[Example]) -> int:
    """Return the target words of a batch, end marks included."""
    return sum(len(example.target_ids) + 1 for example in batch)


def table(
    seconds: Mapping[str, Sequence[float]],
    batches: Sequence[list[Example]],
    size_of: Callable[[list[Example]], int],
    unit: str,
) -> str:
    """Return rates and ratios to the first row; the first batch warms up."""
    first = next(iter(seconds.values()))
    rows = []
    for name, each in seconds.items():
        ratios = [a / b for a, b in zip(first[1:], each[1:], strict=True)]
        rows.append(
            [
                name,
                f"{sum(map(size_of, batches[1:])) / sum(each[1:]):,.4g}",
                f"{statistics.median(ratios):.2f}",
                f"{min(ratios):.2f} to {max(ratios):.2f}",
            ]
        )
    return markdown_table(["system", unit, "ratio", "range"], rows)


if __name__ == "__main__":
    sys.exit(main())
