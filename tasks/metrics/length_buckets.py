"""Scores of short and long sentences: [0, 10), [10, 20), ... [50, 60) and 60 or more source words.

As in figure 7 of Context Gates (arXiv 1608.06043): BLEU and mean length of the outputs of each
bucket, from counts of each sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tasks.metrics.mteval import CorpusCounts, bleu_of_sums
from tasks.metrics.ngram_counts import HYPOTHESIS_LENGTH, REFERENCE_LENGTH

BORDERS = (0, 10, 20, 30, 40, 50, 60)
NO_END = -1


@dataclass(frozen=True, slots=True)
class LengthBucket:
    """The sentences of `low` to `high - 1` source words; there is at least one."""

    low: int
    high: int
    """Exclusive, or `NO_END`."""
    sentences: int
    bleu: tuple[float, ...]
    """Of each way of counting, 0 to 100."""
    source_words: float
    """Mean length, as the other two; those of target sides in words of mteval."""
    hypothesis_words: float
    reference_words: float


def length_buckets(
    lengths: Sequence[int], corpora: Sequence[CorpusCounts], borders: Sequence[int] = BORDERS
) -> list[LengthBucket]:
    """Score each bucket that has sentences, in order.

    Args:
        lengths: source words of each sentence.
        corpora: counts of one system on these sentences, in one or more ways; mean lengths of the
            references are those of the first.
        borders: first length of each bucket, rising; the last has no end.
    """
    place = np.searchsorted(np.asarray(borders), np.asarray(lengths), side="right") - 1
    found = []
    for number, low in enumerate(borders):
        inside = np.flatnonzero(place == number).tolist()
        if not inside:
            continue
        sums = [corpus.counts[0, inside].sum(axis=0) for corpus in corpora]
        high = borders[number + 1] if number + 1 < len(borders) else NO_END
        found.append(
            LengthBucket(
                low,
                high,
                len(inside),
                tuple(
                    float(bleu_of_sums(each, corpus.flavour))
                    for each, corpus in zip(sums, corpora, strict=True)
                ),
                float(sum(lengths[index] for index in inside) / len(inside)),
                float(sums[0][HYPOTHESIS_LENGTH] / len(inside)),
                float(sums[0][REFERENCE_LENGTH] / len(inside)),
            )
        )
    return found
