"""How surprising it is that two phrases stand opposite each other so often.

Fisher's exact test, one-sided, as Johnson, Martin, Foster and Kuhn (2007, section 3) prune phrase
tables with it: of N sentence pairs, c(s) hold the source, c(t) the target and c(s, t) both. If the
two had nothing to do with each other, c(s, t) would follow the hypergeometric distribution, and

    p = sum over k >= c(s, t) of  C(c(s), k) C(N - c(s), c(t) - k) / C(N, c(t))

is how often as many or more would stand together by chance. It is given as -ln p, since p itself
has no place among floating-point numbers. A pair of which each side was seen once, together, has
ln N: what is not above that says nothing (ibid., 3.2).
"""

from dataclasses import dataclass
from math import lgamma, log

_NEGLIGIBLE = 1e-17
"""Share of a sum below which more terms do not change it."""


@dataclass(frozen=True, slots=True)
class SentenceCounts:
    """How many sentence pairs hold what; integers, 0 or more.

    Raises:
        ValueError: no text could be like that.
    """

    both: int
    source: int
    target: int
    total: int

    def __post_init__(self) -> None:
        fewest = max(0, self.source + self.target - self.total)
        if not fewest <= self.both <= min(self.source, self.target):
            raise ValueError(
                f"{self.both} of {self.total} sentence pairs hold both sides, {self.source} the "
                f"source and {self.target} the target: no text is like that"
            )


def significance(counts: SentenceCounts) -> float:
    """Return -ln of the probability of Fisher's exact test, 0 or more, in nats."""
    log_first = _log_probability(counts, counts.both)
    term, total = 1.0, 1.0
    for both in range(counts.both, min(counts.source, counts.target)):
        more = (counts.source - both) * (counts.target - both)
        ratio = more / ((both + 1) * (counts.total - counts.source - counts.target + both + 1))
        term *= ratio
        total += term
        if ratio < 1.0 and term < _NEGLIGIBLE * total:
            break
    return max(0.0, -(log_first + log(total)))


def _log_probability(counts: SentenceCounts, both: int) -> float:
    """Return the logarithm of the hypergeometric probability of `both`."""
    return (
        _log_choices(counts.source, both)
        + _log_choices(counts.total - counts.source, counts.target - both)
        - _log_choices(counts.total, counts.target)
    )


def _log_choices(size: int, chosen: int) -> float:
    """Return the logarithm of a binomial coefficient."""
    return lgamma(size + 1) - lgamma(chosen + 1) - lgamma(size - chosen + 1)
