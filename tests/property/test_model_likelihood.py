"""Laws of the likelihood: the fast batched form is the slow sentence-by-sentence form."""

import re
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from model.batches import Example, collate_source, collate_target
from model.config import SYSTEMS, DecodingConfig
from model.noise import SILENT, Noise
from model.packing import all_places
from model.search import translate
from model.teacher_forcing import Means, References, Sources, read, recorded
from model.translator import Translator, build_translator
from tests.reference.model_examples import example, examples, toy_config, toy_translator
from tests.reference.model_reference import log_likelihood, without_slots
from tests.reference.model_variants import VARIANTS

CONFIGS = {name: toy_config(name) for name in SYSTEMS}
CONFIGS["phrasenet-softmax"] = toy_config("phrasenet-softmax", phrase_bias=True)
for name, (system, changes) in VARIANTS.items():
    CONFIGS[name] = toy_config(system, **changes)
TRANSLATORS = {name: toy_translator(config) for name, config in CONFIGS.items()}
BATCH = [
    example(
        [3, 4, 5, 1, 6], [2, 7, 8, 9, 4], (0, 1, (7, 8), 1), (3, 5, (4,), 4), (1, 3, (3, 3), -1)
    ),
    example([2, 1], [1, 5, 1, 3], (1, 2, (1, 5, 1), 0)),
    example([9, 8, 7], [2]),
]


def batched(translator: Translator, batch: list[Example]) -> Tensor:
    slots = translator.config.slots
    return translator.log_likelihood(collate_source(batch, slots), collate_target(batch, slots))


@pytest.mark.parametrize("system", CONFIGS)
@settings(max_examples=6, deadline=None)
@given(batch=st.lists(examples(), min_size=1, max_size=4))
def test_a_batch_has_the_likelihoods_of_its_sentences_written_out(
    system: str, batch: list[Example]
) -> None:
    translator = TRANSLATORS[system]
    with torch.no_grad():
        expected = [
            log_likelihood(translator.state_dict(), translator.config, pair).item()
            for pair in batch
        ]
        assert batched(translator, batch).tolist() == pytest.approx(expected, abs=1e-10, rel=0)


@pytest.mark.parametrize(
    "system", [name for name, config in CONFIGS.items() if config.phrase_memory == "gate"]
)
def test_with_the_noise_of_training_handed_in_the_likelihoods_are_those_written_out(
    system: str,
) -> None:
    translator = TRANSLATORS[system]
    source, target = translator.collate(BATCH)
    drawn, again = (torch.Generator().manual_seed(8) for _ in range(2))
    with torch.no_grad():
        found = translator.log_likelihood(source, target, noise=Noise(drawn)).tolist()
        silent = batched(translator, BATCH).tolist()
    # The gate is asked along time, then along sentences; each noisy tanh draws for all rows.
    live_IB = target.open_IBQ().any(-1) | torch.tensor(translator.config.gate_always)
    asked = (live_IB & target.mask_IB).nonzero().tolist()
    shape = (len(asked), translator.config.gate_size)
    one, two = (torch.randn(shape, generator=again, dtype=torch.float64) for _ in range(2))
    noise: dict[int, dict[int, tuple[Tensor, Tensor]]] = {}
    for number, (position, row) in enumerate(asked):
        noise.setdefault(row, {})[position] = one[number], two[number]
    weights, config = translator.state_dict(), translator.config
    expected = [
        log_likelihood(weights, config, pair, noise.get(row)).item()
        for row, pair in enumerate(BATCH)
    ]
    assert found == pytest.approx(expected, abs=1e-10, rel=0)
    assert found[0] != pytest.approx(silent[0], abs=1e-6)


@pytest.mark.parametrize("system", CONFIGS)
def test_the_hand_written_backward_pass_has_the_gradients_of_the_equations(system: str) -> None:
    translator = TRANSLATORS[system]
    names, parameters = zip(*translator.named_parameters(), strict=True)
    found = torch.autograd.grad(
        batched(translator, BATCH).sum(), parameters, allow_unused=True, materialize_grads=True
    )
    weights = dict(zip(names, parameters, strict=True))
    total = torch.stack([log_likelihood(weights, translator.config, e) for e in BATCH]).sum()
    expected = torch.autograd.grad(total, parameters, allow_unused=True, materialize_grads=True)
    for name, ours, theirs in zip(names, found, expected, strict=True):
        assert torch.allclose(ours, theirs, rtol=1e-8, atol=1e-10), name


@pytest.mark.parametrize("system", CONFIGS)
@settings(max_examples=4, deadline=None)
@given(pair=examples(), other=examples(most=12))
def test_neither_padding_nor_companions_change_a_sentence(
    system: str, pair: Example, other: Example
) -> None:
    translator = TRANSLATORS[system]
    with torch.no_grad():
        alone = batched(translator, [pair])[0].item()
        together = batched(translator, [other, pair, other])[1].item()
    assert together == pytest.approx(alone, abs=1e-11)


@pytest.mark.parametrize(
    ("system", "baseline"),
    [
        (name, re.sub("phrasenet-(gate|softmax)", "rnnsearch", re.sub(r"\+phrase-\w+", "", name)))
        for name, switches in SYSTEMS.items()
        if switches.phrase_memory != "none"
    ],
)
@settings(max_examples=8, deadline=None)
@given(batch=st.lists(examples(), min_size=1, max_size=3))
def test_without_phrases_the_likelihood_is_that_of_the_baseline_bit_for_bit(
    system: str, baseline: str, batch: list[Example]
) -> None:
    plain = build_translator(toy_config(baseline), 12, 12, seed=5)
    phrasal = build_translator(CONFIGS[system], 12, 12, seed=5)
    batch = [without_slots(pair) for pair in batch]
    with torch.no_grad():
        assert batched(plain, batch).tolist() == batched(phrasal, batch).tolist()
    found, expected = (
        translate(each, batch, DecodingConfig(beam=3, max_length_ratio=2.0))
        for each in (phrasal, plain)
    )
    assert found == expected


