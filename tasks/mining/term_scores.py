"""Score the borders between the words of one shard for hierarchical reducing."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tasks.mining.likelihood_ratio import CLOSED, log_likelihood_ratio
from tasks.mining.word_arrays import WordArrays

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

NEIGHBOURS_OF_SHARD = """
SELECT first, second, neighbours."count" AS both, first_count, second_count, total
FROM neighbours JOIN neighbour_counts USING (first, second)
ORDER BY first, second
"""
"""What `neighbours` (rows of `ALL_NEIGHBOURS`) says of the neighbours in one shard."""


def border_scores(arrays: WordArrays, neighbours: Mapping[str, Any]) -> npt.NDArray[np.float64]:
    """Return the log-likelihood ratio of the words around each border, shape (words,).

    Args:
        arrays: the words of a shard.
        neighbours: columns of `NEIGHBOURS_OF_SHARD`, numbers as arrays.
    """
    scores = np.full(len(arrays.ids), CLOSED)
    borders = np.flatnonzero(~arrays.is_closed())
    if not len(borders):
        return scores
    number = {word: index for index, word in enumerate(arrays.vocabulary)}
    size = len(arrays.vocabulary)
    first, second = (
        np.fromiter(map(number.__getitem__, neighbours[side]), np.int64)
        for side in ("first", "second")
    )
    known = first * size + second
    order = np.argsort(known)
    here = arrays.ids[borders] * size + arrays.ids[borders + 1]
    ratios = log_likelihood_ratio(
        neighbours["both"],
        neighbours["first_count"],
        neighbours["second_count"],
        int(neighbours["total"][0]),
    )
    scores[borders] = ratios[order][np.searchsorted(known[order], here)]
    return scores
