"""Bidirectional GRU encoders, as in dl4mt and in GroundHog: one annotation per source word.

The forms of the GRU are in `cells.py`.

Shapes: B sentences, J source words incl. the end mark, E embedding, H state, G = 3H, C = 2H
annotation, T time steps of a recurrence, D directions (forward, backward).
"""

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


class GruSequence(torch.autograd.Function):
    """Several independent GRUs over a sequence, with a hand-written backward pass.

    The gradient of the recurrent weights is one product over all steps instead of one per step.
    """

    @staticmethod
    def forward(ctx: Any, input_DTBG: Tensor, weight_DHG: Tensor, dtype: torch.dtype) -> Tensor:
        """Return the state after each step, states_DTBH; the state before the first is zero."""
        num, steps, batch, _ = input_DTBG.shape
        states_DTBH = input_DTBG.new_zeros((num, steps + 1, batch, weight_DHG.shape[1]))
        cast_DHG = weight_DHG.to(dtype)
        kept: list[Tensor] = []
        for step in range(steps):
            state_DBH = states_DTBH[:, step]
            inner_DBG = product(state_DBH, cast_DHG)
            states_DTBH[:, step + 1], values = gru_forward(
                input_DTBG[:, step], inner_DBG, state_DBH
            )
            kept.extend(values)
        ctx.save_for_backward(states_DTBH, cast_DHG, *kept)
        return states_DTBH[:, 1:]

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, None]:
        """Return the gradients by input and weight."""
        (grad_states_DTBH,) = grads
        states_DTBH, cast_DHG, *kept = ctx.saved_tensors
        num, steps, batch, size = grad_states_DTBH.shape
        grad_input_DTBG = states_DTBH.new_empty((num, steps, batch, 3 * size))
        grad_inner_DTBG = torch.empty_like(grad_input_DTBG)
        carry_DBH = states_DTBH.new_zeros((num, batch, size))
        weight_DGH = cast_DHG.transpose(1, 2)
        for step in range(steps - 1, -1, -1):
            values = GruValues(*kept[3 * step : 3 * step + 3])
            grad_new_DBH = grad_states_DTBH[:, step] + carry_DBH
            grad_input_DBG, grad_inner_DBG, carry_DBH = gru_backward(
                grad_new_DBH, states_DTBH[:, step], values
            )
            carry_DBH += product(grad_inner_DBG, weight_DGH)
            grad_input_DTBG[:, step] = grad_input_DBG
            grad_inner_DTBG[:, step] = grad_inner_DBG
        before_DXH = states_DTBH[:, :-1].reshape(num, -1, size).to(cast_DHG.dtype)
        inner_DXG = grad_inner_DTBG.view(num, -1, 3 * size).to(cast_DHG.dtype)
        grad_weight_DHG = torch.bmm(before_DXH.transpose(1, 2), inner_DXG).to(states_DTBH.dtype)
        return grad_input_DTBG, grad_weight_DHG, None


class GruLayer(Parameters):
    """Parameters of one or more GRUs that read the same input, each in its own order."""

    def __init__(self, directions: int, input_size: int, size: int) -> None:
        super().__init__()
        self.input_weight_DEG = self.add("input_weight_DEG", (directions, input_size, 3 * size))
        self.bias_DG = self.add("bias_DG", (directions, 3 * size), constant())
        self.state_weight_DHG = self.add(
            "state_weight_DHG", (directions, size, 3 * size), orthogonal_blocks
        )

    def forward(
        self, input_TBE: Tensor, keep_DTB: Tensor, reverse: int, dtype: torch.dtype
    ) -> Tensor:
        """Run the recurrences.

        Args:
            input_TBE: input in the order of the sentence.
            keep_DTB: True where a step must leave the state as it is, in each direction's order.
            reverse: directions from this one on read the input backwards.
            dtype: number format of the matrix products.

        Returns:
            states_DTBH, each direction in its own order of reading.
        """
        input_DTBG = _Projected.apply(
            input_TBE, self.input_weight_DEG, self.bias_DG, keep_DTB, (reverse, dtype)
        )
        states: Tensor = GruSequence.apply(input_DTBG, self.state_weight_DHG, dtype)
        return states


