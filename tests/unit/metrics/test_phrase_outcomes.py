"""Exact, misplaced, spelled or ignored: hand-worked."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.records import Slot
from tasks.metrics.attention_table import AttentionMatrix
from tasks.metrics.phrase_outcomes import OutcomeCount, count_outcomes, outcomes
from tasks.metrics.phrase_use import TranslatedSentence


def slot(number: int, start: int, target: str) -> Slot:
    return Slot(number, start, start + 1, "源", target, "person", "dictionary", f"id{number}")


def attention(words: str, attended: list[int], num_source: int = 3) -> AttentionMatrix:
    rows = np.zeros((len(words.split()) + 1, num_source + 1))
    rows[np.arange(len(attended)), attended] = 1
    rows[-1, -1] = 1
    return AttentionMatrix(tuple("源" * num_source), tuple(words.split()), rows)


@pytest.mark.parametrize(
    ("words", "modes", "attended", "outcome"),
    [
        ("wang wei spoke", [0, 0, -1], [1, 1, 2], "exact"),
        ("wang wei spoke", [0, 0, -1], [2, 1, 2], "exact"),
        ("wang wei spoke", [0, 0, -1], [0, 2, 1], "misplaced"),
        ("wang wei spoke", [0, 0, -1], [3, 3, 1], "misplaced"),
        ("wang wei spoke", [-1, -1, -1], [0, 1, 2], "spelled"),
        ("he saw wang wei", [-1] * 4, [1, 1, 0, 2], "misplaced"),
        ("wang spoke wei", [-1, -1, -1], [1, 1, 1], "ignored"),
    ],
)
def test_one_slot(words: str, modes: list[int], attended: list[int], outcome: str) -> None:
    sentence = TranslatedSentence(tuple(words.split()), tuple(modes), (slot(0, 1, "wang wei"),))
    (found,) = outcomes(sentence, attention(words, attended), [])
    assert found.outcome == outcome
    if outcome != "ignored":
        assert words.split()[found.start : found.end] == ["wang", "wei"]
    else:
        assert (found.start, found.end) == (-1, -1)


@pytest.mark.parametrize(
    ("words", "references", "outcome"),
    [
        ("he met wang wei today", ["she met wang wei yesterday"], "exact"),  # the word before
        ("he met wang wei today", ["it was wang wei today"], "exact"),  # the word behind
        ("he met wang wei today", ["it was wang wei yesterday"], "misplaced"),
        ("wang wei spoke", ["wang wei said so"], "exact"),  # both begin a sentence
        ("he met wang wei", ["it was wang wei"], "exact"),  # both end one
        ("he met wang wei", ["wang wei met him"], "misplaced"),
        ("he met wang wei today", ["nothing", "we met wang wei"], "exact"),
        ("he met wang wei today", [], "misplaced"),
    ],
)
def test_a_phrase_with_a_neighbour_of_a_reference_is_in_place(
    words: str, references: list[str], outcome: str
) -> None:
    modes = tuple(0 if word in ("wang", "wei") else -1 for word in words.split())
    sentence = TranslatedSentence(tuple(words.split()), modes, (slot(0, 1, "wang wei"),))
    answers = [text.split() for text in references]
    for seen in (None, attention(words, [0] * len(words.split()))):
        (found,) = outcomes(sentence, seen, answers)
        assert found.outcome == outcome


def test_counts_by_kind() -> None:
    slots = (slot(0, 0, "a"), slot(1, 1, "b"), slot(2, 2, "c"))
    sentence = TranslatedSentence(("a", "b"), (0, -1), slots)
    found = outcomes(sentence, attention("a b", [0, 0]), [])
    row = OutcomeCount("person", "dictionary", 3, 2, 1, exact=1, misplaced=1, spelled=0, ignored=1)
    total = OutcomeCount(None, None, 3, 2, 1, exact=1, misplaced=1, spelled=0, ignored=1)
    assert count_outcomes(found) == [row, total]


@given(
    st.lists(st.sampled_from("abc"), max_size=6),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=3),
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
)
def test_the_four_outcomes_sum_to_what_was_offered(
    words: list[str], targets: list[str], attended: list[int]
) -> None:
    slots = tuple(slot(number, number, target) for number, target in enumerate(targets))
    sentence = TranslatedSentence(tuple(words), (-1,) * len(words), slots)
    found = outcomes(sentence, attention(" ".join(words), attended[: len(words)]), [])
    total = count_outcomes(found)[-1]
    assert total.exact + total.misplaced + total.spelled + total.ignored == total.offered
    assert total.offered == len(targets)
    assert total.appeared == total.offered - total.ignored
