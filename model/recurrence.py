"""The decoder's recurrence over a whole batch of references, with a hand-written backward pass.

Teacher forcing: every step's input word is known, so only what truly depends on the step before
stays inside the loop. Annotations are multiplied with the context's weight before it, and contexts
for the readout are means after it. The gradients of weights are one product over all steps;
attention's are summed in place. `tests/reference/` holds the same recurrence written sentence by
sentence, and checks both values and gradients.

Shapes: as in `conditional_gru.py` and `places_reader.py`; R rows of all steps, X places of a step,
W weights of attention at all steps, block by block (`Places.cells_of`).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from model.buffer_pool import BufferPool
from model.cells import gru_backward, product
from model.conditional_gru import LoopWeights, PlainState, StepValues, step
from model.fused_attention import serves
from model.packing import with_carry
from model.places import Places, of_block
from model.places_reader import PlaceMemory, PlacesReader, Read, ReadingGradients


class Layout(NamedTuple):
    """What a pass is told beside tensors that it learns from."""

    places: Places
    alive_RP: Tensor | None
    """1 for slots that may still be used at a step; None without slots."""
    pool: BufferPool
    """Lends the memory for the attention's hidden layer of all steps."""


def run(
    weights: LoopWeights, memory: PlaceMemory, words_RG: Tensor, start_BH: Tensor, layout: Layout
) -> tuple[Tensor, Tensor, Tensor | None]:
    """Run all steps of a batch, recording gradients.

    Args:
        weights: see `ConditionalGru.weights`.
        memory: source words of the batch.
        words_RG: projected previous words.
        start_BH: state before the first step; its coverage is zero.
        layout: where all that lies.

    Returns:
        states_RH of all steps, attention_W, and tag_mass_RP or None.
    """
    states_RH, attention_W, tag_mass_RP = Recurrence.apply(
        layout, words_RG, start_BH, *memory, *weights
    )
    return states_RH, attention_W, tag_mass_RP


def contexts(attention_W: Tensor, annotations_XC: Tensor, places: Places) -> Tensor:
    """Return the means of annotations under the attention of all steps, contexts_SC."""
    ends = [block.places.stop - block.places.start for block in places.blocks]
    return torch.cat(
        [
            torch.bmm(cells_BIJ, annotations_YC.unflatten(0, block.shape)).flatten(0, 1)
            for cells_BIJ, annotations_YC, block in zip(
                places.cells_of(attention_W), annotations_XC.split(ends), places.blocks, strict=True
            )
        ]
    )


