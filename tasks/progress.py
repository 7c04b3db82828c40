"""Progress of a long step: rate, share done and time left, for whoever listens.

A step wraps its loop in `track`. On a terminal the driver shows a bar; under Prefect the same
figures go to a progress artifact of the task run. A step that ends within a few seconds tells
nobody.
"""

import contextvars
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

FIRST_AFTER_SECONDS = 2.0
EVERY_SECONDS = 1.0
FORETOLD_FROM_SHARE = 0.01
FORETOLD_FROM_SECONDS = 60.0
"""From here on the time left is told: the first items wait for what is only loaded once."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a step has come."""

    label: str
    done: float
    total: float
    """0 if nobody knows, as where time ends the work."""
    unit: str
    seconds: float
    note: str = ""

    @property
    def share(self) -> float:
        """Return the share done, from 0 to 1."""
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def rate(self) -> float:
        """Return units a second since the start."""
        return self.done / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float:
        """Return the expected time to the end at the rate so far."""
        return (self.total - self.done) / self.rate if self.rate else float("inf")

    @property
    def _is_foretold(self) -> bool:
        """Say whether the time left can be told by now."""
        begun = self.share >= FORETOLD_FROM_SHARE or self.seconds >= FORETOLD_FROM_SECONDS
        return begun and self.seconds_left != float("inf")

    @property
    def _rate_text(self) -> str:
        return f"{self.rate:,.0f}" if self.rate >= 10 else f"{self.rate:.2g}"

    def __str__(self) -> str:
        """Return one line for a log or a terminal."""
        left = f", {self.seconds_left:,.0f} s left" if self._is_foretold else ""
        note = f", {self.note}" if self.note else ""
        done = f"{self.done:,.0f}"
        if self.total:
            done = f"{self.share:4.0%}, {self.done:,.0f} of {self.total:,.0f}"
        else:
            left = ""
        return f"{self.label}: {done} {self.unit}, {self._rate_text} {self.unit}/s{left}{note}"


Listener = Callable[[Progress], None]

_listeners: contextvars.ContextVar[tuple[str, tuple[Listener, ...]]] = contextvars.ContextVar(
    "progress_listeners", default=("", ())
)


def listen(label: str, listeners: tuple[Listener, ...]) -> None:
    """Send the progress of the work that follows in this context to `listeners`."""
    _listeners.set((label, listeners))


def add_listener(listener: Listener) -> None:
    """Send the progress of the work that follows in this context to one more listener."""
    label, listeners = _listeners.get()
    _listeners.set((label, (*listeners, listener)))


def tell_listeners(progress: Progress) -> None:
    """Tell the listeners of this context about progress that was made elsewhere."""
    for tell in _listeners.get()[1]:
        tell(progress)


def current_listeners() -> tuple[Listener, ...]:
    """Return who listens to the work in this context."""
    return _listeners.get()[1]


def current_label() -> str:
    """Return what the work in this context is called."""
    return _listeners.get()[0]


def track(
    items: Iterable[T],
    *,
    total: float,
    unit: str,
    size: Callable[[T], float] = lambda _: 1,
    note: Callable[[T], str] = lambda _: "",
) -> Iterator[T]:
    """Yield the items, telling the listeners now and then how far the loop has come.

    Args:
        items: what the loop goes over.
        total: sum of the sizes of all items.
        unit: what is counted, in the plural.
        size: how much an item counts.
        note: something to say beside the figures, such as the current loss.
    """
    label, listeners = _listeners.get()
    start = time.monotonic()
    done, due = 0.0, start + FIRST_AFTER_SECONDS
    for item in items:
        yield item
        done += size(item)
        now = time.monotonic()
        if listeners and now >= due:
            due = now + EVERY_SECONDS
            progress = Progress(label, done, total, unit, now - start, note(item))
            for tell in listeners:
                tell(progress)
