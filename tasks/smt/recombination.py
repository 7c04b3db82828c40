"""Recombination: of hypotheses that the rest of a sentence cannot tell apart only the best is gone
on with, and the others are remembered as other ways to make it."""

from typing import NamedTuple

import numpy as np

from tasks.compiled.arrays import Numbers
from tasks.compiled.hashing import first_slot
from tasks.compiled.jit import inner
from tasks.smt.extensions import Edges
from tasks.smt.graph import Arcs, Nodes, Problem
from tasks.smt.options import Reals

_MIX = 0x2545F491


class Made(NamedTuple):
    """Hypotheses that were made for one stack."""

    edge: Numbers
    parent: Numbers
    option: Numbers
    state: Numbers
    score: Reals
    total: Reals


@inner
def keep_best(
    made: Made, problem: Problem, edges: Edges, nodes: Nodes, arcs: Arcs, sizes: tuple[int, int]
) -> tuple[int, int]:
    """Recombine what was made and keep the best; returns the numbers of nodes and arcs then."""
    num_nodes, num_arcs = sizes
    options = problem.options
    by_score = np.argsort(-made.score, kind="mergesort")
    slots, num_slots = _recombined(made, problem, edges, by_score)
    firsts, ways = _by_slot(slots, num_slots, by_score)
    best = ways[firsts[:-1]]
    kept = best[np.argsort(-made.total[best], kind="mergesort")[: problem.limits.stack]]
    for number in _grouped(kept, made, problem, edges):
        edge, slot = made.edge[number], slots[number]
        nodes.gap[num_nodes], nodes.mask[num_nodes] = edges.gap[edge], edges.mask[edge]
        nodes.end[num_nodes] = options.end[made.option[number]]
        nodes.option[num_nodes], nodes.state[num_nodes] = made.option[number], made.state[number]
        nodes.score[num_nodes], nodes.total[num_nodes] = made.score[number], made.total[number]
        for place in range(firsts[slot], firsts[slot + 1]):
            way = ways[place]
            arcs.parent[num_arcs], arcs.option[num_arcs] = made.parent[way], made.option[way]
            arcs.score[num_arcs] = made.score[way]
            num_arcs += 1
        num_nodes += 1
        arcs.starts[num_nodes] = num_arcs
    return num_nodes, num_arcs


@inner
def _recombined(made: Made, problem: Problem, edges: Edges, order: Numbers) -> tuple[Numbers, int]:
    """Give hypotheses that the rest of the sentence cannot tell apart the same number.

    Args:
        made: the hypotheses.
        problem: the sentence.
        edges: how they were made.
        order: in which they are looked at.

    Returns:
        A number for each, and how many numbers there are.
    """
    cells = np.full(_cells_for(len(order)), -1, np.int64)
    slots, num_slots = np.zeros(len(order), np.int64), 0
    for number in order:
        cell = first_slot(_key(made, problem, edges, number), len(cells))
        while cells[cell] >= 0 and not _is_same(made, problem, edges, (cells[cell], number)):
            cell = (cell + 1) & (len(cells) - 1)
        if cells[cell] < 0:
            cells[cell], slots[number] = number, num_slots
            num_slots += 1
        else:
            slots[number] = slots[cells[cell]]
    return slots, num_slots


@inner
def _cells_for(number: int) -> int:
    """Return a power of two, at least twice as much."""
    size = 2
    while size < 2 * number:
        size *= 2
    return size


@inner
def _last(made: Made, problem: Problem, number: int) -> int:
    """Return what the rest of a sentence sees of the phrase that was translated last."""
    option = made.option[number]
    return option if problem.limits.lexicalised else np.int64(problem.options.end[option])


@inner
def _key(made: Made, problem: Problem, edges: Edges, number: int) -> int:
    """Return a number that is the same for hypotheses that cannot be told apart."""
    edge = made.edge[number]
    if edges.gap[edge] == problem.size:
        return np.int64(0)
    key = edges.gap[edge] * _MIX + edges.mask[edge]
    return (key * _MIX + made.state[number]) * _MIX + _last(made, problem, number)


@inner
def _is_same(made: Made, problem: Problem, edges: Edges, both: tuple[int, int]) -> bool:
    """Say whether the rest of the sentence cannot tell two hypotheses apart."""
    one, other = made.edge[both[0]], made.edge[both[1]]
    if edges.gap[one] != edges.gap[other] or edges.mask[one] != edges.mask[other]:
        return False
    if edges.gap[one] == problem.size:
        return True
    same = made.state[both[0]] == made.state[both[1]]
    return same and _last(made, problem, both[0]) == _last(made, problem, both[1])


@inner
def _by_slot(slots: Numbers, num_slots: int, order: Numbers) -> tuple[Numbers, Numbers]:
    """Bring what has the same slot together, in a given order; returns where each slot begins."""
    firsts = np.zeros(num_slots + 1, np.int64)
    for slot in slots:
        firsts[slot + 1] += 1
    firsts = np.cumsum(firsts)
    filled, ways = firsts.copy(), np.zeros(len(slots), np.int64)
    for number in order:
        ways[filled[slots[number]]] = number
        filled[slots[number]] += 1
    return firsts, ways


@inner
def _grouped(kept: Numbers, made: Made, problem: Problem, edges: Edges) -> Numbers:
    """Bring hypotheses with the same coverage and last end together, the best of each first."""
    done, found = np.zeros(len(kept), np.bool_), np.zeros(len(kept), np.int64)
    size = 0
    for place in range(len(kept)):
        if done[place]:
            continue
        for other in range(place, len(kept)):
            if not done[other] and _is_together(made, problem, edges, (kept[place], kept[other])):
                found[size], done[other] = kept[other], True
                size += 1
    return found


@inner
def _is_together(made: Made, problem: Problem, edges: Edges, both: tuple[int, int]) -> bool:
    """Say whether two hypotheses have the same coverage and last end."""
    one, other = made.edge[both[0]], made.edge[both[1]]
    ends = problem.options.end
    return (
        edges.gap[one] == edges.gap[other]
        and edges.mask[one] == edges.mask[other]
        and ends[made.option[both[0]]] == ends[made.option[both[1]]]
    )
