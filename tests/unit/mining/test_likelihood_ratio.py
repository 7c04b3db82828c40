"""The log-likelihood ratio against published and hand-worked figures, and units by hand."""

import math

import numpy as np
import pytest

from tasks.mining.likelihood_ratio import CLOSED, log_likelihood_ratio, units


def _ratio(both: int, first: int, second: int, total: int) -> float:
    a, x, y = (np.asarray([number]) for number in (both, first, second))
    return float(log_likelihood_ratio(a, x, y, total)[0])


def test_the_example_of_dunning() -> None:
    a, b, c, d = 110, 2442, 111, 29114
    assert _ratio(a, a + b, a + c, a + b + c + d) == pytest.approx(270.72, abs=5e-3)


def test_by_hand() -> None:
    """10 neighbours, x first in 4, y second in 4, both in 3: a = 3, b = c = 1, d = 5.

    3 ln 3 + 5 ln 5 = 11.343026; margins 2 (4 ln 4 + 6 ln 6) = 32.591468; 10 ln 10 = 23.025851.
    """
    cells = 3 * math.log(3) + 0 + 0 + 5 * math.log(5)
    margins = 2 * (4 * math.log(4) + 6 * math.log(6))
    by_hand = 2 * (cells - margins + 10 * math.log(10))
    assert by_hand == pytest.approx(3.554818, abs=1e-6)
    assert _ratio(3, 4, 4, 10) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("both", "first", "second", "total"),
    [(2, 4, 5, 10), (1, 10, 10, 10), (1, 5, 5, 10)],
)
def test_no_more_than_chance_is_no_attraction(
    both: int, first: int, second: int, total: int
) -> None:
    assert _ratio(both, first, second, total) == 0


def test_words_that_only_stand_together_are_not_infinitely_attracted() -> None:
    assert _ratio(5, 5, 5, 100) == pytest.approx(2 * (100 * math.log(100) - 5 * math.log(5)
                                                      - 95 * math.log(95)))  # fmt: skip


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([9, 1, 5, CLOSED], {(0, 2), (2, 4), (0, 4)}),
        ([1, 9, 5, CLOSED], {(1, 3), (1, 4), (0, 4)}),
        ([5, 5, CLOSED], {(0, 2), (0, 3)}),
        ([9, CLOSED, 9, CLOSED], {(0, 2), (2, 4)}),
        ([0, 3, 0, CLOSED], {(1, 3)}),
        ([CLOSED], set()),
        ([], set()),
    ],
)
def test_units_by_hand(scores: list[float], expected: set[tuple[int, int]]) -> None:
    starts, ends = units(np.asarray(scores, float), least=0.0, max_words=6)
    assert set(zip(starts.tolist(), ends.tolist(), strict=True)) == expected


def test_long_units_are_left_out_and_what_is_in_them_is_not() -> None:
    starts, ends = units(np.asarray([4.0, 3.0, 2.0, 1.0, CLOSED]), least=0.0, max_words=3)
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == [(0, 2), (0, 3)]
