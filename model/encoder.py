"""Bidirectional GRU encoders, as in dl4mt and in GroundHog: one annotation per source word.

The forms of the GRU are in `cells.py`.

Shapes: B sentences, J source words incl. the end mark, E embedding, H state, G = 3H, C = 2H
annotation, T places of a padded sentence, X rows of all steps (`packing.py`), D directions
    (forward, backward).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from model.cells import (
    KEEP,
    EarlyResetValues,
    GruValues,
    early_reset_backward,
    early_reset_forward,
    early_reset_weight,
    gru_backward,
    gru_forward,
    product,
)
from model.initial import Parameters, constant, orthogonal_blocks, word_vectors
from model.network_config import ModelConfig
from model.noise import Noise
from model.packing import Packing, packing, with_carry


class GruSequence(torch.autograd.Function):
    """Several independent GRUs over a sequence, with a hand-written backward pass.

    The gradient of the recurrent weights is one product over all steps instead of one per step.
    """

    @staticmethod
    def forward(
        ctx: Any, input_DXG: Tensor, weight_DHG: Tensor, steps: Sequence[slice], dtype: torch.dtype
    ) -> Tensor:
        """Return the state after each step, states_DXH; the state before the first is zero."""
        num, rows, width = input_DXG.shape
        states_DXH = input_DXG.new_empty((num, rows, width // 3))
        cast_DHG = weight_DHG.to(dtype)
        kept: list[Tensor] = []
        for state_DBH, step in _with_states_before(states_DXH, steps):
            inner_DBG = product(state_DBH, cast_DHG)
            states_DXH[:, step], values = gru_forward(input_DXG[:, step], inner_DBG, state_DBH)
            kept.extend(values)
        ctx.steps = steps
        ctx.save_for_backward(states_DXH, cast_DHG, *kept)
        return states_DXH

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Return the gradients by input and weight."""
        states_DXH, cast_DHG, *kept = ctx.saved_tensors
        num, rows, size = states_DXH.shape
        grad_input_DXG = states_DXH.new_empty((num, rows, 3 * size))
        grad_inner_DXG = torch.empty_like(grad_input_DXG)
        carry_DBH = states_DXH.new_zeros((num, 0, size))
        weight_DGH = cast_DHG.transpose(1, 2)
        befores = list(_with_states_before(states_DXH, ctx.steps))
        for number, (state_DBH, step) in reversed(list(enumerate(befores))):
            values = GruValues(*kept[3 * number : 3 * number + 3])
            grad_input_DBG, grad_inner_DBG, direct_DBH = gru_backward(
                with_carry(grads[0][:, step], carry_DBH), state_DBH, values
            )
            grad_input_DXG[:, step] = grad_input_DBG
            grad_inner_DXG[:, step] = grad_inner_DBG
            if number:
                carry_DBH = direct_DBH.add_(product(grad_inner_DBG, weight_DGH))
        before_DXH = torch.cat([state_DBH for state_DBH, _ in befores], 1).to(cast_DHG.dtype)
        inner_DXG = grad_inner_DXG.to(cast_DHG.dtype)
        grad_weight_DHG = torch.bmm(before_DXH.transpose(1, 2), inner_DXG).to(states_DXH.dtype)
        return grad_input_DXG, grad_weight_DHG, None, None


def _with_states_before(
    states_DXH: Tensor, steps: Sequence[slice]
) -> Iterator[tuple[Tensor, slice]]:
    """Yield the rows of each step, and before them the states that they advance: zero at first."""
    first = states_DXH.new_zeros((len(states_DXH), steps[0].stop, states_DXH.shape[-1]))
    for before, step in zip([None, *steps], steps, strict=False):
        if before is None:
            yield first, step
        else:
            yield states_DXH[:, before.start : before.start + step.stop - step.start], step


class GruLayer(Parameters):
    """Parameters of one or more GRUs that read the same input, each in its own order."""

    def __init__(self, directions: int, input_size: int, size: int) -> None:
        super().__init__()
        self.input_weight_DEG = self.add("input_weight_DEG", (directions, input_size, 3 * size))
        self.bias_DG = self.add("bias_DG", (directions, 3 * size), constant())
        self.state_weight_DHG = self.add(
            "state_weight_DHG", (directions, size, 3 * size), orthogonal_blocks
        )

    def forward(self, input_TBE: Tensor, packing: Packing, dtype: torch.dtype) -> Tensor:
        """Run the recurrences.

        Args:
            input_TBE: input in the order of the sentence.
            packing: what is read at which step, by as many directions as there are.
            dtype: number format of the matrix products.

        Returns:
            states_DXH, each direction in its own order of reading.
        """
        input_DXG = _Projected.apply(
            input_TBE, self.input_weight_DEG, self.bias_DG, packing.keep_DTB, (packing, dtype)
        )
        states: Tensor = GruSequence.apply(input_DXG, self.state_weight_DHG, packing.steps(), dtype)
        return states


