"""Works that are measured in turn, each in a process of its own.

So none uses what another left in memory, each has a peak of its own, and settings of the C library
that one makes for itself do not act on the others.
"""

import multiprocessing
import resource
import time
from collections.abc import Callable
from contextlib import nullcontext
from multiprocessing.connection import Connection
from typing import Any

import torch

from model.freed_memory import freed_memory_kept

Work = Callable[[Any], object]
Make = Callable[[], Work]
"""Makes a work in its process; both it and what is worked on must be picklable."""


class Apart:
    """One work in its process, on one thread."""

    def __init__(self, make: Make, *, keeps_memory: bool) -> None:
        """Start the process.

        Args:
            make: makes the work.
            keeps_memory: whether freed memory is kept, as our training does.
        """
        context = multiprocessing.get_context("spawn")
        self._here, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there, make, keeps_memory))
        self._process.start()
        self.peak_gigabytes = 0.0

    def seconds(self, batch: object) -> float:
        """Do the work once and return its processor time."""
        self._here.send(batch)
        seconds, self.peak_gigabytes = self._here.recv()
        return float(seconds)

    def close(self) -> None:
        """End the process."""
        self._here.send(None)
        self._process.join()


def _serve(there: Connection, make: Make, keeps_memory: bool) -> None:  # noqa: FBT001 - by name above
    torch.set_num_threads(1)
    with freed_memory_kept() if keeps_memory else nullcontext():
        work = make()
        while (batch := there.recv()) is not None:
            start = time.process_time()
            work(batch)
            seconds = time.process_time() - start
            there.send((seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6))
