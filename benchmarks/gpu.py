"""Training and beam search on a GPU: tables for `docs/results/speed.md`.

`python -m benchmarks.gpu` takes a few minutes at most and ends with exit code 2 where there is no
GPU. Everything runs in one process: the peak of products and of memory are measured there, and
rates are shares of them. Sentences are random words with the lengths of real ones.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch

from benchmarks.measuring import say
from benchmarks.results_page import markdown_table
from benchmarks.speed_data import LARGE, SMALL, Size, sentences
from benchmarks.work_counts import BatchSize, training_bytes, training_operations
from model.batch_order import batches_of_epoch
from model.batches import Example
from model.config import DecodingConfig, ModelConfig, Precision, TrainingConfig
from model.fit import fit, start
from model.loss import sentence_log_likelihood
from model.machine import device_name, prepare
from model.noise import SILENT
from model.placing import placed
from model.search import translate
from model.translator import Translator, build_translator
from storage.errors import ConfigError
from tasks.devices import prepared

NO_GPU = 2
BEAM, LENGTH, SOURCE_LENGTH = 5, 30, 24
PRECISIONS: Sequence[Precision] = ("float32", "tf32", "bfloat16")
PARTS = (
    "copy to the device",
    "encoder",
    "decoder loop",
    "readout and loss",
    "backward",
    "optimizer",
)


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured."""

    sizes: Sequence[Size] = (SMALL, LARGE)
    batches: Sequence[int] = (80, 512)
    """Pairs in a batch."""
    steps: int = 20
    sentences: int = 64
    """That are translated together."""
    product: int = 8192
    copied: int = 1 << 28
    """Numbers that are copied to measure the memory."""


@dataclass(frozen=True, slots=True)
class Peaks:
    """What the device can do, measured."""

    operations: float
    """Of a large product in the format of the products, a second."""
    bytes: float
    """Read and written by a large copy, a second."""


def main() -> int:
    """Print the figures as Markdown; without a GPU say so."""
    try:
        device = prepared("cuda", "device", ["float32"])
    except ConfigError as error:
        say(f"There is no GPU to measure: {error}")
        return NO_GPU
    report(device, Plan())
    return 0


def report(device: torch.device, plan: Plan) -> None:
    """Measure a device."""
    prepare(device, ["float32"])
    say(f"{device_name(device)}, torch {torch.__version__}\n")
    for size in plan.sizes:
        for pairs in plan.batches:
            say(f"## {size.name}, batches of {pairs}\n")
            say(markdown_table(["format", *_COLUMNS], rates(device, plan, size, pairs)) + "\n")
        pairs = plan.batches[0]
        say(f"One batch of {pairs} in bfloat16, ms, of {plan.steps} the median:\n")
        say(markdown_table(["part", "ms"], parts(device, plan, size, pairs)) + "\n")
        say(markdown_table(["beam search", "words/s"], searches(device, plan, size)) + "\n")


_COLUMNS = ("target words/s", "of peak product", "of bandwidth floor", "peak memory GB")


def rates(device: torch.device, plan: Plan, size: Size, pairs: int) -> list[list[str]]:
    """Return a row for each number format: words a second of whole steps, and shares of limits."""
    return [
        [precision, *_rate(device, plan, size, pairs, precision)]
        for precision in PRECISIONS
        if device.type == "cuda" or precision != "tf32"
    ]


def _rate(
    device: torch.device, plan: Plan, size: Size, pairs: int, precision: Precision
) -> list[str]:
    prepare(device, [precision])
    limits = peaks(device, plan, precision)
    translator = network(size).to(device)
    config = TrainingConfig(batch_size=pairs, steps=plan.steps + 1, precision=precision)
    examples = sentences((plan.steps + 1) * pairs, size.vocabulary)
    batches = batches_of_epoch(examples, config, 0, groundhog=False)
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    training = fit(translator, examples, config, state=start(translator, config))
    next(training)  # warms up
    seconds = timed(device, lambda: list(training))
    sizes = [size_of([examples[index] for index in batch]) for batch in batches[1:]]
    words = sum(each.words for each in sizes)
    shape, numbers = translator.config, sum(p.numel() for p in translator.parameters())
    operations = sum(training_operations(shape, size.vocabulary, each) for each in sizes)
    narrow = precision == "bfloat16"
    moved = sum(training_bytes(shape, numbers, size.vocabulary, each, narrow) for each in sizes)
    memory = torch.cuda.max_memory_allocated(device) if device.type == "cuda" else 0
    return [
        f"{words / seconds:,.0f}",
        f"{operations / seconds / limits.operations:.1%}",
        f"{moved / limits.bytes / seconds:.1%}",
        f"{memory / 1e9:.2f}",
    ]


