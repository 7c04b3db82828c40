"""Add up counts of numbers, and bring pairs of numbers into another order, compiled."""

import numpy as np

from tasks.compiled.arrays import Counts, Numbers
from tasks.compiled.jit import compiled

_LOW = (1 << 32) - 1


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
    """Merge two ascending lists of numbers with counts, which add up; returns how many are left."""
    i, j, kept = 0, 0, 0
    while i < len(one[0]) or j < len(other[0]):
        take_one = j == len(other[0]) or (i < len(one[0]) and one[0][i] <= other[0][j])
        take_other = i == len(one[0]) or (j < len(other[0]) and other[0][j] <= one[0][i])
        count = 0
        if take_one:
            number, count = one[0][i], one[1][i]
            i += 1
        if take_other:
            number, count = other[0][j], count + other[1][j]
            j += 1
        out[0][kept], out[1][kept] = number, count
        kept += 1
    return kept


@compiled
def sort_by_place(
    pairs: Numbers, counts: Counts, source_place: Numbers, target_place: Numbers
) -> tuple[Numbers, Counts]:
    """Give pairs other numbers, and sort them by these: by target, then, stably, by source.

    Args:
        pairs: (source << 32 | target), each once.
        counts: of each pair.
        source_place: the new number of each source; a permutation.
        target_place: the new number of each target; a permutation.
    """
    first = np.empty(len(pairs), np.int32)
    ends = np.zeros(len(target_place) + 1, np.int32)
    for pair in pairs:
        ends[target_place[pair & _LOW] + 1] += 1
    for place in range(len(target_place)):
        ends[place + 1] += ends[place]
    for place in range(len(pairs)):
        target = target_place[pairs[place] & _LOW]
        first[ends[target]] = place
        ends[target] += 1
    ends = np.zeros(len(source_place) + 1, np.int32)
    for pair in pairs:
        ends[source_place[pair >> 32] + 1] += 1
    for place in range(len(source_place)):
        ends[place + 1] += ends[place]
    sorted_pairs, sorted_counts = np.empty(len(pairs), np.int64), np.empty(len(pairs), np.int32)
    for old in first:
        source = source_place[pairs[old] >> 32]
        place = ends[source]
        ends[source] += 1
        sorted_pairs[place] = source << 32 | target_place[pairs[old] & _LOW]
        sorted_counts[place] = counts[old]
    return sorted_pairs, sorted_counts
