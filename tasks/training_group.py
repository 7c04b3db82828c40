"""A training in several processes of this machine, started and restarted as torchrun does it.

If a process is lost, all begin again from the last checkpoint. A mistake of the user or a defect is
no reason to begin again: the process that finds it leaves a note, and all end.
"""

import contextvars
import json
import os
import threading
import traceback
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from model.config import TrainingConfig
from storage.errors import (
    ConfigError,
    InputError,
    MissingArtifact,
    PhrasenetError,
    WorkspaceError,
)
from tasks.own_process import LostProcess, Teller, end_with_parent, hear
from tasks.progress import current_label

R = TypeVar("R")


class GroupDefect(RuntimeError):
    """A defect in a process of the group; the text is its traceback."""


_LOOPBACK = "127.0.0.1"
_NOTE = "mistake.json"
_RESTARTS = "TORCHELASTIC_RESTART_COUNT"
_MISTAKES = {
    kind.__name__: kind
    for kind in (ConfigError, InputError, MissingArtifact, PhrasenetError, WorkspaceError)
}


def in_group(
    folder: Path,
    config: TrainingConfig,
    function: Callable[..., R | None],
    arguments: tuple[Any, ...],
) -> R | None:
    """Call a function in each of `config.processes` processes; returns what the leading one does.

    Args:
        folder: of this training, for notes between processes.
        config: how many processes, their threads, and how often they may begin again.
        function: importable by its name; it finds its `Group` joined.
        arguments: of the function; they must be picklable.

    Raises:
        LostProcess: processes were lost more often than `config.restarts`.
        KeyboardInterrupt: this process was asked to stop.
        PhrasenetError: as a process raised it.
        GroupDefect: a process raised anything else.
    """
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    launch = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=config.processes,
        run_id=uuid.uuid4().hex,
        rdzv_backend="c10d",
        rdzv_endpoint=f"{_LOOPBACK}:0",
        local_addr=_LOOPBACK,
        max_restarts=config.restarts,
        monitor_interval=0.2,
        start_method="spawn",
    )
    threads = config.threads or max(1, (os.cpu_count() or 1) // config.processes)
    try:
        with _heard() as theirs:
            given = (folder, theirs, current_label(), threads, function, arguments)
            results = elastic_launch(launch, _member)(*given)
    except SignalException:
        raise KeyboardInterrupt from None
    except ChildFailedError as error:
        raise LostProcess(
            f"a process of the training was lost {config.restarts + 1} times: "
            f"{str(error).splitlines()[0]}"
        ) from error
    _raise_noted(folder)
    leading: R | None = results[0]
    return leading


@contextmanager
def _heard() -> Iterator[Connection]:
    """Give a connection whose other end tells the listeners of this context."""
    ours, theirs = get_context("spawn").Pipe(duplex=False)
    context = contextvars.copy_context()
    ear = threading.Thread(target=context.run, args=(hear, ours), daemon=True)
    ear.start()
    try:
        yield theirs
    finally:
        theirs.send(None)
        ear.join(1)


def _member(
    folder: Path,
    theirs: Connection,
    label: str,
    threads: int,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> Any:
    """Do the work of one process of the group."""
    from model.fit import use_threads
    from model.group import joined

    if (folder / _NOTE).exists():
        return None
    end_with_parent()
    use_threads(threads)
    with joined(int(os.environ.get(_RESTARTS, "0"))) as group:
        if group.leads:
            Teller(theirs).listen(label)
        try:
            return function(*arguments)
        except (RuntimeError, OSError):
            raise  # such as the loss of another process
        except Exception as error:
            _leave_note(folder, error)
            return None


def _leave_note(folder: Path, error: Exception) -> None:
    is_mistake = isinstance(error, PhrasenetError)
    text = str(error) if is_mistake else "".join(traceback.format_exception(error))
    note = {"kind": type(error).__name__, "text": text}
    (folder / _NOTE).write_text(json.dumps(note), encoding="utf-8")


def _raise_noted(folder: Path) -> None:
    """Raise what a process left a note of."""
    if (folder / _NOTE).exists():
        note = json.loads((folder / _NOTE).read_text(encoding="utf-8"))
        raise _MISTAKES.get(note["kind"], GroupDefect)(note["text"])