class Recurrence(torch.autograd.Function):
    """All steps of the decoder as one differentiable operation."""

    @staticmethod
    def forward(
        ctx: Any, layout: Layout, words_RG: Tensor, start_BH: Tensor, *tensors: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """See `run`."""
        memory, weights = _unpack(tensors)
        learning = ctx.needs_input_grad[1]
        kept, attention_W, row = _run(
            layout, memory, weights, words_RG, start_BH, learning=learning
        )
        if not learning:
            layout.pool.give_back(row)
        ctx.layout, ctx.row, ctx.kept = layout, row, kept
        ctx.save_for_backward(start_BH, attention_W, *tensors)
        masses = [values.answer.tag_mass_BP for values in kept]
        present = [mass_BP for mass_BP in masses if mass_BP is not None]
        return (
            torch.cat([values.hidden_BH for values in kept]),
            attention_W,
            torch.cat(present) if present else None,
        )

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients in the order of the arguments of `forward`."""
        start_BH, attention_W, *tensors = ctx.saved_tensors
        grad_states_RH, grad_attention_W, grad_mass_RP = grads
        assert grad_states_RH is not None
        assert grad_attention_W is not None
        pass_ = _Backward(*_unpack(tensors), ctx.layout, start_BH, ctx.kept)
        cells = ctx.layout.places.cells_of(grad_attention_W.contiguous())
        for position, rows in reversed(list(enumerate(ctx.layout.places.plan.steps()))):
            pass_.step(
                position,
                grad_states_RH[rows],
                _weights_of(cells, position, ctx.kept[position].answer),
                None if grad_mass_RP is None else grad_mass_RP[rows],
            )
        ctx.layout.pool.give_back(ctx.row)
        ctx.kept = ctx.row = None
        return (None, *pass_.totals(attention_W))


def _run(
    layout: Layout,
    memory: PlaceMemory,
    weights: LoopWeights,
    words_RG: Tensor,
    start_BH: Tensor,
    *,
    learning: bool,
) -> tuple[list[StepValues[Read]], Tensor, Tensor]:
    """Run all steps; return what was computed, attention_W, and the memory that holds the hidden
    layers, of the last step only if nothing is learned.
    """
    places = layout.places
    attention_W = words_RG.new_zeros(sum(places.cells))
    steps, cells = places.plan.steps(), places.cells_of(attention_W)
    blocks = [list(places.alive(rows.stop - rows.start)) for rows in steps]
    width, fused = memory.keys_XA.shape[1], serves(memory.keys_XA)
    sizes = [0 if fused else each[-1].places.stop * width for each in blocks]
    row = layout.pool.take(sum(sizes) if learning else max(sizes), memory.keys_XA)
    hidden_BH, coverage, first = start_BH, _no_coverage(memory, weights), 0
    kept: list[StepValues[Read]] = []
    for position, (rows, alive, size) in enumerate(zip(steps, blocks, sizes, strict=True)):
        out_XA = None if fused else row[first : first + size].view(-1, width)
        reader = PlacesReader(weights, memory, places, alive, out_XA)
        state = PlainState(hidden_BH[: rows.stop - rows.start], coverage)
        alive_BP = None if layout.alive_RP is None else layout.alive_RP[rows]
        values = step(weights, reader, words_RG[rows], state, alive_BP)
        for block, cells_BIJ in zip(alive, cells, strict=False):
            weights_BJ = of_block(values.answer.weights_X, block)
            cells_BIJ[: len(weights_BJ), position] = weights_BJ
        hidden_BH, coverage = values.hidden_BH, values.answer.coverage
        kept.append(values)
        first += size if learning else 0
    return kept, attention_W, row


def _no_coverage(memory: PlaceMemory, weights: LoopWeights) -> Tensor | None:
    if memory.coverage_XQ is None or weights.recurrent_KQ is None:
        return None
    return memory.coverage_XQ.new_zeros((len(memory.coverage_XQ), len(weights.recurrent_KQ)))


def _weights_of(cells: Sequence[Tensor], position: int, read: Read) -> Tensor:
    """Return the weights of one step, weights_X, as a tensor that may be changed."""
    return torch.cat(
        [
            cells_BIJ[: block.shape[0], position].reshape(-1)
            for block, cells_BIJ in zip(read.blocks, cells, strict=False)
        ]
    )


class _Backward:
    """The state of the backward pass: what flows to the step before, and what is collected for the
    end.
    """

    def __init__(
        self,
        memory: PlaceMemory,
        weights: LoopWeights,
        layout: Layout,
        start_BH: Tensor,
        kept: list[StepValues[Read]],
    ) -> None:
        self._memory, self._weights, self._places = memory, weights, layout.places
        self._start_BH, self._kept = start_BH, kept
        self._reading = ReadingGradients(weights, memory, layout.places)
        self._carry_BH = start_BH[:0]
        self._words: list[Tensor] = []
        self._states: list[Tensor] = []
        self._middles: list[Tensor] = []
        self._means: list[Tensor] = []

    def _before(self, position: int) -> Tensor:
        """Return the state before a step."""
        before_BH = self._kept[position - 1].hidden_BH if position else self._start_BH
        return before_BH[: len(self._kept[position].hidden_BH)]

    def step(
        self,
        position: int,
        grad_state_BH: Tensor,
        grad_weights_X: Tensor,
        grad_mass_BP: Tensor | None,
    ) -> None:
        """Go back through one step."""
        values, weights = self._kept[position], self._weights
        grad_source_BG, grad_inner_BG, grad_middle_BH = gru_backward(
            with_carry(grad_state_BH, self._carry_BH), values.middle_BH, values.second
        )
        grad_query_BA, grad_state_BQ, grad_mean_BU = self._reading.step(
            values.answer, grad_weights_X, grad_source_BG, grad_mass_BP
        )
        grad_projected_BN = torch.cat([grad_query_BA, grad_inner_BG], dim=-1)
        grad_middle_BH += product(grad_projected_BN, weights.middle_HN.T)
        grad_word_BG, grad_first_BG, grad_before_BH = gru_backward(
            grad_middle_BH, self._before(position), values.first
        )
        grad_state_BM = torch.cat([grad_first_BG, grad_state_BQ], dim=-1)
        self._carry_BH = grad_before_BH + product(grad_state_BM, weights.state_HM.T)
        self._words.append(grad_word_BG)
        self._states.append(grad_state_BM)
        self._middles.append(grad_projected_BN)
        self._means.append(grad_mean_BU)

    def totals(self, attention_W: Tensor) -> tuple[Tensor | None, ...]:
        """Return all gradients in the order of the arguments of `Recurrence.forward`, but for the
        first.
        """
        words_RG, states_RM, middles_RN, means_RU = (
            torch.cat(collected[::-1])
            for collected in (self._words, self._states, self._middles, self._means)
        )
        keys_XA, score_A, feature_FA = self._reading.totals()
        memory = PlaceMemory(
            self._products(attention_W, means_RU), keys_XA, self._reading.coverage_XQ
        )
        weights, kept = self._weights, self._kept
        width = len(weights.middle_bias_G)
        before_RH = torch.cat([self._before(position) for position in range(len(kept))])
        middle_RH = torch.cat([values.middle_BH for values in kept])
        loop = LoopWeights(
            state_HM=_outer(before_RH, states_RM, weights.state_HM),
            middle_HN=_outer(middle_RH, middles_RN, weights.middle_HN),
            middle_bias_G=middles_RN[:, -width:].sum(0),
            tag_PG=self._tags(means_RU[:, :width]),
            score_A=score_A,
            feature_FA=feature_FA,
            recurrent_KQ=self._reading.recurrent_KQ,
            attention_Q=self._reading.attention_Q,
        )
        return (words_RG, self._carry_BH, *memory, *loop)

    def _products(self, attention_W: Tensor, means_RU: Tensor) -> Tensor:
        """Return the gradient by the products, one product of matrices for each sentence."""
        places = self._places
        grad_XU = torch.empty_like(self._memory.products_XU)
        means_SU = places.seated(means_RU).split(places.seats)
        for block, cells_BIJ, means_YU in zip(
            places.blocks, places.cells_of(attention_W), means_SU, strict=True
        ):
            means_BIU = means_YU.unflatten(0, cells_BIJ.shape[:2])
            torch.bmm(cells_BIJ.transpose(1, 2), means_BIU, out=of_block(grad_XU, block))
        return grad_XU

    def _tags(self, sources_RG: Tensor) -> Tensor | None:
        masses = [values.answer.tag_mass_BP for values in self._kept]
        present = [mass_BP for mass_BP in masses if mass_BP is not None]
        return torch.cat(present).T @ sources_RG if present else None


def _outer(left_XM: Tensor, right_XN: Tensor, like_MN: Tensor) -> Tensor:
    """Sum the outer products of rows, in the number format of the weight."""
    return left_XM.to(like_MN.dtype).T @ right_XN.to(like_MN.dtype)


def _unpack(tensors: Sequence[Tensor | None]) -> tuple[PlaceMemory, LoopWeights]:
    size = len(PlaceMemory._fields)
    return PlaceMemory(*tensors[:size]), LoopWeights(*tensors[size:])  # type: ignore[arg-type]
