"""Training and beam search on a GPU: tables for `docs/results/speed.md`.

`python -m benchmarks.gpu` takes a few minutes and ends with exit code 2 where there is no GPU, with
1 where something failed. Everything runs in one process: the peak of products and of memory are
measured there, and rates are shares of them. Sentences are random words with the lengths of real
ones. The large network comes first, each table is printed as soon as it is full, a row that fails
says so and leaves the others, and after `Plan.seconds` no further row begins.
"""

import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
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

FAILED, NO_GPU = 1, 2
BEAM, LENGTH, SOURCE_LENGTH = 5, 30, 24
PRECISIONS: Sequence[Precision] = ("bfloat16", "tf32", "float32")
FORMATS: Sequence[Precision] = ("bfloat16", "float32")
"""That beam search is measured in."""
PARTS = (
    "copy to the device",
    "encoder",
    "decoder loop",
    "readout and loss",
    "backward",
    "optimizer",
)
KERNELS = 15
"""Rows of the table of operations."""
Rows = list[list[str]]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured."""

    sizes: Sequence[Size] = (LARGE, SMALL)
    batches: Sequence[int] = (80, 512)
    """Pairs in a batch."""
    steps: int = 20
    sentences: int = 64
    """That are translated together."""
    product: int = 8192
    copied: int = 1 << 28
    """Numbers that are copied to measure the memory."""
    seconds: float = 480
    """After which no row begins."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is printed together."""

    title: str
    columns: Sequence[str]
    works: Mapping[str, Callable[[], Rows]]
    """What fills it, each by itself."""


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
    return FAILED if report(device, Plan()) else 0


def report(device: torch.device, plan: Plan) -> int:
    """Measure a device; returns how many rows failed or were left out."""
    prepare(device, ["float32"])
    say(f"{device_name(device)}, torch {torch.__version__}\n")
    end, missing = time.monotonic() + plan.seconds, 0
    for table in tables(device, plan):
        rows: Rows = []
        for name, work in table.works.items():
            found = attempt(work) if time.monotonic() < end else "left out: no time"
            missing += isinstance(found, str)
            if isinstance(found, str):
                found = [[name, found, *[""] * (len(table.columns) - 2)]]
            rows += found
        say(f"{table.title}\n\n{markdown_table(table.columns, rows)}\n")
    return missing


def attempt(work: Callable[[], Rows]) -> Rows | str:
    """Return the rows of a work, or what went wrong; the details go to standard error."""
    try:
        return work()
    except Exception as error:
        traceback.print_exc()
        reason = next(iter(str(error).splitlines()), "")
        return f"failed: {type(error).__name__}: {reason}"
    finally:
        if torch.cuda.is_initialized():
            torch.cuda.empty_cache()


def tables(device: torch.device, plan: Plan) -> Iterator[Table]:
    """Yield what is measured, the most wanted first."""
    formats = [each for each in PRECISIONS if device.type == "cuda" or each != "tf32"]
    for size in plan.sizes:
        for pairs in plan.batches:
            yield Table(
                f"## {size.name}, batches of {pairs}",
                ("format", "target words/s", "of peak product", "of bandwidth floor", "peak GB"),
                {each: partial(rate, device, plan, size, pairs, each) for each in formats},
            )
        pairs = plan.batches[0]
        title = f"{size.name}, one batch of {pairs} in bfloat16"
        yield Table(
            f"{title}, ms, of {plan.steps} the median:",
            ("part", "ms"),
            {"all": partial(parts, device, plan, size, pairs)},
        )
        yield Table(
            f"{size.name}, beam {BEAM}:",
            ("format", "words/s"),
            {each: partial(search, device, plan, size, each) for each in FORMATS},
        )
        yield Table(
            f"{title}, operations that take most of its time:",
            ("operation", "times", "ms"),
            {"all": partial(operations, device, size, pairs)},
        )
    if device.type == "cuda":
        yield Table(
            f"Forward pass of the decoder's loop, batches of {plan.batches[0]} in bfloat16, ms:",
            ("size", "launched one by one", "as one CUDA graph"),
            {each.name: partial(captured, device, plan, each) for each in plan.sizes},
        )


