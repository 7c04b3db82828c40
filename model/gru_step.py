"""The GRUs of `cells.py`, each as one differentiable step.

Shapes: as in `cells.py`.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from model.cells import (
    EarlyResetValues,
    GruValues,
    early_reset_backward,
    early_reset_forward,
    early_reset_weight,
    gru_backward,
    gru_forward,
)


def gru_step(input_BG: Tensor, inner_BG: Tensor, state_BH: Tensor) -> Tensor:
    """Advance a state by one step, recording gradients; see `gru_forward`."""
    new_BH: Tensor = _GruStep.apply(input_BG, inner_BG, state_BH)
    return new_BH


class _GruStep(torch.autograd.Function):
    """`gru_forward` and `gru_backward`."""

    @staticmethod
    def forward(ctx: Any, input_BG: Tensor, inner_BG: Tensor, state_BH: Tensor) -> Tensor:
        """Return the new state."""
        new_BH, values = gru_forward(input_BG, inner_BG, state_BH)
        ctx.save_for_backward(state_BH, *values)
        return new_BH

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the gradients by input, inner product and state."""
        state_BH, *kept = ctx.saved_tensors
        return gru_backward(grads[0], state_BH, GruValues(*kept))


def early_reset_step(input_BG: Tensor, state_BH: Tensor, weight_HG: Tensor) -> Tensor:
    """Advance a state by one step, recording gradients; see `early_reset_forward`."""
    new_BH: Tensor = _EarlyResetStep.apply(input_BG, state_BH, weight_HG)
    return new_BH


class _EarlyResetStep(torch.autograd.Function):
    """`early_reset_forward` and its backward pass."""

    @staticmethod
    def forward(ctx: Any, input_BG: Tensor, state_BH: Tensor, weight_HG: Tensor) -> Tensor:
        """Return the new state."""
        new_BH, values = early_reset_forward(input_BG, state_BH, weight_HG)
        ctx.save_for_backward(state_BH, weight_HG, *values)
        return new_BH

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the gradients by input, state and weight."""
        state_BH, weight_HG, *kept = ctx.saved_tensors
        values = EarlyResetValues(*kept)
        input_BG, old_BH = early_reset_backward(grads[0], state_BH, weight_HG, values)
        rows = [x.flatten(0, -2).to(weight_HG.dtype) for x in (state_BH, values.reset_BH, input_BG)]
        return input_BG, old_BH, early_reset_weight(*rows)