class EarlyResetSequence(torch.autograd.Function):
    """Several independent GRUs of GroundHog's form over a sequence, with a hand-written backward
    pass.
    """

    @staticmethod
    def forward(
        ctx: Any, input_DXG: Tensor, weight_DHG: Tensor, packing: Packing, dtype: torch.dtype
    ) -> Tensor:
        """Return the state after each step, states_DXH; the state before the first is zero."""
        num, rows, width = input_DXG.shape
        states_DXH = input_DXG.new_empty((num, rows, width // 3))
        cast_DHG, keep_DTB = weight_DHG.to(dtype), packing.keep_DTB
        kept: list[Tensor] = []
        for number, (state_DBH, step) in enumerate(
            _with_states_before(states_DXH, packing.steps())
        ):
            new_DBH, values = early_reset_forward(input_DXG[:, step], state_DBH, cast_DHG)
            if keep_DTB is not None:
                new_DBH = torch.where(keep_DTB[:, number, :, None], state_DBH, new_DBH)
            states_DXH[:, step] = new_DBH
            kept.extend(values)
        ctx.packing = packing
        ctx.save_for_backward(states_DXH, cast_DHG, *kept)
        return states_DXH

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Return the gradients by input and weight."""
        states_DXH, cast_DHG, *kept = ctx.saved_tensors
        keep_DTB = ctx.packing.keep_DTB
        num, rows, size = states_DXH.shape
        grad_input_DXG = states_DXH.new_empty((num, rows, 3 * size))
        carry_DBH = states_DXH.new_zeros((num, 0, size))
        befores = list(_with_states_before(states_DXH, ctx.packing.steps()))
        for number, (state_DBH, step) in reversed(list(enumerate(befores))):
            values = EarlyResetValues(*kept[3 * number : 3 * number + 3])
            grad_DBH = with_carry(grads[0][:, step], carry_DBH)
            stays_DBH = None
            if keep_DTB is not None:
                keep_DB1 = keep_DTB[:, number, :, None]
                stays_DBH, grad_DBH = grad_DBH * keep_DB1, grad_DBH.masked_fill(keep_DB1, 0)
            grad_input_DXG[:, step], carry_DBH = early_reset_backward(
                grad_DBH, state_DBH, cast_DHG, values
            )
            if stays_DBH is not None:
                carry_DBH += stays_DBH
        before_DXH = torch.cat([state_DBH for state_DBH, _ in befores], 1)
        reset_DXH = torch.cat(kept[2::3], 1)
        parts = [x.to(cast_DHG.dtype) for x in (before_DXH, reset_DXH, grad_input_DXG)]
        grad_weight_DHG = early_reset_weight(*parts).to(states_DXH.dtype)
        return grad_input_DXG, grad_weight_DHG, None, None


class EarlyResetLayer(Parameters):
    """Parameters of GroundHog's GRUs; the bias belongs to the candidate alone."""

    def __init__(self, directions: int, input_size: int, size: int) -> None:
        super().__init__()
        self.input_weight_DEG = self.add("input_weight_DEG", (directions, input_size, 3 * size))
        self.bias_DH = self.add("bias_DH", (directions, size), constant())
        self.state_weight_DHG = self.add(
            "state_weight_DHG", (directions, size, 3 * size), orthogonal_blocks
        )

    def forward(self, input_TBE: Tensor, packing: Packing, dtype: torch.dtype) -> Tensor:
        """Run the recurrences; see `GruLayer.forward`."""
        gates = self.bias_DH.new_zeros((len(self.bias_DH), 2 * self.bias_DH.shape[1]))
        bias_DG = torch.cat([gates, self.bias_DH], 1)
        input_DXG = _Projected.apply(
            input_TBE, self.input_weight_DEG, bias_DG, None, (packing, dtype)
        )
        states: Tensor = EarlyResetSequence.apply(input_DXG, self.state_weight_DHG, packing, dtype)
        return states


class _Projected(torch.autograd.Function):
    """The projected input of each direction in its own order of reading, with bias.

    Plain automatic differentiation would hold and add up several copies of the largest matrix of
    the encoder.
    """

    @staticmethod
    def forward(
        ctx: Any,
        input_TBE: Tensor,
        weight_DEG: Tensor,
        bias_DG: Tensor,
        keep_DTB: Tensor | None,
        means: tuple[Packing, torch.dtype],
    ) -> Tensor:
        """Return input_DXG, given what is read and the number format of the products.

        With `keep_DTB` the update gates are driven so high there that they keep the old state.
        """
        packing, dtype = means
        cast_DEG = weight_DEG.to(dtype)
        read_DXE = [
            packing.take(input_TBE, direction).to(dtype) for direction in range(len(bias_DG))
        ]
        width = bias_DG.shape[1]
        input_DXG = bias_DG.new_empty((len(bias_DG), sum(packing.sizes), width))
        for read_XE, weight_EG, bias_G, out_XG in zip(
            read_DXE, cast_DEG, bias_DG, input_DXG, strict=True
        ):
            if dtype == bias_G.dtype:
                torch.addmm(bias_G, read_XE, weight_EG, out=out_XG)
            else:
                torch.add(read_XE @ weight_EG, bias_G, out=out_XG)
        if keep_DTB is not None:
            keep_DX1 = keep_DTB.flatten(1).unsqueeze(-1)
            input_DXG[..., width // 3 : 2 * width // 3] += KEEP * keep_DX1
        ctx.packing, ctx.shape = packing, input_TBE.shape[:2]
        ctx.save_for_backward(cast_DEG, *read_DXE)
        return input_DXG

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Return the gradients by input, weight and bias."""
        (grad_DXG,) = grads
        cast_DEG, *read_DXE = ctx.saved_tensors
        grad_DEG = grad_DXG.new_empty(cast_DEG.shape)
        total_TBE: Tensor | None = None
        for direction, (weight_EG, read_XE) in enumerate(zip(cast_DEG, read_DXE, strict=True)):
            grad_XG = grad_DXG[direction].to(cast_DEG.dtype)
            grad_DEG[direction] = read_XE.T @ grad_XG
            grad_XE = (grad_XG @ weight_EG.T).to(grad_DXG.dtype)
            grad_TBE = ctx.packing.put(grad_XE, direction, *ctx.shape)
            total_TBE = grad_TBE if total_TBE is None else total_TBE + grad_TBE
        return total_TBE, grad_DEG, grad_DXG.sum(1), None, None


class Encoder(Parameters):
    """Word embeddings and one or more layers of bidirectional GRUs; GroundHog's embeddings have a
    bias. A layer above the first reads the annotations below.
    """

    def __init__(self, config: ModelConfig, vocabulary: int) -> None:
        super().__init__()
        embedding, hidden, form = config.embedding, config.hidden, config.encoder_form
        self.embedding_VE = self.add("embedding_VE", (vocabulary, embedding), word_vectors)
        self._has_bias = form == "groundhog"
        if self._has_bias:
            self.embedding_bias_E = self.add("embedding_bias_E", (embedding,), constant())
        layer = EarlyResetLayer if form == "groundhog" else GruLayer
        self.recurrence = layer(2, embedding, hidden)
        self.upper = nn.ModuleList(
            layer(2, 2 * hidden, hidden) for _ in range(config.encoder_depth - 1)
        )

    def forward(self, ids_BJ: Tensor, mask_BJ: Tensor, noise: Noise, dtype: torch.dtype) -> Tensor:
        """Return the annotations of the words, annotations_BJC = [forward; backward].

        Args:
            ids_BJ: word ids.
            mask_BJ: True on words; rows where it is False hold values that must not be used.
            noise: its dropout is applied to the input of each layer.
            dtype: number format of the matrix products.
        """
        below_JBX = nn.functional.embedding(ids_BJ.T, self.embedding_VE)
        if self._has_bias:
            below_JBX = below_JBX + self.embedding_bias_E
        plan = packing(mask_BJ.T, (False, True))
        for layer in (self.recurrence, *self.upper):
            states_DXH = layer(noise.dropout(below_JBX), plan, dtype)
            below_JBX = torch.cat(
                [
                    plan.put(states_XH, direction, *below_JBX.shape[:2])
                    for direction, states_XH in enumerate(states_DXH)
                ],
                dim=-1,
            )
        return below_JBX.transpose(0, 1).contiguous()
