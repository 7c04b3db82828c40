"""Training and decoding beside Joey NMT on the same batches: tables for `docs/results/speed.md`.

`python -m benchmarks.speed` measures on one thread with processor time, everything in turn on the
same batch, each system in a process of its own; a ratio is the median over batches. It needs about
ten minutes of one processor and 10 GB of memory. `python -m benchmarks.speed beam small` does only
the parts that it names. Without Joey NMT (see `benchmarks/joey.py`) `rnnsearch` in float32 takes
its place.
"""

import platform
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
import torch

from benchmarks import joey
from benchmarks.apart import Apart, Make, Work
from benchmarks.results_page import markdown_table
from benchmarks.speed_data import (
    BATCH,
    BUCKETS,
    LARGE,
    LONGEST,
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

PLAIN = "rnnsearch as Joey's"
"""No coverage, and an attention of the state's width: about as many products as Joey's network."""
BEAM, LENGTH, SOURCE_LENGTH = 5, 30, 24
RATIO = LENGTH / SOURCE_LENGTH
SYSTEMS: Mapping[Size, Sequence[tuple[str, Precision]]] = {
    SMALL: (
        ("rnnsearch", "float32"),
        ("rnnsearch", "bfloat16"),
        ("phrasenet-gate", "float32"),
        ("phrasenet-gate+context-gate", "float32"),
    ),
    LARGE: (
        ("rnnsearch", "float32"),
        (PLAIN, "float32"),
        ("rnnsearch", "bfloat16"),
        (PLAIN, "bfloat16"),
    ),
}
BATCHES = {SMALL: 7, LARGE: 2}
RECIPE_BATCHES = {SMALL: 5, LARGE: 3}
MOST_WORDS = {SMALL: BATCH * (LONGEST + 1), LARGE: 3000}
"""Of a batch, so that three large networks fit into memory beside each other."""
JOEY = "Joey NMT"
SENTENCES = {SMALL: 40, LARGE: 16}


def write(text: str) -> None:
    """Print at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def describe(size: Size) -> str:
    """Return the widths in words."""
    return (
        f"{size.name}: embedding {size.embedding}, hidden {size.hidden}, {size.vocabulary:,} words"
    )


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
    sizes: dict[str, Any] = {"embedding": size.embedding, "hidden": size.hidden}
    if system == PLAIN:
        system, sizes = "rnnsearch", {**sizes, "attention": size.hidden, "coverage": "none"}
    config = ModelConfig(system=system, initial_values="scaled", **sizes)
    return build_translator(config, size.vocabulary, size.vocabulary, seed=1)


def joey_trainer(size: Size) -> Work:
    """Return the same of Joey NMT."""
    other = joey.Joey(size)
    return lambda batch: other.step(collate_source(batch, 0), collate_target(batch, 0))


def training(size: Size) -> str:
    """Compare on bucketed batches."""
    works: dict[str, Make] = {JOEY: partial(joey_trainer, size)} if joey.is_there() else {}
    for system, precision in SYSTEMS[size]:
        works[f"{system}, {precision}"] = partial(trainer, size, system, precision)
    every = bucketed(sentences(BUCKETS * BATCH, size.vocabulary), BUCKETS)
    batches = [batch for batch in every if words(batch) <= MOST_WORDS[size]][: BATCHES[size] + 1]
    return table(*measure(works, batches), batches, words, "target words/s")


def recipe(size: Size) -> str:
    """Compare Joey in its own random order with bucketed batches in bfloat16."""
    pairs = sentences(BUCKETS * BATCH, size.vocabulary)
    own: dict[str, Make] = {
        "rnnsearch, bucketed, bfloat16": partial(trainer, size, "rnnsearch", "bfloat16")
    }
    rates = rates_of(own, bucketed(pairs, RECIPE_BATCHES[size] + 1))
    if joey.is_there():
        theirs: dict[str, Make] = {f"{JOEY}, random order": partial(joey_trainer, size)}
        rates = rates_of(theirs, random_order(pairs, RECIPE_BATCHES[size] + 1)) | rates
    first = next(iter(rates.values()))
    rows = [[name, f"{value:,.0f}", f"{value / first:.2f}"] for name, value in rates.items()]
    return markdown_table(["recipe", "target words/s", "ratio"], rows)


def rates_of(works: Mapping[str, Make], batches: Sequence[list[Example]]) -> dict[str, float]:
    """Return target words a second without the first batch."""
    seconds, _ = measure(works, batches)
    total = sum(map(words, batches[1:]))
    return {name: total / sum(each[1:]) for name, each in seconds.items()}


def beam(size: Size) -> str:
    """Compare searches of translations of a forced length, with first values."""
    random = np.random.default_rng(3)
    works: dict[str, Make] = {JOEY: partial(joey_searcher, size)} if joey.is_there() else {}
    formats: tuple[Precision, ...] = ("float32", "bfloat16")
    works |= {f"rnnsearch, {format_}": partial(searcher, size, format_) for format_ in formats}
    batches = [
        [
            Example(random.integers(2, size.vocabulary - 2, SOURCE_LENGTH).astype(np.int32))
            for _ in range(SENTENCES[size])
        ]
        for _ in range(4)
    ]
    return table(*measure(works, batches), batches, len, "sentences/s")


def searcher(size: Size, precision: Precision) -> Work:
    """Return our search."""
    ours = network(size, "rnnsearch")
    config = DecodingConfig(
        beam=BEAM,
        batch_size=SENTENCES[size],
        max_length_ratio=RATIO,
        min_length_ratio=RATIO,
        precision=precision,
    )
    return lambda batch: translate(ours, batch, config)


def joey_searcher(size: Size) -> Work:
    """Return Joey NMT's search."""
    other = joey.Joey(size)
    return lambda batch: other.translate(collate_source(batch, 0), BEAM, LENGTH)


def memory(size: Size) -> str:
    """Train on one batch of the longest sentences, alone in a process."""
    random = np.random.default_rng(4)
    batch = [
        Example(*random.integers(2, size.vocabulary - 2, (2, LONGEST)).astype(np.int32))
        for _ in range(BATCH)
    ]
    works = {
        f"{system}, {precision}": partial(trainer, size, system, precision)
        for system, precision in SYSTEMS[size]
    }
    peaks = {name: measure({name: make}, [batch, batch])[1][name] for name, make in works.items()}
    rows = [[name, f"{peak:.1f} GB"] for name, peak in peaks.items()]
    return markdown_table([f"{BATCH} pairs of {LONGEST} and {LONGEST} words", "peak"], rows)


def measure(
    works: Mapping[str, Make], batches: Sequence[list[Example]]
) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Return the processor seconds of each work for each batch, all in turn, and their peaks in
    gigabytes.
    """
    seconds: dict[str, list[float]] = {name: [] for name in works}
    apart = {
        name: Apart(make, keeps_memory=not name.startswith(JOEY)) for name, make in works.items()
    }
    for batch in batches:
        for name, work in apart.items():
            seconds[name].append(work.seconds(batch))
    for work in apart.values():
        work.close()
    return seconds, {name: work.peak_gigabytes for name, work in apart.items()}


def words(batch: Sequence[Example]) -> int:
    """Return the target words of a batch, end marks included."""
    return sum(len(example.target_ids) + 1 for example in batch)


def table(
    seconds: Mapping[str, Sequence[float]],
    peaks: Mapping[str, float],
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
                f"{peaks[name]:.1f} GB",
            ]
        )
    return markdown_table(["system", unit, "ratio", "range", "peak"], rows)


PARTS: Mapping[str, Callable[[Size], str]] = {
    "training": training,
    "beam": beam,
    "recipe": recipe,
    "memory": memory,
}
"""What is measured, each for both sizes."""


def main(wanted: Sequence[str]) -> int:
    """Print the figures as Markdown.

    Args:
        wanted: names of parts and sizes; what is not named at all is all wanted.
    """
    torch.set_num_threads(1)
    write(
        f"Machine: {platform.machine()}, 1 thread, no GPU; Python {platform.python_version()}, "
        f"torch {version('torch')}, Joey NMT {'2.3.0' if joey.is_there() else 'missing'}\n"
    )
    names = [name for name in PARTS if name in wanted] or list(PARTS)
    sizes = [size for size in (SMALL, LARGE) if size.name in wanted] or [SMALL, LARGE]
    for size in sizes:
        for name in names:
            write(f"## {name.capitalize()}, {describe(size)}\n\n{PARTS[name](size)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
