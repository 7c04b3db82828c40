"""Attention as an alignment: hard links, and the soft alignment error rate of Tu et al. (2016).

Under forced decoding of a reference, the attention of each target word over the source words is a
soft alignment. Row `i` of a matrix belongs to target word `i`; end marks take part on neither side,
so a row sums to less than 1 where the network looked at the end of the source.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from storage.errors import InputError
from tasks.metrics.alignment_error import GoldLinks, Link

Matrix = NDArray[np.float64]
"""Shape (target words, source words), each entry between 0 and 1."""


def hard_links(rows_IJ: Matrix) -> list[Link]:
    """Link each target word to the source word with most attention (Luong et al. 2015).

    Args:
        rows_IJ: attention with the end mark of the source as the last column, without a row for
            that of the target.

    Returns:
        Sorted links `(source, target)`; a word whose attention is mostly on the end mark has none.
    """
    num_source = rows_IJ.shape[1] - 1
    if num_source <= 0 or not len(rows_IJ):
        return []
    best_I = rows_IJ.argmax(axis=1)
    return sorted(
        (int(source), target) for target, source in enumerate(best_I) if source < num_source
    )


def soft_error_rate(found: Sequence[Matrix], gold: Sequence[GoldLinks]) -> float:
    """Return SAER over all sentences together, between 0 and 1; lower is better.

    SAER = 1 - (|M_A * M_S| + |M_A * M_P|) / (|M_A| + |M_S|) with the attention M_A, the 0-1
    matrices M_S and M_P of sure and of possible links (sure ones included), `*` by element, and |M|
    the sum of all entries (Tu et al. 2016). A 0-1 attention gives the AER of its links.

    Args:
        found: attention of each sentence, without end marks.
        gold: gold links of the same sentences, within their matrices.

    Raises:
        InputError: there are more of one than of the other.
    """
    if len(found) != len(gold):
        raise InputError(
            f"alignment: attention of {len(found)} sentences but gold links for {len(gold)}; "
            "expected one line of links for each sentence. Compare the files line by line."
        )
    hit = total = 0.0
    for attention_IJ, answer in zip(found, gold, strict=True):
        sure_hit = sum(float(attention_IJ[j, i]) for i, j in sorted(answer.sure))
        possible = sorted(answer.sure | answer.possible)
        hit += sure_hit + sum(float(attention_IJ[j, i]) for i, j in possible)
        total += float(attention_IJ.sum()) + len(answer.sure)
    return 1 - hit / total if total else 0.0
