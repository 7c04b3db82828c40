"""Faults at the borders of everything durable that a run does: the places, and what happens there.

A run reaches a *place* whenever it writes, flushes or renames a file or hands rows to Parquet;
between two places nothing on disk changes. A `Fault` strikes at one place. A death is an exception
that no handler of the code catches, and after which no more file can be touched: what a `finally`
would have tidied up stays, as after `kill -9`. Locks end with it, as the kernel ends them.
"""

import contextlib
import datetime
import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal
from unittest import mock

import pyarrow.parquet as pq

import storage.files
import storage.moments
import storage.writing
from storage.errors import WorkspaceBusy
from storage.lease import hold_lease

Kind = Literal[
    "crash",
    "crash in a write",
    "full disk",
    "passing I/O error",
    "unreadable file",
    "clock jump",
    "second writer",
    "same artifact from elsewhere",
]
KINDS: tuple[Kind, ...] = (
    "crash",
    "crash in a write",
    "full disk",
    "passing I/O error",
    "unreadable file",
    "clock jump",
    "second writer",
    "same artifact from elsewhere",
)
_CLOCKS: tuple[ModuleType, ...] = (storage.moments,)


class Died(BaseException):
    """The process died; nothing that it would have done afterwards happens."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What strikes, and at which place of the run, counted from 0."""

    kind: Kind
    place: int
    choice: int = 0
    """Chooses among files or clock times."""


@dataclass
class Injector:
    """Counts the places of a run and lets a fault strike at one of them."""

    root: Path
    fault: Fault | None
    reached: int = 0
    dead: bool = False
    has_struck: bool = False
    intruded: bool = False
    """A second writer got in, which must not be."""
    shift: datetime.timedelta = datetime.timedelta()

    def at(self, half: Callable[[], object] = lambda: None) -> None:
        """Note a place; `half` does half of what is about to be done."""
        self.must_live()
        fault, number = self.fault, self.reached
        self.reached += 1
        if fault is None:
            return
        if fault.kind == "full disk" and number >= fault.place:
            self.has_struck = True
            half()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if number == fault.place:
            self.has_struck = True
            self._strike(fault, half)

    def must_live(self) -> None:
        """Refuse to go on after death."""
        if self.dead:
            raise Died

    def _strike(self, fault: Fault, half: Callable[[], object]) -> None:
        if fault.kind in ("crash", "crash in a write"):
            if fault.kind == "crash in a write":
                half()
            self.dead = True
            raise Died
        if fault.kind == "passing I/O error":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        if fault.kind == "unreadable file":
            damage_artifact(self.root, fault.choice)
        elif fault.kind == "clock jump":
            self.shift = datetime.timedelta(days=(-400, -1, 1, 400)[fault.choice % 4])
        elif fault.kind == "second writer":
            with contextlib.suppress(WorkspaceBusy), hold_lease(self.root):
                self.intruded = True


def damage_artifact(root: Path, choice: int) -> None:
    """Change, cut short or remove one file of an artifact or of the step cache.

    People's decisions are spared: nothing makes them again, only a backup brings them back.
    """
    files = sorted(
        path
        for pattern in ("warehouse/*/*/*", "models/*/*", "cache/*/*.json")
        for path in root.glob(pattern)
        if path.is_file() and not {"registry", "decisions"} & set(path.parts)
    )
    if not files:
        return
    path, way = files[choice % len(files)], choice // len(files) % 3
    data = path.read_bytes()
    if way == 0:
        path.unlink()
    elif way == 1:
        path.write_bytes(data[: len(data) // 2])
    else:
        middle = len(data) // 2
        path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])


@contextlib.contextmanager
def faults_in(root: Path, fault: Fault | None) -> Iterator[Injector]:
    """Watch the places of a run on the workspace at `root`, and let a fault strike."""
    injector = Injector(root, fault)
    with contextlib.ExitStack() as stack:
        for patch in (*_writing(injector), *_renaming(injector), *_tidying(injector)):
            stack.enter_context(patch)
        for module in _CLOCKS:
            stack.enter_context(mock.patch.object(module, "datetime", _Clock(injector)))
        # No power is cut here, so flushing would only take time.
        stack.enter_context(mock.patch.object(os, "fsync", return_value=None))
        # Waiting mends a passing error here, too, only sooner.
        stack.enter_context(mock.patch.object(time, "sleep", return_value=None))
        yield injector


def _writing(injector: Injector) -> Iterator[Any]:
    write_flushed, write_batch = storage.files.write_flushed, pq.ParquetWriter.write_batch

    def flushed(path: Path, data: bytes, **more: Any) -> None:
        injector.at(lambda: path.write_bytes(data[: len(data) // 2]))
        write_flushed(path, data, **more)

    def batch(writer: Any, rows: Any, *more: Any, **named: Any) -> None:
        injector.at()
        write_batch(writer, rows, *more, **named)

    yield mock.patch.object(storage.files, "write_flushed", flushed)
    yield mock.patch.object(storage.writing, "write_flushed", flushed)
    yield mock.patch.object(pq.ParquetWriter, "write_batch", batch)


def _renaming(injector: Injector) -> Iterator[Any]:
    replace, fsync_folder = os.replace, storage.files.fsync_folder

    def replaced(source: Any, target: Any, **more: Any) -> None:
        fault = injector.fault
        is_twin = fault is not None and fault.kind == "same artifact from elsewhere"
        if is_twin and injector.reached == fault.place and Path(source).is_dir():  # type: ignore[union-attr]
            shutil.copytree(source, target, dirs_exist_ok=True)
        injector.at()
        replace(source, target, **more)

    def flushed(folder: Path) -> None:
        injector.at()
        fsync_folder(folder)

    yield mock.patch.object(os, "replace", replaced)
    yield mock.patch.object(storage.files, "fsync_folder", flushed)


def _tidying(injector: Injector) -> Iterator[Any]:
    """Let the dead tidy up nothing."""
    for owner, name in ((shutil, "rmtree"), (Path, "unlink")):
        yield mock.patch.object(owner, name, _of_the_living(injector, getattr(owner, name)))


def _of_the_living(injector: Injector, act: Callable[..., Any]) -> Callable[..., Any]:
    def only_alive(*arguments: Any, **named: Any) -> Any:
        injector.must_live()
        return act(*arguments, **named)

    return only_alive


class _Clock:
    """The module `datetime` with a clock that may jump."""

    def __init__(self, injector: Injector) -> None:
        class Shifted(datetime.datetime):
            @classmethod
            def now(cls, tz: datetime.tzinfo | None = None) -> "Shifted":
                shifted = datetime.datetime.now(tz) + injector.shift
                return cls.fromtimestamp(shifted.timestamp(), tz)

        self.datetime = Shifted

    def __getattr__(self, name: str) -> Any:
        return getattr(datetime, name)
