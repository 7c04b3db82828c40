"""The phrase table: for each source phrase its best translations with their features."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import Corpus, Counts, Ids, Numbers
from tasks.compiled.jit import compiled
from tasks.smt.discounts import discounted
from tasks.smt.language_model import FIRST_WORD
from tasks.smt.phrase_counts import ORIENTATIONS, PhraseCounts, Side, count_phrase_pairs
from tasks.smt.phrase_counts import number_phrases as number
from tasks.smt.tries import ROOT, Trie, empty_trie, put

Logs = NDArray[np.float32]

TRANSLATION_SCORES = 4
"""log phi(target | source), log phi(source | target), log lexical weight of the target given the
source, and of the source given the target (Koehn, Och and Marcu 2003; Moses)."""
SMOOTHING = 0.5
"""Added to the count of each orientation, as in Moses."""


class PhraseTable(NamedTuple):
    """Phrase pairs; those of source phrase k are the entries `[entries[k], entries[k + 1])`."""

    source_words: Ids
    """Numbers of the words of all source phrases, one phrase behind the other."""
    source_starts: Numbers
    entries: Numbers
    target_words: Ids
    """Numbers as the language model has them, of the target of each entry."""
    target_starts: Numbers
    scores: Logs
    """Entries x 4: see `TRANSLATION_SCORES`."""
    reordering: Logs
    """Entries x 6: log probability of each orientation (`phrase_counts.py`)."""


def build_table(
    corpus: Corpus, max_words: int, candidates: int, *, discounts: bool = False
) -> PhraseTable:
    """Make a phrase table of linked sentence pairs.

    Args:
        corpus: the sentence pairs, distinct words numbered from 0 on.
        max_words: longest phrase, in words, on either side.
        candidates: most translations of a source phrase that are kept: those with the greatest
            product of the four scores.
        discounts: whether relative frequencies are of discounted counts (`discounts.py`).
    """
    sides = number(corpus.source, max_words), number(corpus.target, max_words)
    counts = count_phrase_pairs(corpus, sides, max_words)
    scores = _scores(counts, discounted(counts.counts) if discounts else counts.counts)
    kept = _best(counts, scores, candidates)
    sources, firsts = np.unique(counts.sources[kept], return_index=True)
    source_words, source_starts = _spelled(corpus.source.ids, sides[0], sources)
    target_words, target_starts = _spelled(corpus.target.ids, sides[1], counts.targets[kept])
    return PhraseTable(
        source_words,
        source_starts,
        np.append(firsts, len(kept)).astype(np.int64),
        target_words + np.int32(FIRST_WORD),
        target_starts,
        scores[kept],
        _orientations(counts.orientations[kept]),
    )


def _scores(counts: PhraseCounts, taken: NDArray[Any]) -> Logs:
    """Return the scores of each phrase pair; relative frequencies of the counts that are `taken`
    are over all that were extracted."""
    together = np.log(taken)
    columns = (
        together - np.log(np.bincount(counts.sources, counts.counts)[counts.sources]),
        together - np.log(np.bincount(counts.targets, counts.counts)[counts.targets]),
        counts.target_weight,
        counts.source_weight,
    )
    return np.stack(columns, axis=1).astype(np.float32)


def _best(counts: PhraseCounts, scores: Logs, candidates: int) -> Numbers:
    """Return the places of the pairs that are kept, by source and then the best first."""
    order = np.lexsort((counts.targets, -scores.sum(axis=1), counts.sources))
    sources = counts.sources[order]
    firsts = np.flatnonzero(np.diff(sources, prepend=-1))
    rank = np.arange(len(order)) - np.repeat(firsts, np.diff(np.append(firsts, len(order))))
    return order[rank < candidates]


def _orientations(seen: Counts) -> Logs:
    """Return log probabilities of orientations, smoothed."""
    smooth = seen.reshape(-1, 2, ORIENTATIONS // 2) + SMOOTHING
    shares = smooth / smooth.sum(axis=2, keepdims=True)
    return np.log(shares).reshape(-1, ORIENTATIONS).astype(np.float32)


def _spelled(ids: Ids, side: Side, nodes: Ids) -> tuple[Ids, Numbers]:
    """Return the words of some phrases, one phrase behind the other."""
    place, length = np.zeros(side.size, np.int64), np.zeros(side.size, np.int64)
    for column in range(side.nodes.shape[1]):
        here = np.flatnonzero(side.nodes[:, column] >= 0)
        place[side.nodes[here, column]], length[side.nodes[here, column]] = here, column + 1
    starts = np.concatenate([[0], np.cumsum(length[nodes])])
    at = np.repeat(place[nodes] - starts[:-1], length[nodes]) + np.arange(starts[-1])
    return ids[at], starts


class SourceIndex(NamedTuple):
    """Where the source phrases of a table are found."""

    trie: Trie
    phrase: Ids
    """Number of the source phrase of each node, or -1."""


def index_sources(table: PhraseTable) -> SourceIndex:
    """Make the index of a table's source phrases."""
    trie = empty_trie(len(table.source_words))
    nodes = np.empty(len(table.source_starts) - 1, np.int32)
    size = _put_phrases(trie, table.source_words, table.source_starts, nodes)
    phrase = np.full(size, -1, np.int32)
    phrase[nodes] = np.arange(len(nodes))
    return SourceIndex(trie, phrase)


@compiled
def _put_phrases(trie: Trie, words: Ids, starts: Numbers, nodes: Ids) -> int:
    size = 1
    for phrase in range(len(starts) - 1):
        node = ROOT
        for place in range(starts[phrase], starts[phrase + 1]):
            node = put(trie, node, words[place], size)
            size += node == size
        nodes[phrase] = node
    return size
