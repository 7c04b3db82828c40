"""Neural gated coverage (Tu et al. 2016): what has been translated, kept per source word.

A GRU over decoding steps with state C_j in R^d for source word j, and inputs: the attention paid
to j, the annotation of j and the decoder's state before the step. Form of the released code: no
biases, reset before the matrix product, the update gate takes the *new* value.

Shapes: B rows, J source words, K coverage numbers (d), G = 3K (reset, update, candidate), C
    annotation, H state.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from model.cells import product, tanh
from model.initial import COVERAGE_SCALE, Parameters, constant, gaussian, orthogonal_blocks


class NeuralCoverage(Parameters):
    """Parameters of the coverage GRU, and of its way into an attention's hidden layer of size A."""

    def __init__(self, size: int, hidden: int, annotation: int, attention: int) -> None:
        super().__init__()
        small = gaussian(COVERAGE_SCALE)
        self.recurrent_weight_KG = self.add(
            "recurrent_weight_KG", (size, 3 * size), orthogonal_blocks
        )
        self.attention_weight_G = self.add("attention_weight_G", (3 * size,), constant())
        self.annotation_weight_CG = self.add("annotation_weight_CG", (annotation, 3 * size), small)
        self.state_weight_HG = self.add("state_weight_HG", (hidden, 3 * size), small)
        self.energy_weight_KA = self.add("energy_weight_KA", (size, attention), small)

    def inputs(self, annotations_BJC: Tensor, dtype: torch.dtype) -> Tensor:
        """Return the part of the GRU's input that is fixed for a sentence, inputs_BJG."""
        return product(annotations_BJC, self.annotation_weight_CG.to(dtype))


class CoverageValues(NamedTuple):
    """What the backward pass needs of one forward step."""

    gates_BJX: Tensor
    """Reset, then update; X = 2K."""
    candidate_BJK: Tensor
    reset_BJK: Tensor
    """The old coverage times the reset gate."""


def coverage_forward(
    input_BJG: Tensor, coverage_BJK: Tensor, recurrent_KG: Tensor
) -> tuple[Tensor, CoverageValues]:
    """Advance the coverage vectors by one step.

    Args:
        input_BJG: sum of the projected attention, annotations and state.
        coverage_BJK: coverage before the step; zero before the first.
        recurrent_KG: recurrent weight.

    Returns:
        The new coverage, and the values that `coverage_backward` needs.
    """
    size = coverage_BJK.shape[-1]
    inner_BJX = coverage_BJK @ recurrent_KG[:, : 2 * size]
    gates_BJX = inner_BJX.add_(input_BJG[..., : 2 * size]).sigmoid_()
    reset_BJK = gates_BJX[..., :size] * coverage_BJK
    candidate_BJK = tanh(input_BJG[..., 2 * size :] + reset_BJK @ recurrent_KG[:, 2 * size :])
    new_BJK = torch.lerp(coverage_BJK, candidate_BJK, gates_BJX[..., size:])
    return new_BJK, CoverageValues(gates_BJX, candidate_BJK, reset_BJK)


def coverage_backward(
    grad_new_BJK: Tensor,
    coverage_BJK: Tensor,
    recurrent_KG: Tensor,
    values: CoverageValues,
    sum_recurrent_KG: Tensor,
) -> tuple[Tensor, Tensor]:
    """Return the gradients by input_BJG and coverage_BJK; add that of the weight to
    `sum_recurrent_KG`.
    """
    gates_BJX, candidate_BJK, reset_BJK = values
    size = coverage_BJK.shape[-1]
    update_BJK = gates_BJX[..., size:]
    taken_BJK = grad_new_BJK * update_BJK
    grad_candidate_BJK = taken_BJK * (1 - candidate_BJK * candidate_BJK)
    grad_reset_BJK = grad_candidate_BJK @ recurrent_KG[:, 2 * size :].T
    grad_gates_BJX = torch.cat(
        [grad_reset_BJK * coverage_BJK, grad_new_BJK * (candidate_BJK - coverage_BJK)], dim=-1
    ).mul_(gates_BJX * (1 - gates_BJX))
    grad_coverage_BJK = grad_new_BJK - taken_BJK + grad_reset_BJK * gates_BJX[..., :size]
    grad_coverage_BJK += grad_gates_BJX @ recurrent_KG[:, : 2 * size].T
    flat = (-1, size)
    sum_recurrent_KG[:, : 2 * size].addmm_(
        coverage_BJK.reshape(flat).T, grad_gates_BJX.view(-1, 2 * size)
    )
    sum_recurrent_KG[:, 2 * size :].addmm_(reset_BJK.reshape(flat).T, grad_candidate_BJK.view(flat))
    return torch.cat([grad_gates_BJX, grad_candidate_BJK], dim=-1), grad_coverage_BJK
