"""Training and beam search on a GPU: tables for `docs/results/speed.md`.

`python -m benchmarks.gpu` takes a few minutes and ends with exit code 2 where there is no GPU, with
1 where something failed. Everything runs in one process: the peak of products and of memory are
measured there, and rates are shares of them. Sentences are random words with the lengths of real
ones. First of all steps as CUDA graphs must find the losses of the usual way; the waits beside them
hold the one that reads the figures at the end of each pass. The large network comes first, each
table is printed as soon as it is full, a row that fails says so and leaves the others, and after
`Plan.seconds` no further row begins.

`python -m benchmarks.gpu --device cpu` goes the same way with a tiny network on a processor, to see
that all of it works; its figures mean nothing.
"""

import argparse
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch

from benchmarks.gpu_common import Clock, Plan, Rows, median, network
from benchmarks.gpu_training import WAYS, as_graph, attention_step, rate, same
from benchmarks.measuring import say
from benchmarks.results_page import markdown_table
from benchmarks.speed_data import Size, sentences
from model.batches import Example
from model.config import DecodingConfig, Precision
from model.loss import sentence_log_likelihood
from model.machine import device_name, prepare
from model.noise import SILENT
from model.placing import placed
from model.search import translate
from model.translator import Translator
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
AS_GRAPH = "forward and backward as one graph"
KERNELS = 15
"""Rows of the table of operations."""
DRY = Plan((Size("dry", 24, 32, 200),), (4,), steps=2, sentences=2, product=64, copied=1000)
"""What `--device cpu` measures."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is printed together."""

    title: str
    columns: Sequence[str]
    works: Mapping[str, Callable[[], Rows]]
    """What fills it, each by itself."""


def main(arguments: Sequence[str] = ()) -> int:
    """Print the figures as Markdown; without a GPU say so."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    if parser.parse_args(arguments).device == "cpu":
        return FAILED if report(torch.device("cpu"), DRY) else 0
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
        pairs = plan.batches[0]
        yield Table(
            f"## {size.name}, 20 steps as graphs against 20 one by one, batches of {pairs}",
            ("format", "losses differ by", "steps from graphs", "kernels", "waits a step",
             "with graphs"),
            {each: partial(same, device, size, pairs, each) for each in formats},
        )  # fmt: skip
        for pairs in plan.batches:
            yield Table(
                f"## {size.name}, batches of {pairs}",
                ("format", "steps", "target words/s", "of peak product", "of bandwidth floor",
                 "peak GB"),
                {
                    f"{each}, {way}": partial(rate, device, plan, size, pairs, each, way)
                    for each in formats
                    for way in WAYS
                },
            )  # fmt: skip
        yield Table(
            f"{size.name}, attention of one step forward and backward, {pairs} pairs of 26 words:",
            ("by", "ms", "MB moved", "of bandwidth"),
            {
                way: partial(attention_step, device, plan, size, pairs, way)
                for way in ("operations", "kernels")
                if device.type == "cuda" or way == "operations"
            },
        )
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
    rows = [[name, f"{1e3 * float(np.median(each[1:])):.2f}"] for name, each in found.items()]
    return [*rows, [AS_GRAPH, f"{1e3 * as_graph(device, plan, size, pairs):.2f}"]]


def step_parts(
    device: torch.device,
    translator: Translator,
    optimizer: torch.optim.Optimizer,
    examples: Sequence[Example],
) -> list[tuple[str, float]]:
    """Make a training step of a network without phrase memory, part by part."""
    clock = Clock(device)
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
