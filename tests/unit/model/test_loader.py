"""What is made ahead comes in order, whatever the threads; a stall is told."""

import threading
import time

import pytest

from model.loader import StalledLoader, made_ahead


def slow_square(number: int) -> int:
    time.sleep(0.002 * (number % 3))
    return number * number


@pytest.mark.parametrize("threads", [0, 1, 4])
def test_the_order_is_the_same_for_any_number_of_threads(threads: int) -> None:
    made = made_ahead(slow_square, range(20), threads=threads, patience_seconds=10)
    assert list(made) == [number * number for number in range(20)]


def test_a_stalled_loader_is_told_and_may_be_tried_again() -> None:
    go_on = threading.Event()
    made = made_ahead(lambda _: go_on.wait(), [1], threads=1, patience_seconds=0.05)
    with pytest.raises(StalledLoader, match=r"training\.stall_minutes"):
        next(made)
    go_on.set()


def test_an_error_of_what_is_made_comes_as_it_was() -> None:
    def refuse(number: int) -> None:
        raise TimeoutError("not the loader")

    with pytest.raises(TimeoutError, match="not the loader"):
        next(made_ahead(refuse, [1], threads=1, patience_seconds=5))
