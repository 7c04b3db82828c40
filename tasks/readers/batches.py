"""Spread the reading of a corpus over several processes: what each of them reads in one go."""

import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from storage.remote import is_remote
from tasks.readers.corpora import Part, Piece, can_be_cut
from tasks.readers.corpus_config import CorpusForm
from tasks.readers.lines import PathLike
from tasks.readers.spans import Span, cut, numbered

LEAST_BYTES = 1 << 26
"""What a process reads in one go at least: some seconds of work, so that to start it weighs little.
"""
BATCHES_OF_A_PROCESS = 4
"""More are smaller, and wait less for the last one; each writes a file for every shard."""

Batch = tuple[Piece, ...]
CountLines = Callable[[list[tuple[PathLike, Span]]], list[int]]
"""Counts the lines of spans of files."""


def is_large(parts: Iterable[Part]) -> bool:
    """Say whether a corpus is enough for two batches."""
    return sum(map(_bytes_on_disk, parts)) >= 2 * LEAST_BYTES


def batches(
    form: CorpusForm, pieces: Sequence[Piece], processes: int, count: CountLines
) -> list[Batch]:
    """Divide the pieces of a corpus among processes, in order; plain files of a pair a line are cut
    at line ends.

    Args:
        form: of the corpus.
        pieces: as the files are.
        processes: how many there are.
        count: tells how many lines spans have; asked only if something is cut.
    """
    if processes == 1:
        return [tuple(pieces)]
    goal = max(LEAST_BYTES, sum(map(_bytes_of, pieces)) // (BATCHES_OF_A_PROCESS * processes))
    made: list[Batch] = []
    waiting: list[Piece] = []
    size = 0
    for piece in (part for whole in pieces for part in _cut(form, whole, goal, count)):
        waiting.append(piece)
        size += _bytes_of(piece)
        if 2 * size >= goal:  # spans are a little shorter than wanted, or longer
            made.append(tuple(waiting))
            waiting, size = [], 0
    return [*made, tuple(waiting)] if waiting else made


def _cut(form: CorpusForm, piece: Piece, goal: int, count: CountLines) -> list[Piece]:
    """Cut a piece into spans of about `goal` bytes, where it can be cut."""
    number = _bytes_of(piece) // goal
    if number < 2 or not can_be_cut(form, piece.part):
        return [piece]
    path = piece.part[0]
    spans = cut(path, number)
    lines = count([(path, span) for span in spans])
    return [replace(piece, span=span) for span in numbered(spans, lines)]


def _bytes_of(piece: Piece) -> int:
    """Return how many bytes are read; of files on S3 nobody asks."""
    if math.isfinite(piece.span.end):
        return int(piece.span.end) - piece.span.start
    return _bytes_on_disk(piece.part) - piece.span.start


def _bytes_on_disk(part: Part) -> int:
    """Return how large the files of this machine are; one that is gone is told when it is read."""
    here = [path for path in part if not is_remote(os.fspath(path)) and os.path.exists(path)]
    return sum(map(os.path.getsize, here))
