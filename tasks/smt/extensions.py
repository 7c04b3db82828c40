"""How hypotheses may be extended: which spans may follow which coverage, and at which cost.

With a distortion limit all covered words lie before or shortly behind the first word that is not
covered, the gap; bit k of `mask` says whether word `gap + 1 + k` is covered. A jump is as long as
the words between the end of the last phrase and the start of the next; no jump is longer than the
limit, nor may a phrase end so far behind the gap that the jump back would be.
"""

from typing import NamedTuple

import numpy as np

from tasks.compiled.arrays import Numbers
from tasks.compiled.jit import compiled, inner
from tasks.smt.features import DISTORTION
from tasks.smt.graph import Nodes, Problem
from tasks.smt.options import Options, Reals

MOST_JUMP = 62
"""Longest distortion limit: a mask has so many bits."""


class Edges(NamedTuple):
    """Hypotheses of the same coverage and last end, each with the options of the same span."""

    first: Numbers
    """The best of the hypotheses; the others follow it."""
    after: Numbers
    """Where they end."""
    options: Numbers
    """The best of the options; the others follow it."""
    options_after: Numbers
    gap: Numbers
    """Coverage afterwards."""
    mask: Numbers
    jump: Reals
    """Score of the distortion."""
    left: Reals
    """Estimate of what is left to be translated."""


@inner
def find_edges(problem: Problem, nodes: Nodes, stacks: Numbers, covered: int) -> Edges:
    """Find all that covers a given number of words after one more phrase."""
    fewest = max(covered - problem.limits.max_words, 0)
    room = 0
    for before in range(fewest, covered):
        first = stacks[before]
        while first < stacks[before + 1]:
            first = _end_of_group(nodes, first, stacks[before + 1])
            room += 1 + problem.limits.distortion
    edges = _room_for_edges(room)
    found = 0
    for before in range(fewest, covered):
        first = stacks[before]
        while first < stacks[before + 1]:
            after = _end_of_group(nodes, first, stacks[before + 1])
            found = _edges_of_group(problem, nodes, (first, after), covered - before, edges, found)
            first = after
    return Edges(
        edges.first[:found],
        edges.after[:found],
        edges.options[:found],
        edges.options_after[:found],
        edges.gap[:found],
        edges.mask[:found],
        edges.jump[:found],
        edges.left[:found],
    )


@inner
def _room_for_edges(size: int) -> Edges:
    return Edges(
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size),
        np.zeros(size),
    )


@inner
def _end_of_group(nodes: Nodes, first: int, end: int) -> int:
    """Return where hypotheses with the same coverage and the same last end stop."""
    after = first + 1
    while (
        after < end
        and nodes.gap[after] == nodes.gap[first]
        and nodes.mask[after] == nodes.mask[first]
        and nodes.end[after] == nodes.end[first]
    ):
        after += 1
    return after


@inner
def _edges_of_group(
    problem: Problem, nodes: Nodes, group: tuple[int, int], length: int, edges: Edges, found: int
) -> int:
    """Write the edges that extend a group by `length` words; returns where they end."""
    options, limit = problem.options, problem.limits.distortion
    gap, mask = int(nodes.gap[group[0]]), int(nodes.mask[group[0]])
    last = int(nodes.end[group[0]])
    for start in range(gap, min(gap + limit, problem.size - length) + 1):
        cell = start * problem.limits.max_words + length - 1
        if options.spans[cell] == options.spans[cell + 1]:
            continue
        if not may_follow((gap, mask, last), start, start + length, limit):
            continue
        edges.first[found], edges.after[found] = group
        edges.options[found] = options.spans[cell]
        edges.options_after[found] = options.spans[cell + 1]
        edges.gap[found], edges.mask[found] = cover(gap, mask, start, start + length)
        edges.jump[found] = -problem.weights[DISTORTION] * abs(start - last)
        edges.left[found] = _left(options, edges.gap[found], edges.mask[found])
        found += 1
    return found


@compiled
def may_follow(covered: tuple[int, int, int], start: int, end: int, limit: int) -> bool:
    """Say whether a phrase may be translated next.

    Args:
        covered: first word that is not covered, mask of those behind it, end of the last phrase.
        start: first word of the phrase, the gap or behind it.
        end: where it ends.
        limit: longest jump.
    """
    gap, mask, last = covered
    if abs(start - last) > limit or (start > gap and end - gap > limit):
        return False
    for word in range(max(start, gap + 1), end):
        behind = word - gap - 1
        if behind < MOST_JUMP and (mask >> behind) & 1:
            return False
    return True


@compiled
def cover(gap: int, mask: int, start: int, end: int) -> tuple[int, int]:
    """Return the coverage with some more words, none of which was covered."""
    if start > gap:
        for word in range(start, end):
            mask |= 1 << (word - gap - 1)
        return gap, mask
    behind = end - gap - 1
    mask = mask >> behind if behind < MOST_JUMP else 0
    while mask & 1:
        mask >>= 1
        end += 1
    return end, mask >> 1


@inner
def _left(options: Options, gap: int, mask: int) -> float:
    """Return the estimate of what is not covered yet."""
    total, start, word = 0.0, gap, gap + 1
    while mask:
        if mask & 1:
            total += options.future[start, word - start] if word > start else 0.0
            start = word + 1
        mask >>= 1
        word += 1
    return total + options.rest[start]
