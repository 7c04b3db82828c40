"""One network from several checkpoints of the same form: each weight is the mean of theirs.

Checkpoints of one training lie near each other, so their mean is a network that works, often
better than each (Polyak averaging); those of trainings from other seeds do not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType

import torch

from model.network_config import ModelConfig
from model.translator import Translator

_EFFECT: Mapping[str, str] = MappingProxyType(
    {
        "system": "switches",
        "decoder": "switches",
        "coverage": "switches",
        "context_gate": "switches",
        "context_gate_inputs": "switches",
        "context_gate_place": "gate_place",
        "attention": "attention_size",
        "encoder": "encoder_form",
        "encoder_layers": "encoder_depth",
        "decoder_layers": "decoder_depth",
        "heads": "num_heads",
        "feed_forward": "feed_forward_size",
        "order": "step_order",
        "initial_state": "first_state",
        "phrase_slots": "slots",
        "gate_hidden": "gate_size",
    }
)
"""Settings that may be left out, and the property that says what they come to."""
_NO_PART = ("initial_values", "gate_bias", "source_vocabulary", "target_vocabulary")
"""What a network began with, and how many words the caller may keep: no part of the network."""


def average(translators: Sequence[Translator]) -> Translator:
    """Return a network whose every weight is the mean over the given networks.

    Raises:
        ValueError: there is none, or they differ in form or vocabularies.
    """
    if not translators:
        raise ValueError("there is no model to average: give at least one.")
    first = translators[0]
    for number, other in enumerate(translators[1:], start=2):
        if not _alike(first, other):
            raise ValueError(
                f"model 1 and model {number} differ in their settings or in the numbers of their "
                "words: only checkpoints of the same form can be averaged."
            )
    tables = [each.state_dict() for each in translators]
    # Summed in float64 in the order given, so that the mean of equal weights is that weight.
    weights = {
        name: torch.stack([table[name].double() for table in tables]).mean(0).to(value.dtype)
        for name, value in tables[0].items()
    }
    made = Translator(first.config, first.source_size, first.target_size)
    made.to(first.readout.output_bias_V)
    made.load_state_dict(weights)
    return made.eval()


def _alike(first: Translator, other: Translator) -> bool:
    return (
        _form(first.config) == _form(other.config)
        and first.source_size == other.source_size
        and first.target_size == other.target_size
    )


def _form(config: ModelConfig) -> dict[str, object]:
    """Return what the settings come to, however they were written."""
    settings = {field.name for field in fields(config)}.difference(_NO_PART)
    return {_EFFECT.get(name, name): getattr(config, _EFFECT.get(name, name)) for name in settings}
