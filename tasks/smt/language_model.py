"""An n-gram language model with interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998,
section 3; Heafield et al. 2013, section 3, whose treatment of sentence borders and of unknown words
this follows).

It is an automaton: a state is the longest known context, and a word leads to the next one. The slow
and obvious form is `tests/reference/smt_language_model.py`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import Ids, Numbers
from tasks.compiled.jit import compiled
from tasks.smt.tries import NOT_THERE, ROOT, Trie, empty_trie, follow, put_sequences

BEGIN, END, UNKNOWN = 0, 1, 2
"""Numbers of the border marks and of unknown words; words of the corpus come behind them."""
FIRST_WORD = 3

FALLBACK = (0.5, 1.0, 1.5)
"""Discounts where a corpus is too small to estimate them, as in KenLM."""

Reals = NDArray[np.float64]
Logs = NDArray[np.float32]


class LanguageModel(NamedTuple):
    """A language model by node of its trie of n-grams."""

    trie: Trie
    log_probability: Logs
    """Natural logarithm of p(last word | words before it)."""
    log_backoff: Logs
    """Natural logarithm of what a longer context leaves to the shorter one."""
    shorter: Ids
    """The node without the first word."""
    state: Ids
    """The state after the n-gram: its longest suffix that is the context of something."""


@compiled
def next_word(model: LanguageModel, state: int, word: int) -> tuple[float, int]:
    """Return the natural logarithm of p(word | state) and the next state.

    Args:
        model: the language model.
        state: a node, 0 without any context.
        word: the number of a word or `END`; what the model does not know is `UNKNOWN` to it.
    """
    total = 0.0
    while True:
        node = follow(model.trie, state, word)
        if node != NOT_THERE:
            return total + np.float64(model.log_probability[node]), int(model.state[node])
        if state == ROOT:
            word = UNKNOWN
            continue
        total += np.float64(model.log_backoff[state])
        state = int(model.shorter[state])


@compiled
def first_state(model: LanguageModel) -> int:
    """Return the state at the beginning of a sentence."""
    return int(model.state[follow(model.trie, ROOT, BEGIN)])


@compiled
def score_sentence(model: LanguageModel, words: Ids) -> float:
    """Return the natural logarithm of the probability of a sentence and its end."""
    total, state = 0.0, first_state(model)
    for word in words:
        logarithm, state = next_word(model, state, word)
        total += logarithm
    return total + next_word(model, state, END)[0]


def train(words: Ids, starts: Numbers, order: int) -> LanguageModel:
    """Estimate a language model.

    Args:
        words: numbers of words from `FIRST_WORD` on, of the sentences one behind the other.
        starts: where each sentence begins.
        order: longest n-gram, 1 or more.
    """
    trie, nodes = _collect(*_with_marks(words, starts), order)
    return _estimated(trie, _adjusted(trie, nodes), order)


class _Nodes(NamedTuple):
    """What is known of each node."""

    order: Ids
    """Words of its n-gram; 0 of the root."""
    parent: Ids
    """The node without the last word."""
    word: Ids
    """The last word."""
    shorter: Ids
    """The node without the first word."""
    seen: Numbers
    """Occurrences at first, then adjusted counts."""


def _with_marks(words: Ids, starts: Numbers) -> tuple[Ids, Numbers]:
    """Put border marks around sentences; the first sentence is then the unknown word alone."""
    marked = np.insert(words, starts[:-1], BEGIN)
    marked = np.insert(marked, starts[1:] + np.arange(1, len(starts)), END)
    borders = starts + 2 * np.arange(len(starts)) + 1
    return np.insert(marked, 0, UNKNOWN), np.insert(borders, 0, 0)


def _collect(words: Ids, starts: Numbers, order: int) -> tuple[Trie, _Nodes]:
    """Put all n-grams into a trie and count them."""
    trie = empty_trie(len(words) * order)
    spans = np.empty((len(words), order), np.int32)
    size = put_sequences(trie, words, starts, order, 1, spans)
    order_of, parent, last, shorter = (np.zeros(size, np.int32) for _ in range(4))
    nodes = _Nodes(order_of, parent, last, shorter, np.zeros(size, np.int64))
    _describe(trie, words, spans, nodes)
    nodes.seen[spans[0, 0]] -= 1  # it stands for the unknown word, which nobody saw
    return trie, nodes


@compiled
def _describe(trie: Trie, words: Ids, spans: Ids, nodes: _Nodes) -> None:
    """Fill in what is known of each node; the count is that of occurrences."""
    for length in range(spans.shape[1]):
        for start in range(len(spans)):
            node = np.int64(spans[start, length])
            if node == NOT_THERE:
                continue
            nodes.seen[node] += 1
            if nodes.order[node] == 0:
                nodes.order[node] = length + 1
                nodes.word[node] = words[start + length]
                nodes.parent[node] = spans[start, length - 1] if length else ROOT
                if length:
                    nodes.shorter[node] = spans[start + 1, length - 1]


def _adjusted(trie: Trie, nodes: _Nodes) -> _Nodes:
    """Count, of all but the longest n-grams and those at the beginning of a sentence, not
    occurrences but the words that precede them; a border mark is not predicted."""
    begin = follow(trie, ROOT, BEGIN)
    at_begin = _starts_with(nodes, begin)
    longer = np.flatnonzero(nodes.order > 1)
    preceded = np.bincount(nodes.shorter[longer], minlength=len(nodes.order))
    by_count = (nodes.order == nodes.order.max()) | at_begin
    counts = np.where(by_count, nodes.seen, preceded)
    counts[nodes.word == BEGIN] = 0
    return nodes._replace(seen=counts)


def _starts_with(nodes: _Nodes, begin: int) -> NDArray[np.bool_]:
    """Say of each node whether its n-gram begins with the mark."""
    found = np.zeros(len(nodes.order), np.bool_)
    if begin == NOT_THERE:
        return found
    found[begin] = True
    for length in range(2, int(nodes.order.max()) + 1):
        here = np.flatnonzero(nodes.order == length)
        found[here] = found[nodes.parent[here]]
    return found


def discounts(counts: Numbers) -> tuple[float, float, float]:
    """Return what is taken from counts of 1, 2, and 3 or more (Chen and Goodman 1998, equation 26),
    or `FALLBACK` where they cannot be told or make no sense."""
    ones, twos, threes, fours = (int((counts == number).sum()) for number in (1, 2, 3, 4))
    if not (ones and twos and threes):
        return FALLBACK
    share = ones / (ones + 2 * twos)
    found = (
        1 - 2 * share * twos / ones,
        2 - 3 * share * threes / twos,
        3 - 4 * share * fours / threes,
    )
    fits = all(0 < each <= number for number, each in enumerate(found, start=1))
    return found if fits else FALLBACK


def _estimated(trie: Trie, nodes: _Nodes, order: int) -> LanguageModel:
    size = len(nodes.order)
    probability, backoff = np.zeros(size), np.ones(size)
    words = (nodes.order == 1) & (nodes.word != BEGIN)
    probability[ROOT] = 1.0 / words.sum()  # any word may come next, but not the mark
    for length in range(1, order + 1):
        here = np.flatnonzero(nodes.order == length)
        counts, parents = nodes.seen[here], nodes.parent[here]
        taken = np.array([0.0, *discounts(counts[counts > 0])])[np.minimum(counts, 3)]
        totals = np.bincount(parents, counts, size)
        context = np.flatnonzero(totals)
        backoff[context] = np.bincount(parents, taken, size)[context] / totals[context]
        alone = (counts - taken) / np.where(totals[parents] > 0, totals[parents], 1.0)
        probability[here] = alone + backoff[parents] * probability[nodes.shorter[here]]
    with np.errstate(divide="ignore"):
        logs = np.log(probability).astype(np.float32), np.log(backoff).astype(np.float32)
    return LanguageModel(trie, *logs, nodes.shorter, _states(nodes, order))


def _states(nodes: _Nodes, order: int) -> Ids:
    """Return for each n-gram its longest suffix that is the context of something."""
    is_context = np.zeros(len(nodes.order), np.bool_)
    is_context[nodes.parent[1:]] = True
    state = np.zeros(len(nodes.order), np.int32)
    for length in range(1, order + 1):
        here = np.flatnonzero(nodes.order == length)
        fits = is_context[here] & (length < order)
        state[here] = np.where(fits, here, state[nodes.shorter[here]])
    return state
