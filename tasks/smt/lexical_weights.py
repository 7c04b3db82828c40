"""Lexical weights of words in linked sentence pairs (Koehn, Och and Marcu 2003, section 4).

A word's weight is the mean of w(word | word it is linked to), or w(word | no word) without a link,
where w is the relative frequency of the links in the corpus. In a phrase pair no link leads out, so
the weight of a phrase is the product of those of its words.
"""

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import Corpus, Ids, Numbers

Reals = NDArray[np.float64]
NOBODY = -1
"""The word on the other side of a word without links."""


def log_word_weights(corpus: Corpus) -> tuple[Reals, Reals]:
    """Return the natural logarithm of the weight of every place of every sentence.

    Args:
        corpus: linked sentence pairs.

    Returns:
        log w(source word | its target words) by place of `corpus.source.ids`, and the same for the
        target words.
    """
    source, target = link_places(corpus)
    return (
        _weights(corpus.source.ids, corpus.target.ids, source, target),
        _weights(corpus.target.ids, corpus.source.ids, target, source),
    )


def link_places(corpus: Corpus) -> tuple[Numbers, Numbers]:
    """Return the places in `source.ids` and in `target.ids` that each link joins."""
    links = corpus.links
    pairs = np.repeat(np.arange(len(links.starts) - 1), np.diff(links.starts))
    return (
        corpus.source.starts[pairs] + links.source,
        corpus.target.starts[pairs] + links.target,
    )


def _weights(words: Ids, given: Ids, places: Numbers, given_places: Numbers) -> Reals:
    """Return the weights of one side's words given the other side's, by place."""
    num_links = np.bincount(places, minlength=len(words))
    alone = np.flatnonzero(num_links == 0)
    at = np.concatenate([places, alone])
    other = np.concatenate([given[given_places], np.full(len(alone), NOBODY, given.dtype)])
    probability = _relative(other, words[at])
    total = np.bincount(at, probability, len(words))
    weights: Reals = np.log(total / np.maximum(num_links, 1))
    return weights


def _relative(given: Ids, words: Ids) -> Reals:
    """Return for each link how often its first word is linked to its second, out of all links of
    the first."""
    together = (given.astype(np.int64) + 1) << 32 | words
    _, place, counts = np.unique(together, return_inverse=True, return_counts=True)
    totals = np.bincount(given + 1)
    shares: Reals = counts[place] / totals[given + 1]
    return shares
