"""Training speed: systems and number formats against `rnnsearch` in float32, batches in turn."""

import statistics
import time
from collections.abc import Iterator

import numpy as np
import torch

from benchmarks.measuring import figure, say
from model.batches import Example, SlotIds
from model.config import ModelConfig, Precision, TrainingConfig
from model.fit import StepReport, fit
from model.translator import build_translator

VOCABULARY, EMBEDDING, HIDDEN, BATCH, STEPS = 8000, 128, 256, 64, 6
RUNS: tuple[tuple[str, Precision], ...] = (
    ("rnnsearch", "float32"),
    ("phrasenet-gate", "float32"),
    ("phrasenet-softmax", "float32"),
    ("rnnsearch+context-gate", "float32"),
    ("phrasenet-gate+context-gate", "float32"),
    ("groundhog-gru", "float32"),
    ("groundhog-coverage+gate", "float32"),
    ("rnnsearch", "bfloat16"),
    ("phrasenet-gate", "bfloat16"),
    ("transformer", "float32"),
    ("transformer+phrase-gate", "float32"),
    ("transformer+phrase-gate", "bfloat16"),
)


def run() -> None:
    """Print target words a second, and the ratio to the first row."""
    say(
        f"  embedding {EMBEDDING}, hidden {HIDDEN}, {VOCABULARY:,} words, batch {BATCH}, "
        f"{torch.get_num_threads()} threads"
    )
    examples = _examples()
    runs = {
        f"{system}, {precision}": _fit(system, precision, examples) for system, precision in RUNS
    }
    rates: dict[str, list[float]] = {name: [] for name in runs}
    before = {name: next(reports).target_words for name, reports in runs.items()}
    for _ in range(STEPS):
        for name, reports in runs.items():
            start = time.perf_counter()
            report = next(reports)
            seconds = time.perf_counter() - start
            rates[name].append((report.target_words - before[name]) / seconds)
            before[name] = report.target_words
    medians = {name: statistics.median(values) for name, values in rates.items()}
    first = next(iter(medians.values()))
    for name, rate in medians.items():
        figure(name, rate, f"target words/s  {rate / first:5.2f} x")


def _fit(system: str, precision: Precision, examples: list[Example]) -> Iterator[StepReport]:
    model = ModelConfig(system=system, embedding=EMBEDDING, hidden=HIDDEN, initial_values="scaled")
    config = TrainingConfig(batch_size=BATCH, steps=10_000, precision=precision)
    return fit(build_translator(model, VOCABULARY, VOCABULARY, seed=1), examples, config)


def _examples() -> list[Example]:
    """Make random pairs of the lengths of law texts, with up to three slots each."""
    random = np.random.default_rng(1)
    return [_example(random) for _ in range(20 * BATCH)]


def _example(random: np.random.Generator) -> Example:
    target_length = int(np.clip(random.normal(35, 9), 6, 50))
    source_length = int(np.clip(target_length * random.normal(0.8, 0.15), 6, 50))
    source = random.integers(2, VOCABULARY, source_length).astype(np.int32)
    target = random.integers(2, VOCABULARY, target_length).astype(np.int32)
    slots = tuple(
        SlotIds(start, start + 2, tuple(int(word) for word in target[start : start + 3]), start)
        for start in range(0, min(source_length, target_length) - 6, 6)
    )
    return Example(source, target, slots[:3])