def rate(device: torch.device, plan: Plan, size: Size, pairs: int, precision: Precision) -> Rows:
    """Return words a second of whole steps, and shares of limits."""
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
    products = sum(training_operations(shape, size.vocabulary, each) for each in sizes)
    narrow = precision == "bfloat16"
    moved = sum(training_bytes(shape, numbers, size.vocabulary, each, narrow) for each in sizes)
    memory = torch.cuda.max_memory_allocated(device) if device.type == "cuda" else 0
    shares = (
        f"{products / seconds / limits.operations:.1%}",
        f"{moved / limits.bytes / seconds:.1%}",
    )
    return [[precision, f"{words / seconds:,.0f}", *shares, f"{memory / 1e9:.2f}"]]


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


def parts(device: torch.device, plan: Plan, size: Size, pairs: int) -> Rows:
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


def operations(device: torch.device, size: Size, pairs: int) -> Rows:
    """Return the operations of a training step that keep the device busy longest, and the sum of
    all: what a step takes beyond it, the device waits.
    """
    prepare(device, ["bfloat16"])
    translator = network(size).to(device).train()
    optimizer = torch.optim.Adam(translator.parameters(), lr=1e-3, fused=True)
    step = partial(step_parts, device, translator, optimizer, sentences(pairs, size.vocabulary))
    step()
    with torch.profiler.profile() as profile:
        step()
    on_device = device.type == "cuda"
    events = [
        (event.self_device_time_total if on_device else event.self_cpu_time_total, event)
        for event in profile.key_averages()
        if event.device_type.name == device.type.upper()  # not those that launch its kernels
    ]
    events.sort(key=lambda pair: -pair[0])
    rows = [
        [event.key[:80].replace("|", "/"), f"{event.count}", f"{micros / 1e3:.2f}"]
        for micros, event in events[:KERNELS]
    ]
    return [*rows, ["all together", "", f"{sum(micros for micros, _ in events) / 1e3:.2f}"]]


def captured(device: torch.device, plan: Plan, size: Size) -> Rows:
    """Return what the decoder's loop takes, and what it would take if the processor launched all
    of it at once.
    """
    prepare(device, ["bfloat16"])
    translator = network(size).to(device).eval()
    source, target = translator.collate(sentences(plan.batches[0], size.vocabulary))
    source, target = placed(source, device), placed(target, device)
    dtype, graph = translator.number_format("bfloat16"), torch.cuda.CUDAGraph()
    with torch.no_grad():
        encoded = translator.encode(source, SILENT, dtype)
        loop = partial(translator._read, source, target, encoded, None, SILENT, dtype)
        one_by_one = median(device, plan.steps, loop)
        with torch.cuda.graph(graph):
            loop()
        at_once = median(device, plan.steps, graph.replay)
    return [[size.name, f"{1e3 * one_by_one:.2f}", f"{1e3 * at_once:.2f}"]]


def search(device: torch.device, plan: Plan, size: Size, precision: Precision) -> Rows:
    """Return the words a second of searches of translations of a forced length."""
    prepare(device, [precision])
    random = np.random.default_rng(3)
    translator = network(size).to(device)
    batch = [
        Example(random.integers(2, size.vocabulary - 2, SOURCE_LENGTH).astype(np.int32))
        for _ in range(plan.sentences)
    ]
    ratio = LENGTH / SOURCE_LENGTH
    config = DecodingConfig(
        beam=BEAM,
        batch_size=plan.sentences,
        max_length_ratio=ratio,
        min_length_ratio=ratio,
        precision=precision,
    )
    work = partial(translate, translator, batch, config)
    seconds = median(device, min(3, plan.steps), work)
    return [[precision, f"{LENGTH * plan.sentences / seconds:,.0f}"]]


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