class EarlyResetSequence(torch.autograd.Function):
    """Several independent GRUs of GroundHog's form over a sequence, with a hand-written backward
    pass.
    """

    @staticmethod
    def forward(
        ctx: Any, input_DTBG: Tensor, weight_DHG: Tensor, keep_DTB: Tensor, dtype: torch.dtype
    ) -> Tensor:
        """Return the state after each step, states_DTBH; the state before the first is zero."""
        num, steps, batch, _ = input_DTBG.shape
        states_DTBH = input_DTBG.new_zeros((num, steps + 1, batch, weight_DHG.shape[1]))
        cast_DHG = weight_DHG.to(dtype)
        kept: list[Tensor] = []
        for step in range(steps):
            state_DBH = states_DTBH[:, step]
            new_DBH, values = early_reset_forward(input_DTBG[:, step], state_DBH, cast_DHG)
            states_DTBH[:, step + 1] = torch.where(keep_DTB[:, step, :, None], state_DBH, new_DBH)
            kept.extend(values)
        ctx.save_for_backward(states_DTBH, cast_DHG, keep_DTB, *kept)
        return states_DTBH[:, 1:]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Return the gradients by input and weight."""
        states_DTBH, cast_DHG, keep_DTB, *kept = ctx.saved_tensors
        num, steps, batch, size = grads[0].shape
        grad_input_DTBG = states_DTBH.new_empty((num, steps, batch, 3 * size))
        reset_DTBH = states_DTBH.new_empty((num, steps, batch, size))
        carry_DBH = states_DTBH.new_zeros((num, batch, size))
        for step in range(steps - 1, -1, -1):
            values = EarlyResetValues(*kept[3 * step : 3 * step + 3])
            grad_DBH = grads[0][:, step] + carry_DBH
            stays_DB1 = keep_DTB[:, step, :, None]
            grad_input_DTBG[:, step], carry_DBH = early_reset_backward(
                grad_DBH.masked_fill(stays_DB1, 0), states_DTBH[:, step], cast_DHG, values
            )
            carry_DBH += grad_DBH * stays_DB1
            reset_DTBH[:, step] = values.reset_BH
        rows = [x.reshape(num, steps * batch, -1).to(cast_DHG.dtype)
                for x in (states_DTBH[:, :-1], reset_DTBH, grad_input_DTBG)]  # fmt: skip
        grad_weight_DHG = early_reset_weight(*rows).to(states_DTBH.dtype)
        return grad_input_DTBG, grad_weight_DHG, None, None


class EarlyResetLayer(Parameters):
    """Parameters of GroundHog's GRUs; the bias belongs to the candidate alone."""

    def __init__(self, directions: int, input_size: int, size: int) -> None:
        super().__init__()
        self.input_weight_DEG = self.add("input_weight_DEG", (directions, input_size, 3 * size))
        self.bias_DH = self.add("bias_DH", (directions, size), constant())
        self.state_weight_DHG = self.add(
            "state_weight_DHG", (directions, size, 3 * size), orthogonal_blocks
        )

    def forward(
        self, input_TBE: Tensor, keep_DTB: Tensor, reverse: int, dtype: torch.dtype
    ) -> Tensor:
        """Run the recurrences; see `GruLayer.forward`."""
        gates = self.bias_DH.new_zeros((len(self.bias_DH), 2 * self.bias_DH.shape[1]))
        bias_DG = torch.cat([gates, self.bias_DH], 1)
        input_DTBG = _Projected.apply(
            input_TBE, self.input_weight_DEG, bias_DG, None, (reverse, dtype)
        )
        states: Tensor = EarlyResetSequence.apply(
            input_DTBG, self.state_weight_DHG, keep_DTB, dtype
        )
        return states


class _Projected(torch.autograd.Function):
    """The input of all directions in one product, each in its own order of reading, with bias.

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
        means: tuple[int, torch.dtype],
    ) -> Tensor:
        """Return input_DTBG, given the first direction that reads backwards and the number format
        of the product.

        With `keep_DTB` the update gates are driven so high there that they keep the old state.
        """
        reverse, dtype = means
        steps, batch, _ = input_TBE.shape
        num, _, width = weight_DEG.shape
        weight_EX = weight_DEG.transpose(0, 1).reshape(-1, num * width).to(dtype)
        input_XE = input_TBE.reshape(steps * batch, -1).to(dtype)
        rows_TBDG = (input_XE @ weight_EX).view(steps, batch, num, width)
        input_DTBG = bias_DG.new_empty((num, steps, batch, width))
        for direction, row_G in enumerate(bias_DG):
            rows_TBG = _in_order(rows_TBDG[:, :, direction], direction >= reverse)
            torch.add(rows_TBG, row_G, out=input_DTBG[direction])
        if keep_DTB is not None:
            input_DTBG[..., width // 3 : 2 * width // 3] += KEEP * keep_DTB.unsqueeze(-1)
        ctx.reverse = reverse
        ctx.save_for_backward(input_XE, weight_EX)
        return input_DTBG

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Return the gradients by input, weight and bias."""
        (grad_DTBG,) = grads
        input_XE, weight_EX = ctx.saved_tensors
        num, steps, batch, width = grad_DTBG.shape
        rows_TBDG = input_XE.new_empty((steps, batch, num, width))
        for direction, grad_TBG in enumerate(grad_DTBG):
            rows_TBDG[:, :, direction] = _in_order(grad_TBG, direction >= ctx.reverse)
        rows_XX = rows_TBDG.view(steps * batch, num * width)
        grad_TBE = (rows_XX @ weight_EX.T).to(grad_DTBG.dtype).view(steps, batch, -1)
        grad_EX = (input_XE.T @ rows_XX).to(grad_DTBG.dtype)
        grad_DEG = grad_EX.view(-1, num, width).transpose(0, 1)
        return grad_TBE, grad_DEG, grad_DTBG.sum((1, 2)), None, None


def _in_order(rows_TBG: Tensor, backwards: bool) -> Tensor:  # noqa: FBT001 - one use, named there
    """Turn the order of reading into that of the sentence, and back."""
    return rows_TBG.flip(0) if backwards else rows_TBG


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
        padding_JB = ~mask_BJ.T
        keep_DTB = torch.stack([padding_JB, padding_JB.flip(0)])
        for layer in (self.recurrence, *self.upper):
            states_DTBH = layer(noise.dropout(below_JBX), keep_DTB, 1, dtype)
            below_JBX = torch.cat([states_DTBH[0], states_DTBH[1].flip(0)], dim=-1)
        return below_JBX.transpose(0, 1).contiguous()
