"""Sets of settings that belong together: those of the papers, and those of today.

Plain tables of settings by section, so that a settings file can take one and change single values.
Nothing here imports torch.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

PRESETS: Mapping[str, Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "paper": {
            "model": {
                "embedding": 620,
                "hidden": 1000,
                "phrase_slots": 10,
                "initial_values": "paper",
                "source_vocabulary": 16_000,
                "target_vocabulary": 16_000,
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
            "decoding": {"beam": 10, "max_length_ratio": 3.0},
        },
        "modern": {
            "model": {"initial_values": "scaled"},
            "training": {
                "batch_order": "shuffled",
                "optimizer": "adam",
                "dropout": 0.2,
                "label_smoothing": 0.1,
                "precision": "bfloat16",
            },
            "decoding": {"beam": 5},
        },
    }
)
"""What a settings file may take with `preset = "..."`: the papers' sizes, first values, Adadelta,
clipping, order of batches and no dropout; or Adam, dropout, label smoothing and bfloat16.
"""
