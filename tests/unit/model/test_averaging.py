"""The mean of several checkpoints."""

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
