"""Shape and switches of a network.

A named system sets the switches; each can be set by itself, and a combination that makes no sense
is refused with the reason. Nothing here imports torch.
"""

from dataclasses import dataclass, replace
from typing import Literal, get_args

from model.checks import one_of, require
from model.combinations import (
    TRANSFORMER_SIZES,
    check_combination,
    default_of,
    without_effect,
)
from model.switches import (
    LEARNED_GATES,
    SYSTEMS,
    Coverage,
    Decoder,
    Encoder,
    Gate,
    GateInput,
    GatePlace,
    InitialState,
    Order,
    PhraseVariant,
    Switches,
)

InitialValues = Literal["paper", "scaled"]
NoiseKind = Literal["normal", "half-normal"]
AttentionKind = Literal["additive", "none"]


_CHOICES = {
    "decoder": Decoder,
    "encoder": Encoder,
    "coverage": Coverage,
    "context_gate": Gate,
    "context_gate_place": GatePlace,
    "order": Order,
    "initial_state": InitialState,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """Shape and switches of one network; the defaults are the sizes of the PhraseNet paper."""

    system: str = "rnnsearch"
    """The named system; docs/models.md lists them."""
    embedding: int = 620
    """Size E of word embeddings and of the readout."""
    hidden: int = 1000
    """Size H of each recurrent state, where an annotation has 2H numbers; or a Transformer's width,
    which its annotations have, too.
    """
    attention: int = 0
    """Size A of the attention's hidden layer; 0 means 2H as in dl4mt, or H as in GroundHog."""
    attention_kind: AttentionKind = "additive"
    """"none" reads the last annotation at every step."""
    encoder: Literal[Encoder, "system"] = "system"
    """Form of the encoder's GRU: that of dl4mt or that of GroundHog."""
    encoder_layers: int = 0
    """0 means 1, or 6 in a Transformer."""
    decoder: Literal[Decoder, "system"] = "system"
    """Form of the decoder: dl4mt's conditional GRU, one of GroundHog, or a Transformer."""
    decoder_layers: int = 0
    """0 means 1, or 6 in a Transformer; recurrent layers above the first read the state below and
    no source context.
    """
    heads: int = 0
    """Heads of each of a Transformer's attentions; 0 means 8, or if H cannot be divided by it, the
    most of 4, 2 and 1 that it can be divided by.
    """
    feed_forward: int = 0
    """Hidden units of a Transformer's feed-forward layers; 0 means 4H."""
    tied_embeddings: bool = False
    """One table for the embeddings of target words and for the words' weights in the softmax."""
    order: Literal[Order, "system"] = "system"
    """GroundHog decoders: attend, update, read as in the paper, or attend, read, update as in the
    released code.
    """
    initial_state: Literal[InitialState, "system"] = "system"
    """First state from the mean annotation (dl4mt), or from the backward state at the first word
    (GroundHog).
    """
    coverage: Literal[Coverage, "system"] = "system"
    """What is kept of how far each source word has been translated; "neural-ungated" is a plain
    recurrent layer, "linguistic" a sum of attention."""
    coverage_dim: int = 10
    """Numbers of the neural coverage vector per source word (d)."""
    coverage_fertility: bool = False
    """Linguistic coverage: divide by the number of words that a source word is expected to give."""
    context_gate: Literal[Gate, "system"] = "system"
    """What weighs source and target contexts; "static" learns weights that read nothing, "fixed"
    takes `source_scale` and `target_scale`.
    """
    context_gate_inputs: tuple[str, ...] = ()
    """What the gate reads: "t" (state), "s" (source context), "y" (last word); none means what the
    system reads.
    """
    context_gate_place: Literal[GatePlace, "system"] = "system"
    """Where the target's weight acts: on the state itself as in the released code, or on its
    projections as in the paper.
    """
    source_scale: float = 1.0
    """Weight a of the source context where the gate is "fixed"."""
    target_scale: float = 1.0
    """Weight b of the target context where the gate is "fixed"."""
    phrase_slots: int = 10
    """Most source phrases of one sentence to which a translation is offered (n_p)."""
    phrase_candidates: int = 1
    """Softmax variant: most candidate translations of one source phrase."""
    gate_hidden: int = 0
    """Width of the mode gate's two hidden layers; 0 means H."""
    gate_bias: float = -2.0
    """First value of the mode gate's output bias: phrase starts are rare."""
    gate_noise: NoiseKind = "normal"
    """Noise of the noisy tanh; "half-normal" has a mean that is kept at test time."""
    gate_always: bool = False
    """Keep the factor log(1 - f) on steps without a live slot (the literal reading of the paper).
    """
    phrase_bias: bool = False
    """Softmax variant: learn one number that is added to all phrase scores."""
    initial_values: InitialValues = "paper"
    """First weights: as in dl4mt or GroundHog, or scaled by the number of inputs, without which
    small networks learn very slowly. Encoder and decoder of a Transformer are always scaled.
    """
    source_vocabulary: int = 16_000
    """Most source words that the caller keeps, the end mark and the unknown word included."""
    target_vocabulary: int = 16_000
    """Most target words that the caller keeps, the end mark and the unknown word included."""

    def __post_init__(self) -> None:
        if self.system not in SYSTEMS:
            known = ", ".join(SYSTEMS)
            raise ValueError(f"model.system is {self.system!r}; the known systems are: {known}.")
        _check_sizes(self)
        for name, choices in _CHOICES.items():
            one_of(f"model.{name}", getattr(self, name), ("system", *get_args(choices)))
        one_of("model.attention_kind", self.attention_kind, get_args(AttentionKind))
        one_of("model.gate_noise", self.gate_noise, get_args(NoiseKind))
        one_of("model.initial_values", self.initial_values, get_args(InitialValues))
        check_combination(self)

    @property
    def switches(self) -> Switches:
        """The switches of the named system, changed by those that are set by themselves."""
        system = SYSTEMS[self.system]
        decoder = system.decoder if self.decoder == "system" else self.decoder
        gate = system.gate if self.context_gate == "system" else self.context_gate
        inputs = self.context_gate_inputs or (system.gate_inputs if gate == system.gate else ())
        if gate not in LEARNED_GATES:
            inputs = ()
        elif not inputs:
            inputs = _usual_inputs(decoder, gate)
        return replace(
            system,
            decoder=decoder,
            gate=gate,
            gate_inputs=tuple(i for i in get_args(GateInput) if i in inputs),
            coverage=system.coverage if self.coverage == "system" else self.coverage,
        )

    def as_system(self, system: str) -> "ModelConfig":
        """Return the same sizes and first values under the switches of a named system.

        From one Transformer to another also its layers and heads are kept; what sizes only one
        family is left out on the way to the other.
        """
        switches: tuple[str, ...] = (
            "attention_kind", "encoder", "decoder", "order", "initial_state", "coverage",
            "coverage_fertility", "context_gate", "context_gate_inputs", "context_gate_place",
            "source_scale", "target_scale"
        )  # fmt: skip
        before, after = self.switches.is_transformer, SYSTEMS[system].is_transformer
        if not (before and after):
            switches += "encoder_layers", "decoder_layers", *TRANSFORMER_SIZES
        if after:
            switches += ("attention",)
        switches += tuple(without_effect(SYSTEMS[system].phrase_memory))
        usual = {name: default_of(self, name) for name in switches}
        return replace(self, system=system, **usual)  # type: ignore[arg-type]

    @property
    def phrase_memory(self) -> PhraseVariant:
        """The variant of phrase memory."""
        return SYSTEMS[self.system].phrase_memory

    @property
    def encoder_form(self) -> Encoder:
        """Whose GRU the encoder has."""
        if self.encoder != "system":
            return self.encoder
        return "groundhog" if self.switches.is_groundhog else "dl4mt"

    @property
    def encoder_depth(self) -> int:
        """Layers of the encoder."""
        return self.encoder_layers or self._usual_depth

    @property
    def decoder_depth(self) -> int:
        """Layers of the decoder."""
        return self.decoder_layers or self._usual_depth

    @property
    def _usual_depth(self) -> int:
        return 6 if self.switches.is_transformer else 1

    @property
    def annotation_size(self) -> int:
        """Numbers of an annotation, and of the source context."""
        return self.hidden if self.switches.is_transformer else 2 * self.hidden

    @property
    def num_heads(self) -> int:
        """Heads of each of a Transformer's attentions."""
        return self.heads or next(n for n in (8, 4, 2, 1) if self.hidden % n == 0)

    @property
    def feed_forward_size(self) -> int:
        """Hidden units of a Transformer's feed-forward layers."""
        return self.feed_forward or 4 * self.hidden

    @property
    def step_order(self) -> Order:
        """Order of attention, update and readout."""
        return "paper" if self.order == "system" else self.order

    @property
    def first_state(self) -> InitialState:
        """What the first state is made from."""
        if self.initial_state != "system":
            return self.initial_state
        return "backward" if self.switches.is_groundhog else "mean"

    @property
    def gate_place(self) -> GatePlace:
        """Where the target's weight acts: "projected" in the plain tanh decoder, else "code"."""
        if self.context_gate_place != "system":
            return self.context_gate_place
        return "projected" if self.switches.decoder == "groundhog-tanh" else "code"

    @property
    def attention_size(self) -> int:
        """Size of the attention's hidden layer."""
        return self.attention or (1 if self.switches.is_groundhog else 2) * self.hidden

    @property
    def gate_size(self) -> int:
        """Width of the mode gate's hidden layers."""
        return self.gate_hidden or self.hidden

    @property
    def slots(self) -> int:
        """Slots that the network knows: 0 for a system without phrase memory."""
        return 0 if self.phrase_memory == "none" else self.phrase_slots


def _usual_inputs(decoder: Decoder, gate: Gate) -> tuple[str, ...]:
    """What the published form reads: in the conditional GRU the state already holds the word."""
    if gate == "scalar":
        return ("t",)
    return ("t", "s") if decoder == "conditional-gru" else ("t", "s", "y")


def _check_sizes(config: ModelConfig) -> None:
    for name in ("embedding", "hidden", "coverage_dim", "phrase_slots", "phrase_candidates"):
        require(getattr(config, name) >= 1, f"model.{name}", getattr(config, name), "1 or more")
    for name in (
        "attention", "gate_hidden", "encoder_layers", "decoder_layers", *TRANSFORMER_SIZES
    ):  # fmt: skip
        value = getattr(config, name)
        require(value >= 0, f"model.{name}", value, "0 (derived) or more")
    for name in ("source_vocabulary", "target_vocabulary"):
        require(getattr(config, name) >= 3, f"model.{name}", getattr(config, name), "3 or more")
    for name in ("source_scale", "target_scale"):
        require(getattr(config, name) >= 0, f"model.{name}", getattr(config, name), "0 or more")
