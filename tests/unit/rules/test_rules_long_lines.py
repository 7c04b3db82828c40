"""Long lines of any kind take linear time on both sides of a pair; times are only compared."""

import time
from collections.abc import Callable

import pytest

from tasks.rules.english_values import read_english
from tasks.rules.guard import compare


def ratio(read: Callable[[int], object], small: int) -> float:
    """Return how many times longer ten times the text takes, the best of two tries."""
    return min(_seconds(read, 10 * small) / max(_seconds(read, small), 0.002) for _ in range(2))


def _seconds(read: Callable[[int], object], size: int) -> float:
    start = time.process_time()
    read(size)
    return time.process_time() - start


@pytest.mark.parametrize(
    "piece",
    ["1", "a", "hundred ", "two hundred and ", "1,", "1/2 ", "march ", "5 and ", "twenty-", "3 to ",
     "１", "half a ", "$", "-", "may 5 , ", "10:", "'", "1, ", "one ", "-1", "one million ", "1.1.",
     "between ", "between one and ", "$ 1 ", "march 1, 2, ", "quarter to ", "1 k ", "three sixty "],
)  # fmt: skip
def test_english_is_read_in_linear_time(piece: str) -> None:
    assert ratio(lambda size: read_english(piece * (size // len(piece))), 2_000) < 25


@pytest.mark.parametrize("piece", ["一二", "12 ", "12,", "3月", "1.", "三 ", "三.", "三·五"])
def test_pairs_are_compared_in_linear_time(piece: str) -> None:
    def read(size: int) -> object:
        return compare("3月5日，" + piece * size, "March 6 " + "a 3 " * size)

    assert ratio(read, 1_000) < 25


@pytest.mark.parametrize("piece", ["1 x 10^2 ", "5 MHz ", "three sixty ", "item D ", "xx ", "may "])
def test_every_run_of_digits_is_found_in_linear_time(piece: str) -> None:
    assert ratio(lambda size: compare("3月5日", piece * (size // len(piece))), 4_000) < 25
