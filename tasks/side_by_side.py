"""Call a function for each of many arguments, in several processes of this machine.

Children are spawned, never forked, since this process has threads; they end with it.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing.synchronize import Event
from typing import Any, Protocol, TypeVar

from tasks.own_process import end_with_parent
from tasks.usage import Usage, add_elsewhere, own_usage

R = TypeVar("R")


class Each(Protocol):
    """Calls a function for each of some arguments and yields the results in their order."""

    def __call__(
        self, function: Callable[..., R], arguments: Iterable[tuple[Any, ...]]
    ) -> Iterator[R]:
        """Call it; of several errors the first in the order of the arguments is raised."""
        ...


@contextlib.contextmanager
def side_by_side(processes: int) -> Iterator[Each]:
    """Give what calls a function in so many processes; functions must be importable by name.

    With one process, and in one that may have no children, such as a worker of Dask, calls are made
    here, one after the other.
    """
    if processes == 1 or multiprocessing.current_process().daemon:
        yield _in_turns
        return
    context = multiprocessing.get_context("spawn")
    given_up = context.Event()
    pool = ProcessPoolExecutor(
        processes, mp_context=context, initializer=_begin, initargs=(given_up,)
    )
    try:
        yield partial(_spread, pool)
    except BaseException:  # Ctrl-C as well: nobody wants what is still worked on
        given_up.set()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _in_turns(function: Callable[..., R], arguments: Iterable[tuple[Any, ...]]) -> Iterator[R]:
    for given in arguments:
        yield function(*given)


def _spread(
    pool: ProcessPoolExecutor, function: Callable[..., R], arguments: Iterable[tuple[Any, ...]]
) -> Iterator[R]:
    futures = [pool.submit(_measured, function, given) for given in arguments]
    for future in futures:
        result, used = future.result()
        add_elsewhere(used)
        yield result


def _begin(given_up: Event) -> None:
    """Leave Ctrl-C to the parent, and end with it, or as soon as it gives up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    threading.Thread(target=_end_with, args=(given_up,), daemon=True).start()


def _end_with(given_up: Event) -> None:
    given_up.wait()
    os._exit(1)


def _measured(function: Callable[..., R], given: tuple[Any, ...]) -> tuple[R, Usage]:
    """Return a result, and what it took; the process may have worked before."""
    started = time.process_time()
    result = function(*given)
    return result, replace(own_usage(), processor_seconds=time.process_time() - started)
