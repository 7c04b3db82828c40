"""Run a long computation in a process of its own, with its progress told to this one.

A training gets its own number of threads and gives all of its memory back, and several can run
beside each other. The child is spawned, never forked, since the parent has threads; it ends with
its parent, however that ends.
"""

import multiprocessing
import os
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from tasks.progress import Progress, listen, tell_listeners
from tasks.usage import add_elsewhere, own_usage

R = TypeVar("R")

_PROGRESS, _RESULT, _ERROR = "progress", "result", "error"


class LostProcess(EOFError):
    """The process ended without a result, such as one that the system stopped for its memory."""


def in_own_process(label: str, function: Callable[..., R], *arguments: Any) -> R:
    """Return what `function` returns for these arguments, computed in a process of its own.

    Args:
        label: what the progress of the work is about.
        function: importable by its name.
        arguments: everything must be picklable; it only travels between our own processes.

    Raises:
        LostProcess: the process ended without a result.
        Exception: whatever the function raised.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, label, function, arguments), daemon=True)
    process.start()
    theirs.close()
    try:
        result: R = _listen(ours, process.name)
    finally:
        process.join(1)
        process.kill()
        process.join()
    return result


def _listen(ours: Connection, name: str) -> Any:
    while True:
        try:
            what, value = ours.recv()
        except EOFError:
            raise LostProcess(f"the process {name} ended without a result") from None
        if what == _RESULT:
            result, used = value
            add_elsewhere(used)
            return result
        if what == _ERROR:
            raise value
        tell_listeners(value)


def _work(
    theirs: Connection, label: str, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    """Compute in the child; its parent hears of progress, the result or the error."""
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def tell(progress: Progress) -> None:
        theirs.send((_PROGRESS, progress))

    listen(label, (tell,))
    try:
        theirs.send((_RESULT, (function(*arguments), own_usage())))
    except KeyboardInterrupt:
        os._exit(130)
    except Exception as error:
        theirs.send((_ERROR, error))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "this runs in a child process"
    parent.join()
    os._exit(1)
