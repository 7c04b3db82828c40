"""Laws of several candidate translations of one source phrase: they share a slot, and what uses up
one uses up all.
"""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model import fit
from model.batches import Example, SlotIds, collate_source, collate_target, slots_of
from model.config import DecodingConfig, ModelConfig, TrainingConfig
from model.hypotheses import Hypothesis, OutputWord
from model.network import Network
from model.records import record_translations, used_up
from model.requirements import impossible
from model.search import translate, translate_n_best
from model.translator import build_translator
from model.vocabulary import EOS, UNK
from tests.reference.family_reference import advance, initial, read
from tests.reference.model_examples import example, examples, toy_config, toy_translator
from tests.reference.model_reference import (
    distribution,
    every_slot,
    log_likelihood,
    strings,
    without,
)
from tests.reference.model_variants import VARIANTS
from tests.reference.required_reference import strings_with

CONFIGS = {
    name: toy_config(name, phrase_candidates=3)
    for name in ("phrasenet-softmax", "phrasenet-softmax+context-gate")
}
TRANSFORMER = "transformer+phrase-softmax"
CONFIGS[TRANSFORMER] = toy_config(
    TRANSFORMER, phrase_candidates=3, encoder_layers=1, decoder_layers=1
)
TANH = "phrases in a tanh decoder"
CONFIGS[TANH] = toy_config(VARIANTS[TANH][0], **VARIANTS[TANH][1], phrase_candidates=3)
TRANSLATORS = {name: toy_translator(config, scale=0.8) for name, config in CONFIGS.items()}
SMALL = {name: toy_translator(config, words=4) for name, config in CONFIGS.items()}
EVERYTHING = DecodingConfig(beam=5000, max_length_ratio=2.0)
PAIRS = examples(candidates=3)
BATCH = [
    example(
        [3, 4, 5, 1, 6],
        [2, 7, 8, 9, 4],
        *[(0, 1, (7, 8), 1), (0, 1, (9, 9), -1), (0, 1, (7,), -1), (3, 5, (1, 4), -1)],
        (3, 5, (4,), 4),
    ),
    example([2, 1], [1, 5, 1, 3], (1, 2, (5, 1), -1), (1, 2, (1, 5, 1), 0)),
    example([9, 8, 7], [2]),
]
SENTENCES = [
    example([2, 3], None, (0, 1, (2, 3), -1), (0, 1, (3,), -1), (1, 2, (2,), -1)),
    example([3, 2], None, (0, 2, (UNK, 3), -1), (0, 2, (2,), -1), (0, 2, (2, 3), -1)),
]


def text(hypothesis: Hypothesis) -> tuple[int, ...]:
    return tuple(word.word_id for word in hypothesis.words)


@pytest.mark.parametrize("system", CONFIGS)
@settings(max_examples=8, deadline=None)
@given(batch=st.lists(PAIRS, min_size=1, max_size=4))
def test_a_batch_has_the_likelihoods_of_its_sentences_written_out(
    system: str, batch: list[Example]
) -> None:
    translator = TRANSLATORS[system]
    with torch.no_grad():
        found = translator.log_likelihood(*translator.collate(batch)).tolist()
        expected = [
            log_likelihood(translator.state_dict(), translator.config, pair).item()
            for pair in batch
        ]
    assert found == pytest.approx(expected, abs=1e-10, rel=0)


@pytest.mark.parametrize("system", CONFIGS)
def test_gradients_are_those_of_the_equations(system: str) -> None:
    translator = TRANSLATORS[system]
    names, parameters = zip(*translator.named_parameters(), strict=True)
    found = torch.autograd.grad(
        translator.log_likelihood(*translator.collate(BATCH)).sum(), parameters
    )
    weights = dict(zip(names, parameters, strict=True))
    total = torch.stack([log_likelihood(weights, translator.config, each) for each in BATCH]).sum()
    expected = torch.autograd.grad(total, parameters)
    for name, ours, theirs in zip(names, found, expected, strict=True):
        assert torch.allclose(ours, theirs, rtol=1e-8, atol=1e-10), name


WITHOUT_RIVALS = example(
    [3, 4, 5, 1], [2, 7, 8, 9, 4], (0, 1, (7, 8), 1), (2, 3, (3, 3), -1), (3, 4, (4,), 4)
)