def peaks(device: torch.device, plan: Plan, precision: Precision) -> Peaks:
    """Measure a large product and a large copy."""
    kind = torch.bfloat16 if precision == "bfloat16" else torch.float32
    left = torch.randn(plan.product, plan.product, device=device).to(kind)
    right = torch.randn(plan.product, plan.product, device=device).to(kind)
    numbers = torch.zeros(plan.copied, device=device)
    other = torch.empty_like(numbers)
    product = median(device, plan.steps, lambda: left @ right)
    copy = median(device, plan.steps, lambda: other.copy_(numbers))
    return Peaks(2 * plan.product**3 / product, 2 * 4 * plan.copied / copy)


def parts(device: torch.device, plan: Plan, size: Size, pairs: int) -> list[list[str]]:
    """Return the milliseconds of each part of a step; each is waited for, so the sum is more than
    a step that nobody waits in.
    """
    prepare(device, ["bfloat16"])
    translator = network(size).to(device).train()
    optimizer = torch.optim.Adam(translator.parameters(), lr=1e-3, fused=True)
    examples = sentences(pairs, size.vocabulary)
    found: dict[str, list[float]] = {name: [] for name in PARTS}
    for _ in range(plan.steps + 1):
        for name, seconds in step_parts(device, translator, optimizer, examples):
            found[name].append(seconds)
    return [[name, f"{1e3 * float(np.median(each[1:])):.2f}"] for name, each in found.items()]


def step_parts(
    device: torch.device,
    translator: Translator,
    optimizer: torch.optim.Optimizer,
    examples: Sequence[Example],
) -> list[tuple[str, float]]:
    """Make a training step of a network without phrase memory, part by part."""
    clock = _Clock(device)
    source, target = translator.collate(examples)
    clock.skip()
    source, target = placed(source, device), placed(target, device)
    clock.lap("copy to the device")
    dtype = translator.number_format("bfloat16")
    encoded = translator.encode(source, SILENT, dtype)
    clock.lap("encoder")
    reading = translator._read(source, target, encoded, None, SILENT, dtype)
    clock.lap("decoder loop")
    hidden_NE = translator.readout.hidden(reading, dtype)
    words_N = target.ids_IB.view(-1)[target.row_N]
    logit_N, log_sum_N = translator.readout.scores(hidden_NE, words_N, dtype, translator.pool)
    log_B = sentence_log_likelihood(target, logit_N - log_sum_N, None)
    clock.lap("readout and loss")
    optimizer.zero_grad(set_to_none=True)
    (-log_B.mean()).backward()
    clock.lap("backward")
    torch.nn.utils.clip_grad_norm_(translator.parameters(), 1.0)
    optimizer.step()
    clock.lap("optimizer")
    return clock.laps


def searches(device: torch.device, plan: Plan, size: Size) -> list[list[str]]:
    """Return the words a second of searches of translations of a forced length."""
    random = np.random.default_rng(3)
    translator, rows = network(size).to(device), []
    batch = [
        Example(random.integers(2, size.vocabulary - 2, SOURCE_LENGTH).astype(np.int32))
        for _ in range(plan.sentences)
    ]
    ratio, most = LENGTH / SOURCE_LENGTH, min(3, plan.steps)
    for precision in ("float32", "bfloat16"):
        config = DecodingConfig(
            beam=BEAM,
            batch_size=plan.sentences,
            max_length_ratio=ratio,
            min_length_ratio=ratio,
            precision=precision,
        )
        seconds = median(device, most, partial(translate, translator, batch, config))
        rows.append([f"beam {BEAM}, {precision}", f"{LENGTH * plan.sentences / seconds:,.0f}"])
    return rows


def network(size: Size) -> Translator:
    """Return a network with first values."""
    config = ModelConfig(
        system="rnnsearch", embedding=size.embedding, hidden=size.hidden, initial_values="scaled"
    )
    return build_translator(config, size.vocabulary, size.vocabulary, seed=1)


def size_of(batch: Sequence[Example]) -> BatchSize:
    """Return the sizes of a batch."""
    targets = [len(example.target_ids) + 1 for example in batch]
    return BatchSize(
        pairs=len(batch),
        source=max(len(example.source_ids) for example in batch) + 1,
        target=max(targets),
        words=sum(targets),
    )


def median(device: torch.device, times: int, work: Callable[[], object]) -> float:
    """Return the median seconds of a work, once warmed up."""
    work()
    return float(np.median([timed(device, work) for _ in range(times)]))


def timed(device: torch.device, work: Callable[[], object]) -> float:
    """Return the seconds until the device has done a work."""
    clock = _Clock(device)
    work()
    clock.lap("")
    return clock.laps[0][1]


class _Clock:
    """Wall time between points at which the device has nothing left to do."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self.laps: list[tuple[str, float]] = []
        self._last = self._now()

    def _now(self) -> float:
        if self._device.type == "cuda":
            torch.cuda.synchronize(self._device)
        return time.perf_counter()

    def skip(self) -> None:
        """Do not count what was done since the last point."""
        self._last = self._now()

    def lap(self, name: str) -> None:
        """Name the time since the last point."""
        now = self._now()
        self.laps.append((name, now - self._last))
        self._last = now


if __name__ == "__main__":
    sys.exit(main())
