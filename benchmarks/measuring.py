"""How the benchmarks measure and print."""

import statistics
import sys
import time
from collections.abc import Callable, Mapping


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def figure(name: str, value: float, unit: str) -> None:
    """Print one figure."""
    say(f"  {name:52} {value:12,.2f} {unit}")


def processor_seconds(work: Callable[[], object]) -> float:
    """Return the processor time of all threads of this process for one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def wall_seconds(work: Callable[[], object]) -> float:
    """Return the wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def median_in_turn(
    works: Mapping[str, Callable[[], object]],
    rounds: int,
    clock: Callable[[Callable[[], object]], float] = processor_seconds,
) -> dict[str, float]:
    """Measure several works in turn, round by round; returns the median of each."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            seconds[name].append(clock(work))
    return {name: statistics.median(values) for name, values in seconds.items()}
