"""What a line of progress foretells, and when."""

import pytest

from tasks.progress import Progress


@pytest.mark.parametrize(
    ("done", "seconds", "told"),
    [(1, 34.0, ""), (40, 34.0, ", 3,366 s left"), (1, 100.0, ", 399,900 s left")],
)
def test_tells_the_time_left_once_it_can_be_told(done: int, seconds: float, told: str) -> None:
    line = str(Progress("tag", done, 4000, "pairs", seconds))
    assert line.partition("pairs/s")[2] == told


def test_foretells_nothing_before_anything_is_done_or_where_nobody_knows_the_total() -> None:
    assert "left" not in str(Progress("tag", 0, 4000, "pairs", 100.0))
    assert "left" not in str(Progress("train", 50, 0, "words", 100.0))
