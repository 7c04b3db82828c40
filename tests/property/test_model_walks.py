"""Laws of greedy search, of sampling and of networks that decide together."""

import math
from collections import Counter

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.batches import Example
from model.config import DecodingConfig
from model.network import Scores, mean
from model.search import Hypothesis, translate, translate_n_best
from tests.reference.model_examples import example, examples, toy_config, toy_translator
from tests.reference.model_reference import strings

SYSTEMS = (
    "rnnsearch",
    "phrasenet-gate",
    "phrasenet-softmax",
    "groundhog-coverage+gate",
    "transformer+phrase-gate",
)
LARGER = {name: toy_translator(toy_config(name), scale=0.8) for name in SYSTEMS}
OTHERS = {name: toy_translator(toy_config(name), seed=5, scale=0.8) for name in SYSTEMS}


def key(hypothesis: Hypothesis) -> list[tuple[int, int, int]]:
    return [(word.word_id, word.slot, word.offset) for word in hypothesis.words]


@pytest.mark.parametrize("method", ["greedy", "sample"])
@pytest.mark.parametrize("system", SYSTEMS)
@settings(max_examples=6, deadline=None)
@given(batch=st.lists(examples(), min_size=1, max_size=5), seed=st.integers(0, 9))
def test_the_size_of_batches_changes_no_draw(
    system: str, method: str, batch: list[Example], seed: int
) -> None:
    found = [
        translate_n_best(
            LARGER[system],
            batch,
            DecodingConfig(method=method, seed=seed, samples=2, batch_size=size),  # type: ignore[arg-type]
        )
        for size in (1, 2, 5)
    ]
    for other in found[1:]:
        assert [[key(h) for h in each] for each in other] == [
            [key(h) for h in each] for each in found[0]
        ]


@settings(max_examples=30, deadline=None)
@given(sentence=examples(), system=st.sampled_from(SYSTEMS), seed=st.integers(0, 99))
def test_a_walk_keeps_the_rules_and_is_worth_the_product_of_its_decisions(
    sentence: Example, system: str, seed: int
) -> None:
    config = DecodingConfig(
        method="sample", seed=seed, min_length_ratio=0.5, max_length_ratio=1.5, temperature=2.0
    )
    (found,) = translate(LARGER[system], [sentence], config)
    length = len(sentence.source_ids)
    assert math.ceil(0.5 * length) <= len(found.words) <= max(1, math.floor(1.5 * length))
    decisions = math.fsum(math.log(word.probability) for word in found.words)
    assert found.log_probability <= decisions + 1e-12
    for slot in {word.slot for word in found.words} - {-1}:
        produced = tuple(word.word_id for word in found.words if word.slot == slot)
        assert produced == sentence.slots[slot].target_ids


@pytest.mark.parametrize("system", SYSTEMS[:3])
def test_samples_come_as_often_as_they_are_probable(system: str) -> None:
    translator = toy_translator(toy_config(system), words=4)
    sentence = example([2], None, (0, 1, (3,), -1))
    expected = strings(translator.state_dict(), translator.config, sentence, longest=2)
    num = 3000
    config = DecodingConfig(method="sample", samples=num, batch_size=num, max_length_ratio=2.0)
    drawn = Counter(
        tuple(word.word_id for word in found.words)
        for found in translate_n_best(translator, [sentence], config)[0]
    )
    # Translations of the greatest length also stand for all longer ones, so only others compare.
    for words, p in expected.items():
        if len(words) < 2:
            assert drawn[words] / num == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / num))


@settings(max_examples=20, deadline=None)
@given(sentence=examples(), system=st.sampled_from(SYSTEMS))
def test_the_coldest_sample_is_the_greedy_translation(sentence: Example, system: str) -> None:
    greedy = translate(LARGER[system], [sentence], DecodingConfig(method="greedy"))[0]
    cold = DecodingConfig(method="sample", temperature=1e-6)
    assert translate(LARGER[system], [sentence], cold)[0] == greedy


@pytest.mark.parametrize("rule", ["probability", "log-probability"])
@settings(max_examples=8, deadline=None)
@given(batch=st.lists(examples(), min_size=1, max_size=3), system=st.sampled_from(SYSTEMS))
def test_a_network_together_with_itself_is_itself(
    rule: str, batch: list[Example], system: str
) -> None:
    config = DecodingConfig(beam=3, ensemble_mean=rule)  # type: ignore[arg-type]
    alone = translate(LARGER[system], batch, config)
    for one, two in zip(alone, translate([LARGER[system]] * 2, batch, config), strict=True):
        assert key(one) == key(two)
        assert one.score == pytest.approx(two.score, abs=1e-9)


@pytest.mark.parametrize("geometric", [False, True])
@pytest.mark.parametrize("phrases", [False, True])
def test_the_mean_of_networks_is_a_distribution(geometric: bool, phrases: bool) -> None:
    generator = torch.Generator().manual_seed(1)
    tables = [
        torch.randn((3, 7), generator=generator, dtype=torch.float64).log_softmax(-1)
        for _ in range(3)
    ]
    scores = [
        Scores(t[:, :5], torch.zeros(3, dtype=t.dtype), t[:, 5:], None)
        if phrases
        else Scores(t, torch.zeros(3, dtype=t.dtype), None, None)
        for t in tables
    ]
    found = mean(scores, geometric=geometric)
    words = found.logits_DV + found.offset_D[:, None]
    joint = words if found.phrase_DQ is None else torch.cat([words, found.phrase_DQ], 1)
    probabilities = torch.stack(tables).exp()
    expected = probabilities.mean(0)
    if geometric:
        product = probabilities.prod(0) ** (1 / 3)
        expected = product / product.sum(-1, keepdim=True)
    assert torch.allclose(joint.exp(), expected, atol=1e-12)


def test_two_networks_decide_otherwise_than_each_alone() -> None:
    sentence = example([2, 3, 4, 5, 6])
    config = DecodingConfig(beam=3)
    pair = [LARGER["rnnsearch"], OTHERS["rnnsearch"]]
    alone = {translate(each, [sentence], config)[0].score for each in pair}
    assert len(alone | {translate(pair, [sentence], config)[0].score}) == 3


def test_networks_of_other_words_or_slots_are_refused() -> None:
    pair = [LARGER["rnnsearch"], LARGER["phrasenet-gate"]]
    with pytest.raises(ValueError, match="model 1 has 0 slots for phrases and model 2 has 4"):
        translate(pair, [example([2])], DecodingConfig())


def test_other_seeds_and_other_samples_draw_otherwise() -> None:
    sentence = example([2, 3, 4, 5, 6, 7])
    drawn = [
        translate_n_best(
            LARGER["rnnsearch"],
            [sentence],
            DecodingConfig(
                method="sample", samples=2, seed=seed, temperature=50.0, min_length_ratio=1.0
            ),
        )[0]
        for seed in (1, 2)
    ]
    assert len({tuple(key(found)) for both in drawn for found in both}) == 4
