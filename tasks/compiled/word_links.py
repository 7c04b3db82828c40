"""Link probabilities of sentence pairs under two word alignment models, compiled.

Both directions are computed side by side, because they are trained to agree (Liang, Taskar and
Klein 2006, "Alignment by Agreement", section 3). The models are IBM Model 1 (Brown et al. 1993) and
the hidden Markov model of Vogel et al. (1996) with the empty word of Och and Ney (2003, section
2.1): each source word has an empty word beside it that keeps its place. Only sums, products and
quotients in a fixed order: the same bits for any number of shards and processes. The slow and
obvious form is `tests/reference/mining_word_links.py`.

Letters in names: I source words, J target words, K = 2 w + 1 jumps.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import Ids, Numbers
from tasks.compiled.jit import compiled

Reals = NDArray[np.float64]

UNSEEN = 1e-9
"""Probability of two words that no training pair holds together."""


class Pairs(NamedTuple):
    """Sentence pairs: the words of pair k are at `[starts[k], starts[k + 1])`; -1 is no known
    word."""

    source: Ids
    source_starts: Numbers
    target: Ids
    target_starts: Numbers


class Lexicon(NamedTuple):
    """Word pairs that stand opposite each other: those of source word s are the entries
    `[starts[s], starts[s + 1])`, by target word."""

    starts: Numbers
    targets: Ids
    forward: Reals
    """p(target | source) of each entry."""
    backward: Reals
    """p(source | target) of each entry."""
    empty_forward: Reals
    """p(target | empty word) of each target word."""
    empty_backward: Reals
    """p(source | empty word) of each source word."""


class Order(NamedTuple):
    """How one link follows another."""

    empty: float
    """Probability of the empty word, between 0 and 1."""
    forward_K: Reals
    """Weights of jumps from -w to w between the source words of neighbouring target words."""
    backward_K: Reals


class Counts(NamedTuple):
    """Expected counts, added to."""

    forward: Reals
    """Links of each entry: what gives each target word a source word."""
    backward: Reals
    """Links of each entry: what gives each source word a target word."""
    empty_forward: Reals
    empty_backward: Reals
    forward_K: Reals
    backward_K: Reals


class Room(NamedTuple):
    """Probabilities of one sentence pair in one direction; `emit_JI` is what the others are made
    of."""

    emit_JI: Reals
    """p(word j of the second side | word i of the first)."""
    empty_J: Reals
    """p(word j of the second side | empty word)."""
    link_JI: Reals
    """Posterior probability that i and j are linked: the result."""


@compiled
def find_entry(lexicon: Lexicon, source: int, target: int) -> int:
    """Return the number of the entry of two words, or -1."""
    if source < 0 or target < 0:
        return -1
    low, high = lexicon.starts[source], lexicon.starts[source + 1]
    while low < high:
        middle = (low + high) >> 1
        if lexicon.targets[middle] < target:
            low = middle + 1
        else:
            high = middle
    if low < lexicon.starts[source + 1] and lexicon.targets[low] == target:
        return low
    return -1


@compiled
def _prepare(pairs: Pairs, k: int, lexicon: Lexicon) -> tuple[Room, Room, Numbers]:
    """Look up the words of a pair; returns both directions and the entry of each cell (I x J)."""
    source = pairs.source[pairs.source_starts[k] : pairs.source_starts[k + 1]]
    target = pairs.target[pairs.target_starts[k] : pairs.target_starts[k + 1]]
    num_source, num_target = len(source), len(target)
    forward = _room(num_target, num_source)
    backward = _room(num_source, num_target)
    entries = np.empty((num_source, num_target), np.int64)
    for i in range(num_source):
        backward.empty_J[i] = lexicon.empty_backward[source[i]] if source[i] >= 0 else UNSEEN
        for j in range(num_target):
            entry = find_entry(lexicon, source[i], target[j])
            entries[i, j] = entry
            forward.emit_JI[j, i] = lexicon.forward[entry] if entry >= 0 else UNSEEN
            backward.emit_JI[i, j] = lexicon.backward[entry] if entry >= 0 else UNSEEN
    for j in range(num_target):
        forward.empty_J[j] = lexicon.empty_forward[target[j]] if target[j] >= 0 else UNSEEN
    return forward, backward, entries


@compiled
def _room(num_second: int, num_first: int) -> Room:
    cells = num_second, num_first
    return Room(np.empty(cells), np.empty(num_second), np.empty(cells))


@compiled
def _without_order(room: Room, empty: float) -> None:
    """Fill the link probabilities of IBM Model 1."""
    num_second, num_first = room.emit_JI.shape
    for j in range(num_second):
        total = empty * room.empty_J[j]
        for i in range(num_first):
            room.link_JI[j, i] = (1.0 - empty) / num_first * room.emit_JI[j, i]
            total += room.link_JI[j, i]
        for i in range(num_first):
            room.link_JI[j, i] /= total


@compiled
def _transitions(weights_K: Reals, size: int) -> Reals:
    """Normalise the weights of jumps in a sentence of `size` words; row 0 is before the first."""
    reach = (len(weights_K) - 1) // 2
    jumps_II = np.empty((size + 1, size))
    for before in range(size + 1):
        total = 0.0
        for i in range(size):
            jump = min(max(i - (before - 1), -reach), reach)
            jumps_II[before, i] = weights_K[jump + reach]
            total += jumps_II[before, i]
        for i in range(size):
            jumps_II[before, i] /= total
    return jumps_II


@compiled
def _with_order(room: Room, empty: float, weights_K: Reals, counts_K: Reals) -> None:
    """Fill the link probabilities of the hidden Markov model by the forward-backward algorithm, and
    count its jumps."""
    num_second, num_first = room.emit_JI.shape
    jumps_II = _transitions(weights_K, num_first)
    full_JI, idle_JI = np.empty((num_second, num_first)), np.empty((num_second, num_first))
    totals_J, reached_I = np.empty(num_second), np.empty(num_first)
    for j in range(num_second):
        total = 0.0
        for i in range(num_first):
            reached_I[i] = jumps_II[0, i] if j == 0 else 0.0
        if j > 0:
            for before in range(num_first):
                came = full_JI[j - 1, before] + idle_JI[j - 1, before]
                for i in range(num_first):
                    reached_I[i] += came * jumps_II[before + 1, i]
        for i in range(num_first):
            stayed = reached_I[i] if j == 0 else full_JI[j - 1, i] + idle_JI[j - 1, i]
            full_JI[j, i] = (1.0 - empty) * reached_I[i] * room.emit_JI[j, i]
            idle_JI[j, i] = empty * stayed * room.empty_J[j]
            total += full_JI[j, i] + idle_JI[j, i]
        totals_J[j] = total
        for i in range(num_first):
            full_JI[j, i] /= total
            idle_JI[j, i] /= total
    _look_back(room, empty, (jumps_II, totals_J), (full_JI, idle_JI), counts_K)


@compiled
def _look_back(
    room: Room,
    empty: float,
    known: tuple[Reals, Reals],
    filtered: tuple[Reals, Reals],
    counts_K: Reals,
) -> None:
    """Second half of `_with_order`: from the last word to the first."""
    jumps_II, totals_J = known
    full_JI, idle_JI = filtered
    num_second, num_first = room.emit_JI.shape
    taken_II = np.zeros((num_first, num_first))
    next_full_I, next_idle_I = np.ones(num_first), np.ones(num_first)
    ahead_I = np.empty(num_first)
    for j in range(num_second - 1, -1, -1):
        for i in range(num_first):
            room.link_JI[j, i] = full_JI[j, i] * next_full_I[i]
        if j == 0:
            break
        for i in range(num_first):
            ahead_I[i] = (1.0 - empty) * room.emit_JI[j, i] * next_full_I[i] / totals_J[j]
        for before in range(num_first):
            came = full_JI[j - 1, before] + idle_JI[j - 1, before]
            total = empty * room.empty_J[j] * next_idle_I[before] / totals_J[j]
            for i in range(num_first):
                step = jumps_II[before + 1, i] * ahead_I[i]
                taken_II[before, i] += came * step
                total += step
            next_full_I[before] = total
            next_idle_I[before] = total
    _count_jumps(room, taken_II, counts_K)


@compiled
def _count_jumps(room: Room, taken_II: Reals, counts_K: Reals) -> None:
    """Add the jump into the first link, and the jumps that were taken between two words."""
    num_first = len(taken_II)
    reach = (len(counts_K) - 1) // 2
    for before in range(num_first):
        counts_K[min(before + 1, reach) + reach] += room.link_JI[0, before]
        for i in range(num_first):
            counts_K[min(max(i - before, -reach), reach) + reach] += taken_II[before, i]


@compiled
def expect(
    pairs: Pairs, lexicon: Lexicon, order: Order, alone: Reals, counts: Counts, with_order: bool
) -> None:
    """Add the expected counts of sentence pairs; a link counts as far as both directions see it.

    Args:
        pairs: the sentence pairs, all of whose words are known; a pair with an empty side is
            skipped.
        lexicon: probabilities of words.
        order: probabilities of jumps.
        alone: how far a link of each entry counts that only one direction sees, where its word has
            no other; 0 to 1.
        counts: added to.
        with_order: True for the hidden Markov model, False for Model 1.
    """
    for k in range(len(pairs.source_starts) - 1):
        forward, backward, entries = _prepare(pairs, k, lexicon)
        num_source, num_target = entries.shape
        if num_source == 0 or num_target == 0:
            continue
        _fill(forward, backward, order, (counts.forward_K, counts.backward_K), with_order)
        _count(forward, backward.link_JI, alone, entries.T, counts.forward)
        _count(backward, forward.link_JI, alone, entries, counts.backward)
        source = pairs.source[pairs.source_starts[k] : pairs.source_starts[k + 1]]
        target = pairs.target[pairs.target_starts[k] : pairs.target_starts[k + 1]]
        _count_empty(forward, target, counts.empty_forward)
        _count_empty(backward, source, counts.empty_backward)


@compiled
def _count(room: Room, other_IJ: Reals, alone: Reals, entries_JI: Numbers, links: Reals) -> None:
    """Count the links of one direction: as far as the other sees them, and in part where the other
    sees no link of the word at all (`province` beside a name that holds it)."""
    num_second, num_first = room.link_JI.shape
    for j in range(num_second):
        claimed = 0.0
        for i in range(num_first):
            claimed += other_IJ[i, j]
        free = max(1.0 - claimed, 0.0)
        for i in range(num_first):
            entry = entries_JI[j, i]
            links[entry] += room.link_JI[j, i] * (other_IJ[i, j] + alone[entry] * free)


@compiled
def _count_empty(room: Room, words_J: Ids, empty: Reals) -> None:
    """Count how far each word of the second side has no counterpart."""
    for j in range(len(words_J)):
        linked = 0.0
        for i in range(room.link_JI.shape[1]):
            linked += room.link_JI[j, i]
        empty[words_J[j]] += max(1.0 - linked, 0.0)


@compiled
def _fill(
    forward: Room, backward: Room, order: Order, counts: tuple[Reals, Reals], with_order: bool
) -> None:
    if with_order:
        _with_order(forward, order.empty, order.forward_K, counts[0])
        _with_order(backward, order.empty, order.backward_K, counts[1])
    else:
        _without_order(forward, order.empty)
        _without_order(backward, order.empty)


@compiled
def link_probabilities(
    pairs: Pairs, k: int, lexicon: Lexicon, order: Order, known: Numbers
) -> tuple[Reals, Reals]:
    """Return the link probabilities of one pair in both directions, each I x J.

    Args:
        pairs: sentence pairs.
        k: which of them.
        lexicon: probabilities of words.
        order: probabilities of jumps.
        known: rows (i, j) of words that the lexicon may not have together but that are known to
            translate each other.
    """
    forward, backward, entries = _prepare(pairs, k, lexicon)
    for row in range(len(known)):
        i, j = known[row, 0], known[row, 1]
        if entries[i, j] < 0:
            forward.emit_JI[j, i] = backward.emit_JI[i, j] = 0.5
    unused = np.zeros(len(order.forward_K)), np.zeros(len(order.backward_K))
    _fill(forward, backward, order, unused, True)
    return forward.link_JI.T.copy(), backward.link_JI
