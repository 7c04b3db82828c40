"""What the measurements on a GPU share: how much is measured, clocks, the network."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from benchmarks.speed_data import LARGE, SMALL, Size
from benchmarks.work_counts import BatchSize
from model.batches import Example
from model.config import ModelConfig
from model.graphs import CudaRecorder, Recorder, Work
from model.translator import Translator, build_translator

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
    clock = Clock(device)
    work()
    clock.lap("")
    return clock.laps[0][1]


class Clock:
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


class CountedRecorder:
    """Graphs that count how often they are used; on a processor each is computed again, operation
    by operation, so that a dry run goes the same way.
    """

    def __init__(self, device: torch.device) -> None:
        self._inner: Recorder | None = CudaRecorder(device) if device.type == "cuda" else None
        self.repetitions = 0

    def run(self, work: Work) -> None:
        """Do the work as usual."""
        if self._inner is None:
            work()
        else:
            self._inner.run(work)

    def record(self, work: Work, stream: torch.Generator) -> Work:
        """Record the work."""
        inner = work if self._inner is None else self._inner.record(work, stream)

        def repeat() -> None:
            self.repetitions += 1
            inner()

        return repeat
