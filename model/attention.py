"""Additive attention over annotations, with coverage and slot tags as further inputs.

`e_j = v . tanh(A_h h_j + A_s s + A_f f_j)`, where the features f_j are the coverage vector of
source word j and its slot's tag while that slot is alive. Since tanh(x) = 2 sigmoid(2x) - 1 and a
softmax ignores constants, the code uses `e_j = 2 v . sigmoid(2 (...))`, which gives the same
weights several times faster; keys, query and feature weights arrive doubled.

Shapes: B rows, J source words, A attention's hidden layer, C annotation, H state, F features
    (coverage and tags).
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from model import fused_attention
from model.cells import product
from model.fused_attention import FusedGradients
from model.initial import (
    SMALL_SCALE,
    Parameters,
    constant,
    gaussian,
    orthogonal_if_square,
    zero_on_paper,
)
from model.loop import Memory

CACHED = 1 << 19
"""Numbers of the hidden layer that are worked on at a time."""


class Attention(Parameters):
    """Parameters of the attention: dl4mt's, or GroundHog's, which has no bias and begins with even
    weights.
    """

    def __init__(
        self, hidden: int, annotation: int, size: int, slots: int, *, groundhog: bool = False
    ) -> None:
        super().__init__()
        matrix = gaussian(SMALL_SCALE) if groundhog else orthogonal_if_square
        self.annotation_weight_CA = self.add("annotation_weight_CA", (annotation, size), matrix)
        self._has_bias = not groundhog
        if self._has_bias:
            self.bias_A = self.add("bias_A", (size,), constant())
        self.state_weight_HA = self.add("state_weight_HA", (hidden, size), matrix)
        self.score_A = self.add("score_A", (size,), zero_on_paper if groundhog else gaussian())
        if slots:
            self.tag_weight_PA = self.add("tag_weight_PA", (slots, size), gaussian())

    def keys(self, annotations_BJC: Tensor, dtype: torch.dtype) -> Tensor:
        """Return the doubled part of the energies' input that is fixed for a sentence, keys_BJA."""
        weight_CA = (2 * self.annotation_weight_CA).to(dtype)
        keys_BJA = product(annotations_BJC, weight_CA)
        return keys_BJA + 2 * self.bias_A if self._has_bias else keys_BJA


