"""Sets of settings that belong together: those of the papers, and those of today.

Plain tables of settings by section, so that a settings file can take one and change single values.
Each depends on the family of the system: the two papers were made with different programs, and a
Transformer is in neither. Nothing here imports torch.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from model.switches import SYSTEMS

Family = Literal["dl4mt", "groundhog", "transformer"]
Sections = Mapping[str, Mapping[str, Any]]

PRESETS = ("paper", "modern")
"""What a settings file may take with `preset = "..."`."""

_BOTH_PAPERS: Sections = {
    "model": {
        "embedding": 620,
        "hidden": 1000,
        "initial_values": "paper",
        "phrase_slots": 10,
    },
    "training": {
        "batch_size": 80,
        "buffer_batches": 20,
        "batch_order": "paper",
        "optimizer": "adadelta",
        "clip_norm": 1.0,
        "dropout": 0.0,
        "label_smoothing": 0.0,
        "precision": "float32",
    },
    "decoding": {"beam": 10, "max_length_ratio": 3.0, "unknown_words": "keep"},
}
_MODERN: Sections = {
    "text": {"source_units": "subwords", "target_units": "subwords"},
    "model": {"initial_values": "scaled"},
    "training": {
        "batch_order": "shuffled",
        "optimizer": "adam",
        "dropout": 0.2,
        "label_smoothing": 0.1,
        "precision": "bfloat16",
    },
    "decoding": {"beam": 5},
}
_OF_FAMILY: Mapping[tuple[str, Family], Sections] = MappingProxyType(
    {
        # PhraseNet's figures where its text gives them, else those of dl4mt.
        ("paper", "dl4mt"): {
            "text": {"max_words": 50},
            "model": {"source_vocabulary": 16_000, "target_vocabulary": 16_000},
            "training": {"batch_loss": "mean"},
            "decoding": {"length_rule": "normalised", "min_length_ratio": 0.0},
        },
        # The text of Context Gates, else the code that was released with it.
        ("paper", "groundhog"): {
            "text": {"max_words": 80},
            "model": {"source_vocabulary": 30_001, "target_vocabulary": 30_001},
            "training": {"batch_loss": "sum"},
            "decoding": {"length_rule": "raw", "min_length_ratio": 0.5},
        },
        ("modern", "transformer"): {
            "model": {"hidden": 512, "embedding": 512},
            "training": {"dropout": 0.1, "warmup_steps": 4000, "decay": "inverse-root"},
        },
    }
)
"""What a family has beside or instead of the common part."""


def preset(name: str, system: str, decoder: str = "system") -> dict[str, dict[str, Any]]:
    """Return the settings of a preset by section.

    Args:
        name: one of `PRESETS`.
        system: the system of `[model]`.
        decoder: its decoder, if it is set by itself.

    Raises:
        ValueError: the preset has nothing to say about such a system.
    """
    family = _family(system, decoder)
    if (name, family) == ("paper", "transformer"):
        raise ValueError(
            f'preset "paper" has no settings for {system}: neither paper has a Transformer. Take '
            'preset = "modern", or a system of the papers.'
        )
    common, own = _BOTH_PAPERS if name == "paper" else _MODERN, _OF_FAMILY.get((name, family), {})
    return {
        section: {**common.get(section, {}), **own.get(section, {})}
        for section in sorted({*common, *own})
    }


def _family(system: str, decoder: str) -> Family:
    known = SYSTEMS[system].decoder if decoder == "system" else decoder
    if known == "transformer":
        return "transformer"
    return "dl4mt" if known == "conditional-gru" else "groundhog"
