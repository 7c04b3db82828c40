"""Laws of search with required phrases: all are there, and with room for everything it is an
enumeration.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.batches import Example
from model.config import DecodingConfig
from model.growth import Growth
from model.hypotheses import Candidates
from model.requirements import NOTHING, Required, Spelled, impossible
from model.search import Hypothesis, translate, translate_n_best
from model.vocabulary import UNK
from tests.reference.model_examples import example, examples, toy_config, toy_translator
from tests.reference.required_reference import spelled, strings_with

SYSTEMS = (
    "rnnsearch",
    "phrasenet-gate",
    "phrasenet-softmax",
    "groundhog-vanilla",
    "transformer+phrase-gate",
)
ONE_LAYER = {"encoder_layers": 1, "decoder_layers": 1}
"""The enumeration of a Transformer computes all words anew at every step."""
SMALL = {
    name: toy_translator(toy_config(name, **ONE_LAYER), words=4)
    for name in (*SYSTEMS, "transformer")
}
LARGER = {name: toy_translator(toy_config(name), scale=0.8) for name in SYSTEMS}
EVERYTHING = DecodingConfig(beam=5000, max_length_ratio=2.0)
SENTENCES = [
    (example([2, 3], None, (0, 1, (2, 3), -1), (1, 2, (3,), -1)), {0, 1}),
    (example([2, 3], None, (0, 1, (2, 3), -1), (1, 2, (3,), -1)), {1}),
    (example([2, 1], None, (0, 2, (2, 3, 2), -1)), {0}),
    (example([3, 2], None, (0, 1, (2,), -1), (1, 2, (2,), -1)), {0, 1}),
    (example([3, 2], None, (0, 1, (2, 3), -1), (1, 2, (2,), -1)), {0, 1}),
    (example([3, 2], None, (0, 1, (2, 2), -1), (1, 2, (2, 3), -1)), {0, 1}),
]


def text(hypothesis: Hypothesis) -> tuple[int, ...]:
    return tuple(word.word_id for word in hypothesis.words)


ENUMERATED = [
    *[(system, number) for system in SYSTEMS[:4] for number in range(len(SENTENCES))],
    *[("transformer+phrase-gate", number) for number in (0, 2)],
    ("transformer", 2),
]


@pytest.mark.parametrize(("system", "number"), ENUMERATED)
def test_a_beam_with_room_for_everything_finds_all_translations_that_hold_the_phrases(
    system: str, number: int
) -> None:
    translator, (sentence, slots) = SMALL[system], SENTENCES[number]
    required = frozenset(slots)
    expected = strings_with(
        translator.state_dict(), translator.config, sentence, required, longest=4
    )
    found = {
        text(hypothesis): math.exp(hypothesis.log_probability)
        for hypothesis in translate_n_best(translator, [sentence], EVERYTHING, [required])[0]
    }
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, rel=1e-9)


def possible(sentence: Example, config: DecodingConfig, *, phrase_mode: bool) -> frozenset[int]:
    slots = frozenset(range(len(sentence.slots)))
    return slots - impossible(sentence, slots, config, phrase_mode=phrase_mode).keys()


@pytest.mark.parametrize("system", SYSTEMS)
@settings(max_examples=15, deadline=None)
@given(batch=st.lists(examples(), min_size=1, max_size=4), beam=st.integers(1, 5), tight=...)
def test_every_possible_phrase_is_in_every_translation(
    system: str, batch: list[Example], beam: int, tight: bool
) -> None:
    translator = LARGER[system]
    config = DecodingConfig(beam=beam, batch_size=2, max_length_ratio=1.0 if tight else 3.0)
    phrase_mode = translator.config.slots > 0
    required = [possible(each, config, phrase_mode=phrase_mode) for each in batch]
    for sentence, slots, found in zip(
        batch, required, translate_n_best(translator, batch, config, required), strict=True
    ):
        assert found
        for hypothesis in found:
            assert len(hypothesis.words) <= max(
                1, math.floor(config.max_length_ratio * len(sentence.source_ids))
            )
            if phrase_mode:
                assert slots <= {word.slot for word in hypothesis.words}
            else:
                phrases = [sentence.slots[slot].target_ids for slot in slots]
                assert spelled(text(hypothesis), phrases)


@pytest.mark.parametrize("system", SYSTEMS[:3])
@settings(max_examples=8, deadline=None)
@given(batch=st.lists(examples(), min_size=2, max_size=4))
def test_required_phrases_come_alike_alone_and_in_company(
    system: str, batch: list[Example]
) -> None:
    translator, config = LARGER[system], DecodingConfig(beam=3, batch_size=3)
    phrase_mode = translator.config.slots > 0
    required = [possible(each, config, phrase_mode=phrase_mode) for each in batch]
    together = translate(translator, batch, config, required)
    for sentence, slots, found in zip(batch, required, together, strict=True):
        (alone,) = translate(translator, [sentence], config, [slots])
        assert text(alone) == text(found)
        assert alone.score == pytest.approx(found.score, abs=1e-10)


@settings(max_examples=20, deadline=None)
@given(sentence=examples(), system=st.sampled_from(SYSTEMS), beam=st.integers(1, 4))
def test_requiring_nothing_changes_nothing(sentence: Example, system: str, beam: int) -> None:
    config = DecodingConfig(beam=beam)
    plain = translate_n_best(LARGER[system], [sentence], config)
    assert translate_n_best(LARGER[system], [sentence], config, [frozenset()]) == plain


PHRASES = st.lists(st.lists(st.integers(2, 4), min_size=1, max_size=3).map(tuple), max_size=3)


@settings(max_examples=200, deadline=None)
@given(phrases=PHRASES, words=st.lists(st.integers(2, 4), max_size=7))
def test_progress_is_complete_exactly_when_the_phrases_stand_side_by_side(
    phrases: list[tuple[int, ...]], words: list[int]
) -> None:
    tracker, progress = Spelled(tuple(phrases)), NOTHING
    for word in words:
        progress = tracker.after(progress, word)
    assert (tracker.left(progress) == 0) == spelled(tuple(words), phrases)


@settings(max_examples=100, deadline=None)
@given(phrases=PHRASES.filter(bool), words=st.lists(st.integers(2, 4), max_size=5))
def test_some_wanted_word_always_leads_on(phrases: list[tuple[int, ...]], words: list[int]) -> None:
    tracker, progress = Spelled(tuple(phrases)), NOTHING
    for word in words:
        progress = tracker.after(progress, word)
    left = tracker.left(progress)
    if left:
        ahead = [tracker.left(tracker.after(progress, w)) for w in tracker.wanted(progress)]
        assert min(ahead) == left - 1


def test_what_cannot_be_required_is_told_with_its_reason() -> None:
    sentence = example(
        [2, 3, 4], None, (0, 1, (2, UNK), -1), (1, 2, (3,) * 4, -1), (2, 3, (4,), -1)
    )
    config = DecodingConfig(max_length_ratio=1.0)
    asked = frozenset({0, 1, 2})
    words = impossible(sentence, asked, config, phrase_mode=False)
    assert words.keys() == {0, 1}
    assert "does not know 1 of its 2 words" in words[0]
    assert "has 4 words, and the translation at most 3" in words[1]
    assert impossible(sentence, asked, config, phrase_mode=True).keys() == {1}
    crowded = example([2, 3], None, (0, 1, (2, 3), -1), (1, 2, (3,), -1))
    reasons = impossible(crowded, frozenset({0, 1}), config, phrase_mode=True)
    assert "the required phrases before it take 2 words" in reasons[1]


def test_required_phrases_are_refused_without_a_beam() -> None:
    sentence = example([2], None, (0, 1, (3,), -1))
    config = DecodingConfig(method="greedy")
    with pytest.raises(ValueError, match=r"decoding\.method is 'greedy'"):
        translate(LARGER["phrasenet-gate"], [sentence], config, [frozenset({0})])


def test_a_phrase_that_the_beam_would_not_find_is_forced() -> None:
    translator = LARGER["rnnsearch"]
    sentence = Example(
        np.asarray([2, 3, 4], np.int32), slots=example([2], None, (0, 1, (9, 8), -1)).slots
    )
    plain = translate(translator, [sentence], DecodingConfig(beam=2))[0]
    forced = translate(translator, [sentence], DecodingConfig(beam=2), [frozenset({0})])[0]
    assert not spelled(text(plain), [(9, 8)])
    assert spelled(text(forced), [(9, 8)])


def test_no_word_leaves_too_little_room_for_what_is_required() -> None:
    config = DecodingConfig(max_length_ratio=3.0)
    growth = Growth((), (), 1, config, Required(spelled=Spelled(((4, 5),))))
    offer = Candidates([2, 3, 4], [-1.0, -2.0, -3.0], -0.1, [])
    first = growth.words(growth.root(), offer, 0, 0, 0)
    assert [partial.word_id for partial in first] == [2, 3, 4]
    second = growth.words(first[0], offer, 0, 0, 1)
    assert [partial.word_id for partial in second] == [4]
    assert not growth.may_end(second[0], 2)
    phrases = Growth(((2, 3), (4, 5)), (0, 1), 1, config, Required({1: {1: 2}}))
    assert not phrases.may_use(phrases.root(), 0, 0)
    assert phrases.may_use(phrases.root(), 1, 0)
