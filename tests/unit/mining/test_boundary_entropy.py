"""Entropy of neighbours, by hand."""

import pytest

from tasks.mining.boundary_entropy import entropy


@pytest.mark.parametrize(
    ("counts", "borders", "bits"),
    [
        ([4], 0, 0.0),
        ([1, 1], 0, 1.0),
        ([3, 1], 0, 0.811278),
        ([2], 2, 1.5),
        ([], 8, 3.0),
        ([], 0, 0.0),
    ],
)
def test_borders_count_as_neighbours_of_their_own(
    counts: list[int], borders: int, bits: float
) -> None:
    assert entropy(counts, borders) == pytest.approx(bits, abs=1e-6)
