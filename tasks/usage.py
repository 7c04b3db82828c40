"""What a computation took: processor time, and peak memory since the last reset (Linux).

Calls that are worked on side by side in one process share its figures. What a process of its own
took is told to the one that asked for it.
"""

import contextlib
import functools
import os
import platform
import resource
import time
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

_PROCESSORS = Path("/proc/cpuinfo")
_GPUS = Path("/proc/driver/nvidia/gpus")
_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
_RESET_PEAK = "5"
_KIBIBYTE = 1024


@dataclass(frozen=True, slots=True)
class Usage:
    """Processor time and memory of a computation."""

    processor_seconds: float = 0.0
    peak_memory_bytes: int = 0
    """Largest resident memory; 0 where the system does not tell."""


_NOTHING = Usage()
_elsewhere: ContextVar[Usage] = ContextVar("usage_elsewhere", default=_NOTHING)


@functools.cache
def machine() -> str:
    """Name the kind of processor and how many there are, and the GPUs: on others, a network's
    weights may come out otherwise.
    """
    try:
        lines = _PROCESSORS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    gpus = "".join(f", {name}" for name in _gpus())
    return f"{next(names, platform.machine())}, {os.cpu_count()} processors{gpus}"


def _gpus() -> list[str]:
    """Return the names of the GPUs whose driver tells them, without asking torch."""
    found = []
    for path in sorted(_GPUS.glob("*/information")):
        with contextlib.suppress(OSError):
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            models = (line.partition(":")[2].strip() for line in lines if line.startswith("Model"))
            found += list(models)[:1]
    return found


def start() -> float:
    """Begin a measurement; returns the processor time so far."""
    _elsewhere.set(_NOTHING)
    try:
        _CLEAR.write_text(_RESET_PEAK)
    except OSError:
        return time.process_time()
    return time.process_time()


def usage_since(start_seconds: float) -> Usage:
    """Return what was used since `start`, here and in processes that were asked from here."""
    elsewhere = _elsewhere.get()
    return Usage(
        round(time.process_time() - start_seconds + elsewhere.processor_seconds, 3),
        max(_peak_memory_bytes(), elsewhere.peak_memory_bytes),
    )


def own_usage() -> Usage:
    """Return what this process used since it began."""
    spent = resource.getrusage(resource.RUSAGE_SELF)
    return Usage(spent.ru_utime + spent.ru_stime, _peak_memory_bytes())


def add_elsewhere(usage: Usage) -> None:
    """Count what another process used for the computation in this context."""
    before = _elsewhere.get()
    _elsewhere.set(
        Usage(
            before.processor_seconds + usage.processor_seconds,
            max(before.peak_memory_bytes, usage.peak_memory_bytes),
        )
    )


def _peak_memory_bytes() -> int:
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return 0
    return next(
        (int(line.split()[1]) * _KIBIBYTE for line in lines if line.startswith("VmHWM:")), 0
    )
