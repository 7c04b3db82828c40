"""Which sentences a page shows where there are too many."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.reports.sentence_choice import allowances, chosen

sizes = st.lists(st.integers(0, 50), max_size=6)


@given(sizes, st.integers(0, 100))
def test_the_room_is_shared_and_filled(numbers: list[int], room: int) -> None:
    shares = allowances(numbers, room)
    assert all(0 <= share <= size for share, size in zip(shares, numbers, strict=True))
    assert sum(shares) == min(room, sum(numbers))


def test_what_a_small_set_leaves_goes_to_the_others() -> None:
    assert allowances([10, 500, 400], 610) == [10, 300, 300]
    assert allowances([200, 300]) == [200, 300]


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), max_size=40), st.integers(4, 30))
def test_as_many_as_there_is_room_for_each_once_in_order(
    rows: list[tuple[float, float]], room: int
) -> None:
    found = chosen([row[0] for row in rows], [row[1] for row in rows], room)
    assert len(found) == min(room, len(rows))
    assert found == sorted(set(found))


def test_worst_best_and_most_changed_are_among_them() -> None:
    scores = [50.0] * 100
    scores[17], scores[63] = 1.0, 99.0
    changes = [0.0] * 100
    changes[88] = 40.0
    assert {17, 63, 88} <= set(chosen(scores, changes, 8))