@pytest.mark.parametrize(
    ("system", "pair", "spans"),
    [
        ("phrasenet-softmax", BATCH[0], [(1, 3, 0), (4, 5, 4)]),
        ("phrasenet-gate+context-gate", WITHOUT_RIVALS, [(1, 3, 0), (4, 5, 2)]),
    ],
)
def test_the_mixture_is_the_sum_over_all_sequences_of_modes(
    system: str, pair: Example, spans: list[tuple[int, int, int]]
) -> None:
    translator = TRANSLATORS.get(system) or toy_translator(toy_config(system), scale=0.8)
    sentence = read(translator.state_dict(), translator.config, pair)
    words = [*pair.target_ids.tolist(), EOS]
    total = 0.0
    with torch.no_grad():
        for modes in itertools.product(("word", "phrase"), repeat=len(spans)):
            state, previous, alive, p, idle = initial(sentence), None, every_slot(sentence), 1.0, 0
            for position, word in enumerate(words):
                for _, end, number in spans:
                    alive = without(sentence, alive, number) if position == end else alive
                step = advance(sentence, state, previous, alive)
                word_p, phrase_p = distribution(sentence, step)
                chosen = [
                    (end - start, number)
                    for (start, end, number), mode in zip(spans, modes, strict=True)
                    if mode == "phrase" and start == position
                ]
                if chosen:
                    idle, number = chosen[0]
                    p *= float(phrase_p[number])
                elif idle == 0:
                    p *= float(word_p[word])
                idle = max(0, idle - 1)
                state, previous = step.state, word
            total += p
        found = translator.log_likelihood(*translator.collate([pair])).item()
    assert found == pytest.approx(math.log(total), abs=1e-10)


@pytest.mark.parametrize("system", CONFIGS)
def test_outcomes_of_one_step_add_up_to_one_with_all_candidates(system: str) -> None:
    source = collate_source(BATCH, 4, 3)
    network = Network([TRANSLATORS[system]], source, DecodingConfig())
    rows = network.start()
    with torch.no_grad():
        scores = network.decide(rows, network.advance(rows), torch.arange(3))
        rows.alive_RP[0, 0] = False
        used = network.decide(rows, network.advance(rows), torch.arange(3))
    assert scores.phrase_DQ is not None
    assert used.phrase_DQ is not None
    assert scores.phrase_DQ.isfinite().sum(-1).tolist() == [5, 2, 0]
    assert used.phrase_DQ.isfinite().sum(-1).tolist() == [2, 2, 0]
    for each in (scores, used):
        assert each.phrase_DQ is not None
        words = (each.logits_DV + each.offset_D[:, None]).exp().sum(-1)
        total = words + each.phrase_DQ.exp().sum(-1)
        assert torch.allclose(total, torch.ones_like(total), atol=1e-12)


