"""BLEU of single sentences, smoothed by adding one (Lin and Och 2004): BLEU+1.

Orders 2 to 4 count one n-gram more, right and in all; order 1 is left as it is, so that an output
without a right word has 0. Made for comparing sentences with each other, not as a score of a
corpus.
"""

import numpy as np
from numpy.typing import NDArray

from tasks.metrics.ngram_counts import (
    FIRST_MATCH,
    FIRST_TOTAL,
    HYPOTHESIS_LENGTH,
    REFERENCE_LENGTH,
    Counts,
)

SIGNATURE = "sentence BLEU|smooth:add-1, n > 1"


def sentence_bleu(counts: Counts) -> NDArray[np.float64]:
    """Return the smoothed BLEU of each row of counts, between 0 and 100.

    Args:
        counts: shape (..., columns), see `ngram_counts.py`.
    """
    right = counts[..., FIRST_MATCH:FIRST_TOTAL].astype(float)
    total = counts[..., FIRST_TOTAL:].astype(float)
    added = np.array([0.0, 1.0, 1.0, 1.0])
    shares = (right + added) / np.maximum(total + added, 1)
    has_match = right[..., 0] > 0
    logs = np.log(np.where(has_match[..., None], shares, 1.0)).mean(axis=-1)
    ours = counts[..., HYPOTHESIS_LENGTH].astype(float)
    theirs = counts[..., REFERENCE_LENGTH].astype(float)
    penalty = np.minimum(0.0, 1 - theirs / np.maximum(ours, 1))
    return np.asarray(np.where(has_match, 100 * np.exp(logs + penalty), 0.0))
