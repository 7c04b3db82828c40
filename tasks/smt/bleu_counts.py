"""What BLEU is made of, of one translation, as numbers that add up (Papineni et al. 2002)."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.float64]

ORDER = 4
NUM_COUNTS = 2 * ORDER + 2
"""Four numbers of matching n-grams, four numbers of n-grams, words of the translation and of the
reference."""

NGrams = Counter[tuple[str, ...]]


def ngrams(words: Sequence[str]) -> NGrams:
    """Count the n-grams of at most four words."""
    return Counter(
        tuple(words[start : start + length])
        for length in range(1, ORDER + 1)
        for start in range(len(words) - length + 1)
    )


class References:
    """The references of one sentence."""

    def __init__(self, references: Sequence[Sequence[str]]) -> None:
        """Count the n-grams of each, at least one."""
        self._lengths = [len(words) for words in references]
        self._most: NGrams = Counter()
        for words in references:
            self._most |= ngrams(words)

    def counts(self, words: Sequence[str]) -> Counts:
        """Return the counts of a translation; of several references that of the closest length
        counts, the shorter one if two are as close."""
        found = np.zeros(NUM_COUNTS)
        for ngram, number in ngrams(words).items():
            found[len(ngram) - 1] += min(number, self._most[ngram])
            found[ORDER + len(ngram) - 1] += number
        closest = min(self._lengths, key=lambda length: (abs(length - len(words)), length))
        found[-2:] = len(words), closest
        return found


def bleu(counts: Counts) -> Counts:
    """Return BLEU between 0 and 1 of added counts; the last axis is that of the counts."""
    matches, totals = counts[..., :ORDER], counts[..., ORDER : 2 * ORDER]
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(matches) - np.log(np.maximum(totals, 1))
        penalty = np.minimum(0.0, 1.0 - counts[..., -1] / np.maximum(counts[..., -2], 1e-9))
        found: Counts = np.exp(logs.mean(axis=-1) + penalty)
    return found
