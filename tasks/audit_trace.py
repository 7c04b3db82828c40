"""The chain above or below anything that has an id: files, artifacts, runs, snapshots, models, and
single pairs, phrases and sentences."""

import math
from collections.abc import Sequence

from storage.lineage import Direction, Lineage, Node
from tasks.lineage.tree import Branch

_NOW = math.inf
"""Of what no record dates: everything came before."""


def trace(graph: Lineage, roots: Sequence[Node], direction: Direction, depth: int) -> list[Branch]:
    """Return the chains that begin at some nodes.

    A node is spelled out where it is met first, level by level, so that nothing stands deeper than
    it must; elsewhere it is only named. Upwards, a run that made the same artifact again after
    it had been used is left out.

    Args:
        graph: the graph of a workspace.
        roots: where to begin.
        direction: `up` to what they were made of, `down` to what was made of them.
        depth: how many levels are shown.
    """
    branches = [_branch(node) for node in roots]
    known = {branch.node_id for branch in branches}
    moments = {node.node_id: min(node.sequences, default=_NOW) for node in roots}
    level = list(branches)
    for step in range(depth + 1):
        following: list[Branch] = []
        for branch in level:
            for node in graph.neighbours(branch.node_id, direction):
                if direction == "up" and _came_later(node, moments[branch.node_id]):
                    continue
                if step == depth:
                    branch.cut_off = True
                    break
                inner = _branch(node)
                branch.branches.append(inner)
                inner.seen_above = node.node_id in known
                moments.setdefault(
                    node.node_id, min(node.sequences, default=moments[branch.node_id])
                )
                if not inner.seen_above:
                    known.add(node.node_id)
                    following.append(inner)
        level = following
    return branches


def _came_later(node: Node, moment: float) -> bool:
    """Say whether a run made anew, later, what was there already at that moment."""
    return bool(node.sequences) and node.sequences[0] > moment


def _branch(node: Node) -> Branch:
    return Branch(node.node_id, node.kind, node.title, node.time)
