"""Annotations multiplied once per sentence with every weight that reads the context vector.

A context vector is a mean of annotations under the attention, `c = sum_j a_j h_j`, so
`c W = sum_j a_j (h_j W)`. Search multiplies each annotation once, in the network's own number
format, instead of the context of each hypothesis at each step: fewer products than hypotheses
times steps, and no rounding in a step.

Shapes: B sentences, J source words, C annotation, X columns of all weights.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import torch
from torch import Tensor

from model.loop import Memory


class Multiplied(NamedTuple):
    """A memory whose annotations are products."""

    memory: Memory
    """Its annotations are annotations_BJX."""
    columns: Mapping[Tensor, slice]
    """Which of their columns belong to a weight."""


def multiplied(memory: Memory, weights: Sequence[Tensor]) -> Multiplied:
    """Multiply the annotations of a memory with weights, each weight_CX, in their order."""
    ends = accumulate((weight_CX.shape[1] for weight_CX in weights), initial=0)
    columns = {
        weight_CX: slice(*ends) for weight_CX, ends in zip(weights, pairwise(ends), strict=True)
    }
    products_BJX = memory.annotations_BJC @ torch.cat(list(weights), 1)
    return Multiplied(memory._replace(annotations_BJC=products_BJX), columns)
