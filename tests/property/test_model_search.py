"""Laws of the beam search: with room for everything it is an enumeration."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.batches import Example
from model.config import DecodingConfig, LengthRule, Method
from model.search import Hypothesis, translate, translate_n_best
from model.vocabulary import EOS, UNK
from tests.reference.model_examples import example, examples, toy_config, toy_translator
from tests.reference.model_reference import strings
from tests.reference.model_variants import REPRESENTATIVES, VARIANTS

CONFIGS = {name: toy_config(name) for name in REPRESENTATIVES}
for variant in ("phrases in a tanh decoder", "LSTM, projected", "GRU, no attention"):
    CONFIGS[variant] = toy_config(VARIANTS[variant][0], **VARIANTS[variant][1])
SMALL = {name: toy_translator(config, words=4) for name, config in CONFIGS.items()}
LARGER = {name: toy_translator(config, scale=0.8) for name, config in CONFIGS.items()}
EVERYTHING = DecodingConfig(beam=5000, max_length_ratio=2.0)
SENTENCES = [
    example([2, 3], None, (0, 1, (2, 3), -1), (1, 2, (3,), -1)),
    example([2, 1], None, (0, 2, (2, 3, 2), -1)),
    example([3, 2], None, (0, 1, (2,), -1), (1, 2, (2,), -1)),
    example([3, 2], None, (1, 2, (UNK, 3), -1)),
    example([2, 2]),
]
ENUMERATED = [
    (system, number)
    for system, config in CONFIGS.items()
    for number, sentence in enumerate(SENTENCES)
    if config.slots or not sentence.slots or number == 0
]
"""Without phrase memory, sentences that differ in their phrases are all alike."""


def text(hypothesis: Hypothesis) -> tuple[int, ...]:
    return tuple(word.word_id for word in hypothesis.words)


@pytest.mark.parametrize(("system", "number"), ENUMERATED)
def test_a_beam_with_room_for_everything_finds_the_summed_paths_of_every_string(
    system: str, number: int
) -> None:
    translator, sentence = SMALL[system], SENTENCES[number]
    expected = strings(translator.state_dict(), translator.config, sentence, longest=4)
    found: dict[tuple[int, ...], float] = {}
    for hypothesis in translate_n_best(translator, [sentence], EVERYTHING)[0]:
        # A phrase's unknown word is another word than UNK, which the plain enumeration cannot tell.
        found[text(hypothesis)] = found.get(text(hypothesis), 0) + math.exp(
            hypothesis.log_probability
        )
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("system", CONFIGS)
@settings(max_examples=6, deadline=None)
@given(batch=st.lists(examples(most=5), min_size=2, max_size=4), beam=st.integers(1, 4))
def test_a_sentence_is_translated_alike_alone_and_in_company(
    system: str, batch: list[Example], beam: int
) -> None:
    config = DecodingConfig(beam=beam, batch_size=3, max_length_ratio=2.0)
    together = translate(LARGER[system], batch, config)
    for sentence, found in zip(batch, together, strict=True):
        alone = translate(LARGER[system], [sentence], config)[0]
        assert [(w.word_id, w.slot, w.offset, w.attended) for w in alone.words] == [
            (w.word_id, w.slot, w.offset, w.attended) for w in found.words
        ]
        assert alone.score == pytest.approx(found.score, abs=1e-10)


@settings(max_examples=25, deadline=None)
@given(sentence=examples(), beam=st.integers(1, 4), system=st.sampled_from(sorted(CONFIGS)))
def test_phrases_come_whole_once_and_within_the_length_limit(
    sentence: Example, beam: int, system: str
) -> None:
    for hypothesis in translate_n_best(LARGER[system], [sentence], DecodingConfig(beam=beam))[0]:
        assert len(hypothesis.words) <= 3 * len(sentence.source_ids)
        at, used = 0, set()
        while at < len(hypothesis.words):
            word = hypothesis.words[at]
            if word.slot < 0:
                at += 1
                continue
            phrase = sentence.slots[word.slot].target_ids
            produced = hypothesis.words[at : at + len(phrase)]
            assert tuple(w.word_id for w in produced) == phrase
            assert [w.offset for w in produced] == list(range(len(phrase)))
            assert [w.probability for w in produced[1:]] == [1.0] * (len(phrase) - 1)
            assert word.slot not in used
            used.add(word.slot)
            at += len(phrase)
        assert all(0 <= w.attended <= len(sentence.source_ids) for w in hypothesis.words)


@settings(max_examples=20, deadline=None)
@given(sentence=examples(), system=st.sampled_from(sorted(CONFIGS)))
def test_a_path_without_recombination_is_worth_the_product_of_its_decisions(
    sentence: Example, system: str
) -> None:
    config = DecodingConfig(beam=3, recombine=False, length_rule="raw", max_length_ratio=1.0)
    for hypothesis in translate_n_best(LARGER[system], [sentence], config)[0]:
        decisions = math.fsum(math.log(word.probability) for word in hypothesis.words)
        assert hypothesis.score == hypothesis.log_probability
        assert hypothesis.log_probability <= decisions + 1e-12


@settings(max_examples=20, deadline=None)
@given(sentence=examples(), system=st.sampled_from(sorted(CONFIGS)))
def test_no_translation_is_shorter_than_the_least_length(sentence: Example, system: str) -> None:
    config = DecodingConfig(beam=2, min_length_ratio=1.0, max_length_ratio=2.0)
    for hypothesis in translate_n_best(LARGER[system], [sentence], config)[0]:
        assert len(hypothesis.words) >= len(sentence.source_ids)


@pytest.mark.parametrize("method", ["beam", "greedy", "sample"])
@settings(max_examples=8, deadline=None)
@given(
    sentence=examples(most=5),
    system=st.sampled_from(sorted(CONFIGS)),
    ratio=st.sampled_from([0.3, 1.0, 1.7]),
)
def test_length_rules_rank_and_bound_translations(
    method: Method, sentence: Example, system: str, ratio: float
) -> None:
    rules: tuple[LengthRule, ...] = ("normalised", "raw")
    for rule in rules:
        config = DecodingConfig(
            beam=3, method=method, length_rule=rule, max_length_ratio=ratio, samples=2
        )
        found = translate_n_best(LARGER[system], [sentence], config)[0]
        assert found == sorted(found, key=lambda each: -each.score)
        for each in found:
            words = len(each.words) + 1 if rule == "normalised" else 1
            assert each.score == pytest.approx(each.log_probability / words)
            assert len(each.words) <= max(1, math.floor(ratio * len(sentence.source_ids)))
            assert all(word.word_id != EOS for word in each.words if word.slot < 0)
