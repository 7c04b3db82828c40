"""Score the borders between the words of one shard for hierarchical reducing."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from tasks.compiled.arrays import Keys, Texts, texts_of
from tasks.mining.likelihood_ratio import CLOSED, Floats, log_likelihood_ratio
from tasks.mining.word_arrays import Integers, WordArrays

NeighbourTexts = tuple[Texts, Texts]
_SPREAD = np.uint64(0x9E3779B97F4A7C15)

ALL_NEIGHBOURS = """
WITH pair AS (
    SELECT first, second, SUM("count")::BIGINT AS "count" FROM neighbour_counts
    GROUP BY first, second
)
SELECT first, second, "count",
    SUM("count") OVER (PARTITION BY first)::BIGINT AS first_count,
    SUM("count") OVER (PARTITION BY second)::BIGINT AS second_count,
    SUM("count") OVER ()::BIGINT AS total
FROM pair
ORDER BY first, second
"""
"""How often two words stand side by side in the whole text, from the counts of all shards."""


class BorderScores(NamedTuple):
    """The log-likelihood ratios of all words that stand side by side somewhere: arrays of shape
    (pairs of words,), sorted by key."""

    keys: Keys
    """Of the two words; see `_keys`."""
    scores: Floats


def border_scores_of(neighbours: NeighbourTexts, counts: Mapping[str, Integers]) -> BorderScores:
    """Score all words that stand side by side.

    Args:
        neighbours: first and second word of each pair.
        counts: the other columns of `ALL_NEIGHBOURS`.

    Raises:
        ValueError: two pairs of words share a key.
    """
    from tasks.compiled.hashing import hash_words

    keys = _keys(*map(hash_words, neighbours))
    order = np.argsort(keys)
    keys = keys[order]
    if (keys[1:] == keys[:-1]).any():
        raise ValueError("two pairs of neighbours have the same key")
    total = int(counts["total"][0]) if len(keys) else 0
    ratios = log_likelihood_ratio(
        counts["count"], counts["first_count"], counts["second_count"], total
    )
    return BorderScores(keys, ratios[order])


def border_scores(arrays: WordArrays, known: BorderScores) -> Floats:
    """Return the log-likelihood ratio of the words around each border, shape (words,).

    Args:
        arrays: the words of a shard.
        known: the scores of all words that stand side by side in it.
    """
    from tasks.compiled.hashing import hash_words

    scores = np.full(len(arrays.ids), CLOSED)
    borders = np.flatnonzero(~arrays.is_closed())
    if len(borders):
        words = hash_words(texts_of(arrays.vocabulary))
        here = _keys(words[arrays.ids[borders]], words[arrays.ids[borders + 1]])
        scores[borders] = known.scores[np.searchsorted(known.keys, here)]
    return scores


def _keys(first: Keys, second: Keys) -> Keys:
    """Return a number for each pair of words, given that of each word; the two have their order."""
    keys: Keys = (first * _SPREAD) ^ second
    return keys
