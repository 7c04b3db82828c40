"""The best translations of a search, and their features."""

import heapq
from typing import Any

import numpy as np

from tasks.compiled.arrays import Ids, Numbers
from tasks.compiled.jit import compiled, inner
from tasks.smt.features import (
    DISTORTION,
    LANGUAGE_MODEL,
    NUM_FEATURES,
    PHRASES,
    REORDERING,
    SCORES,
    WORDS,
)
from tasks.smt.graph import NOTHING, Graph, orientation_of
from tasks.smt.language_model import END, first_state, next_word
from tasks.smt.options import COPIED, Models, Options, Reals, entry_words

MOST_STEPS = 1000
"""Partial paths looked at for each translation that is asked for, at most."""


@compiled
def best_paths(graph: Graph, number: int) -> list[Ids]:
    """Return the options of the best ways through a search graph in target order, the best first.

    The search goes back from the whole translation. What is in front of a node is known exactly, so
    paths come out in order (A*); two of them may spell the same words. Each step takes the best way
    to make the node before, and leaves the next best one to be taken later.

    Args:
        graph: from `search`.
        number: most paths.
    """
    room = MOST_STEPS * number
    arc, behind = np.zeros(room, np.int64), np.full(room, -1, np.int64)
    suffix = np.zeros(room)
    queue = [(0.0, np.int64(0))]
    queue.clear()
    found = [np.zeros(0, np.int32) for _ in range(0)]
    arc[0] = graph.arcs.starts[len(graph.nodes.gap) - 1]
    size = _push(graph, arc, behind, suffix, queue, 0)
    while queue and len(found) < number:
        here = heapq.heappop(queue)[1]
        at, parent = arc[here], np.int64(graph.arcs.parent[arc[here]])
        if size + 2 > room and parent > 0:
            continue
        if size < room and _is_sibling(graph, at + 1, at):
            arc[size], behind[size] = at + 1, behind[here]
            size = _push(graph, arc, behind, suffix, queue, size)
        if parent == 0:
            found.append(_options_of(graph, arc, behind, here))
        else:
            arc[size], behind[size] = graph.arcs.starts[parent], here
            size = _push(graph, arc, behind, suffix, queue, size)
    return found


@inner
def _push(
    graph: Graph,
    arc: Numbers,
    behind: Numbers,
    suffix: Reals,
    queue: list[tuple[Any, Any]],
    step: int,
) -> int:
    """Score a partial path and put it into the queue; returns the number of the next one."""
    before = suffix[behind[step]] if behind[step] >= 0 else 0.0
    whole = before + graph.arcs.score[arc[step]]
    suffix[step] = whole - graph.nodes.score[graph.arcs.parent[arc[step]]]
    heapq.heappush(queue, (-whole, np.int64(step)))
    return step + 1


@inner
def _is_sibling(graph: Graph, arc: int, other: int) -> bool:
    """Say whether two neighbouring arcs make the same node."""
    if arc == len(graph.arcs.parent):
        return False
    return np.searchsorted(graph.arcs.starts, arc, "right") == np.searchsorted(
        graph.arcs.starts, other, "right"
    )


@inner
def _options_of(graph: Graph, arc: Numbers, behind: Numbers, step: int) -> Ids:
    """Return the options of a path."""
    length, at = 0, step
    while at >= 0:
        length, at = length + 1, behind[at]
    path, at = np.zeros(length, np.int32), step
    for place in range(length):
        path[place] = graph.arcs.option[arc[at]]
        at = behind[at]
    return path


@compiled
def features_of(models: Models, options: Options, path: Ids, lexicalised: bool) -> Reals:
    """Return the features of a translation; see `features.py`."""
    found = np.zeros(NUM_FEATURES)
    state, before, last = first_state(models.language), np.int64(NOTHING), np.int64(0)
    for option in path:
        entry = options.entry[option]
        for word in entry_words(models.table, entry):
            logarithm, state = next_word(models.language, state, word)
            found[LANGUAGE_MODEL] += logarithm
            found[WORDS] -= 1
        found[PHRASES] += 1
        found[DISTORTION] -= abs(options.start[option] - last)
        if entry != COPIED:
            for number in range(models.table.scores.shape[1]):
                found[SCORES + number] += models.table.scores[entry, number]
        if lexicalised:
            orientation = orientation_of(options, before, option)
            _add_reordering(models, options, (before, option), orientation, found)
        before, last = np.int64(option), np.int64(options.end[option])
    found[LANGUAGE_MODEL] += next_word(models.language, state, END)[0]
    return found


@inner
def _add_reordering(
    models: Models, options: Options, around: tuple[int, int], orientation: int, found: Reals
) -> None:
    before, option = around
    logs = models.table.reordering
    if options.entry[option] != COPIED:
        found[REORDERING + orientation] += logs[options.entry[option], orientation]
    if before != NOTHING and options.entry[before] != COPIED:
        behind = 3 + orientation
        found[REORDERING + behind] += logs[options.entry[before], behind]