def test_the_literal_gate_charges_words_even_without_a_live_slot() -> None:
    config = replace(CONFIGS["phrasenet-gate"], gate_always=True)
    literal = Translator(config, 12, 12).double()
    literal.load_state_dict(TRANSLATORS["phrasenet-gate"].state_dict())
    with torch.no_grad():
        free = batched(TRANSLATORS["phrasenet-gate"], BATCH[2:])
        charged = batched(literal, BATCH[2:])
    assert charged.item() < free.item() - 1e-3


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_masked_row_gives_no_nan_in_gradients(system: str) -> None:
    translator = TRANSLATORS[system]
    batch = [BATCH[2], example([2] * 9, [3] * 9, (0, 1, (3,), 0))]
    grads = torch.autograd.grad(
        batched(translator, batch).sum(),
        list(translator.parameters()),
        allow_unused=True,
        materialize_grads=True,
    )
    assert all(bool(grad.isfinite().all()) for grad in grads)


def test_label_smoothing_mixes_in_the_mean_over_the_vocabulary() -> None:
    translator = TRANSLATORS["rnnsearch"]
    source, target = collate_source(BATCH, 0), collate_target(BATCH, 0)
    dtype = torch.float64
    with torch.no_grad():
        sharp = translator.log_likelihood(source, target)
        smooth = translator.log_likelihood(source, target, label_smoothing=0.3)
        encoded = translator.encode(source, SILENT, dtype)
        reading = translator._read(source, target, encoded, None, SILENT, dtype)
        logits = translator.readout.logits(translator.readout.hidden(reading, dtype), dtype)
    mean = logits.log_softmax(-1).mean(-1)
    uniform = torch.zeros(len(BATCH), dtype=dtype).index_add(0, target.sentence_N, mean)
    assert torch.allclose(smooth, 0.7 * sharp + 0.3 * uniform, atol=1e-10)


@pytest.mark.parametrize("system", CONFIGS)
def test_the_gradient_is_the_slope_of_the_likelihood(system: str) -> None:
    # A step of 1e-6: maxout and noisy tanh have kinks, and a longer one may cross them.
    translator = TRANSLATORS[system]
    parameters = list(translator.parameters())
    grads = torch.autograd.grad(
        batched(translator, BATCH).sum(), parameters, allow_unused=True, materialize_grads=True
    )
    generator = torch.Generator().manual_seed(0)
    directions = [
        torch.randn(p.shape, generator=generator, dtype=torch.float64) for p in parameters
    ]
    slope = sum((g * d).sum().item() for g, d in zip(grads, directions, strict=True))
    values = []
    for step in (1e-6, -2e-6):
        with torch.no_grad():
            for parameter, direction in zip(parameters, directions, strict=True):
                parameter.add_(direction, alpha=step)
            values.append(batched(translator, BATCH).sum().item())
    with torch.no_grad():
        for parameter, direction in zip(parameters, directions, strict=True):
            parameter.add_(direction, alpha=1e-6)
    assert (values[0] - values[1]) / 2e-6 == pytest.approx(slope, rel=1e-5)


@st.composite
def other_batches(draw: st.DrawFn) -> list[Example]:
    """Draw sentences of such different lengths that few are alive at the end."""
    pairs = draw(st.lists(examples(most=9), min_size=1, max_size=9))
    return pairs if draw(st.booleans()) else [without_slots(pair) for pair in pairs]


@settings(max_examples=25, deadline=None)
@given(batch=other_batches(), spare=st.sampled_from([1, 3, 1000]), cached=st.sampled_from([1, 200]))
def test_reading_only_real_words_gives_what_all_places_by_automatic_differentiation_give(
    batch: list[Example], spare: int, cached: int
) -> None:
    translator, dtype = TRANSLATORS["phrasenet-gate"], torch.float64
    source, target = translator.collate(batch)
    decoder, parameters = translator.decoder, list(translator.parameters())

    def outcome(*, by_hand: bool) -> list[Tensor]:
        memory = translator.encode(source, SILENT, dtype).memory
        start = decoder.start(memory, source.mask_BJ)
        embedded = decoder.embed(target.ids_IB)
        alive = target.alive_IBP().to(dtype) if source.has_slots else None
        if by_hand:
            references = References(embedded, target.mask_IB, alive, target.row_N)
            sources = Sources(memory, source.mask_BJ)
            reading = read(decoder, sources, references, start, Means(dtype, translator.pool))
            found = [x for x in reading[:3] if isinstance(x, Tensor)]
        else:
            traced = recorded(decoder, memory, embedded, start, alive, dtype)
            parts = [traced.states_IBH, traced.contexts_IBC, traced.tag_mass_IBP]
            found = [part.flatten(0, 1)[target.row_N] for part in parts if part is not None]
        weights = [torch.linspace(-1, 1, part.numel()).view_as(part) for part in found]
        total = torch.stack([(w * part).sum() for w, part in zip(weights, found, strict=True)])
        grads = torch.autograd.grad(
            total.sum(), parameters, allow_unused=True, materialize_grads=True
        )
        return [*found, *grads]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("model.places.SPARE", spare)
        patch.setattr("model.places.CACHED", cached)
        packed = outcome(by_hand=True)
        with all_places():
            padded, expected = outcome(by_hand=True), outcome(by_hand=False)
        for found in (packed, padded):
            for ours, theirs in zip(found, expected, strict=True):
                assert torch.allclose(ours, theirs, rtol=1e-9, atol=1e-11)
