"""The two forms of the gated recurrent unit, forward and backward.

dl4mt's (`gru_forward`) serves its encoder and both halves of the conditional GRU: the reset gate
acts *after* the state's matrix product, and the update gate keeps the *old* state. GroundHog's
(`early_reset_forward`) serves its encoder, its decoder and coverage: the reset gate acts *before*
the product, and the update gate takes the *new* value.

Shapes: B rows (sentences or hypotheses), H state, G = 3H (reset, update and candidate side by
side). Leading axes before B are allowed everywhere.
"""

from typing import NamedTuple

import torch
from torch import Tensor

KEEP = 1e4
"""Added to an update gate's input to keep the old state exactly (the sigmoid is 1.0 in float32 and
float64).
"""


class GruValues(NamedTuple):
    """What the backward pass needs of one forward step."""

    gates_B2H: Tensor
    """Reset gate, then update gate."""
    candidate_BH: Tensor
    inner_BH: Tensor
    """The state's contribution to the candidate, before the reset gate."""


def product(x: Tensor, weight: Tensor) -> Tensor:
    """Multiply in the weight's number format and return the input's."""
    if x.dtype == weight.dtype:
        return x @ weight
    return (x.to(weight.dtype) @ weight).to(x.dtype)


def tanh(x: Tensor) -> Tensor:
    """Hyperbolic tangent by way of the sigmoid, which is several times faster on CPUs."""
    return torch.sigmoid(2 * x).mul_(2).sub_(1)


def gru_forward(input_BG: Tensor, inner_BG: Tensor, state_BH: Tensor) -> tuple[Tensor, GruValues]:
    """Advance a state by one step.

    `r, u = sigmoid(input + inner)`, `n = tanh(input + r * inner)`, `new = u * state + (1 - u) * n`.

    Args:
        input_BG: projected input, biases included.
        inner_BG: projected state.
        state_BH: state before the step.

    Returns:
        The new state, and the values that `gru_backward` needs.
    """
    size = state_BH.shape[-1]
    gates_B2H = (input_BG[..., : 2 * size] + inner_BG[..., : 2 * size]).sigmoid_()
    inner_BH = inner_BG[..., 2 * size :]
    candidate_BH = tanh(torch.addcmul(input_BG[..., 2 * size :], gates_B2H[..., :size], inner_BH))
    new_BH = torch.lerp(candidate_BH, state_BH, gates_B2H[..., size:])
    return new_BH, GruValues(gates_B2H, candidate_BH, inner_BH)


def gru_backward(
    grad_new_BH: Tensor, state_BH: Tensor, values: GruValues
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gradients of `gru_forward` by its input, its inner product and its state."""
    gates_B2H, candidate_BH, inner_BH = values
    size = state_BH.shape[-1]
    reset_BH, update_BH = gates_B2H[..., :size], gates_B2H[..., size:]
    kept_BH = grad_new_BH * update_BH
    grad_input_BG = torch.empty(
        (*state_BH.shape[:-1], 3 * size), dtype=state_BH.dtype, device=state_BH.device
    )
    grad_candidate_BH = grad_input_BG[..., 2 * size :]
    slope_BH = torch.addcmul(torch.ones_like(candidate_BH), candidate_BH, candidate_BH, value=-1)
    torch.mul(grad_new_BH - kept_BH, slope_BH, out=grad_candidate_BH)
    grad_gates_B2H = grad_input_BG[..., : 2 * size]
    torch.mul(grad_candidate_BH, inner_BH, out=grad_gates_B2H[..., :size])
    torch.mul(grad_new_BH, state_BH - candidate_BH, out=grad_gates_B2H[..., size:])
    grad_gates_B2H.mul_(torch.addcmul(gates_B2H, gates_B2H, gates_B2H, value=-1))
    grad_inner_BG = grad_input_BG.clone()
    grad_inner_BG[..., 2 * size :].mul_(reset_BH)
    return grad_input_BG, grad_inner_BG, kept_BH


class EarlyResetValues(NamedTuple):
    """What the backward pass needs of one forward step."""

    gates_BX: Tensor
    """Reset, then update; X = 2H."""
    candidate_BH: Tensor
    reset_BH: Tensor
    """The old state times the reset gate."""


def early_reset_forward(
    input_BG: Tensor, state_BH: Tensor, weight_HG: Tensor
) -> tuple[Tensor, EarlyResetValues]:
    """Advance a state by one step.

    `r, u = sigmoid(input + state W)`, `n = tanh(input + (r state) W)`, `new = u n + (1 - u) state`.

    Args:
        input_BG: projected input, biases included.
        state_BH: state before the step.
        weight_HG: recurrent weight; it may have leading axes, as may the state.

    Returns:
        The new state, and the values that `early_reset_backward` needs.
    """
    size = state_BH.shape[-1]
    inner_BX = product(state_BH, weight_HG[..., : 2 * size])
    gates_BX = inner_BX.add_(input_BG[..., : 2 * size]).sigmoid_()
    reset_BH = gates_BX[..., :size] * state_BH
    inner_BH = product(reset_BH, weight_HG[..., 2 * size :])
    candidate_BH = tanh(inner_BH.add_(input_BG[..., 2 * size :]))
    new_BH = torch.lerp(state_BH, candidate_BH, gates_BX[..., size:])
    return new_BH, EarlyResetValues(gates_BX, candidate_BH, reset_BH)


def early_reset_backward(
    grad_new_BH: Tensor, state_BH: Tensor, weight_HG: Tensor, values: EarlyResetValues
) -> tuple[Tensor, Tensor]:
    """Return the gradients of `early_reset_forward` by its input and its state; that of the weight
    is `early_reset_weight` of all steps together.
    """
    gates_BX, candidate_BH, reset_BH = values
    size = state_BH.shape[-1]
    taken_BH = grad_new_BH * gates_BX[..., size:]
    grad_candidate_BH = taken_BH * (1 - candidate_BH * candidate_BH)
    grad_reset_BH = product(grad_candidate_BH, weight_HG[..., 2 * size :].mT)
    grad_gates_BX = torch.cat(
        [grad_reset_BH * state_BH, grad_new_BH * (candidate_BH - state_BH)], dim=-1
    ).mul_(gates_BX * (1 - gates_BX))
    grad_state_BH = grad_new_BH - taken_BH + grad_reset_BH * gates_BX[..., :size]
    grad_state_BH += product(grad_gates_BX, weight_HG[..., : 2 * size].mT)
    return torch.cat([grad_gates_BX, grad_candidate_BH], dim=-1), grad_state_BH


def early_reset_weight(state_XH: Tensor, reset_XH: Tensor, grad_input_XG: Tensor) -> Tensor:
    """Return the gradient by the recurrent weight from the rows of all steps.

    Args:
        state_XH: states before the steps.
        reset_XH: those states times their reset gates.
        grad_input_XG: gradients by the input.
    """
    size = state_XH.shape[-1]
    return torch.cat(
        [
            state_XH.mT @ grad_input_XG[..., : 2 * size],
            reset_XH.mT @ grad_input_XG[..., 2 * size :],
        ],
        dim=-1,
    )
