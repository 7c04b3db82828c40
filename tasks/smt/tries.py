"""A set of sequences of numbers as a trie in a hash table, compiled.

Each distinct sequence has a number, a node; the empty sequence is node 0. A cell of the table holds
the edge from one node to the next, `node << 32 | word`.
"""

from typing import NamedTuple

import numpy as np

from tasks.compiled.arrays import Ids, Numbers
from tasks.compiled.hashing import first_slot
from tasks.compiled.jit import compiled, inner

ROOT = 0
NOT_THERE = -1


class Trie(NamedTuple):
    """The edges of a trie; a power of two of cells, at most half of them taken."""

    edges: Numbers
    """Node << 32 | word, or -1."""
    targets: Ids
    """The node an edge leads to."""


def empty_trie(num_edges: int) -> Trie:
    """Make room for some edges."""
    size = 1 << (2 * max(num_edges, 1)).bit_length()
    return Trie(np.full(size, NOT_THERE, np.int64), np.zeros(size, np.int32))


@compiled
def follow(trie: Trie, node: int, word: int) -> int:
    """Return the node of a sequence with one more word, or -1."""
    edge = np.int64(node) << 32 | np.int64(word)
    cell = first_slot(edge, len(trie.edges))
    while trie.edges[cell] != NOT_THERE:
        if trie.edges[cell] == edge:
            return np.int64(trie.targets[cell])
        cell = (cell + 1) & (len(trie.edges) - 1)
    return NOT_THERE


@inner
def put(trie: Trie, node: int, word: int, new: int) -> int:
    """Return the node of a sequence with one more word; `new`, if it was not there."""
    edge = np.int64(node) << 32 | np.int64(word)
    cell = first_slot(edge, len(trie.edges))
    while trie.edges[cell] != NOT_THERE:
        if trie.edges[cell] == edge:
            return np.int64(trie.targets[cell])
        cell = (cell + 1) & (len(trie.edges) - 1)
    trie.edges[cell], trie.targets[cell] = edge, new
    return new


@compiled
def put_sequences(
    trie: Trie, words: Ids, starts: Numbers, longest: int, first_new: int, nodes: Ids
) -> int:
    """Put every span of at most `longest` words of some sentences into a trie.

    Args:
        trie: with room for all of them.
        words: the sentences one behind the other.
        starts: where each begins.
        longest: most words of a span.
        first_new: number of the next new node.
        nodes: filled with the node of the span that begins at each place and has 1, 2, ... words,
            -1 where it would leave the sentence; places x longest.

    Returns:
        The number of nodes, the root included.
    """
    size = first_new
    for sentence in range(len(starts) - 1):
        for start in range(starts[sentence], starts[sentence + 1]):
            node = ROOT
            for length in range(longest):
                if start + length >= starts[sentence + 1]:
                    nodes[start, length] = NOT_THERE
                    continue
                node = put(trie, node, words[start + length], size)
                size += node == size
                nodes[start, length] = node
    return size


def edges_of(trie: Trie) -> tuple[Numbers, Ids]:
    """Return the edges of a trie, sorted, and where they lead."""
    taken = np.flatnonzero(trie.edges != NOT_THERE)
    order = taken[np.argsort(trie.edges[taken])]
    return trie.edges[order], trie.targets[order]


def trie_of(edges: Numbers, targets: Ids) -> Trie:
    """Make a trie of its edges again."""
    trie = empty_trie(len(edges))
    _put_all(trie, edges, targets)
    return trie


@compiled
def _put_all(trie: Trie, edges: Numbers, targets: Ids) -> None:
    for number in range(len(edges)):
        put(trie, edges[number] >> 32, edges[number] & 0xFFFFFFFF, targets[number])