def attend(
    keys_BJA: Tensor,
    query_BA: Tensor,
    score_A: Tensor,
    penalty_BJ: Tensor,
    features: tuple[Tensor, Tensor] | None,
    out_BJA: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Return hidden_BJA and weights_BJ.

    Args:
        keys_BJA: doubled keys.
        query_BA: doubled projection of the state.
        score_A: doubled score vector v.
        penalty_BJ: 0 on words, minus infinity on padding.
        features: features_BJF and their doubled weight_FA, or None.
        out_BJA: where to put hidden_BJA.

    Where `fused_attention.serves`, no hidden layer is made, and query_BA stands in its place.
    """
    if fused_attention.serves(keys_BJA):
        energy_BJ = fused_attention.energies(keys_BJA, query_BA, score_A, features)
        return query_BA, torch.softmax(energy_BJ + penalty_BJ, dim=-1)
    hidden_BJA = torch.empty_like(keys_BJA) if out_BJA is None else out_BJA
    energy_BJ = torch.empty_like(penalty_BJ)
    for rows in blocks(keys_BJA):
        torch.add(keys_BJA[rows], query_BA[rows].unsqueeze(1), out=hidden_BJA[rows])
        flat_XA = hidden_BJA[rows].view(-1, hidden_BJA.shape[-1])
        if features is not None:
            features_BJF, weight_FA = features
            flat_XA.addmm_(features_BJF[rows].reshape(flat_XA.shape[0], -1), weight_FA)
        torch.mv(flat_XA.sigmoid_(), score_A, out=energy_BJ[rows].view(-1))
    return hidden_BJA, torch.softmax(energy_BJ + penalty_BJ, dim=-1)


def attended(
    memory: Memory,
    query_BA: Tensor,
    score_A: Tensor,
    features: tuple[Tensor, Tensor] | None,
) -> Tensor:
    """Return the weights_BJ of `attend` for rows that share the keys of their sentence; the hidden
    layer is not kept, so that it stays in the processor's cache.

    Args:
        memory: keys of the sentences, padding of the rows, and who shares what.
        query_BA: doubled projection of the state.
        score_A: doubled score vector v.
        features: features_BJF and their doubled weight_FA, or None.
    """
    assert memory.sharing is not None
    keys_SJA, energy_BJ = memory.keys_BJA, torch.empty_like(memory.penalty_BJ)
    room_KJA = query_BA.new_empty((memory.sharing.most, *keys_SJA.shape[1:]))
    for sentence, rows in memory.sharing.runs:
        hidden_YJA = room_KJA[: rows.stop - rows.start]
        torch.add(keys_SJA[sentence], query_BA[rows].unsqueeze(1), out=hidden_YJA)
        flat_XA = hidden_YJA.view(-1, hidden_YJA.shape[-1])
        if features is not None:
            features_BJF, weight_FA = features
            flat_XA.addmm_(features_BJF[rows].reshape(len(flat_XA), -1), weight_FA)
        torch.mv(flat_XA.sigmoid_(), score_A, out=energy_BJ[rows].view(-1))
    return torch.softmax(energy_BJ + memory.penalty_BJ, dim=-1)


def blocks(hidden_BJA: Tensor) -> Iterator[slice]:
    """Yield so many rows at a time that they stay in the cache of one core; on a GPU all."""
    num, rows = len(hidden_BJA), len(hidden_BJA)
    if hidden_BJA.device.type == "cpu":
        rows = max(1, CACHED * num // max(hidden_BJA.numel(), 1))
    for first in range(0, num, max(rows, 1)):
        yield slice(first, first + rows)


class AttentionGradients:
    """Running sums of the gradients of `attend` over the steps of a sentence."""

    def __init__(self, keys_BJA: Tensor, score_A: Tensor, weight_FA: Tensor | None) -> None:
        self._score_A = score_A
        self._keys_BJA = torch.zeros_like(keys_BJA)
        self._sum_score_A = torch.zeros_like(score_A)
        self._sum_weight_FA = None if weight_FA is None else torch.zeros_like(weight_FA)
        self._back_FA = None if weight_FA is None else weight_FA * score_A

    def step(
        self,
        grad_weights_BJ: Tensor,
        weights_BJ: Tensor,
        hidden_BJA: Tensor,
        features_BJF: Tensor | None,
    ) -> tuple[Tensor, Tensor | None]:
        """Add one step's gradients; return those by query_BA and features_BJF.

        `hidden_BJA` is overwritten: the step is its last reader.
        """
        expected_B1 = (grad_weights_BJ * weights_BJ).sum(-1, keepdim=True)
        energy_BJ = weights_BJ * (grad_weights_BJ - expected_B1)
        query_BA = torch.empty_like(hidden_BJA[:, 0])
        grad_BJF = None if features_BJF is None else torch.empty_like(features_BJF)
        for rows in blocks(hidden_BJA):
            query_BA[rows] = self._part(
                rows, energy_BJ[rows], hidden_BJA[rows], features_BJF, grad_BJF
            )
        return query_BA * self._score_A, grad_BJF

    def _part(
        self,
        rows: slice,
        energy_YJ: Tensor,
        hidden_YJA: Tensor,
        features_BJF: Tensor | None,
        grad_BJF: Tensor | None,
    ) -> Tensor:
        """Do some of the rows; return the gradient by their queries but for the score vector."""
        flat_XA = hidden_YJA.view(-1, hidden_YJA.shape[-1])
        self._sum_score_A.addmv_(flat_XA.T, energy_YJ.reshape(-1))
        slope_YJA = hidden_YJA.addcmul_(hidden_YJA, hidden_YJA, value=-1)
        self._keys_BJA[rows].addcmul_(slope_YJA, energy_YJ.unsqueeze(-1))
        query_YA = torch.bmm(energy_YJ.unsqueeze(1), slope_YJA).squeeze(1)
        if features_BJF is not None and grad_BJF is not None:
            assert self._back_FA is not None
            assert self._sum_weight_FA is not None
            scaled_YJF = features_BJF[rows] * energy_YJ.unsqueeze(-1)
            self._sum_weight_FA.addmm_(scaled_YJF.view(flat_XA.shape[0], -1).T, flat_XA)
            # In this order the product is several times faster than `flat_XA @ back_AF` on CPUs.
            grad_FX = torch.mm(self._back_FA, flat_XA.T).mul_(energy_YJ.reshape(1, -1))
            grad_BJF[rows] = grad_FX.T.view(scaled_YJF.shape)
        return query_YA

    def totals(self) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return the gradients by keys_BJA, score_A and weight_FA."""
        weight_FA = None if self._sum_weight_FA is None else self._sum_weight_FA * self._score_A
        return self._keys_BJA * self._score_A, self._sum_score_A, weight_FA


def gradients_of(
    kept: Tensor, keys_BJA: Tensor, score_A: Tensor, weight_FA: Tensor | None
) -> AttentionGradients | FusedGradients:
    """Return what sums up the gradients of steps, given what `attend` returned first."""
    sums = FusedGradients if kept.dim() < keys_BJA.dim() else AttentionGradients
    return sums(keys_BJA, score_A, weight_FA)


class StepAttention:
    """The attention of one pass over a batch: a differentiable `attend` for each step, whose
    gradients by what does not change from step to step are summed in place.
    """

    def __init__(
        self,
        keys_BJA: Tensor,
        score_A: Tensor,
        penalty_BJ: Tensor,
        weight_FA: Tensor | None,
    ) -> None:
        self._log: list[AttentionGradients | FusedGradients] = []
        self._penalty_BJ = penalty_BJ
        self._fixed = _Fixed.apply(keys_BJA, score_A, weight_FA, self._log)

    def __call__(self, query_BA: Tensor, features_BJF: Tensor | None) -> Tensor:
        """Return weights_BJ; see `attend`."""
        weights_BJ: Tensor = _Attend.apply(
            query_BA, features_BJF, self._penalty_BJ, self._log, *self._fixed
        )
        return weights_BJ


class _Fixed(torch.autograd.Function):
    """Keys, score vector and feature weights; its backward pass runs after those of all steps."""

    @staticmethod
    def forward(
        ctx: Any,
        keys_BJA: Tensor,
        score_A: Tensor,
        weight_FA: Tensor | None,
        log: list[AttentionGradients | FusedGradients],
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return the three tensors."""
        ctx.log = log
        ctx.set_materialize_grads(False)
        shared_FA = None if weight_FA is None else weight_FA.view_as(weight_FA)
        return keys_BJA.view_as(keys_BJA), score_A.view_as(score_A), shared_FA

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the sums of the steps."""
        if not ctx.log:
            return None, None, None, None
        return (*ctx.log.pop().totals(), None)


class _Attend(torch.autograd.Function):
    """`attend` for one step."""

    @staticmethod
    def forward(
        ctx: Any,
        query_BA: Tensor,
        features_BJF: Tensor | None,
        penalty_BJ: Tensor,
        log: list[AttentionGradients | FusedGradients],
        *fixed: Tensor | None,
    ) -> Tensor:
        """Return weights_BJ."""
        keys_BJA, score_A, weight_FA = fixed
        assert keys_BJA is not None
        assert score_A is not None
        features = None
        if features_BJF is not None and weight_FA is not None:
            features = (features_BJF, weight_FA)
        hidden_BJA, weights_BJ = attend(keys_BJA, query_BA, score_A, penalty_BJ, features)
        ctx.log, ctx.features_BJF = log, features_BJF
        ctx.save_for_backward(hidden_BJA, weights_BJ, *fixed)
        return weights_BJ

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Return the gradients by query and features."""
        hidden_BJA, weights_BJ, keys_BJA, score_A, weight_FA = ctx.saved_tensors
        if not ctx.log:
            ctx.log.append(gradients_of(hidden_BJA, keys_BJA, score_A, weight_FA))
        query_BA, features_BJF = ctx.log[0].step(grads[0], weights_BJ, hidden_BJA, ctx.features_BJF)
        return query_BA, features_BJF, None, None, None, None, None
