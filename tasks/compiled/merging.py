"""Add up counts of numbers, and bring pairs of numbers into another order, compiled.

Both are done in place: there may be millions of each.
"""

import numpy as np

from tasks.compiled.arrays import Counts, Ids, Numbers
from tasks.compiled.jit import compiled

_LOW = (1 << 32) - 1
_FEW = 16


@compiled
def count_equal(numbers: Numbers, counts: Counts) -> int:
    """Count equal neighbours: write each number once, in place; returns how many are left."""
    kept = -1
    for place in range(len(numbers)):
        if kept >= 0 and numbers[place] == numbers[kept]:
            counts[kept] += 1
        else:
            kept += 1
            numbers[kept], counts[kept] = numbers[place], 1
    return kept + 1


@compiled
def merge_into(numbers: Numbers, counts: Counts, size: int, other: tuple[Numbers, Counts]) -> int:
    """Merge an ascending list of numbers with counts, which add up, into another; returns how many
    are there then.

    It is done from the last number to the first, so that none is overwritten before it was read,
    and the two lists are in memory only once. Which list a number is from cannot be foreseen, so
    there is no branch on it.

    Args:
        numbers: the first `size` are the one list, and behind them is room for the other.
        counts: of these.
        size: of the one list.
        other: the other.
    """
    right, right_counts = other
    i, j, free = size - 1, len(right) - 1, len(numbers) - 1
    while i >= 0 and j >= 0:
        here, there = numbers[i], right[j]
        take_left, take_right = int(here >= there), int(there >= here)
        counts[free] = counts[i] * take_left + right_counts[j] * take_right
        numbers[free] = max(here, there)
        i, j, free = i - take_left, j - take_right, free - 1
    for rest in range(j, -1, -1):
        numbers[free], counts[free] = right[rest], right_counts[rest]
        free -= 1
    kept = i + 1
    for place in range(free + 1, len(numbers)):
        numbers[kept], counts[kept] = numbers[place], counts[place]
        kept += 1
    return kept


@compiled
def _sort(numbers: Numbers) -> None:
    """Sort numbers, of which there are mostly few: then by insertion."""
    if len(numbers) > _FEW:
        numbers.sort()
        return
    for place in range(1, len(numbers)):
        number, free = numbers[place], place
        while free > 0 and numbers[free - 1] > number:
            numbers[free] = numbers[free - 1]
            free -= 1
        numbers[free] = number


@compiled
def starts_of_sources(pairs: Numbers, num_sources: int) -> Numbers:
    """Return where the pairs of each source begin, of (source << 32 | target) in order."""
    starts = np.zeros(num_sources + 1, np.int64)
    for pair in pairs:
        starts[(pair >> 32) + 1] += 1
    for source in range(num_sources):
        starts[source + 1] += starts[source]
    return starts


@compiled
def pack(pairs: Numbers, counts: Counts, starts: Numbers, target_place: Ids) -> None:
    """Write, in place, (new number of the target << 32 | count) of each pair, sorted by source.

    Those of one source stay together, so they are sorted by themselves, in the cache.

    Args:
        pairs: (source << 32 | target), each once, ascending.
        counts: of each pair.
        starts: where the pairs of each source begin.
        target_place: the new number of each target; a permutation.
    """
    for source in range(len(starts) - 1):
        group = pairs[starts[source] : starts[source + 1]]
        for place in range(len(group)):
            target = np.int64(target_place[group[place] & _LOW])
            group[place] = target << 32 | np.int64(counts[starts[source] + place])
        _sort(group)


@compiled
def lay_rows(
    packed: Numbers, starts: Numbers, order: Ids, ends: Numbers, first: int, out: Numbers
) -> None:
    """Write some rows of pairs in the new order of their sources.

    Args:
        packed: as `pack` leaves them.
        starts: where the pairs of each source begin there.
        order: the old number of each source, by the new one.
        ends: how many rows there are up to each source, by its new number.
        first: the first row to write.
        out: room for (new number of the source, of the target, count).
    """
    source = np.searchsorted(ends, first, "right")
    for row in range(len(out)):
        while ends[source] <= first + row:
            source += 1
        old = order[source]
        packed_row = packed[starts[old + 1] - ends[source] + first + row]
        out[row, 0], out[row, 1], out[row, 2] = source, packed_row >> 32, packed_row & _LOW
