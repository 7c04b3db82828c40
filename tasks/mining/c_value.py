"""C-value and NC-value: how much a sequence of words behaves as a term of its own.

Frantzi, Ananiadou and Mima 2000, "Automatic recognition of multi-word terms: the C-value/NC-value
method", sections 2.2 and 3. With |a| words, frequency f(a), and T_a the longer candidates that
hold a:

    C(a) = log2|a| * f(a)                                    if nothing holds a
    C(a) = log2|a| * (f(a) - (1 / |T_a|) * sum f(b))         otherwise

Candidates are looked at from long to short. A candidate that was itself found inside longer ones
passes on only its occurrences outside of them, so no occurrence is counted twice. One word has
log2(1) = 0: `single_terms.py` scores those. The slow form is `tests/reference/mining_terms.py`.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

Words = tuple[str, ...]

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


def nestings(frequencies: Mapping[Words, int]) -> dict[Words, Nesting]:
    """Find out for all candidates how they are nested.

    Args:
        frequencies: all occurrences of each candidate, those inside of longer ones included.
    """
    nested: dict[Words, int] = dict.fromkeys(frequencies, 0)
    holders: dict[Words, int] = dict.fromkeys(frequencies, 0)
    for words in sorted(frequencies, key=len, reverse=True):
        outside = frequencies[words] - nested[words]
        for part in _proper_parts(words):
            if part in nested:
                nested[part] += outside
                holders[part] += 1
    return {
        words: Nesting(frequency, nested[words], holders[words])
        for words, frequency in frequencies.items()
    }


def _proper_parts(words: Words) -> set[Words]:
    """Return every shorter run of words in a candidate, each once."""
    length = len(words)
    return {
        words[start : start + size]
        for size in range(1, length)
        for start in range(length - size + 1)
    }


def context_weights(
    contexts: Mapping[Words, Mapping[str, int]], terms: Collection[Words]
) -> dict[str, float]:
    """Weigh words by the share of `terms` next to which they were seen: t(w) / n, between 0 and 1.

    Args:
        contexts: for each candidate, the words beside it (nouns, verbs and adjectives) and how
            often each was there.
        terms: the best candidates by C-value; none gives no weights.
    """
    seen: dict[str, int] = {}
    for term in terms:
        for word in contexts.get(term, ()):
            seen[word] = seen.get(word, 0) + 1
    return {word: count / len(terms) for word, count in seen.items()}


def nc_value(c_value: float, context: Mapping[str, int], weights: Mapping[str, float]) -> float:
    """Return NC(a) = 0.8 C(a) + 0.2 sum of f_a(w) weight(w) over the words beside a.

    The sum is taken in the order of the words, so that it is the same for any order of `context`.
    """
    around = math.fsum(context[word] * weights.get(word, 0.0) for word in sorted(context))
    return WEIGHT_OF_C_VALUE * c_value + WEIGHT_OF_CONTEXT * around
