"""Every phrase pair that Moses counts, with its lexical weights and its orientations.

Spans come from `tasks/compiled/extraction.py`. Distinct phrases are nodes of two tries
(`tries.py`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import Corpus, Counts, Ids, Links, Numbers, Rule, Sentences
from tasks.compiled.jit import compiled, inner
from tasks.mining.config import ExtractionConfig
from tasks.mining.extraction import rule_of, spans_of
from tasks.smt.language_model import Logs
from tasks.smt.lexical_weights import Reals, log_word_weights
from tasks.smt.tries import Trie, empty_trie, put_sequences

MONOTONE, SWAP, DISCONTINUOUS = 0, 1, 2
ORIENTATIONS = 6
"""Three towards the phrase before, then three towards the phrase behind, in target order."""


class Side(NamedTuple):
    """The distinct phrases of one side."""

    trie: Trie
    nodes: Ids
    """Node of the phrase that begins at each place, by length - 1."""
    size: int
    """How many nodes there are."""


class PhraseCounts(NamedTuple):
    """Distinct phrase pairs, by source node and then target node."""

    sources: Ids
    targets: Ids
    counts: Counts
    source_weight: Logs
    """Natural logarithm of the lexical weight of the source given the target, the greatest of all
    places where the pair was extracted."""
    target_weight: Logs
    orientations: Counts
    """How often each orientation was seen; pairs x 6."""


def number_phrases(sentences: Sentences, max_words: int) -> Side:
    """Number the distinct spans of at most `max_words` words."""
    trie = empty_trie(len(sentences.ids) * max_words)
    nodes = np.empty((len(sentences.ids), max_words), np.int32)
    size = put_sequences(trie, sentences.ids, sentences.starts, max_words, 1, nodes)
    return Side(trie, nodes, size)


def count_phrase_pairs(corpus: Corpus, sides: tuple[Side, Side], max_words: int) -> PhraseCounts:
    """Extract phrase pairs of at most `max_words` words a side and add equal ones up."""
    rule = rule_of(ExtractionConfig(max_words=max_words, edges="moses"), max_words)
    weights = log_word_weights(corpus)
    parts = [
        _count_batch(corpus, sides, weights, rule, first)
        for first in range(0, len(corpus.source.starts) - 1, BATCH)
    ]
    keys, counts, greatest, orientations = (
        np.concatenate(columns) for columns in zip(_NONE, *parts, strict=True)
    )
    keys, counts, greatest, orientations = _added(keys, counts, greatest, orientations)
    return PhraseCounts(
        (keys >> 32).astype(np.int32),
        (keys & 0xFFFFFFFF).astype(np.int32),
        counts,
        greatest[:, 0],
        greatest[:, 1],
        orientations,
    )


BATCH = 1 << 14
"""Sentence pairs whose phrase pairs are in memory at a time."""

_Part = tuple[Numbers, Counts, Logs, Counts]
_NONE: _Part = (
    np.zeros(0, np.int64),
    np.zeros(0, np.int32),
    np.zeros((0, 2), np.float32),
    np.zeros((0, ORIENTATIONS), np.int32),
)


def _count_batch(
    corpus: Corpus, sides: tuple[Side, Side], weights: tuple[Reals, Reals], rule: Rule, first: int
) -> _Part:
    """Count the phrase pairs of some sentence pairs."""
    some = _cut(corpus, first, first + BATCH)
    spans, starts = spans_of(some, rule)
    if not len(spans):
        return _NONE
    keys, greatest = np.empty(len(spans), np.int64), np.empty((len(spans), 2), np.float32)
    seen = np.zeros((len(spans), ORIENTATIONS), np.int32)
    offsets = corpus.source.starts[first], corpus.target.starts[first]
    nodes = sides[0].nodes[offsets[0] :], sides[1].nodes[offsets[1] :]
    words = weights[0][offsets[0] :], weights[1][offsets[1] :]
    _describe(some, (spans, starts), nodes, words, (keys, greatest, seen))
    return _added(keys, np.ones(len(keys), np.int32), greatest, seen)


def _cut(corpus: Corpus, first: int, end: int) -> Corpus:
    """Return some of the sentence pairs, with places from 0 on."""
    source, target, links = corpus.source, corpus.target, corpus.links
    return corpus._replace(
        source=_cut_side(source, first, end),
        target=_cut_side(target, first, end),
        links=Links(
            links.starts[first : end + 1] - links.starts[first],
            links.source[links.starts[first] :],
            links.target[links.starts[first] :],
        ),
    )


def _cut_side(sentences: Sentences, first: int, end: int) -> Sentences:
    starts = sentences.starts[first : end + 1]
    return sentences._replace(ids=sentences.ids[starts[0] : starts[-1]], starts=starts - starts[0])


def _added(keys: Numbers, counts: Counts, greatest: Logs, seen: Counts) -> _Part:
    """Add up the counts of equal phrase pairs and keep their greatest weights, sorted by key."""
    if not len(keys):
        return keys, counts, greatest, seen
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    firsts = np.flatnonzero(np.diff(keys, prepend=keys[0] - 1))
    return (
        keys[firsts],
        np.add.reduceat(counts[order], firsts),
        np.maximum.reduceat(greatest[order], firsts),
        np.add.reduceat(seen[order], firsts),
    )


@compiled
def _describe(
    corpus: Corpus,
    found: tuple[Ids, Numbers],
    nodes: tuple[Ids, Ids],
    weights: tuple[Reals, Reals],
    out: tuple[Numbers, Logs, Counts],
) -> None:
    """Fill in the key, the lexical weights and the orientations of each phrase pair."""
    spans, starts = found
    keys, greatest, seen = out
    for pair in range(len(starts) - 1):
        s, t = corpus.source.starts[pair], corpus.target.starts[pair]
        linked = _link_table(corpus, pair)
        for row in range(starts[pair], starts[pair + 1]):
            s1, s2 = np.int64(spans[row, 0]), np.int64(spans[row, 1])
            t1, t2 = np.int64(spans[row, 2]), np.int64(spans[row, 3])
            source = np.int64(nodes[0][s + s1, s2 - s1 - 1])
            keys[row] = source << 32 | np.int64(nodes[1][t + t1, t2 - t1 - 1])
            greatest[row, 0] = _total(weights[0], s + s1, s + s2)
            greatest[row, 1] = _total(weights[1], t + t1, t + t2)
            seen[row, _towards(linked, t1, s1, s2 + 1)] = 1
            seen[row, 3 + _towards(linked, t2 + 1, s2 + 1, s1)] = 1


@inner
def _total(weights: Reals, start: int, end: int) -> float:
    """Add up in one order, so that equal phrases get equal bits."""
    total = 0.0
    for place in range(start, end):
        total += weights[place]
    return total


@inner
def _link_table(corpus: Corpus, pair: int) -> NDArray[np.bool_]:
    """Say which words of a pair are linked; the borders of both sides are linked words, too."""
    num_source = corpus.source.starts[pair + 1] - corpus.source.starts[pair]
    num_target = corpus.target.starts[pair + 1] - corpus.target.starts[pair]
    linked = np.zeros((num_source + 2, num_target + 2), np.bool_)
    linked[0, 0] = linked[num_source + 1, num_target + 1] = True
    for place in range(corpus.links.starts[pair], corpus.links.starts[pair + 1]):
        linked[corpus.links.source[place] + 1, corpus.links.target[place] + 1] = True
    return linked


@inner
def _towards(linked: NDArray[np.bool_], target: int, straight: int, crossed: int) -> int:
    """Return the orientation towards the phrase of a neighbouring target word (Koehn et al. 2005):
    monotone if it is linked to the source word that follows in the same direction, a swap if to
    that on the other side."""
    if linked[straight, target]:
        return MONOTONE
    return SWAP if linked[crossed, target] else DISCONTINUOUS
