"""Whole training steps on a GPU, with CUDA graphs and without."""

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import torch

from benchmarks.gpu_common import (
    CountedRecorder,
    Plan,
    Rows,
    median,
    network,
    size_of,
    timed,
)
from benchmarks.speed_data import Size, sentences
from benchmarks.work_counts import attention_passes, training_bytes, training_operations
from model import fused_attention
from model.attention import Attended, attend_blocks, gradients_of
from model.batch_order import batches_of_epoch
from model.config import Precision, TrainingConfig
from model.fit import StepReport, fit, start
from model.fused_attention import fusing
from model.gradients import padded_share
from model.graphs import USUAL_RUNS, Graphs
from model.machine import prepare
from model.noise import new_stream
from model.places import even_blocks
from model.training_config import Graphing

WARM_EPOCHS = USUAL_RUNS + 1
"""After which all sizes that come in each pass over the data are graphs, and compared."""
WAYS: dict[str, tuple[Graphing, bool]] = {
    "one by one": ("off", False),
    "graphs": ("auto", False),
    "graphs and kernels": ("auto", True),
}
"""Ways to take a step: whether it is a graph, and whether Triton kernels compute attention."""
TOLERANCE: dict[Precision, float] = {"float32": 1e-4, "tf32": 2e-3, "bfloat16": 2e-2}
"""Largest relative difference of a loss with graphs: sums come in another order."""
COMPARED_EPOCHS, COMPARED_BATCHES = 5, 4


@dataclass(frozen=True, slots=True)
class Peaks:
    """What the device can do, measured."""

    operations: float
    """Of a large product in the format of the products, a second."""
    bytes: float
    """Read and written by a large copy, a second."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a short training found."""

    losses: list[float]
    """That were read."""
    repetitions: int
    waits: float
    """Times that the processor waited for the device, a step of the last pass."""


def same(device: torch.device, size: Size, pairs: int, precision: Precision) -> Rows:
    """Train 20 steps both ways; graphs must find the same losses.

    Raises:
        AssertionError: they do not.
    """
    prepare(device, [precision])
    usual, graphs = (
        compared(device, size, pairs, precision, "off"),
        compared(device, size, pairs, precision, "auto"),
    )
    off = max(
        abs(one - other) / abs(one) for one, other in zip(usual.losses, graphs.losses, strict=True)
    )
    assert off <= TOLERANCE[precision], f"losses differ by {off:.2e}: {usual} {graphs}"
    waits = [f"{each.waits:.2f}" if device.type == "cuda" else "-" for each in (usual, graphs)]
    kernels = "yes" if any(fused_attention._works.values()) else "no"
    return [[precision, f"{off:.1e}", f"{graphs.repetitions}", kernels, *waits]]


def compared(
    device: torch.device, size: Size, pairs: int, precision: Precision, way: Graphing
) -> Comparison:
    """Train some steps in one of the ways."""
    config = settings(pairs, COMPARED_BATCHES, COMPARED_EPOCHS, precision, way)
    examples = sentences(COMPARED_BATCHES * pairs, size.vocabulary)
    recorder = CountedRecorder(device)
    translator = network(size).to(device)
    training = fit(translator, examples, config, state=start(translator, config), recorder=recorder)
    before = [next(training) for _ in range((COMPARED_EPOCHS - 1) * COMPARED_BATCHES)]
    last, waits = waited(device, training)
    losses = [report.loss for report in [*before, *last] if not math.isnan(report.loss)]
    return Comparison(losses, recorder.repetitions, waits / COMPARED_BATCHES)


def waited(device: torch.device, training: Iterator[StepReport]) -> tuple[list[StepReport], int]:
    """Do the rest of a training; returns its reports and how often a GPU was waited for."""
    if device.type != "cuda":
        return list(training), 0
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        try:
            reports = list(training)
        finally:
            torch.cuda.set_sync_debug_mode("default")
    return reports, sum("synchronizing CUDA operation" in str(each.message) for each in told)


