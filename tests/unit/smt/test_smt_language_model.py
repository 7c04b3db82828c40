"""The language model: its probabilities add up to one and are those of the formulas."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.smt.language_model import (
    END,
    FIRST_WORD,
    UNKNOWN,
    discounts,
    first_state,
    next_word,
    score_sentence,
)
from tests.reference.smt_language_model import BEGIN, SlowLanguageModel
from tests.smt_models import language_model

words = st.sampled_from("abcd")
texts = st.lists(st.lists(words, max_size=6), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None)
@given(texts, st.lists(st.sampled_from("abcdx"), max_size=5), st.integers(1, 4))
def test_it_is_the_slow_one_and_adds_up_to_one(
    text: list[list[str]], context: list[str], order: int
) -> None:
    model, known = language_model(text, order)
    slow = SlowLanguageModel(text, order)
    number = {word: place + FIRST_WORD for place, word in enumerate(known)}
    state = first_state(model)
    for word in context:
        _, state = next_word(model, state, number.get(word, UNKNOWN))
    total = 0.0
    for word in slow.words:
        asked = number.get(word, END if word == "</s>" else UNKNOWN)
        found = math.exp(next_word(model, state, asked)[0])
        clean = [word if word in known else "<unk>" for word in context]
        assert found == pytest.approx(slow.probability([BEGIN, *clean], word), rel=1e-5)
        total += found
    assert total == pytest.approx(1.0, rel=1e-5)


def test_large_enough_corpora_get_estimated_discounts() -> None:
    chance = random.Random(7)
    text = [chance.choices("abcdefghij", range(1, 11), k=8) for _ in range(200)]
    model, known = language_model(text, 3)
    slow = SlowLanguageModel(text, 3)
    assert slow.discounts[2] != (0.5, 1.0, 1.5)
    for line in (text[0], text[1][::-1]):
        said, expected = [BEGIN], 0.0
        for word in [*line, "</s>"]:
            expected += math.log(slow.probability(said, word))
            said.append(word)
        ids = np.array([known.index(word) + FIRST_WORD for word in line], np.int32)
        assert score_sentence(model, ids) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        # n1 = 4, n2 = 2, n3 = 2, n4 = 1: Y = 1/2, so 1 - 1/2, 2 - 3/2, 3 - 4 * 1/2 * 1/2.
        ([1, 1, 1, 1, 2, 2, 3, 3, 4, 9], (0.5, 0.5, 2.0)),
        ([1, 1, 5], (0.5, 1.0, 1.5)),
        ([], (0.5, 1.0, 1.5)),
    ],
)
def test_discounts(counts: list[int], expected: tuple[float, ...]) -> None:
    assert discounts(np.array(counts, np.int64)) == pytest.approx(expected)


def test_a_word_without_a_number_is_an_unknown_one() -> None:
    model, known = language_model([["a", "b"]], 2)
    state = first_state(model)
    beyond = FIRST_WORD + len(known)
    assert next_word(model, state, beyond) == next_word(model, state, UNKNOWN)