@pytest.mark.parametrize("system", CONFIGS)
@pytest.mark.parametrize("number", range(len(SENTENCES)))
def test_a_beam_with_room_for_everything_finds_the_summed_paths_of_every_string(
    system: str, number: int
) -> None:
    translator, sentence = SMALL[system], SENTENCES[number]
    expected = strings(translator.state_dict(), translator.config, sentence, longest=4)
    found: dict[tuple[int, ...], float] = {}
    for hypothesis in translate_n_best(translator, [sentence], EVERYTHING)[0]:
        found[text(hypothesis)] = found.get(text(hypothesis), 0) + math.exp(
            hypothesis.log_probability
        )
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("wanted", [{0, 1}, {1}, {0, 1, 2}])
def test_a_beam_with_room_for_everything_finds_all_translations_that_hold_one_of_the_wanted(
    wanted: set[int],
) -> None:
    translator, sentence, required = SMALL["phrasenet-softmax"], SENTENCES[0], frozenset(wanted)
    expected = strings_with(translator.state_dict(), translator.config, sentence, required, 4)
    found = {
        text(hypothesis): math.exp(hypothesis.log_probability)
        for hypothesis in translate_n_best(translator, [sentence], EVERYTHING, [required])[0]
    }
    assert found == pytest.approx(expected, rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(sentence=PAIRS, beam=st.integers(1, 4), system=st.sampled_from(sorted(CONFIGS)))
def test_of_rivals_one_is_produced_and_once(sentence: Example, beam: int, system: str) -> None:
    slots = slots_of(sentence.slots)
    config = DecodingConfig(beam=beam, max_length_ratio=2.0)
    for hypothesis in translate_n_best(TRANSLATORS[system], [sentence], config)[0]:
        starts = [w.slot for w in hypothesis.words if w.slot >= 0 and w.offset == 0]
        assert len({slots[number] for number in starts}) == len(starts)


@settings(max_examples=20, deadline=None)
@given(batch=st.lists(PAIRS, min_size=1, max_size=3), system=st.sampled_from(sorted(CONFIGS)))
def test_of_rivals_that_are_required_one_is_in_every_translation(
    batch: list[Example], system: str
) -> None:
    config = DecodingConfig(beam=3, max_length_ratio=2.0)
    wanted = []
    for sentence in batch:
        asked = frozenset(range(len(sentence.slots)))
        wanted.append(asked - impossible(sentence, asked, config, phrase_mode=True).keys())
    found = translate_n_best(TRANSLATORS[system], batch, config, wanted)
    for sentence, required, hypotheses in zip(batch, wanted, found, strict=True):
        slots = slots_of(sentence.slots)
        for hypothesis in hypotheses:
            produced = {word.slot for word in hypothesis.words} - {-1}
            assert {slots[k] for k in required} <= {slots[k] for k in produced & required}


@settings(max_examples=8, deadline=None)
@given(batch=st.lists(PAIRS, min_size=2, max_size=4), system=st.sampled_from(sorted(CONFIGS)))
def test_a_sentence_with_rivals_is_the_same_alone_and_in_company(
    batch: list[Example], system: str
) -> None:
    translator, config = TRANSLATORS[system], DecodingConfig(beam=2, max_length_ratio=1.5)
    with torch.no_grad():
        together = translator.log_likelihood(*translator.collate(batch)).tolist()
        alone = [translator.log_likelihood(*translator.collate([e])).item() for e in batch]
    assert together == pytest.approx(alone, abs=1e-10)
    found = translate(translator, batch, config)
    assert [text(each) for each in found] == [
        text(translate(translator, [sentence], config)[0]) for sentence in batch
    ]
    for method in ("greedy", "sample"):
        walk = replace(config, method=method)
        assert [text(each) for each in translate(translator, batch, walk)] == [
            text(translate(translator, [sentence], walk)[0]) for sentence in batch
        ]


def test_rivals_are_used_up_together_by_phrases_and_by_words() -> None:
    def words(*items: tuple[int, int, int]) -> Hypothesis:
        return Hypothesis(tuple(OutputWord(*item, 1.0, 0) for item in items), 0.0, 0.0)

    sentence = SENTENCES[0]
    assert used_up(sentence, words((3, 1, 0), (2, 2, 0)), clear_on_word_match=True) == [1, 1, 2]
    assert used_up(sentence, words((2, -1, 0), (3, -1, 0)), clear_on_word_match=True) == [2, 2, 1]
    translator = TRANSLATORS["phrasenet-softmax"]
    found = translate(translator, SENTENCES, DecodingConfig(beam=3, max_length_ratio=2.0))
    records = record_translations(translator, SENTENCES, found)
    for hypothesis, record in zip(found, records, strict=True):
        attended = record.attention_IJ.argmax(-1)[:-1].tolist()
        assert attended == [word.attended for word in hypothesis.words]


@pytest.mark.parametrize("system", ["phrasenet-gate", "rnnsearch"])
def test_a_network_that_cannot_tell_candidates_apart_does_not_take_them(system: str) -> None:
    with pytest.raises(ValueError, match="only the softmax variant"):
        ModelConfig(system=system, phrase_candidates=2)
    base = ModelConfig(system="phrasenet-softmax", phrase_candidates=2)
    assert base.as_system(system).phrase_candidates == 1
    assert base.as_system("phrasenet-softmax+context-gate").phrase_candidates == 2


def test_more_candidates_than_the_network_takes_are_refused() -> None:
    with pytest.raises(
        ValueError, match=r"offers 3 candidate .* takes 2.*model\.phrase_candidates"
    ):
        collate_source(BATCH, 4, 2)
    with pytest.raises(ValueError, match="only one of them"):
        example([2], [3, 4], (0, 1, (3,), 0), (0, 1, (4,), 1))
    pair = [TRANSLATORS["phrasenet-softmax"], toy_translator(toy_config("phrasenet-softmax"))]
    with pytest.raises(ValueError, match="model 1 has 3 candidates a phrase and model 2 has 1"):
        translate(pair, [example([2])], DecodingConfig())


def test_a_used_slot_closes_all_its_phrases_from_the_next_word_on() -> None:
    target = collate_target(BATCH, 4, 3)
    opened = target.open_IBQ()[:, 0].int().tolist()
    assert opened[2] == [1, 1, 1, 1, 1]
    assert opened[3] == [0, 0, 0, 1, 1]
    assert opened[5] == [0, 0, 0, 0, 0]
    assert target.offer_S.tolist() == [0, 4, 1]


def test_the_candidate_that_fits_the_sentence_is_learnt() -> None:
    random = np.random.default_rng(3)
    pairs = []
    for _ in range(50):
        kind, noise = int(random.integers(2)), random.integers(6, 12, size=2).tolist()
        phrases = [SlotIds(1, 2, (12, 13)), SlotIds(1, 2, (14,))]
        phrases[kind] = replace(phrases[kind], target_start=1)
        target = np.asarray([noise[0], *phrases[kind].target_ids, noise[1]], np.int32)
        source = np.asarray([noise[0], 5, noise[1], 2 + kind], np.int32)
        pairs.append(Example(source, target, tuple(phrases)))
    config = ModelConfig(
        system="phrasenet-softmax", embedding=16, hidden=24, phrase_slots=2, phrase_candidates=2,
        coverage_dim=4, initial_values="scaled",
    )  # fmt: skip
    translator = build_translator(config, 15, 15, seed=1)
    training = TrainingConfig(batch_size=10, steps=150, learning_rate=0.01)
    for _ in fit.fit(translator, pairs, training):
        pass
    unseen = [
        Example(pair.source_ids, slots=tuple(replace(s, target_start=-1) for s in pair.slots))
        for pair in pairs
    ]
    found = translate(translator, unseen, DecodingConfig(beam=3))
    right = [text(each) == tuple(pair.target_ids) for each, pair in zip(found, pairs, strict=True)]
    assert sum(right) >= 48
    assert {word.slot for each in found for word in each.words} == {-1, 0, 1}
