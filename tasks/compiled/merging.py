"""Add up counts of numbers, and bring pairs of numbers into another order, compiled."""

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
def merge(
    one: tuple[Numbers, Counts], other: tuple[Numbers, Counts], out: tuple[Numbers, Counts]
) -> int:
    """Merge two ascending lists of numbers with counts, which add up; returns how many are left.

    Which list a number is from cannot be foreseen, so there is no branch on it.
    """
    (left, left_counts), (right, right_counts), (numbers, counts) = one, other, out
    i, j, kept = 0, 0, 0
    while i < len(left) and j < len(right):
        here, there = left[i], right[j]
        take_left, take_right = int(here <= there), int(there <= here)
        numbers[kept] = min(here, there)
        counts[kept] = left_counts[i] * take_left + right_counts[j] * take_right
        i, j, kept = i + take_left, j + take_right, kept + 1
    for rest in range(i, len(left)):
        numbers[kept], counts[kept] = left[rest], left_counts[rest]
        kept += 1
    for rest in range(j, len(right)):
        numbers[kept], counts[kept] = right[rest], right_counts[rest]
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
def sort_by_place(
    pairs: Numbers, counts: Counts, source_place: Ids, target_place: Ids
) -> tuple[Numbers, Counts]:
    """Give pairs other numbers, and sort them by these.

    Those of one source stay together, so they are sorted by themselves, in the cache.

    Args:
        pairs: (source << 32 | target), each once, ascending.
        counts: of each pair.
        source_place: the new number of each source; a permutation.
        target_place: the new number of each target; a permutation.
    """
    starts = np.zeros(len(source_place) + 1, np.int64)
    for pair in pairs:
        starts[(pair >> 32) + 1] += 1
    order = np.empty(len(source_place), np.int32)
    for source in range(len(source_place)):
        starts[source + 1] += starts[source]
        order[source_place[source]] = source
    sorted_pairs, sorted_counts = np.empty(len(pairs), np.int64), np.empty(len(pairs), np.int32)
    begin = 0
    for source in range(len(order)):
        first, last = starts[order[source]], starts[order[source] + 1]
        group = sorted_pairs[begin : begin + last - first]
        for place in range(first, last):
            target = np.int64(target_place[pairs[place] & _LOW])
            group[place - first] = target << 32 | np.int64(counts[place])
        _sort(group)
        for place in range(len(group)):
            sorted_counts[begin + place] = group[place] & _LOW
            group[place] = np.int64(source) << 32 | group[place] >> 32
        begin += last - first
    return sorted_pairs, sorted_counts
