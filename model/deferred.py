"""Products with weights that are used at every step of a loop.

Plain automatic differentiation would compute the gradient of such a weight once per step and add
the results up: as many small products and additions as there are steps. Here each step only keeps
its two factors, and the gradient is one product over all steps.

Shapes: B rows, M inputs, N outputs.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from model.cells import product

_Log = list[tuple[Tensor, Tensor]]


class Deferred:
    """A weight as a function `x_BM -> x_BM @ weight_MN`, for one pass over a batch."""

    def __init__(self, weight_MN: Tensor, dtype: torch.dtype) -> None:
        self._log: _Log = []
        self._weight_MN = _Weight.apply(weight_MN, dtype, self._log)

    def __call__(self, x_BM: Tensor) -> Tensor:
        """Return the product; leading axes before the last are allowed."""
        out_BN: Tensor = _Product.apply(x_BM, self._weight_MN, self._log)
        return out_BN


class _Weight(torch.autograd.Function):
    """The weight in the format of the products; its backward pass runs after those of all
    products.
    """

    @staticmethod
    def forward(ctx: Any, weight_MN: Tensor, dtype: torch.dtype, log: _Log) -> Tensor:
        """Return the weight."""
        ctx.log, ctx.kind = log, weight_MN.dtype
        ctx.set_materialize_grads(False)
        return weight_MN.to(dtype) if weight_MN.dtype != dtype else weight_MN.view_as(weight_MN)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, None, None]:
        """Return the gradient, collected by the products."""
        if not ctx.log:
            return None, None, None
        left_XM = torch.cat([left for left, _ in ctx.log])
        right_XN = torch.cat([right for _, right in ctx.log])
        ctx.log.clear()
        return (left_XM.T @ right_XN).to(ctx.kind), None, None


class _Product(torch.autograd.Function):
    """One product; the weight's gradient is left to `_Weight`."""

    @staticmethod
    def forward(ctx: Any, x_BM: Tensor, weight_MN: Tensor, log: _Log) -> Tensor:
        """Return the product in the input's format."""
        ctx.log = log
        ctx.save_for_backward(x_BM, weight_MN)
        return product(x_BM, weight_MN)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None]:
        """Return the gradient by the input."""
        x_BM, weight_MN = ctx.saved_tensors
        kind = weight_MN.dtype
        grad_BN = grads[0].to(kind)
        ctx.log.append((x_BM.to(kind).flatten(0, -2), grad_BN.flatten(0, -2)))
        return (grad_BN @ weight_MN.T).to(x_BM.dtype), None, None
