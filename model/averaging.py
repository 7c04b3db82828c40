"""One network from several checkpoints of the same form: each weight is the mean of theirs.

Checkpoints of one training lie near each other, so their mean is a network that works, often
better than each (Polyak averaging); those of trainings from other seeds do not.
"""

from collections.abc import Sequence
from dataclasses import replace

import torch

from model.translator import Translator


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
    made.to(first.readout.output_bias_V.dtype)
    made.load_state_dict(weights)
    return made.eval()


def _alike(first: Translator, other: Translator) -> bool:
    # How many words the caller may keep is no part of the network; how many it has, is.
    sizes = {"source_vocabulary": 3, "target_vocabulary": 3}
    return (
        replace(first.config, **sizes) == replace(other.config, **sizes)  # type: ignore[arg-type]
        and first.source_size == other.source_size
        and first.target_size == other.target_size
    )
