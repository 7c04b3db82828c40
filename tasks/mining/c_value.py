"""C-value and NC-value: how much a sequence of words behaves as a term of its own.

Frantzi, Ananiadou and Mima 2000, "Automatic recognition of multi-word terms: the C-value/NC-value
method", sections 2.2 and 3. With |a| words, frequency f(a), and T_a the longer candidates that
hold a:

    C(a) = log2|a| * f(a)                                    if nothing holds a
    C(a) = log2|a| * (f(a) - (1 / |T_a|) * sum f(b))         otherwise

Candidates are looked at from long to short. A candidate that was itself found inside longer ones
passes on only its occurrences outside of them, so no occurrence is counted twice. One word has
log2(1) = 0: `single_terms.py` scores those. How candidates are nested is counted by the queries of
`term_totals.py`; the slow form is `tests/reference/mining_terms.py`.

Words next to which the best candidates were seen are weighed by the share of these candidates:
t(w) / n, between 0 and 1.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

Words = tuple[str, ...]

SHARE_OF_BEST = 0.2
"""Share of the candidates with the highest C-value that teach which words stand beside terms."""
WEIGHT_OF_C_VALUE = 0.8
WEIGHT_OF_CONTEXT = 0.2


@dataclass(frozen=True, slots=True)
class Nesting:
    """How often a candidate occurs, and how often inside of longer candidates."""

    frequency: int
    nested: int = 0
    """Occurrences inside of longer candidates, each counted once: t(a)."""
    holders: int = 0
    """Number of different longer candidates that hold it: |T_a|."""

    def c_value(self, num_words: int) -> float:
        """Return C(a) of a candidate of `num_words` words; 0 for a single word."""
        alone = self.frequency - self.nested / self.holders if self.holders else self.frequency
        return math.log2(num_words) * alone


def nc_value(c_value: float, context: Mapping[str, int], weights: Mapping[str, float]) -> float:
    """Return NC(a) = 0.8 C(a) + 0.2 sum of f_a(w) weight(w) over the words beside a.

    The sum is taken in the order of the words, so that it is the same for any order of `context`.
    """
    around = math.fsum(context[word] * weights.get(word, 0.0) for word in sorted(context))
    return WEIGHT_OF_C_VALUE * c_value + WEIGHT_OF_CONTEXT * around
