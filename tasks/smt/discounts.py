"""Good-Turing discounts of small counts: most phrase pairs were seen once, and most of those are
chance (Foster, Kuhn and Johnson 2006, "Phrasetable Smoothing for Statistical Machine Translation",
section 3.1; what is often seen is trusted, as in Katz 1987).
"""

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import Counts

LARGEST = 5
"""Counts above it are kept, k of Katz."""

Reals = NDArray[np.float64]


def discounted(counts: Counts) -> Reals:
    """Return for each count the one that Good and Turing expect: (c + 1) n[c + 1] / n[c].

    n[c] is how many things were seen c times. No count grows, and none falls below a smaller one;
    one without a next one is kept.

    Args:
        counts: how often each thing was seen, 1 or more.
    """
    expected = np.arange(max(counts.max(initial=0), LARGEST) + 1, dtype=float)
    seen = np.bincount(counts, minlength=LARGEST + 2)
    for count in range(1, LARGEST + 1):
        if seen[count] and seen[count + 1]:
            usual = (count + 1) * seen[count + 1] / seen[count]
            expected[count] = min(max(usual, expected[count - 1]), count)
    return expected[counts]
