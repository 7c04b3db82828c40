"""The gated recurrent unit of dl4mt, forward and backward.

One formula serves the encoder and both halves of the conditional GRU: the reset gate acts *after*
the state's matrix product, and the update gate keeps the *old* state.

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