@contextmanager
def kernels_if(wanted: bool) -> Iterator[None]:  # noqa: FBT001 - what a way says
    """Leave out the kernels of attention for a while, if they are not wanted."""
    before = dict(fused_attention._works)
    if not wanted:
        fused_attention._works.update(
            {torch.device("cuda", number): False for number in range(torch.cuda.device_count())}
        )
    try:
        yield
    finally:
        fused_attention._works.clear()
        fused_attention._works.update(before)


def settings(
    pairs: int, batches: int, epochs: int, precision: Precision, way: Graphing
) -> TrainingConfig:
    """Return settings under which each pass over the data has the same batches in another order:
    all are sorted together.
    """
    return TrainingConfig(
        batch_size=pairs,
        buffer_batches=batches,
        epochs=epochs,
        precision=precision,
        graphs=way,
    )


def rate(
    device: torch.device, plan: Plan, size: Size, pairs: int, precision: Precision, way: str
) -> Rows:
    """Return words a second of whole steps, and shares of limits."""
    prepare(device, [precision])
    limits = peaks(device, plan, precision)
    translator = network(size).to(device)
    graphs, kernels = WAYS[way]
    warm = 1 if graphs == "off" else WARM_EPOCHS
    config = settings(pairs, plan.steps, warm + 1, precision, graphs)
    examples = sentences(plan.steps * pairs, size.vocabulary)
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    state, recorder = start(translator, config), CountedRecorder(device)
    training = fit(translator, examples, config, state=state, recorder=recorder)
    with kernels_if(kernels):
        for _ in range(warm * plan.steps):
            next(training)
        seconds = timed(device, lambda: list(training))
    batches = batches_of_epoch(examples, config, 0, groundhog=False)
    sizes = [size_of([examples[index] for index in batch]) for batch in batches]
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
    return [[precision, way, f"{words / seconds:,.0f}", *shares, f"{memory / 1e9:.2f}"]]


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


def as_graph(device: torch.device, plan: Plan, size: Size, pairs: int) -> float:
    """Return the seconds of forward and backward pass of one batch in bfloat16, as a graph."""
    config = settings(pairs, 1, 1, "bfloat16", "auto")
    translator, stream = network(size).to(device).train(), new_stream(1, device)
    share = padded_share(translator, sentences(pairs, size.vocabulary), 0, wide=True)
    own = Graphs(translator, stream, config, CountedRecorder(device))
    work = partial(own.add_up, share.pieces, float(pairs))
    for _ in range(WARM_EPOCHS):
        work()
    return median(device, plan.steps, work)


def attention_step(device: torch.device, plan: Plan, size: Size, pairs: int, way: str) -> Rows:
    """Return what the attention of one step takes, forward and backward, and how much of the
    memory's bandwidth it uses.

    Raises:
        RuntimeError: there are no kernels.
    """
    prepare(device, ["float32"])
    fused, words, features = way == "kernels", 26, 10
    width, stream = 2 * size.hidden, torch.Generator(device).manual_seed(1)

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=stream, device=device)

    keys_BJA, query_BA, score_A = draw(pairs, words, width), draw(pairs, width), draw(width)
    given = draw(pairs, words, features), draw(features, width)
    penalty_BJ = torch.zeros(pairs, words, device=device)
    grad_BJ = draw(pairs, words)
    with fusing(fused):
        if fused and not fused_attention.serves(keys_BJA):
            raise RuntimeError("there are no kernels")
        blocks = even_blocks(keys_BJA)
        attended = Attended(keys_BJA.flatten(0, 1), penalty_BJ.flatten(), blocks)
        flat = given[0].flatten(0, 1), given[1]
        sums = gradients_of(attended.keys_XA, score_A, given[1], blocks, fused=fused)

        def work() -> None:
            kept, weights_X = attend_blocks(attended, query_BA, score_A, flat)
            sums.step(grad_BJ.flatten(), weights_X, kept, flat[0], blocks)

        seconds = median(device, plan.steps, work)
    moved = attention_passes(features=True, fused=fused) * keys_BJA.numel() * 4
    copied = peaks(device, plan, "float32").bytes
    return [[way, f"{1e3 * seconds:.3f}", f"{moved / 1e6:.0f}", f"{moved / seconds / copied:.0%}"]]
