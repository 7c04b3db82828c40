"""The mean of several checkpoints."""

from dataclasses import replace

import pytest
import torch

from model.averaging import average
from tests.reference.model_examples import toy_config, toy_translator


def test_every_weight_is_the_mean() -> None:
    config = toy_config("phrasenet-gate")
    members = [toy_translator(config, seed=seed) for seed in (1, 2, 3)]
    made = average(members).state_dict()
    for name, value in made.items():
        total = sum(member.state_dict()[name] for member in members)
        assert torch.allclose(value, total / 3, atol=1e-15)


def test_the_mean_of_equal_networks_is_that_network() -> None:
    member = toy_translator(toy_config("rnnsearch")).float()
    made = average([member, member, member]).state_dict()
    assert all(torch.equal(value, member.state_dict()[name]) for name, value in made.items())


def test_networks_of_other_form_are_refused() -> None:
    pair = [toy_translator(toy_config(name)) for name in ("rnnsearch", "phrasenet-gate")]
    with pytest.raises(ValueError, match="model 1 and model 2 differ"):
        average(pair)
    with pytest.raises(ValueError, match="no model"):
        average([])


@pytest.mark.parametrize(
    ("system", "spelled"),
    [
        ("rnnsearch", {"encoder_layers": 1, "decoder_layers": 1, "attention": 8}),
        ("rnnsearch", {"coverage": "neural", "decoder": "conditional-gru", "phrase_slots": 9}),
        ("phrasenet-gate", {"gate_bias": 0.5, "initial_values": "scaled", "gate_hidden": 6}),
        ("groundhog-gru", {"initial_state": "backward", "order": "paper", "target_vocabulary": 9}),
        (
            "groundhog-gru+gate",
            {"context_gate_place": "code", "context_gate_inputs": ("y", "t", "s")},
        ),
        ("transformer", {"encoder_layers": 6, "decoder_layers": 6}),
    ],
)
def test_a_setting_left_out_and_the_same_written_out_are_one_form(
    system: str, spelled: dict[str, object]
) -> None:
    config = toy_config(system, encoder_layers=0, decoder_layers=0)
    other = replace(config, **spelled)  # type: ignore[arg-type]
    made = average([toy_translator(config, seed=1), toy_translator(other, seed=2)])
    assert made.config == config


@pytest.mark.parametrize(
    ("system", "changes"),
    [
        ("phrasenet-gate", {"gate_always": True}),
        ("phrasenet-gate", {"gate_noise": "half-normal"}),
        ("groundhog-gru", {"order": "groundhog"}),
        ("groundhog-gru+gate", {"context_gate_place": "projected"}),
        ("transformer", {"heads": 1}),
    ],
)
def test_networks_with_weights_of_the_same_shapes_and_another_meaning_are_refused(
    system: str, changes: dict[str, object]
) -> None:
    pair = [toy_translator(toy_config(system)), toy_translator(toy_config(system, **changes))]
    with pytest.raises(ValueError, match="model 1 and model 2 differ"):
        average(pair)
