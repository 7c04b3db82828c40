"""Laws of matching and of choosing slots."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.phrase_keys import phrase_key
from tasks.compiled.arrays import Phrases, sentences_of, texts_of
from tasks.tagging import matcher as matcher_module
from tasks.tagging.matcher import Matcher
from tasks.tagging.slots import Candidate, choose, mark_targets
from tests.reference.tagging_matcher import find_plainly

WORDS = st.text("ab\U0001f600国", min_size=1, max_size=3)
BLANKS = ("", " ", "a b", "\u3000", "\ud83d", "\0")
PHRASES = st.lists(st.lists(WORDS, min_size=1, max_size=3), max_size=12)
CANDIDATES = st.lists(
    st.builds(
        lambda start, length, target, origin, score: Candidate(
            start=start,
            end=start + length,
            source="s",
            target=target,
            category="term",
            origin=origin,
            phrase_id=f"{target}{score}",
            score=score,
        ),
        st.integers(0, 12),
        st.integers(1, 5),
        st.lists(st.sampled_from("xyz"), min_size=1, max_size=3).map(" ".join),
        st.sampled_from(["review", "rule", "dictionary", "mined"]),
        st.sampled_from([0.9, 0.95, 1.0]),
    ),
    max_size=20,
)


@given(PHRASES, st.lists(WORDS, max_size=12))
def test_the_automaton_finds_what_trying_every_range_finds(
    phrases: list[list[str]], sentence: list[str]
) -> None:
    numbered = [(tuple(phrase), number) for number, phrase in enumerate(phrases)]
    assert Matcher(numbered).find(sentence) == find_plainly(numbered, sentence)


@given(
    PHRASES, st.lists(st.lists(st.one_of(WORDS, st.sampled_from(BLANKS)), max_size=12), max_size=6)
)
@settings(deadline=None)
def test_a_whole_shard_has_the_matches_of_its_sentences(
    phrases: list[list[str]], sentences: list[list[str]]
) -> None:
    numbered = [(tuple(phrase), number) for number, phrase in enumerate(phrases)]
    matcher = Matcher(numbered)
    found = matcher.find_all(sentences)
    assert list(found) == [matcher.find(sentence) for sentence in sentences]
    for few in (0, 1_000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(matcher_module, "FEW_SENTENCES", few)
            assert list(matcher.find_each(sentences)) == list(found)
    for sentence, matches in zip(sentences, found, strict=True):
        if not any(word in BLANKS for word in sentence):
            assert matches == find_plainly(numbered, sentence)


def test_a_thousand_sentences_have_the_matches_of_plain_python() -> None:
    random = Random(3)
    words = ["".join(random.choices("中国人民银行", k=random.randint(1, 2))) for _ in range(30)]
    phrases = [(random.choices(words, k=random.randint(1, 4)), at) for at in range(300)]
    sentences = [random.choices(words, k=random.randint(0, 15)) for _ in range(1_000)]
    found = list(Matcher(phrases).find_all(sentences))
    expected = [find_plainly(phrases, sentence) for sentence in sentences]
    assert found == expected
    assert sum(map(len, expected)) > 1_000


def test_more_matches_than_there_is_room_for_at_first_are_all_found() -> None:
    matcher = Matcher([(["甲"] * number, at) for at, number in enumerate([1, 2, 3, 4, 5, 6, 6])])
    sentences = [["甲"] * 12, [], ["乙"], *[["甲", "甲乙", *["甲"] * 12]] * 200]
    found = matcher.find_all(sentences)
    assert len(found.rows) > 4 * sum(map(len, sentences))
    assert list(found) == [matcher.find(words) for words in sentences]


def test_texts_that_share_a_key_are_told_apart_by_their_bytes() -> None:
    """Such texts cannot be found by trying, so the table is made by hand."""
    from tasks.compiled.hashing import first_slot
    from tasks.compiled.matching import find_texts, packed

    texts = packed(texts_of(["甲", "乙", "甲丙"]))
    key = phrase_key("甲")
    sentence, _ = sentences_of([["甲", "丙"]], blanks=0)
    found = np.empty((9, 4), np.int32)
    for others in ([1, 2], [2], [1]):
        cells = np.full(8, -1, np.int64)
        for place, text in enumerate([*others, 0]):
            cells[(first_slot(key, 8) + place) % 8] = key >> 32 << 32 | 2 * text
        starts = np.zeros(2, np.int64)
        assert find_texts(Phrases(cells, texts, 2), sentence, 0, found, starts) == 1
        assert found[: starts[1]].tolist() == [[0, 0, 1, 0]]


@given(CANDIDATES, st.integers(0, 6), st.randoms())
def test_chosen_slots_never_overlap_and_the_order_of_candidates_says_nothing(
    candidates: list[Candidate], num_slots: int, random: Random
) -> None:
    slots = choose(candidates, num_slots)
    assert len(slots) <= num_slots
    assert [slot.slot for slot in slots] == list(range(len(slots)))
    assert all(a.end <= b.start for a, b in zip(slots, slots[1:], strict=False))
    shuffled = candidates[:]
    random.shuffle(shuffled)
    assert choose(shuffled, num_slots) == slots


@given(CANDIDATES)
def test_every_candidate_left_out_overlaps_a_chosen_slot_at_least_as_long(
    candidates: list[Candidate],
) -> None:
    slots = choose(candidates, len(candidates))
    for each in candidates:
        assert any(
            slot.start < each.end
            and each.start < slot.end
            and slot.end - slot.start >= each.end - each.start
            for slot in slots
        )


@given(CANDIDATES, st.integers(0, 6), st.integers(1, 4), st.randoms())
def test_candidates_change_no_span_and_come_best_first(
    candidates: list[Candidate], num_slots: int, num_candidates: int, random: Random
) -> None:
    plain, slots = choose(candidates, num_slots), choose(candidates, num_slots, num_candidates)
    spans = [(slot.start, slot.end) for slot in slots]
    assert [(slot.start, slot.end) for slot in plain] == sorted(set(spans))
    assert all(spans.count(span) <= num_candidates for span in spans)
    assert [slot.slot for slot in slots] == list(range(len(slots)))
    for first in plain:
        rivals = [slot for slot in slots if (slot.start, slot.end) == (first.start, first.end)]
        assert replace(rivals[0], slot=first.slot) == first
        assert len({slot.target for slot in rivals}) == len(rivals)
        assert {slot.origin for slot in rivals} == {first.origin}
    shuffled = candidates[:]
    random.shuffle(shuffled)
    assert choose(shuffled, num_slots, num_candidates) == slots


@given(CANDIDATES, st.integers(1, 3), st.lists(st.sampled_from("xyz"), max_size=12))
def test_marked_places_hold_the_target_and_are_used_once(
    candidates: list[Candidate], num_candidates: int, reference: list[str]
) -> None:
    marked = mark_targets(choose(candidates, 10, num_candidates), reference)
    placed = [(slot.start, slot.end) for slot in marked if slot.target_start >= 0]
    assert len(placed) == len(set(placed))
    places = [set(range(slot.target_start, slot.target_end)) for slot in marked]
    assert sum(map(len, places)) == len(set().union(*places))
    for slot in marked:
        if slot.target_start >= 0:
            assert reference[slot.target_start : slot.target_end] == slot.target.split()
