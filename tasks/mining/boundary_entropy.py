"""Contextual entropy: how freely the words beside a phrase change.

Beside a whole unit stands now this and now that; a fragment is always continued in the same way.
"""

import math
from collections.abc import Iterable


def entropy(counts: Iterable[int], num_borders: int = 0) -> float:
    """Return the entropy of the neighbours of a phrase on one side, in bits.

    Args:
        counts: how often each neighbouring word stood there, each at least 1, in any order.
        num_borders: how often a border stood there (a mark, the end of the sentence). Each counts
            as a neighbour of its own, since a unit may stand there as well as anywhere.
    """
    numbers = sorted(counts)
    total = sum(numbers) + num_borders
    if total == 0:
        return 0.0
    bits = math.fsum(number * math.log2(number) for number in numbers)
    return max(0.0, math.log2(total) - bits / total)
