"""GPUs for the cells of an experiment: each cell sees its own alone, as long as there are enough.

A process sees the GPUs that the variable `CUDA_VISIBLE_DEVICES` names; for what it computes they
are numbered from 0, so the settings of a cell need not know which it has.
"""

import contextlib
import os
import queue
from collections.abc import Iterator, Mapping, Sequence

from flows.settings import Settings
from model.machine import number_of_gpus

VISIBLE = "CUDA_VISIBLE_DEVICES"


def gpu_names(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return how the GPUs that this process sees are named to others."""
    number = number_of_gpus()
    told = [name.strip() for name in environment.get(VISIBLE, "").split(",") if name.strip()]
    return told[:number] if told else [str(index) for index in range(number)]


def cells_at_once(settings: Settings) -> int:
    """Return how many cells fit side by side: by GPUs where there are any, else by processors.

    A cell takes as many GPUs as its training has processes; of the processors it takes the threads
    of its training.
    """
    gpus, training = number_of_gpus(), settings.training
    if gpus and training.device != "cpu":
        return 1 if names_one(settings) else max(1, gpus // training.processes)
    threads = training.threads
    return max(1, len(os.sched_getaffinity(0)) // threads) if threads else 1


def names_one(settings: Settings) -> bool:
    """Say whether settings name a GPU by its number, so that others cannot take its place."""
    return any(":" in device for device in (settings.training.device, settings.decoding.device))


class Gpus:
    """GPUs that are lent to cells."""

    def __init__(self, names: Sequence[str], each: int, at_once: int) -> None:
        """Deal out GPUs.

        Args:
            names: of the GPUs; none where cells compute on processors.
            each: how many a cell takes.
            at_once: cells at the same time; those that are too many share what there is.
        """
        shares = [names[first : first + each] for first in range(0, len(names) - each + 1, each)]
        if names and not shares:
            shares = [names]
        self._has_any = bool(shares)
        self._free: queue.SimpleQueue[str] = queue.SimpleQueue()
        for number in range(at_once if shares else 0):
            self._free.put(",".join(shares[number % len(shares)]))

    @contextlib.contextmanager
    def lent(self) -> Iterator[dict[str, str]]:
        """Give the environment of a cell for as long as it runs."""
        if not self._has_any:
            yield {}
            return
        share = self._free.get()
        try:
            yield {VISIBLE: share}
        finally:
            self._free.put(share)
