"""What a search works on and what it leaves: hypotheses and the ways to make them."""

from typing import NamedTuple

import numpy as np

from tasks.compiled.arrays import Ids, Numbers
from tasks.compiled.jit import compiled, inner
from tasks.smt.features import Weights
from tasks.smt.options import Models, Options, Reals
from tasks.smt.phrase_counts import DISCONTINUOUS, MONOTONE, SWAP

NOTHING = -1
"""The option of the hypothesis that covers nothing yet."""


class Limits(NamedTuple):
    """How widely the search looks."""

    max_words: int
    """Longest source phrase."""
    distortion: int
    """Longest jump, 0 for none."""
    pops: int
    """Hypotheses that are made for each number of covered words."""
    stack: int
    """Hypotheses that are kept for each number of covered words."""
    lexicalised: bool
    """Whether orientations count."""


class Problem(NamedTuple):
    """A sentence and how it is translated."""

    models: Models
    options: Options
    weights: Weights
    limits: Limits
    size: int
    """Words of the sentence, at least one."""


class Nodes(NamedTuple):
    """Hypotheses that were kept, by number of covered words and then the best first."""

    gap: Ids
    mask: Numbers
    end: Ids
    """End of the source phrase that was translated last."""
    option: Ids
    """Option that was taken last, or `NOTHING`."""
    state: Ids
    """State of the language model."""
    score: Reals
    total: Reals
    """Score with the estimate of what is left."""


class Arcs(NamedTuple):
    """Ways to make hypotheses, those of node k at `[starts[k], starts[k + 1])`, the best first."""

    starts: Numbers
    parent: Ids
    option: Ids
    score: Reals
    """Score of the node if it is made this way."""


class Graph(NamedTuple):
    """What a search looked at; the last node is the whole translation."""

    nodes: Nodes
    arcs: Arcs


@inner
def room_for_nodes(size: int) -> Nodes:
    """Make room for some hypotheses."""
    return Nodes(
        np.zeros(size, np.int32),
        np.zeros(size, np.int64),
        np.zeros(size, np.int32),
        np.zeros(size, np.int32),
        np.zeros(size, np.int32),
        np.zeros(size),
        np.zeros(size),
    )


@inner
def room_for_arcs(num_nodes: int, num_arcs: int) -> Arcs:
    """Make room for the ways to make some hypotheses."""
    return Arcs(
        np.zeros(num_nodes + 1, np.int64),
        np.zeros(num_arcs, np.int32),
        np.zeros(num_arcs, np.int32),
        np.zeros(num_arcs),
    )


@inner
def cut_graph(nodes: Nodes, arcs: Arcs, num_nodes: int, num_arcs: int) -> Graph:
    """Return what was filled in."""
    return Graph(
        Nodes(
            nodes.gap[:num_nodes],
            nodes.mask[:num_nodes],
            nodes.end[:num_nodes],
            nodes.option[:num_nodes],
            nodes.state[:num_nodes],
            nodes.score[:num_nodes],
            nodes.total[:num_nodes],
        ),
        Arcs(
            arcs.starts[: num_nodes + 1],
            arcs.parent[:num_arcs],
            arcs.option[:num_arcs],
            arcs.score[:num_arcs],
        ),
    )


@compiled
def orientation_of(options: Options, before: int, option: int) -> int:
    """Return how an option lies to the one before it in the translation, as words would."""
    if before == NOTHING:
        return MONOTONE if options.start[option] == 0 else DISCONTINUOUS
    if options.start[option] == options.end[before]:
        return MONOTONE
    return SWAP if options.end[option] == options.start[before] else DISCONTINUOUS
