"""Which settings of a network make no sense together, with the reasons.

Nothing here imports torch.
"""

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, get_args

from model.checks import one_of, require
from model.switches import LEARNED_GATES, GateInput, PhraseVariant, Switches

if TYPE_CHECKING:
    from model.network_config import ModelConfig

MOST_SLOTS = 62
"""Search keeps the live slots of a sentence as bits of one number."""
TRANSFORMER_SIZES = ("heads", "feed_forward")
"""Sizes that only a Transformer has."""

_NO_GATE = "there is no context gate: set model.context_gate, or take a system with a gate"


def check_combination(config: "ModelConfig") -> None:
    """Refuse what would be without effect or without sense, with the reason."""
    switches = config.switches
    if switches.is_transformer:
        _check_transformer(config, switches)
        _check_phrases(config)
        return
    for name in TRANSFORMER_SIZES:
        if getattr(config, name):
            _refuse(config, name, "only a Transformer has it")
    _check_gate(config, switches)
    _check_phrases(config)
    if switches.is_groundhog and config.hidden % 2:
        raise ValueError(
            f"model.hidden is {config.hidden}; GroundHog's readout takes the larger of each two "
            "units, so it must be even."
        )
    if config.coverage_fertility and switches.coverage != "linguistic":
        _refuse(config, "coverage_fertility", "only linguistic coverage knows a fertility")
    if config.order == "groundhog" and not switches.is_groundhog:
        _refuse(config, "order", "the conditional GRU attends between its two halves")
    if config.attention_kind == "none":
        _check_without_attention(config, switches)


_MODE_GATE = "only the gate variant of phrase memory has a mode gate"
_VARIANT_SWITCHES: Mapping[str, tuple[PhraseVariant, str]] = MappingProxyType(
    {
        "gate_bias": ("gate", _MODE_GATE),
        "gate_noise": ("gate", _MODE_GATE),
        "gate_always": ("gate", _MODE_GATE),
        "phrase_bias": (
            "softmax",
            "only the softmax variant of phrase memory scores phrases beside words",
        ),
        "phrase_candidates": (
            "softmax",
            "only the softmax variant of phrase memory reads the words of phrases and can tell "
            "candidates of one source phrase apart; the gate variant knows phrases by their slot",
        ),
    }
)
"""Switches of one variant of phrase memory, and why others have no use for them."""


def without_effect(variant: PhraseVariant) -> Mapping[str, str]:
    """Return the switches that a variant of phrase memory has no use for, with the reason."""
    return {name: why for name, (owner, why) in _VARIANT_SWITCHES.items() if owner != variant}


def _check_phrases(config: "ModelConfig") -> None:
    most = config.phrase_slots
    require(most <= MOST_SLOTS, "model.phrase_slots", most, f"at most {MOST_SLOTS}")
    for name, reason in without_effect(config.phrase_memory).items():
        if getattr(config, name) != default_of(config, name):
            _refuse(config, name, reason)


_TRANSFORMER_HAS_NO: Mapping[str, str] = MappingProxyType(
    {
        "attention": "a Transformer's attention has no hidden layer: set model.heads",
        "attention_kind": "a Transformer reads the source through attention alone",
        "encoder": "a Transformer's encoder is no GRU",
        "order": "a Transformer attends in every layer",
        "initial_state": "a Transformer begins with no state",
        "coverage_fertility": "a Transformer has no coverage",
        "context_gate_inputs": "a Transformer has no context gate",
        "context_gate_place": "a Transformer has no context gate",
        "source_scale": "a Transformer has no context gate",
        "target_scale": "a Transformer has no context gate",
    }
)


def _check_transformer(config: "ModelConfig", switches: Switches) -> None:
    for name, reason in _TRANSFORMER_HAS_NO.items():
        if getattr(config, name) != default_of(config, name):
            _refuse(config, name, reason)
    for name, value, reason in (
        ("coverage", switches.coverage, "coverage sums up one attention over all steps, and a "
         "Transformer has one for each layer and head, all of them within one step"),
        ("context_gate", switches.gate, "a context gate weighs what enters a recurrent state, and "
         "a Transformer has none"),
    ):  # fmt: skip
        if value != "none":
            raise ValueError(
                f"model.{name} is {value!r} with a Transformer decoder, but {reason}. Set {name} "
                'to "none", or take another decoder.'
            )
    if config.hidden % config.num_heads:
        raise ValueError(
            f"model.hidden is {config.hidden} and model.heads {config.heads}; each head takes an "
            "equal share, so hidden must be a multiple of heads."
        )


def _check_without_attention(config: "ModelConfig", switches: Switches) -> None:
    for without, what in (
        (switches.coverage == "none", "coverage records what attention has read"),
        (config.phrase_memory == "none", "phrases are found through attention on their tags"),
        (config.attention == 0, "model.attention sizes an attention"),
    ):
        if not without:
            _refuse(config, "attention_kind", what)


def _check_gate(config: "ModelConfig", switches: Switches) -> None:
    if config.context_gate_inputs:
        _check_gate_inputs(config, switches)
    if config.context_gate_place != "system" and switches.gate in ("none", "source", "scalar"):
        reason = "this gate leaves the target side as it is"
        _refuse(config, "context_gate_place", _NO_GATE if switches.gate == "none" else reason)
    if switches.gate != "fixed":
        for name in ("source_scale", "target_scale"):
            if getattr(config, name) != default_of(config, name):
                _refuse(config, name, 'it is read only where model.context_gate is "fixed"')


def _check_gate_inputs(config: "ModelConfig", switches: Switches) -> None:
    inputs = config.context_gate_inputs
    for item in inputs:
        one_of("model.context_gate_inputs", item, get_args(GateInput))
    if len(set(inputs)) != len(inputs):
        _refuse(config, "context_gate_inputs", "an input is named twice")
    if switches.gate not in LEARNED_GATES:
        reason = _NO_GATE if switches.gate == "none" else f"a {switches.gate} gate reads nothing"
        _refuse(config, "context_gate_inputs", reason)
    if switches.gate == "scalar" and inputs != ("t",):
        _refuse(config, "context_gate_inputs", 'the scalar gate reads the state alone, ["t"]')


def default_of(config: "ModelConfig", name: str) -> object:
    """Return what a setting is where nobody sets it."""
    return next(field.default for field in fields(config) if field.name == name)


def _refuse(config: "ModelConfig", name: str, reason: str) -> None:
    value = getattr(config, name)
    shown = list(value) if isinstance(value, tuple) else value
    raise ValueError(
        f"model.{name} is {shown!r}, but {reason}. Remove {name}, or change the other setting."
    )
