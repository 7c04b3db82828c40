"""Run a long computation in a process of its own, with its progress told to this one.

A training gets its own number of threads and gives all of its memory back, and several can run
beside each other. The child is spawned, never forked, since the parent has threads; it ends with
its parent, however that ends. Asked to stop, it may first bring its work to safety.
"""

import contextlib
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any, TypeVar

from tasks.progress import listen, tell_listeners
from tasks.usage import add_elsewhere, own_usage

R = TypeVar("R")

STOP_GRACE_SECONDS = 120.0
"""How long a child that was asked to stop may take to bring its work to safety."""
_PROGRESS, _RESULT, _ERROR, _STOPPED, _LOG = "progress", "result", "error", "stopped", "log"
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_children: dict[SpawnProcess, bool] = {}
"""The processes that were started from here, and whether each was asked to stop."""


class LostProcess(EOFError):
    """The process ended without a result, such as one that the system stopped for its memory."""


def in_own_process(
    label: str,
    function: Callable[..., R],
    *arguments: Any,
    has_children: bool = False,
    environment: Mapping[str, str] | None = None,
) -> R:
    """Return what `function` returns for these arguments, computed in a process of its own.

    Args:
        label: what the progress of the work is about.
        function: importable by its name.
        arguments: everything must be picklable; it only travels between our own processes.
        has_children: whether the function starts processes, which then must end with it.
        environment: variables that its process has beside those of this one, or in their place.

    Raises:
        LostProcess: the process ended without a result.
        KeyboardInterrupt: the process was asked to stop, and did.
        Exception: whatever the function raised.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(
        target=_work,
        args=(theirs, label, function, arguments, dict(environment or {})),
        daemon=not has_children,
    )
    process.start()
    _children[process] = False
    theirs.close()
    try:
        result: R = _listen(ours, process.name)
    except LostProcess:
        if _children[process]:  # it ended as it was asked to, before it had anything to keep
            raise KeyboardInterrupt from None
        raise
    except Exception:
        raise
    except BaseException:  # Ctrl-C, or what Prefect makes of SIGTERM
        _let_stop(process, ours)
        raise
    finally:
        process.join(1)
        process.kill()
        process.join()
        del _children[process]
    return result


def ask_all_to_stop() -> None:
    """Ask all processes that were started from here to bring their work to safety and end."""
    for process in tuple(_children):
        _ask_to_stop(process)


@contextlib.contextmanager
def stop_signals_reach_children() -> Iterator[None]:
    """Ask all children to stop at Ctrl-C and SIGTERM, beside what these do in this process.

    Children of other threads would not hear of it else. Outside of the main thread it does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _STOP_SIGNALS}

    def pass_on(number: int, frame: FrameType | None) -> None:
        ask_all_to_stop()
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)
        else:
            signal.signal(number, handler or signal.SIG_DFL)
            os.kill(os.getpid(), number)

    for number in _STOP_SIGNALS:
        signal.signal(number, pass_on)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)


@contextlib.contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Remember signals that ask this process to stop, in place of ending at once.

    Outside of the main thread there are no signals to remember.

    Yields:
        A function that says whether it was asked to stop.
    """
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    before = {
        number: signal.signal(number, lambda *_: asked.set()) or signal.SIG_DFL
        for number in _STOP_SIGNALS
    }
    try:
        yield asked.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_with_parent() -> None:
    """End this process as soon as the one that started it has ended."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def end_processes() -> None:
    """End all processes that work for this one; who waits for them finds them lost."""
    for process in multiprocessing.active_children():
        process.kill()


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
        if what == _STOPPED:
            raise KeyboardInterrupt
        if what == _ERROR:
            raise value
        _pass_on(what, value)


def _ask_to_stop(process: SpawnProcess) -> None:
    _children[process] = True
    if process.pid is not None and process.is_alive():
        os.kill(process.pid, signal.SIGTERM)


def _let_stop(process: SpawnProcess, ours: Connection) -> None:
    """Ask a child to stop, and wait until it did or its time is up."""
    _ask_to_stop(process)
    deadline = time.monotonic() + STOP_GRACE_SECONDS
    with contextlib.suppress(EOFError, OSError):
        # What it still says is read, so that it never waits for us.
        while (left := deadline - time.monotonic()) > 0 and ours.poll(left):
            ours.recv()


def hear(ours: Connection) -> None:
    """Tell the listeners and loggers of this context what tellers say, until they say None."""
    while (said := ours.recv()) is not None:
        _pass_on(*said)


def _pass_on(what: str, value: Any) -> None:
    if what == _LOG:
        logging.getLogger(value.name).handle(value)
    elif what == _PROGRESS:
        tell_listeners(value)


class Teller(logging.Handler):
    """Sends progress, log records and results to another process."""

    def __init__(self, theirs: Connection) -> None:
        """Send over a connection; nothing is sent until `listen`, or `send`."""
        super().__init__()
        self._theirs, self._sending = theirs, threading.Lock()

    def listen(self, label: str) -> None:
        """Send the progress of the work in this context, and what this process logs."""
        logging.getLogger().addHandler(self)
        listen(label, (lambda progress: self.send(_PROGRESS, progress),))

    def send(self, what: str, value: Any) -> None:
        """Send something."""
        with self._sending:
            self._theirs.send((what, value))

    def emit(self, record: logging.LogRecord) -> None:
        """Send a log record."""
        record.msg, record.args, record.exc_info = record.getMessage(), None, None
        with contextlib.suppress(OSError):
            self.send(_LOG, record)


def _work(
    theirs: Connection,
    label: str,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    environment: Mapping[str, str],
) -> None:
    """Compute in the child; its parent hears of progress, the result or the error."""
    end_with_parent()
    # Before anything is computed: torch looks for GPUs with its first question about them.
    os.environ.update(environment)
    teller = Teller(theirs)
    teller.listen(label)
    try:
        teller.send(_RESULT, (function(*arguments), own_usage()))
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            teller.send(_STOPPED, None)
        os._exit(130)
    except Exception as error:
        teller.send(_ERROR, error)


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "this runs in a child process"
    parent.join()
    os._exit(1)
