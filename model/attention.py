"""Additive attention over annotations, with coverage and slot tags as further inputs.

`e_j = v . tanh(A_h h_j + A_s s + A_f f_j)`, where the features f_j are the coverage vector of
source word j and its slot's tag while that slot is alive. Since tanh(x) = 2 sigmoid(2x) - 1 and a
softmax ignores constants, the code uses `e_j = 2 v . sigmoid(2 (...))`, which gives the same
weights several times faster; keys, query and feature weights arrive doubled.

Shapes: B rows, J source words, A attention's hidden layer, C annotation, H state, F features
    (coverage and tags); X places, row by row, of blocks (`places.py`), Y rows of a block.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

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
from model.places import Block, even_blocks, of_block


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
) -> tuple[Tensor, Tensor]:
    """Return hidden_BJA and weights_BJ.

    Args:
        keys_BJA: doubled keys.
        query_BA: doubled projection of the state.
        score_A: doubled score vector v.
        penalty_BJ: 0 on words, minus infinity on padding.
        features: features_BJF and their doubled weight_FA, or None.

    Where `fused_attention.serves`, no hidden layer is made, and query_BA stands in its place.
    """
    flat = None if features is None else (features[0].flatten(0, 1), features[1])
    attended = Attended(keys_BJA.flatten(0, 1), penalty_BJ.flatten(), even_blocks(keys_BJA))
    hidden, weights_X = attend_blocks(attended, query_BA, score_A, flat)
    hidden = hidden if hidden is query_BA else hidden.view_as(keys_BJA)
    return hidden, weights_X.view_as(penalty_BJ)


class Attended(NamedTuple):
    """Source words that are attended to."""

    keys_XA: Tensor
    """Doubled keys."""
    penalty_X: Tensor
    """0 on words, minus infinity on padding."""
    blocks: Sequence[Block]
    """Which places belong to which row."""


def attend_blocks(
    attended: Attended,
    query_BA: Tensor,
    score_A: Tensor,
    features: tuple[Tensor, Tensor] | None,
    out_XA: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Return hidden_XA and weights_X of the places of some blocks; see `attend`.

    Args:
        attended: the places.
        query_BA: doubled projection of the state.
        score_A: doubled score vector v.
        features: features_XF and their doubled weight_FA, or None.
        out_XA: where to put hidden_XA.
    """
    keys_XA, penalty_X, blocks = attended
    if fused_attention.serves(keys_XA):
        energy_BJ = _fused_energies(keys_XA, query_BA, score_A, features, blocks)
        penalty_BJ = penalty_X.view_as(energy_BJ)
        return query_BA, torch.softmax(energy_BJ + penalty_BJ, dim=-1).flatten()
    hidden_XA = torch.empty_like(keys_XA) if out_XA is None else out_XA
    weights_X = torch.empty_like(penalty_X)
    for block in blocks:
        flat_XA, places = hidden_XA[block.places], block.places
        query_YA = query_BA[block.rows].unsqueeze(1)
        torch.add(of_block(keys_XA, block), query_YA, out=flat_XA.unflatten(0, block.shape))
        if features is not None:
            flat_XA.addmm_(features[0][places], features[1])
        energy_X = torch.mv(flat_XA.sigmoid_(), score_A).add_(penalty_X[places])
        weights_X[places] = torch.softmax(energy_X.view(block.shape), dim=-1).view(-1)
    return hidden_XA, weights_X


def _fused_energies(
    keys_XA: Tensor,
    query_BA: Tensor,
    score_A: Tensor,
    features: tuple[Tensor, Tensor] | None,
    blocks: Sequence[Block],
) -> Tensor:
    (block,) = blocks
    given = None if features is None else (of_block(features[0], block), features[1])
    return fused_attention.energies(of_block(keys_XA, block), query_BA, score_A, given)


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


