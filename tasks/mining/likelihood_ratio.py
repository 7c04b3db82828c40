"""Multi-word units by log-likelihood ratio and hierarchical reducing.

Ren, Lü, Cao, Liu and Huang 2009, "Improving statistical machine translation using domain bilingual
multiword expressions", section 2: each border between two words of a sentence gets the likelihood
ratio of its two neighbours (Dunning 1993, G2). The strongest border is dissolved, its two sides
become one unit, and so on; every unit formed on the way is a candidate. A border keeps the score
of the words beside it, whatever units grow there.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

CLOSED = -np.inf
"""The score of a border that no unit crosses."""


def log_likelihood_ratio(both: Integers, first: Integers, second: Integers, total: int) -> Floats:
    """Score how much more often two words stand side by side than they would by chance.

    With a = f(xy), b = f(x, not y), c = f(not x, y), d the rest and N = a + b + c + d:

        2 * [sum of n ln n over a, b, c, d - sum of n ln n over the four margins + N ln N]

    Args:
        both: f(xy) of each pair of words, shape (pairs,).
        first: how often x is the first of any two neighbours, shape (pairs,).
        second: how often y is the second of any two neighbours, shape (pairs,).
        total: number of neighbours N.

    Returns:
        Scores of shape (pairs,), 0 or more; 0 where the words stand side by side no more often than
        by chance, since only attraction makes a unit.
    """
    a, b, c = both, first - both, second - both
    d = total - a - b - c
    cells = _entropy_term(a) + _entropy_term(b) + _entropy_term(c) + _entropy_term(d)
    margins = (
        _entropy_term(first)
        + _entropy_term(second)
        + _entropy_term(total - first)
        + _entropy_term(total - second)
    )
    scores = 2 * (cells - margins + _entropy_term(np.asarray(total)))
    attracted = a.astype(np.float64) * total > first.astype(np.float64) * second
    return np.where(attracted, np.maximum(scores, 0.0), 0.0)


def _entropy_term(counts: npt.NDArray[np.int64]) -> Floats:
    """Return n ln n, with 0 ln 0 = 0."""
    values = counts.astype(np.float64)
    return values * np.log(np.where(values > 0, values, 1.0))


def units(scores: Floats, *, least: float, max_words: int) -> tuple[Integers, Integers]:
    """Return the units that hierarchical reducing forms: `[start, end)` in words, by border.

    The unit formed at a border reaches, on both sides, as far as all borders are stronger: those
    were dissolved before. Of equal borders the left one is dissolved first. So no border has to be
    dissolved one by one, and sentences may stand behind one another with `CLOSED` in between.

    Args:
        scores: the score of the border behind each word, shape (words,); `CLOSED` behind the last
            word of a sentence.
        least: borders are dissolved only above this score.
        max_words: longer units are not returned.
    """
    borders = np.flatnonzero(scores > least)
    left = _reach(scores, borders, -1, max_words)
    right = _reach(scores, borders, +1, max_words)
    starts, ends = borders - left, borders + 2 + right
    short = ends - starts <= max_words
    return starts[short], ends[short]


def _reach(scores: Floats, borders: Integers, step: int, max_words: int) -> Integers:
    """Count the borders next to each border, on one side, that were dissolved before it.

    Counting stops at `max_words`, since such a unit is too long anyway.
    """
    reach = np.zeros(len(borders), np.int64)
    going = np.arange(len(borders))
    for distance in range(1, max_words):
        there = borders[going] + step * distance
        inside = (there >= 0) & (there < len(scores))
        going, there = going[inside], there[inside]
        here = scores[borders[going]]
        stronger = scores[there] >= here if step < 0 else scores[there] > here
        going = going[stronger]
        reach[going] += 1
    return reach
