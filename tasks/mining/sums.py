"""Count numbers that come in any order, in little more memory than the distinct ones take; and add
up columns by number."""

import numpy as np

from tasks.compiled.arrays import Counts, Numbers

_Run = tuple[Numbers, Counts]
"""Distinct numbers in order, and how often each was added."""


class Sums:
    """How often each number was added, in sorted runs.

    Each run is more than twice as long as the next, so there are few of them, each number is merged
    few times, and little more than the distinct numbers is in memory.
    """

    def __init__(self) -> None:
        """Start with nothing."""
        self._runs: list[_Run] = []

    def add(self, numbers: Numbers) -> None:
        """Add numbers in any order; they are sorted in place."""
        from tasks.compiled.merging import count_equal

        numbers.sort()
        counts = np.empty(len(numbers), np.int32)
        size = count_equal(numbers, counts)
        self._runs.append((numbers[:size].copy(), counts[:size].copy()))
        while len(self._runs) > 1 and len(self._runs[-2][0]) <= 2 * len(self._runs[-1][0]):
            self._merge_last()

    def total(self) -> _Run:
        """Return the distinct numbers in order, and how often each was added."""
        while len(self._runs) > 1:
            self._merge_last()
        return self._runs[0] if self._runs else (np.empty(0, np.int64), np.empty(0, np.int32))

    def _merge_last(self) -> None:
        from tasks.compiled.merging import merge_into

        other, (numbers, counts) = self._runs.pop(), self._runs.pop()
        size = len(numbers)
        numbers.resize(size + len(other[0]), refcheck=False)
        counts.resize(size + len(other[0]), refcheck=False)
        size = merge_into(numbers, counts, size, other)
        numbers.resize(size, refcheck=False)
        counts.resize(size, refcheck=False)
        self._runs.append((numbers, counts))


def summed(keys: Numbers, *columns: Numbers) -> tuple[Numbers, ...]:
    """Return the distinct keys, ascending, and the sum of each column for each of them."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(keys)])
    if not len(starts):
        return keys, *columns
    return ordered[starts], *(np.add.reduceat(column[order], starts) for column in columns)
