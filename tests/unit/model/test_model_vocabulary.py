"""Words to ids and back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.vocabulary import EOS, SPECIAL, UNK, Vocabulary

COUNTS = {"b": 2, "c": 2, "a": 1, "d": 5}


def test_words_are_ranked_by_count_and_then_by_spelling() -> None:
    assert Vocabulary.build(COUNTS, 5).words == (*SPECIAL, "d", "b", "c")


def test_the_order_of_the_counts_does_not_matter() -> None:
    turned = dict(reversed(COUNTS.items()))
    assert Vocabulary.build(COUNTS, 4) == Vocabulary.build(turned, 4)


def test_words_outside_and_special_spellings_are_unknown() -> None:
    vocabulary = Vocabulary.build({**COUNTS, "UNK": 9, "</s>": 9}, 10)
    assert vocabulary.encode(["d", "z", "UNK", "</s>"]).tolist() == [2, UNK, UNK, UNK]
    assert vocabulary.decode([EOS, UNK, 2]) == ["</s>", "UNK", "d"]
    assert vocabulary.encode([]).dtype == "int32"


@settings(deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=3), st.integers(1, 9), min_size=1))
def test_every_kept_word_is_read_back_as_itself(counts: dict[str, int]) -> None:
    vocabulary = Vocabulary.build(counts, 1000)
    words = list(vocabulary.words[2:])
    assert vocabulary.decode(vocabulary.encode(words)) == words
    assert set(words) == set(counts) - set(SPECIAL)


@pytest.mark.parametrize("words", [("a", "b"), (*SPECIAL, "a", "a"), ()])
def test_a_list_that_is_no_vocabulary_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="vocabulary"):
        Vocabulary(words)


def test_a_size_without_room_for_a_word_is_refused() -> None:
    with pytest.raises(ValueError, match="it must be 3 or more"):
        Vocabulary.build(COUNTS, 2)
