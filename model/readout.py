"""Reading out words: dl4mt's readout, GroundHog's, the Transformer's, and a softmax that never
holds all logits twice.

Shapes: N rows (real target words, or hypotheses), H state, C annotation, P slots, E embedding and
readout, M = H / 2, O outputs of a projection, V target vocabulary.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from model.buffer_pool import BufferPool
from model.casts import cast
from model.cells import product
from model.config import ModelConfig
from model.initial import Initial, Parameters, by_inputs, constant, embeddings, gaussian
from model.machine import rows_at_once

CHUNK_ROWS = 256
"""Rows whose logits are computed at a time, so that they stay in the processor's cache."""
EXPONENT_ROWS = 16
"""Rows whose exponentials are computed at a time."""


class Reading(NamedTuple):
    """What every readout sees of a step: S_t = (s_t, c_t, e_{y_{t-1}})."""

    state_NH: Tensor
    context_NC: Tensor
    tag_mass_NP: Tensor | None
    """Tag part of the context vector; None if it is all zero."""
    word_NE: Tensor
    """Embedded previous word."""
    columns: Mapping[Tensor, slice] | None = None
    """Where the contexts have been multiplied, columns of the product with each weight."""

    def context_times(self, weight_CO: Tensor, dtype: torch.dtype) -> Tensor:
        """Return the product of the contexts with a weight."""
        if self.columns is None:
            return product(self.context_NC, cast(weight_CO, dtype))
        return self.context_NC[:, self.columns[weight_CO]]

    def rows(self, index_X: Tensor) -> "Reading":
        """Return some of the rows."""
        mass = self.tag_mass_NP
        return Reading(
            self.state_NH[index_X],
            self.context_NC[index_X],
            None if mass is None else mass[index_X],
            self.word_NE[index_X],
            self.columns,
        )


class Projection(Parameters):
    """A linear map of (s_t, c_t, e_{y_{t-1}}), one weight for each part."""

    def __init__(
        self, config: ModelConfig, outputs: int, *, bias_rows: int = 1, bias: Initial | None = None
    ) -> None:
        super().__init__()
        self.state_weight_HO = self.add("state_weight_HO", (config.hidden, outputs), gaussian())
        self.context_weight_CO = self.add("context_weight_CO", (config.annotation_size, outputs))
        self.word_weight_EO = self.add("word_weight_EO", (config.embedding, outputs), gaussian())
        if config.slots:
            self.tag_weight_PO = self.add("tag_weight_PO", (config.slots, outputs))
        if bias_rows:
            self.bias_RO = self.add("bias_RO", (bias_rows, outputs), bias or constant())
        self._has_bias = bool(bias_rows)

    def forward(self, reading: Reading, dtype: torch.dtype) -> Tensor:
        """Return outputs_NO."""
        out_NO = (
            product(reading.state_NH, cast(self.state_weight_HO, dtype))
            + reading.context_times(self.context_weight_CO, dtype)
            + product(reading.word_NE, cast(self.word_weight_EO, dtype))
        )
        if reading.tag_mass_NP is not None:
            out_NO = out_NO + reading.tag_mass_NP @ self.tag_weight_PO
        return out_NO + self.bias_RO.sum(0) if self._has_bias else out_NO


