"""Laws of finding what training text shares with test sets."""

import string

from hypothesis import given
from hypothesis import strategies as st

from tasks.text.damage import damage_of
from tasks.text.overlap import HeldOutIndex, HeldOutText, content_words, fold
from tests.reference.text_overlap import shares_a_run

WORDS = st.lists(st.sampled_from([*"abcD", ",", "。"]), max_size=30)


@given(st.lists(WORDS, max_size=3), WORDS, st.integers(1, 7))
def test_a_shared_run_is_found_exactly_where_the_slow_way_finds_one(
    held_out: list[list[str]], words: list[str], length: int
) -> None:
    index = HeldOutIndex(
        (HeldOutText("t", str(at), "source", "", held) for at, held in enumerate(held_out)), length
    )
    found = index.find("no such text", words)
    plain = content_words(words)
    sharing = [
        str(at)
        for at, held in enumerate(held_out)
        if shares_a_run(plain, content_words(held), length)
    ]
    assert (found is not None) == bool(sharing)
    if found is not None:
        assert found.sentence_id in sharing


@given(st.text(max_size=20))
def test_a_held_out_text_is_found_whatever_its_case_blanks_and_punctuation(text: str) -> None:
    index = HeldOutIndex([HeldOutText("t", "1", "source", text, [])], 13)
    changed = ", ".join(text.casefold())
    found = index.find(fold(changed), [])
    assert (found is not None) == bool(fold(text))


@given(st.text(string.ascii_letters + "年月日的一是不了人我在有他这中大来上国和", min_size=2))
def test_sound_text_is_never_taken_for_damaged(text: str) -> None:
    assert damage_of(text) == ""


@given(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9))
def test_a_shared_run_is_found_wherever_it_begins(length: int, before: int, after: int) -> None:
    run = [f"w{number}" for number in range(length)]
    held = HeldOutIndex([HeldOutText("t", "1", "source", "", ["x", *run, "y"])], length)
    words = ["a"] * before + run + ["b"] * after
    assert held.find("no such text", words) is not None
    assert length == 1 or held.find("no such text", words[: before + length - 1]) is None
