"""Things that are made ahead in threads while others are used; their order is always the same."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")

_AHEAD_PER_THREAD = 2


class StalledLoader(TimeoutError):
    """The next batch did not come in time, as from a file on a disk that no longer answers."""


def made_ahead(
    make: Callable[[T], U], items: Iterable[T], *, threads: int, patience_seconds: float
) -> Iterator[U]:
    """Yield `make(item)` for each item in order, made ahead of time.

    Args:
        make: called in one of the threads.
        items: what it is called with.
        threads: how many make things at the same time; 0 makes each when it is asked for.
        patience_seconds: how long to wait for the next one.

    Raises:
        StalledLoader: it did not come in time.
        Exception: whatever `make` raised, when its turn comes.
    """
    if not threads:
        yield from map(make, items)
        return
    pool = ThreadPoolExecutor(threads, thread_name_prefix="loader")
    waiting: deque[Future[U]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(make, item))
            if len(waiting) > threads * _AHEAD_PER_THREAD:
                yield _made(waiting.popleft(), patience_seconds)
        while waiting:
            yield _made(waiting.popleft(), patience_seconds)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _made(future: "Future[U]", patience_seconds: float) -> U:
    try:
        return future.result(patience_seconds)
    except TimeoutError:
        if future.done():  # what was made raised it
            raise
        raise StalledLoader(
            f"the next batch did not come within {patience_seconds:,.0f} s "
            "(training.stall_minutes): the disk or the memory of this machine does not answer."
        ) from None