class Readout(Parameters):
    """dl4mt: `l = tanh(W_s s + W_c c + W_e e + 3 biases)`, `logits = W_o l + b`.

    GroundHog: `o = U_o t + C_o s + V_o e + b_o` of the state's size, the larger of each two
    neighbours of o (maxout), `l = W_1 maxout(o)` without a nonlinearity, `logits = W_2 l + b`.

    Transformer: `logits = W_o s + b`, or `W_o W_l s + b` where E is not H.

    With tied embeddings W_o (W_2) is the table of the target words' embeddings.
    """

    def __init__(self, config: ModelConfig, vocabulary: int, table_VE: nn.Parameter) -> None:
        super().__init__()
        size = config.embedding
        self._maxout = config.switches.is_groundhog
        self.projection: Projection | None = None
        self._narrows = False
        if self._maxout:
            self.projection = Projection(config, config.hidden)
            self.low_rank_weight_ME = self.add("low_rank_weight_ME", (config.hidden // 2, size))
        elif not config.switches.is_transformer:
            self.projection = Projection(config, size, bias_rows=3)
        elif size != config.hidden:
            self._narrows = True
            self.state_weight_HE = self.add("state_weight_HE", (config.hidden, size), by_inputs)
        # In a tuple, so that torch does not count and save the table of the decoder a second time.
        self._tied = (table_VE,) if config.tied_embeddings else ()
        if not self._tied:
            first = embeddings if config.switches.is_transformer else gaussian(inputs_last=True)
            self.add("output_weight_VE", (vocabulary, size), first)
        self.output_bias_V = self.add("output_bias_V", (vocabulary,), constant())

    @property
    def words_VE(self) -> Tensor:
        """Weights of each word in the softmax."""
        return self._tied[0] if self._tied else self.get_parameter("output_weight_VE")

    def hidden(self, reading: Reading, dtype: torch.dtype) -> Tensor:
        """Return hidden_NE."""
        if self.projection is None:
            if not self._narrows:
                return reading.state_NH
            return product(reading.state_NH, cast(self.state_weight_HE, dtype))
        inner_NO: Tensor = self.projection(reading, dtype)
        if not self._maxout:
            return torch.tanh(inner_NO)
        largest_NM = inner_NO.unflatten(-1, (-1, 2)).amax(-1)
        return product(largest_NM, cast(self.low_rank_weight_ME, dtype))

    def scores(
        self, hidden_NE: Tensor, words_N: Tensor, dtype: torch.dtype, pool: BufferPool
    ) -> tuple[Tensor, Tensor]:
        """Return the logit of one word per row, and the log-sum-exp of all logits of the row."""
        result: tuple[Tensor, Tensor] = WordScores.apply(
            hidden_NE, self.words_VE, self.output_bias_V, words_N, (dtype, pool)
        )
        return result

    def mean_logits(self, hidden_NE: Tensor) -> Tensor:
        """Return the mean logit of each row (for label smoothing)."""
        return hidden_NE @ self.words_VE.mean(0) + self.output_bias_V.mean()

    def logits(self, hidden_NE: Tensor, dtype: torch.dtype) -> Tensor:
        """Return all logits_NV in the format of the products (for search)."""
        words_VE, bias_V = cast(self.words_VE, dtype), cast(self.output_bias_V, dtype)
        return torch.addmm(bias_V, hidden_NE.to(dtype), words_VE.T)


class WordScores(torch.autograd.Function):
    """Logits of given words and log-sum-exps, a chunk of rows at a time.

    The exponentials are kept for the backward pass in place of the logits, so each is computed
    once. The gradient is that of the log-sum-exps, two products with the exponentials as they are,
    plus that of the given words' logits, a few rows.
    """

    @staticmethod
    def forward(
        ctx: Any,
        hidden_NE: Tensor,
        weight_VE: Tensor,
        bias_V: Tensor,
        words_N: Tensor,
        means: tuple[torch.dtype, BufferPool],
    ) -> tuple[Tensor, Tensor]:
        """Return logit_N and log_sum_N, given the number format of the products and a lender."""
        dtype, pool = means
        cast_VE, cast_NE, cast_V = weight_VE.to(dtype), hidden_NE.to(dtype), bias_V.to(dtype)
        logit_N, log_sum_N = torch.empty_like(hidden_NE[:, 0]), torch.empty_like(hidden_NE[:, 0])
        sums_N = torch.empty_like(logit_N)
        num, vocabulary = len(hidden_NE), len(weight_VE)
        learning = ctx.needs_input_grad[0]
        chunk = rows_at_once(hidden_NE, CHUNK_ROWS)
        row = pool.take((num if learning else min(chunk, num)) * vocabulary, cast_NE)
        for start in range(0, num, chunk):
            rows = slice(start, min(start + chunk, num))
            kept_XV = _chunk(row, rows if learning else slice(0, rows.stop - start), vocabulary)
            torch.addmm(cast_V, cast_NE[rows], cast_VE.T, out=kept_XV)
            logit_N[rows] = kept_XV.gather(1, words_N[rows, None]).squeeze(1).to(logit_N.dtype)
            _exponentials(kept_XV, sums_N[rows], log_sum_N[rows])
        if not learning:
            pool.give_back(row)
        ctx.pool, ctx.row = pool, row
        ctx.save_for_backward(cast_NE, cast_VE, words_N, sums_N)
        return logit_N, log_sum_N

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Return the gradients by hidden, weight and bias."""
        grad_logit_N, grad_log_sum_N = grads
        cast_NE, cast_VE, words_N, sums_N = ctx.saved_tensors
        kind = grad_logit_N.dtype
        exponentials_NV = _chunk(ctx.row, slice(0, len(cast_NE)), len(cast_VE))
        scale_N = grad_log_sum_N / sums_N
        scaled_NE = (cast_NE * scale_N.unsqueeze(1)).to(cast_NE.dtype)
        grad_VE = (exponentials_NV.T @ scaled_NE).to(kind)
        grad_V = (scale_N.to(cast_NE.dtype).unsqueeze(0) @ exponentials_NV).squeeze(0).to(kind)
        grad_NE = (exponentials_NV @ cast_VE).to(kind).mul_(scale_N.unsqueeze(1))
        ctx.pool.give_back(ctx.row)
        ctx.row = None
        logit_N1 = grad_logit_N.unsqueeze(1)
        grad_NE.addcmul_(cast_VE[words_N].to(kind), logit_N1)
        grad_VE.index_add_(0, words_N, cast_NE * logit_N1)
        grad_V.index_add_(0, words_N, grad_logit_N)
        return grad_NE, grad_VE, grad_V, None, None


def _exponentials(kept_XV: Tensor, sums_X: Tensor, log_sum_X: Tensor) -> None:
    """Turn logits into exponentials, highest 1, in place; write their sums and log-sum-exps.

    So few rows are in work at a time that they stay in the cache of one core.
    """
    size = rows_at_once(kept_XV, EXPONENT_ROWS)
    for first in range(0, len(kept_XV), size):
        rows = slice(first, first + size)
        part_YV = kept_XV[rows].to(sums_X.dtype)
        highest_Y1 = part_YV.amax(1, keepdim=True)
        part_YV = part_YV.sub_(highest_Y1).exp_()
        torch.sum(part_YV, 1, out=sums_X[rows])
        torch.add(sums_X[rows].log(), highest_Y1.squeeze(1), out=log_sum_X[rows])
        if part_YV.dtype != kept_XV.dtype:
            kept_XV[rows] = part_YV


def _chunk(row: Tensor, rows: slice, width: int) -> Tensor:
    """Return some rows of a matrix that is stored in one row."""
    return row[rows.start * width : rows.stop * width].view(-1, width)
