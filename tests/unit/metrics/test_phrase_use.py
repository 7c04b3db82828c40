"""Phrase use: offered, appeared, produced."""

import pytest

from storage.records import Category, Origin, Slot
from tasks.metrics.phrase_use import TranslatedSentence, UseCount, count_by_kind, uses


def slot(
    number: int, target: str, category: Category = "person", origin: Origin = "dictionary"
) -> Slot:
    return Slot(number, number, number + 1, "源", target, category, origin, f"id{number}")


def sentence(
    words: str, slots: list[Slot], produced: dict[int, int] | None = None
) -> TranslatedSentence:
    output = tuple(words.split())
    modes = tuple((produced or {}).get(i, -1) for i in range(len(output)))
    return TranslatedSentence(output, modes, tuple(slots))


def test_only_the_recorded_mode_says_that_a_phrase_was_produced() -> None:
    offered = [slot(0, "wang wei")]
    assert uses(sentence("wang wei spoke", offered, {0: 0, 1: 0})) == ["produced"]
    assert uses(sentence("wang wei spoke", offered)) == ["appeared"]
    assert uses(sentence("wang spoke wei", offered)) == ["offered"]
    assert uses(sentence("wang", offered)) == ["offered"]


def test_two_slots_with_one_target_need_two_occurrences() -> None:
    twins = [slot(0, "3"), slot(1, "3")]
    assert uses(sentence("3 of 4", twins)) == ["appeared", "offered"]
    assert uses(sentence("3 of 3", twins)) == ["appeared", "appeared"]
    assert uses(sentence("3 of 4", twins, {0: 1})) == ["offered", "produced"]


def test_uses_are_counted_by_category_and_origin() -> None:
    sentences = [
        sentence(
            "wang wei paid $ 3",
            [slot(0, "wang wei"), slot(1, "$ 3", "quantity", "rule")],
            {0: 0, 1: 0},
        ),
        sentence("li na paid", [slot(0, "li na"), slot(1, "$ 5", "quantity", "rule")]),
        sentence("nothing", []),
    ]
    assert count_by_kind(sentences) == [
        UseCount("person", "dictionary", offered=2, appeared=2, produced=1),
        UseCount("quantity", "rule", offered=2, appeared=1, produced=0),
        UseCount(None, None, offered=4, appeared=3, produced=1),
    ]
    assert count_by_kind([]) == [UseCount(None, None, 0, 0, 0)]


def test_modes_of_other_words_are_a_defect() -> None:
    with pytest.raises(ValueError, match="2 words but modes for 1"):
        TranslatedSentence(("a", "b"), (-1,), ())
    with pytest.raises(ValueError, match=r"slots \[4\], which were not offered"):
        TranslatedSentence(("a",), (4,), (slot(0, "a"),))
