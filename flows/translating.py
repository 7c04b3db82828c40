"""Tagged lines to translations, in this process or in several, in the order of the input."""

import itertools
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, NamedTuple

from flows.inference import OpenTranslator
from model.config import DecodingConfig
from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.workspace import Workspace
from tasks.decoding import Models, Translated, open_models, translate_rows
from tasks.required import Demand
from tasks.short_list import WordTable

AHEAD = 2
"""Batches that each process has before it, so that none waits for the next."""


class Batch(NamedTuple):
    """Lines that are translated together."""

    texts: list[str]
    demands: list[Demand]


class Translating:
    """What translates batches: the models of this process, or a pool of processes with theirs."""

    def __init__(self, models: Models, pool: ProcessPoolExecutor | None, processes: int) -> None:
        self._models, self._pool, self._ahead = models, pool, AHEAD * processes

    def __call__(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, list[Translated]]]:
        """Yield the batches in their order, each with what was found for its lines.

        Raises:
            InputError: a process was lost.
        """
        if self._pool is None:
            for batch in batches:
                yield batch, _translate(self._models, *_work(batch))
            return
        waiting: deque[tuple[Batch, Future[list[Translated]]]] = deque()
        try:
            for batch in batches:
                waiting.append((batch, self._pool.submit(_translate_here, *_work(batch))))
                if len(waiting) > self._ahead:
                    yield _done(waiting.popleft())
            while waiting:
                yield _done(waiting.popleft())
        except BrokenProcessPool as error:
            raise InputError(
                "A process that translated was lost; most often the memory is too small for so "
                "many. Ask for fewer with --processes."
            ) from error


@contextmanager
def translating(opened: OpenTranslator, processes: int, *, averaged: bool) -> Iterator[Translating]:
    """Prepare the translation of batches.

    Args:
        opened: the models.
        processes: how many there are; 1 translates in this process.
        averaged: whether the models' weights are averaged.
    """
    if processes == 1:
        yield Translating(opened.models, None, 1)
        return
    pool = ProcessPoolExecutor(
        processes,
        mp_context=get_context("spawn"),
        initializer=_open,
        initargs=(
            opened.models_at,
            opened.models.decoding,
            (opened.models.lexicon, opened.models.table),
            averaged,
            max(1, (os.cpu_count() or 1) // processes),
        ),
    )
    try:
        yield Translating(opened.models, pool, processes)
    finally:
        pool.shutdown(cancel_futures=True)


def _work(batch: Batch) -> tuple[list[dict[str, Any]], list[frozenset[int]]]:
    return [item.row for item in batch.demands], [item.slots for item in batch.demands]


def _done(item: tuple[Batch, "Future[list[Translated]]"]) -> tuple[Batch, list[Translated]]:
    batch, future = item
    return batch, future.result()


def _translate(
    models: Models, rows: Sequence[Mapping[str, Any]], required: Sequence[frozenset[int]]
) -> list[Translated]:
    return list(translate_rows(models, rows, required))


_here: list[Models] = []
"""The models of a process of the pool."""


def _open(
    models_at: Sequence[tuple[Workspace, ArtifactRef]],
    decoding: DecodingConfig,
    tables: tuple[Mapping[str, str], WordTable],
    averaged: bool,  # noqa: FBT001 - an initializer has no keywords
    threads: int,
) -> None:
    """Load the models in a process of the pool."""
    from model.fit import use_threads
    from tasks.own_process import end_with_parent

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the pool
    end_with_parent()
    use_threads(threads)
    bundles = [workspace.read_bundle(ref) for workspace, ref in models_at]
    lexicon, table = tables
    _here.append(open_models(bundles, decoding, lexicon, averaged=averaged, table=table))


def _translate_here(
    rows: Sequence[Mapping[str, Any]], required: Sequence[frozenset[int]]
) -> list[Translated]:
    return _translate(_here[0], rows, required)


def batched(lines: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yield lists of so many lines; the last may be shorter."""
    iterator = iter(lines)
    while texts := list(itertools.islice(iterator, size)):
        yield texts