class AttentionGradients:
    """Running sums of the gradients of `attend_blocks` over the steps of a sentence."""

    def __init__(self, keys_XA: Tensor, score_A: Tensor, weight_FA: Tensor | None) -> None:
        self._score_A = score_A
        self._keys_XA = torch.zeros_like(keys_XA)
        self._sum_score_A = torch.zeros_like(score_A)
        self._sum_weight_FA = None if weight_FA is None else torch.zeros_like(weight_FA)
        self._back_FA = None if weight_FA is None else weight_FA * score_A

    def step(
        self,
        grad_weights_X: Tensor,
        weights_X: Tensor,
        hidden_XA: Tensor,
        features_XF: Tensor | None,
        blocks: Sequence[Block],
    ) -> tuple[Tensor, Tensor | None]:
        """Add one step's gradients; return those by query_BA and features_XF.

        `hidden_XA` is overwritten: the step is its last reader.
        """
        query_BA = hidden_XA.new_empty((blocks[-1].rows.stop, hidden_XA.shape[-1]))
        grad_XF = None if features_XF is None else torch.empty_like(features_XF)
        for block in blocks:
            energy_YJ = _energy_gradient(
                of_block(grad_weights_X, block), of_block(weights_X, block)
            )
            self._block(block, energy_YJ, hidden_XA[block.places], query_BA[block.rows])
            if features_XF is not None and grad_XF is not None:
                places = block.places
                self._features(energy_YJ, hidden_XA[places], features_XF[places], grad_XF[places])
        return query_BA * self._score_A, grad_XF

    def _block(self, block: Block, energy_YJ: Tensor, hidden_XA: Tensor, query_YA: Tensor) -> None:
        """Turn the hidden layer into its slope; write the gradient by the queries but for the score
        vector.
        """
        self._sum_score_A.addmv_(hidden_XA.T, energy_YJ.view(-1))
        hidden_XA.addcmul_(hidden_XA, hidden_XA, value=-1)
        self._keys_XA[block.places].addcmul_(hidden_XA, energy_YJ.view(-1, 1))
        slope_YJA = hidden_XA.unflatten(0, block.shape)
        torch.bmm(energy_YJ.unsqueeze(1), slope_YJA, out=query_YA.unsqueeze(1))

    def _features(
        self, energy_YJ: Tensor, slope_XA: Tensor, features_XF: Tensor, grad_XF: Tensor
    ) -> None:
        assert self._back_FA is not None
        assert self._sum_weight_FA is not None
        scaled_XF = features_XF * energy_YJ.view(-1, 1)
        self._sum_weight_FA.addmm_(scaled_XF.T, slope_XA)
        # In this order the product is several times faster than `slope_XA @ back_AF` on CPUs.
        torch.mul(torch.mm(self._back_FA, slope_XA.T).T, energy_YJ.view(-1, 1), out=grad_XF)

    def totals(self) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return the gradients by keys_XA, score_A and weight_FA."""
        weight_FA = None if self._sum_weight_FA is None else self._sum_weight_FA * self._score_A
        return self._keys_XA * self._score_A, self._sum_score_A, weight_FA


def _energy_gradient(grad_weights_YJ: Tensor, weights_YJ: Tensor) -> Tensor:
    """Return the gradient by the energies, contiguous."""
    expected_Y1 = (grad_weights_YJ * weights_YJ).sum(-1, keepdim=True)
    return weights_YJ * (grad_weights_YJ - expected_Y1)


class _FusedSums:
    """`AttentionGradients` by the kernels, given queries in place of hidden layers; all sentences
    are one block.
    """

    def __init__(
        self, keys_XA: Tensor, score_A: Tensor, weight_FA: Tensor | None, block: Block
    ) -> None:
        self._block = block
        self._sums = FusedGradients(of_block(keys_XA, block), score_A, weight_FA)

    def step(
        self,
        grad_weights_X: Tensor,
        weights_X: Tensor,
        query_BA: Tensor,
        features_XF: Tensor | None,
        blocks: Sequence[Block],
    ) -> tuple[Tensor, Tensor | None]:
        (block,) = blocks
        features_BJF = None if features_XF is None else of_block(features_XF, block)
        grad_query_BA, grad_BJF = self._sums.step(
            of_block(grad_weights_X, block), of_block(weights_X, block), query_BA, features_BJF
        )
        return grad_query_BA, None if grad_BJF is None else grad_BJF.flatten(0, 1)

    def totals(self) -> tuple[Tensor, Tensor, Tensor | None]:
        keys_BJA, score_A, weight_FA = self._sums.totals()
        return keys_BJA.flatten(0, 1), score_A, weight_FA


def gradients_of(
    keys_XA: Tensor,
    score_A: Tensor,
    weight_FA: Tensor | None,
    blocks: Sequence[Block],
    *,
    fused: bool,
) -> AttentionGradients | _FusedSums:
    """Return what sums up the gradients of steps.

    Args:
        keys_XA: doubled keys.
        score_A: doubled score vector v.
        weight_FA: doubled weights of the features, or None.
        blocks: which places belong to which row.
        fused: whether `attend_blocks` returned queries in place of hidden layers.
    """
    if fused:
        return _FusedSums(keys_XA, score_A, weight_FA, blocks[0])
    return AttentionGradients(keys_XA, score_A, weight_FA)


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
        self._log: list[AttentionGradients | _FusedSums] = []
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
        log: list[AttentionGradients | _FusedSums],
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return the three tensors."""
        ctx.log, ctx.shape = log, keys_BJA.shape
        ctx.set_materialize_grads(False)
        shared_FA = None if weight_FA is None else weight_FA.view_as(weight_FA)
        return keys_BJA.view_as(keys_BJA), score_A.view_as(score_A), shared_FA

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the sums of the steps."""
        if not ctx.log:
            return None, None, None, None
        keys_XA, score_A, weight_FA = ctx.log.pop().totals()
        return keys_XA.view(ctx.shape), score_A, weight_FA, None


class _Attend(torch.autograd.Function):
    """`attend` for one step."""

    @staticmethod
    def forward(
        ctx: Any,
        query_BA: Tensor,
        features_BJF: Tensor | None,
        penalty_BJ: Tensor,
        log: list[AttentionGradients | _FusedSums],
        *fixed: Tensor | None,
    ) -> Tensor:
        """Return weights_BJ."""
        keys_BJA, score_A, weight_FA = fixed
        assert keys_BJA is not None
        assert score_A is not None
        features = None
        if features_BJF is not None and weight_FA is not None:
            features = (features_BJF, weight_FA)
        hidden, weights_BJ = attend(keys_BJA, query_BA, score_A, penalty_BJ, features)
        ctx.log, ctx.features_BJF = log, features_BJF
        ctx.save_for_backward(hidden, weights_BJ, *fixed)
        return weights_BJ

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Return the gradients by query and features."""
        hidden, weights_BJ, keys_BJA, score_A, weight_FA = ctx.saved_tensors
        blocks, keys_XA = even_blocks(keys_BJA), keys_BJA.flatten(0, 1)
        fused = hidden.dim() < keys_BJA.dim()
        kept = hidden if fused else hidden.flatten(0, 1)
        if not ctx.log:
            ctx.log.append(gradients_of(keys_XA, score_A, weight_FA, blocks, fused=fused))
        features_BJF = ctx.features_BJF
        features_XF = None if features_BJF is None else features_BJF.flatten(0, 1)
        query_BA, grad_XF = ctx.log[0].step(
            grads[0].flatten(), weights_BJ.flatten(), kept, features_XF, blocks
        )
        grad_BJF = (
            None if features_BJF is None or grad_XF is None else grad_XF.view_as(features_BJF)
        )
        return query_BA, grad_BJF, None, None, None, None, None
