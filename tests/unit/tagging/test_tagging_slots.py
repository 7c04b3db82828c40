from dataclasses import asdict

import pytest

from storage.records import Origin
from tasks.tagging.slots import Candidate, choose, mark_targets, single


def candidate(
    start: int, end: int, target: str = "t", origin: Origin = "mined", score: float = 1.0
) -> Candidate:
    return Candidate(
        start=start,
        end=end,
        source="s",
        target=target,
        category="term",
        origin=origin,
        phrase_id="p",
        score=score,
    )


def spans(candidates: list[Candidate], num_slots: int = 10) -> list[tuple[int, int, int]]:
    return [(slot.slot, slot.start, slot.end) for slot in choose(candidates, num_slots)]


def test_the_longer_wins_not_the_leftmost() -> None:
    assert spans([candidate(0, 2), candidate(1, 4)]) == [(0, 1, 4)]


def test_equally_long_ones_are_settled_by_score_then_leftmost() -> None:
    assert spans([candidate(0, 2, score=0.9), candidate(1, 3, score=0.95)]) == [(0, 1, 3)]
    assert spans([candidate(1, 3), candidate(0, 2)]) == [(0, 0, 2)]


def test_slots_are_numbered_left_to_right() -> None:
    assert spans([candidate(5, 6), candidate(0, 1), candidate(2, 4)]) == [
        (0, 0, 1),
        (1, 2, 4),
        (2, 5, 6),
    ]


def test_of_too_many_the_longest_stay_and_then_the_leftmost() -> None:
    many = [candidate(0, 1), candidate(1, 3), candidate(3, 4), candidate(4, 6)]
    assert spans(many, num_slots=3) == [(0, 0, 1), (1, 1, 3), (2, 4, 6)]
    assert spans(many, num_slots=0) == []


@pytest.mark.parametrize(
    ("winner", "loser"),
    [("review", "rule"), ("rule", "dictionary"), ("dictionary", "mined"), ("rule", "mined")],
)
def test_on_the_same_span_the_more_trusted_origin_wins(winner: Origin, loser: Origin) -> None:
    both = [candidate(0, 2, "no", loser, score=1.0), candidate(0, 2, "yes", winner, score=0.5)]
    assert [slot.target for slot in choose(both)] == ["yes"]
    assert [slot.target for slot in choose(both[::-1])] == ["yes"]


def test_several_candidates_of_one_span_are_offered_side_by_side() -> None:
    rivals = [
        candidate(2, 3, "low", score=0.5),
        candidate(2, 3, "high", score=0.9),
        candidate(2, 3, "least", score=0.1),
        candidate(2, 3, "low", score=0.4),
        candidate(0, 2, "other"),
    ]
    found = choose(rivals, 10, 2)
    assert [(slot.slot, slot.start, slot.target) for slot in found] == [
        (0, 0, "other"),
        (1, 2, "high"),
        (2, 2, "low"),
    ]
    assert len(choose(rivals, 1, 3)) == 1  # the longer source phrase has one translation


def test_candidates_of_less_trusted_origin_are_no_rivals() -> None:
    both = [candidate(0, 2, "no", "mined"), candidate(0, 2, "yes", "rule", score=0.5)]
    assert [slot.target for slot in choose(both, 10, 5)] == ["yes"]


def test_of_candidates_one_has_a_place_in_the_reference() -> None:
    rivals = [candidate(0, 1, "sea"), candidate(0, 1, "the ocean"), candidate(1, 2, "sea")]
    marked = mark_targets(choose(rivals, 10, 2), ["sea", "and", "the", "ocean"])
    assert [(slot.start, slot.target, slot.target_start) for slot in marked] == [
        (0, "sea", -1),
        (0, "the ocean", 2),
        (1, "sea", 0),
    ]


def test_a_system_for_one_translation_takes_none_of_several() -> None:
    rows = [asdict(slot) for slot in choose(
        [candidate(0, 1, "a"), candidate(0, 1, "b"), candidate(1, 2, "c")], 10, 2
    )]  # fmt: skip
    assert [slot["target"] for slot in single(rows)] == ["c"]


def test_trust_does_not_beat_length() -> None:
    assert spans([candidate(0, 1, origin="review"), candidate(0, 2)]) == [(0, 0, 2)]


def test_a_negative_number_of_slots_is_refused() -> None:
    with pytest.raises(ValueError, match="num_slots is -1"):
        choose([], -1)


def marks(targets: list[str], reference: str) -> list[tuple[int, int]]:
    slots = choose([candidate(n, n + 1, target) for n, target in enumerate(targets)])
    return [(slot.target_start, slot.target_end) for slot in mark_targets(slots, reference.split())]


def test_each_slot_takes_the_leftmost_free_place() -> None:
    assert marks(["b", "a", "b"], "a b c b") == [(1, 2), (0, 1), (3, 4)]


def test_longer_targets_look_first() -> None:
    assert marks(["march", "march 20"], "march 20 and march") == [(3, 4), (0, 2)]
    assert marks(["march", "march 20"], "march 20") == [(-1, -1), (0, 2)]


def test_a_target_that_is_not_there_stays_unmarked() -> None:
    assert marks(["x", "a"], "a b") == [(-1, -1), (0, 1)]
    assert marks(["x"], "") == [(-1, -1)]
    assert marks([""], "a") == [(-1, -1)]
