"""The table of named systems, and what each switch of the network may be.

Nothing here imports torch, so that settings can be read and refused before any model code is
loaded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

PhraseVariant = Literal["none", "gate", "softmax"]
Coverage = Literal["none", "neural", "neural-ungated", "linguistic"]
Decoder = Literal[
    "conditional-gru", "groundhog-gru", "groundhog-tanh", "groundhog-lstm", "transformer"
]
Encoder = Literal["dl4mt", "groundhog"]
Gate = Literal["none", "source", "target", "both", "scalar", "static", "static-scalar", "fixed"]
GateInput = Literal["t", "s", "y"]
GatePlace = Literal["code", "projected"]
Order = Literal["paper", "groundhog"]
InitialState = Literal["mean", "backward"]

LEARNED_GATES = ("source", "target", "both", "scalar")
"""Gates that read something; the others are numbers that are the same at every step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """What distinguishes one system from another."""

    decoder: Decoder = "conditional-gru"
    coverage: Coverage = "none"
    gate: Gate = "none"
    gate_inputs: tuple[str, ...] = ()
    """What the context gate reads: the state t, the source context s, the last word y. Empty means
    all that the decoder's published form reads.
    """
    phrase_memory: PhraseVariant = "none"

    @property
    def is_groundhog(self) -> bool:
        """Say whether encoder, attention, readout and first state are GroundHog's."""
        return self.decoder.startswith("groundhog")

    @property
    def is_transformer(self) -> bool:
        """Say whether encoder and decoder are those of a Transformer."""
        return self.decoder == "transformer"


def _groundhog(gate: Gate = "none", *inputs: str, coverage: Coverage = "none") -> Switches:
    return Switches(decoder="groundhog-gru", gate=gate, gate_inputs=inputs, coverage=coverage)


SYSTEMS: Mapping[str, Switches] = MappingProxyType(
    {
        "rnnsearch": Switches(coverage="neural"),
        "phrasenet-gate": Switches(coverage="neural", phrase_memory="gate"),
        "phrasenet-softmax": Switches(coverage="neural", phrase_memory="softmax"),
        "groundhog-vanilla": Switches(decoder="groundhog-tanh"),
        "groundhog-vanilla+gate": Switches(decoder="groundhog-tanh", gate="both"),
        "groundhog-gru": _groundhog(),
        "groundhog-gru+gate-source": _groundhog("source"),
        "groundhog-gru+gate-target": _groundhog("target"),
        "groundhog-gru+gate": _groundhog("both"),
        "groundhog-gru+scalar": _groundhog("scalar", "t"),
        "groundhog-gru+gate-source[t]": _groundhog("source", "t"),
        "groundhog-gru+gate[t]": _groundhog("both", "t"),
        "groundhog-gru+gate[t,s]": _groundhog("both", "t", "s"),
        "groundhog-gru+interpolation": _groundhog("static"),
        "groundhog-coverage": _groundhog(coverage="neural"),
        "groundhog-coverage+gate": _groundhog("both", coverage="neural"),
        "rnnsearch+context-gate": Switches(coverage="neural", gate="both"),
        "phrasenet-gate+context-gate": Switches(
            coverage="neural", gate="both", phrase_memory="gate"
        ),
        "phrasenet-softmax+context-gate": Switches(
            coverage="neural", gate="both", phrase_memory="softmax"
        ),
        "transformer": Switches(decoder="transformer"),
        "transformer+phrase-gate": Switches(decoder="transformer", phrase_memory="gate"),
        "transformer+phrase-softmax": Switches(decoder="transformer", phrase_memory="softmax"),
    }
)
