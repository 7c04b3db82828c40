"""A training in several processes, started and restarted as torchrun does it.

They are on this machine, or spread over several that find each other at an address of the one that
leads: it has the first process, which measures, keeps and reports for all.

If a process is lost, all begin again from the last checkpoint. A mistake of the user or a defect is
no reason to begin again: the process that finds it leaves a note, and all end.
"""

import contextvars
import json
import os
import socket
import threading
import traceback
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from model.config import TrainingConfig
from model.device_names import DeviceKind, kind_of
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


@dataclass(frozen=True, slots=True)
class Node:
    """This machine among those of a training."""

    training: str = ""
    """Name of the training, the same on all machines; empty where there is one."""
    leads: bool = True


ALONE = Node()
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
    node: Node = ALONE,
) -> R | None:
    """Call a function in each of `config.processes` processes; returns what the first one of this
    machine does.

    Args:
        folder: of this training, for notes between the processes of this machine.
        config: how many processes and machines, their threads, and how often they may begin again.
        function: importable by its name; it finds its `Group` joined.
        arguments: of the function; they must be picklable.
        node: this machine among those of the training.

    Raises:
        LostProcess: processes were lost more often than `config.restarts`.
        KeyboardInterrupt: this process was asked to stop.
        PhrasenetError: as a process raised it.
        GroupDefect: a process raised anything else.
    """
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.elastic.rendezvous.api import RendezvousError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    here = config.processes // config.nodes
    launch = LaunchConfig(
        min_nodes=config.nodes,
        max_nodes=config.nodes,
        nproc_per_node=here,
        run_id=node.training or uuid.uuid4().hex,
        rdzv_backend="c10d",
        rdzv_endpoint=config.rendezvous or f"{_LOOPBACK}:0",
        rdzv_configs={"is_host": node.leads},
        local_addr=_own_address(config.rendezvous),
        max_restarts=config.restarts,
        monitor_interval=0.2,
        start_method="spawn",
    )
    threads = config.threads or max(1, (os.cpu_count() or 1) // here)
    try:
        with _heard() as theirs:
            around = theirs, current_label(), threads, kind_of(config.device), node.leads
            given = (folder, around, function, arguments)
            results = elastic_launch(launch, _member)(*given)
    except SignalException:
        raise KeyboardInterrupt from None
    except RendezvousError as error:
        raise LostProcess(
            f"the machines of the training did not find each other at {config.rendezvous}: {error}"
        ) from error
    except ChildFailedError as error:
        raise LostProcess(
            f"a process of the training was lost {config.restarts + 1} times: "
            f"{str(error).splitlines()[0]}"
        ) from error
    _raise_noted(folder)
    first: R | None = results[min(results)]
    return first


def _own_address(rendezvous: str) -> str:
    """Return this machine's address as others on the way to the rendezvous see it."""
    host, _, port = rendezvous.rpartition(":")
    if not host:
        return _LOOPBACK
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect((host, int(port)))  # no packet is sent
        except OSError as error:
            raise ConfigError(
                f"training.rendezvous {rendezvous}: the machine cannot be reached ({error})."
            ) from error
        return str(way.getsockname()[0])


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
    around: tuple[Connection, str, int, DeviceKind, bool],
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> Any:
    """Do the work of one process of the group; around it are who listens, its label, its threads
    and the kind of its device.
    """
    from model.fit import use_threads
    from model.group import joined

    if (folder / _NOTE).exists():
        return None
    theirs, label, threads, kind, ahead = around
    end_with_parent()
    use_threads(threads)
    with joined(int(os.environ.get(_RESTARTS, "0")), ahead=ahead, kind=kind) as group:
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
