"""Switches beside the named systems, each alone or with what it must go together with."""

from collections.abc import Mapping

REPRESENTATIVES = (
    "rnnsearch",
    "phrasenet-gate",
    "phrasenet-softmax",
    "groundhog-vanilla",
    "groundhog-coverage+gate",
    "phrasenet-gate+context-gate",
    "transformer+phrase-gate",
)
"""One system for each way through the code, where all would take too long."""

VARIANTS: Mapping[str, tuple[str, dict[str, object]]] = {
    "scaled at the state": (
        "rnnsearch",
        {"context_gate": "fixed", "source_scale": 0.8, "target_scale": 0.5},
    ),
    "conditional, projected, all inputs": (
        "rnnsearch",
        {
            "context_gate": "both",
            "context_gate_place": "projected",
            "context_gate_inputs": ("y", "t", "s"),
        },
    ),
    "conditional, source": ("rnnsearch", {"context_gate": "source"}),
    "conditional, target, word alone": (
        "rnnsearch",
        {"context_gate": "target", "context_gate_inputs": ("y",)},
    ),
    "conditional, scalar": ("rnnsearch", {"context_gate": "scalar"}),
    "conditional, static": ("rnnsearch", {"context_gate": "static-scalar"}),
    "conditional, linguistic": ("phrasenet-gate", {"coverage": "linguistic"}),
    "conditional, ungated coverage, gate": (
        "phrasenet-gate+context-gate",
        {"coverage": "neural-ungated"},
    ),
    "conditional, three layers": (
        "phrasenet-softmax+context-gate",
        {"decoder_layers": 3, "encoder_layers": 2},
    ),
    "conditional, no attention": ("rnnsearch", {"coverage": "none", "attention_kind": "none"}),
    "conditional, GroundHog's encoder and start": (
        "phrasenet-gate",
        {"encoder": "groundhog", "initial_state": "backward"},
    ),
    "conditional, no coverage": ("phrasenet-gate", {"coverage": "none"}),
    "vanilla, code": ("groundhog-vanilla+gate", {"context_gate_place": "code"}),
    "vanilla, target, two layers": (
        "groundhog-vanilla",
        {"context_gate": "target", "decoder_layers": 2},
    ),
    "vanilla, scalar": ("groundhog-vanilla", {"context_gate": "scalar"}),
    "GRU, projected": ("groundhog-gru+gate", {"context_gate_place": "projected"}),
    "GRU, target, projected": ("groundhog-gru+gate-target", {"context_gate_place": "projected"}),
    "GRU, fixed, projected": (
        "groundhog-gru",
        {
            "context_gate": "fixed",
            "source_scale": 0.5,
            "target_scale": 0.8,
            "context_gate_place": "projected",
        },
    ),
    "GRU, GroundHog's order": ("groundhog-coverage+gate", {"order": "groundhog"}),
    "GRU, GroundHog's order, layers": (
        "groundhog-gru+gate",
        {"order": "groundhog", "decoder_layers": 2, "encoder_layers": 3},
    ),
    "GRU, linguistic, fertility": (
        "groundhog-coverage",
        {"coverage": "linguistic", "coverage_fertility": True},
    ),
    "GRU, ungated coverage": ("groundhog-coverage", {"coverage": "neural-ungated"}),
    "GRU, no attention": ("groundhog-gru+gate", {"attention_kind": "none"}),
    "GRU, dl4mt's encoder and start": (
        "groundhog-gru",
        {"encoder": "dl4mt", "initial_state": "mean"},
    ),
    "LSTM": ("groundhog-coverage", {"decoder": "groundhog-lstm"}),
    "LSTM, gate, layers": (
        "groundhog-coverage+gate",
        {"decoder": "groundhog-lstm", "decoder_layers": 2},
    ),
    "LSTM, projected": (
        "groundhog-gru+gate",
        {"decoder": "groundhog-lstm", "context_gate_place": "projected", "order": "groundhog"},
    ),
    "the literal gate, half-normal noise": (
        "phrasenet-gate",
        {"gate_always": True, "gate_noise": "half-normal"},
    ),
    "conditional, tied": ("phrasenet-gate", {"tied_embeddings": True}),
    "GRU, tied": ("groundhog-gru", {"tied_embeddings": True}),
    "Transformer, one size, tied": (
        "transformer+phrase-gate",
        {"embedding": 4, "tied_embeddings": True, "heads": 1},
    ),
    "Transformer, one layer, tied": (
        "transformer",
        {"encoder_layers": 3, "decoder_layers": 1, "heads": 4, "tied_embeddings": True},
    ),
    "phrases in GroundHog's GRU": ("phrasenet-gate+context-gate", {"decoder": "groundhog-gru"}),
    "phrases in a tanh decoder": (
        "phrasenet-softmax",
        {"decoder": "groundhog-tanh", "order": "groundhog", "context_gate": "both"},
    ),
}
