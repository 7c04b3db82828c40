"""Reading out words: dl4mt's readout, GroundHog's, the Transformer's, and a softmax that never
holds all logits twice.

Shapes: N rows (real target words, or hypotheses), H state, C annotation, P slots, E embedding and
readout, M = H / 2, O outputs of a projection, V target vocabulary.
"""

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from model.buffer_pool import BufferPool
from model.cells import product
from model.config import ModelConfig
from model.initial import Initial, Parameters, by_inputs, constant, embeddings, gaussian

CHUNK_ROWS = 256
"""Rows whose logits are worked on at a time, so that they stay in the processor's cache."""


class Reading(NamedTuple):
    """What every readout sees of a step: S_t = (s_t, c_t, e_{y_{t-1}})."""

    state_NH: Tensor
    context_NC: Tensor
    tag_mass_NP: Tensor | None
    """Tag part of the context vector; None if it is all zero."""
    word_NE: Tensor
    """Embedded previous word."""

    def rows(self, index_X: Tensor) -> "Reading":
        """Return some of the rows."""
        mass = self.tag_mass_NP
        return Reading(
            self.state_NH[index_X],
            self.context_NC[index_X],
            None if mass is None else mass[index_X],
            self.word_NE[index_X],
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
            product(reading.state_NH, self.state_weight_HO.to(dtype))
            + product(reading.context_NC, self.context_weight_CO.to(dtype))
            + product(reading.word_NE, self.word_weight_EO.to(dtype))
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
            return product(reading.state_NH, self.state_weight_HE.to(dtype))
        inner_NO: Tensor = self.projection(reading, dtype)
        if not self._maxout:
            return torch.tanh(inner_NO)
        largest_NM = inner_NO.unflatten(-1, (-1, 2)).amax(-1)
        return product(largest_NM, self.low_rank_weight_ME.to(dtype))

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
        """Return all logits_NV (for search)."""
        return product(hidden_NE, self.words_VE.to(dtype).T) + self.output_bias_V


class WordScores(torch.autograd.Function):
    """Logits of given words and log-sum-exps, a chunk of rows at a time.

    The exponentials are kept for the backward pass in place of the logits, so each is computed
    once.
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
        cast_VE, cast_NE = weight_VE.to(dtype), hidden_NE.to(dtype)
        logit_N, log_sum_N = torch.empty_like(hidden_NE[:, 0]), torch.empty_like(hidden_NE[:, 0])
        sums_N = torch.empty_like(logit_N)
        num, vocabulary = len(hidden_NE), len(weight_VE)
        learning = ctx.needs_input_grad[0]
        row = pool.take((num if learning else CHUNK_ROWS) * vocabulary, cast_NE)
        for start in range(0, num, CHUNK_ROWS):
            rows = slice(start, min(start + CHUNK_ROWS, num))
            kept_XV = _chunk(row, rows if learning else slice(0, rows.stop - start), vocabulary)
            torch.mm(cast_NE[rows], cast_VE.T, out=kept_XV)
            chunk_XV = kept_XV.to(hidden_NE.dtype).add_(bias_V)
            logit_N[rows] = chunk_XV.gather(1, words_N[rows, None]).squeeze(1)
            highest_X1 = chunk_XV.amax(1, keepdim=True)
            sums_N[rows] = chunk_XV.sub_(highest_X1).exp_().sum(1)
            log_sum_N[rows] = sums_N[rows].log() + highest_X1.squeeze(1)
            if learning and chunk_XV is not kept_XV:
                kept_XV.copy_(chunk_XV)
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
        grad_NE = torch.empty_like(cast_NE)
        grad_VE = torch.zeros_like(cast_VE, dtype=grad_logit_N.dtype)
        grad_V = torch.zeros_like(cast_VE[:, 0], dtype=grad_logit_N.dtype)
        scale_N = grad_log_sum_N / sums_N
        for start in range(0, len(cast_NE), CHUNK_ROWS):
            rows = slice(start, min(start + CHUNK_ROWS, len(cast_NE)))
            chunk_XV = _chunk(ctx.row, rows, len(cast_VE))
            chunk_XV.mul_(scale_N[rows, None])
            chunk_XV.scatter_add_(
                1, words_N[rows, None], grad_logit_N[rows, None].to(chunk_XV.dtype)
            )
            grad_NE[rows] = chunk_XV @ cast_VE
            grad_VE += chunk_XV.T @ cast_NE[rows]
            grad_V += chunk_XV.sum(0)
        ctx.pool.give_back(ctx.row)
        ctx.row = None
        kind = grad_logit_N.dtype
        return grad_NE.to(kind), grad_VE, grad_V, None, None


def _chunk(row: Tensor, rows: slice, width: int) -> Tensor:
    """Return some rows of a matrix that is stored in one row."""
    return row[rows.start * width : rows.stop * width].view(-1, width)
