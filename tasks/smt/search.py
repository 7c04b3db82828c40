"""Search for the best translation: a stack decoder (Koehn 2010, chapter 6) with cube pruning (Huang
and Chiang 2007) and recombination."""

import heapq

import numpy as np

from tasks.compiled.arrays import Numbers
from tasks.compiled.jit import compiled, inner
from tasks.smt.extensions import Edges, find_edges
from tasks.smt.features import LANGUAGE_MODEL, REORDERING
from tasks.smt.graph import (
    NOTHING,
    Graph,
    Nodes,
    Problem,
    cut_graph,
    orientation_of,
    room_for_arcs,
    room_for_nodes,
)
from tasks.smt.language_model import END, first_state, next_word
from tasks.smt.options import COPIED, entry_words
from tasks.smt.recombination import Made, keep_best


@compiled
def search(problem: Problem) -> Graph:
    """Search for the translations of a sentence."""
    size, limits = problem.size, problem.limits
    nodes = room_for_nodes(1 + size * limits.stack)
    arcs = room_for_arcs(1 + size * limits.stack, 1 + size * limits.pops)
    nodes.option[0] = NOTHING
    nodes.state[0] = first_state(problem.models.language)
    nodes.total[0] = problem.options.rest[0]
    stacks = np.zeros(size + 2, np.int64)
    stacks[1] = 1
    num_arcs = 0
    for covered in range(1, size + 1):
        edges = find_edges(problem, nodes, stacks, covered)
        made = _pop(problem, nodes, edges, covered == size)
        stacks[covered + 1], num_arcs = keep_best(
            made, problem, edges, nodes, arcs, (stacks[covered], num_arcs)
        )
    return cut_graph(nodes, arcs, stacks[size + 1], num_arcs)


@inner
def _pop(problem: Problem, nodes: Nodes, edges: Edges, is_last: bool) -> Made:
    """Make hypotheses, the more promising first: of each edge the best, then the neighbours of what
    was taken."""
    pops, num_edges = problem.limits.pops, len(edges.first)
    made = _room_for_made(num_edges + 2 * pops)
    taken = np.zeros(min(pops, len(made.edge)), np.int64)
    waiting = np.zeros((num_edges + 2, 3), np.int64)
    for edge in range(num_edges):
        waiting[edge, 0], waiting[edge, 1] = edge, edges.first[edge]
        waiting[edge, 2] = edges.options[edge]
    queue = [(0.0, np.int64(0))]
    queue.clear()
    size, num_taken, num_waiting = 0, 0, num_edges
    while True:
        for place in range(num_waiting):
            _make(problem, nodes, edges, waiting[place], is_last, (made, size))
            heapq.heappush(queue, (-made.total[size], np.int64(size)))
            size += 1
        if not queue or num_taken == len(taken):
            break
        number = heapq.heappop(queue)[1]
        taken[num_taken] = number
        num_taken += 1
        num_waiting = _neighbours(edges, made, number, waiting)
    taken = taken[:num_taken]
    return Made(
        made.edge[taken],
        made.parent[taken],
        made.option[taken],
        made.state[taken],
        made.score[taken],
        made.total[taken],
    )


@inner
def _room_for_made(size: int) -> Made:
    return Made(
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size),
        np.zeros(size),
    )


@inner
def _neighbours(edges: Edges, made: Made, number: int, waiting: Numbers) -> int:
    """Write (edge, hypothesis, option) of what follows what was taken; returns how many do.

    The next option of the same hypothesis, and from the best option the next hypothesis, so each
    combination is made once.
    """
    edge, parent, option = made.edge[number], made.parent[number], made.option[number]
    found = 0
    if option + 1 < edges.options_after[edge]:
        waiting[found, 0], waiting[found, 1], waiting[found, 2] = edge, parent, option + 1
        found += 1
    if option == edges.options[edge] and parent + 1 < edges.after[edge]:
        waiting[found, 0], waiting[found, 1], waiting[found, 2] = edge, parent + 1, option
        found += 1
    return found


@inner
def _make(
    problem: Problem,
    nodes: Nodes,
    edges: Edges,
    at: Numbers,
    is_last: bool,
    out: tuple[Made, int],
) -> None:
    """Extend a hypothesis by an option; `at` is the edge, the hypothesis and the option."""
    models, options = problem.models, problem.options
    edge, parent, option = at[0], at[1], at[2]
    total, state = 0.0, int(nodes.state[parent])
    for word in entry_words(models.table, options.entry[option]):
        logarithm, state = next_word(models.language, state, word)
        total += logarithm
    if is_last:
        total += next_word(models.language, state, END)[0]
    score = nodes.score[parent] + options.score[option] + edges.jump[edge]
    score += problem.weights[LANGUAGE_MODEL] * total
    if problem.limits.lexicalised:
        score += _reordering(problem, int(nodes.option[parent]), option)
    made, number = out
    made.edge[number], made.parent[number], made.option[number] = edge, parent, option
    made.state[number], made.score[number] = state, score
    made.total[number] = score + edges.left[edge]


@inner
def _reordering(problem: Problem, before: int, option: int) -> float:
    """Return the score of the orientation of an option and of that before it to each other."""
    options, logs = problem.options, problem.models.table.reordering
    orientation = orientation_of(options, before, option)
    total, entry = 0.0, options.entry[option]
    if entry != COPIED:
        total += problem.weights[REORDERING + orientation] * np.float64(logs[entry, orientation])
    if before != NOTHING and options.entry[before] != COPIED:
        entry, behind = options.entry[before], 3 + orientation
        total += problem.weights[REORDERING + behind] * np.float64(logs[entry, behind])
    return total
