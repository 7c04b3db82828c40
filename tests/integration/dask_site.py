"""A Dask scheduler with workers in processes of their own, for the tests of this folder."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.integration.commands import environment, free_port
from tests.support import ROOT


@dataclass(frozen=True)
class Worker:
    """How a worker is started."""

    folder: Path
    """Where it runs; modules there are its own."""
    options: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)


@contextmanager
def cluster(folder: Path, *workers: Worker) -> Iterator[str]:
    """Give the address of a scheduler on the loopback interface that has these workers."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    scheduler = f"--host 127.0.0.1 --port {port} --no-dashboard".split()
    with ExitStack() as stack:

        def start(name: str, *arguments: str, worker: Worker) -> None:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{name}", *arguments],
                cwd=worker.folder,
                env=environment(PYTHONPATH=str(ROOT), **worker.variables),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            stack.callback(process.wait)
            stack.callback(os.killpg, process.pid, signal.SIGKILL)

        start("scheduler", *scheduler, worker=Worker(folder))
        for worker in workers:
            start(
                *f"worker {address} --nthreads 1 --host 127.0.0.1".split(),
                *("--no-nanny", "--no-dashboard", *worker.options),
                worker=worker,
            )
        yield address
