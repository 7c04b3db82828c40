"""The decoder's recurrence over a whole batch of references, with a hand-written backward pass.

Teacher forcing: every step's input word is known, so only what truly depends on the step before
stays inside the loop. The gradients of weights are one product over all steps; attention's are
summed in place. `tests/reference/` holds the same recurrence written sentence by sentence, and
checks both values and gradients.

Shapes: as in `conditional_gru.py`; I steps, X = I * B rows of all steps.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from model.attention import gradients_of
from model.buffer_pool import BufferPool
from model.cells import early_reset_backward, early_reset_weight, gru_backward, product
from model.conditional_gru import LoopWeights, PlainState, StepValues, step
from model.fused_attention import serves
from model.loop import Memory, stack_or_none


def run(
    weights: LoopWeights,
    memory: Memory,
    words_IBG: Tensor,
    start: PlainState,
    alive_IBP: Tensor | None,
    pool: BufferPool,
) -> tuple[Tensor, Tensor, Tensor | None]:
    """Run all steps of a batch, recording gradients.

    Args:
        weights: see `ConditionalGru.weights`.
        memory: see `Decoder.remember`.
        words_IBG: projected previous words.
        start: state before the first step; its coverage is zero.
        alive_IBP: 1 for slots that may still be used at a step; None without slots.
        pool: lends the memory for the attention's hidden layer of all steps.

    Returns:
        states_IBH and contexts_IBC of all steps, and tag_mass_IBP or None.
    """
    states_IBH, contexts_IBC, tag_mass_IBP = Recurrence.apply(
        words_IBG, start.hidden_BH, start.coverage_BJK, alive_IBP, pool, *memory[:-1], *weights
    )
    return states_IBH, contexts_IBC, tag_mass_IBP


class Recurrence(torch.autograd.Function):
    """All steps of the decoder as one differentiable operation."""

    @staticmethod
    def forward(
        ctx: Any,
        words_IBG: Tensor,
        hidden_BH: Tensor,
        coverage_BJK: Tensor | None,
        alive_IBP: Tensor | None,
        pool: BufferPool,
        *tensors: Tensor | None,
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """See `run`."""
        memory, weights = _unpack(tensors)
        state = PlainState(hidden_BH, coverage_BJK)
        kept: list[StepValues] = []
        fused = serves(memory.keys_BJA)
        size = 0 if fused else memory.keys_BJA.numel()
        learning = ctx.needs_input_grad[0]
        row = pool.take(size * (len(words_IBG) if learning else 1), memory.keys_BJA)
        for position, word_BG in enumerate(words_IBG):
            alive_BP = None if alive_IBP is None else alive_IBP[position]
            first = size * position if learning else 0
            hidden_BJA = None if fused else row[first : first + size].view_as(memory.keys_BJA)
            kept.append(step(weights, memory, word_BG, state, alive_BP, hidden_BJA))
            state = kept[-1].state
        if not learning:
            pool.give_back(row)
        ctx.pool, ctx.row = pool, row
        ctx.start, ctx.kept = PlainState(hidden_BH, coverage_BJK), kept
        ctx.alive_IBP = alive_IBP
        ctx.save_for_backward(*tensors)
        return (
            torch.stack([values.state.hidden_BH for values in kept]),
            torch.stack([values.context_BC for values in kept]),
            stack_or_none([values.tag_mass_BP for values in kept]),
        )

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients in the order of the arguments of `forward`."""
        memory, weights = _unpack(ctx.saved_tensors)
        pass_ = _Backward(memory, weights, ctx.start, ctx.kept)
        grad_states_IBH, grad_contexts_IBC, grad_mass_IBP = grads
        assert grad_states_IBH is not None
        assert grad_contexts_IBC is not None
        for position in range(len(ctx.kept) - 1, -1, -1):
            alive_BP = None if ctx.alive_IBP is None else ctx.alive_IBP[position]
            grad_mass_BP = None if grad_mass_IBP is None else grad_mass_IBP[position]
            pass_.step(
                position,
                grad_states_IBH[position],
                grad_contexts_IBC[position],
                grad_mass_BP,
                alive_BP,
            )
        ctx.pool.give_back(ctx.row)
        ctx.kept = ctx.row = None
        return pass_.totals()


class _Backward:
    """The state of the backward pass: what flows to the step before, and what is collected for the
    end.
    """

    def __init__(
        self, memory: Memory, weights: LoopWeights, start: PlainState, kept: list[StepValues]
    ) -> None:
        self._memory, self._weights, self._start, self._kept = memory, weights, start, kept
        self._width = weights.middle_bias_G.shape[0]
        self._carry_BH = torch.zeros_like(start.hidden_BH)
        self._carry_BJK: Tensor | None = None
        assert kept[0].hidden_BJA is not None
        self._attention = gradients_of(
            kept[0].hidden_BJA, memory.keys_BJA, weights.score_A, weights.feature_FA
        )
        self._words: list[Tensor] = []
        self._states: list[Tensor] = []
        self._middles: list[Tensor] = []
        self._contexts_in: list[Tensor] = []
        self._contexts: list[Tensor] = []
        self._has_coverage = memory.coverage_BJQ is not None
        if memory.coverage_BJQ is not None:
            assert weights.recurrent_KQ is not None
            assert weights.attention_Q is not None
            self._coverage_BJQ = torch.zeros_like(memory.coverage_BJQ)
            self._recurrent_KQ = torch.zeros_like(weights.recurrent_KQ)
            self._attention_Q = torch.zeros_like(weights.attention_Q)

    def step(
        self,
        position: int,
        grad_state_BH: Tensor,
        grad_context_BC: Tensor,
        grad_mass_BP: Tensor | None,
        alive_BP: Tensor | None,
    ) -> None:
        """Go back through one step."""
        values = self._kept[position]
        assert values.hidden_BJA is not None
        assert self._weights.context_CG is not None
        before = self._kept[position - 1].state if position else self._start
        grad_in_BG, grad_inner_BG, grad_middle_BH = gru_backward(
            grad_state_BH + self._carry_BH, values.middle_BH, values.second
        )
        grad_context_BC = grad_context_BC + product(grad_in_BG, self._weights.context_CG.T)
        grad_weights_BJ = self._attention_gradient(
            grad_context_BC, grad_in_BG, grad_mass_BP, alive_BP
        )
        grad_state_BQ, grad_coverage_BJK = self._coverage_step(values, before, grad_weights_BJ)
        query_BA, features_BJF = self._attention.step(
            grad_weights_BJ, values.weights_BJ, values.hidden_BJA, values.features_BJF
        )
        if self._has_coverage and features_BJF is not None and before.coverage_BJK is not None:
            part_BJK = features_BJF[..., : before.coverage_BJK.shape[-1]]
            self._carry_BJK = (
                part_BJK if grad_coverage_BJK is None else part_BJK + grad_coverage_BJK
            )
        grad_projected_BN = torch.cat([query_BA, grad_inner_BG], dim=-1)
        grad_middle_BH += product(grad_projected_BN, self._weights.middle_HN.T)
        grad_word_BG, grad_first_BG, grad_before_BH = gru_backward(
            grad_middle_BH, before.hidden_BH, values.first
        )
        grad_state_BM = grad_first_BG
        if grad_state_BQ is not None:
            grad_state_BM = torch.cat([grad_first_BG, grad_state_BQ], dim=-1)
        self._carry_BH = grad_before_BH + product(grad_state_BM, self._weights.state_HM.T)
        self._words.append(grad_word_BG)
        self._states.append(grad_state_BM)
        self._middles.append(grad_projected_BN)
        self._contexts_in.append(grad_in_BG)
        self._contexts.append(grad_context_BC)

    def _attention_gradient(
        self,
        grad_context_BC: Tensor,
        grad_in_BG: Tensor,
        grad_mass_BP: Tensor | None,
        alive_BP: Tensor | None,
    ) -> Tensor:
        """Return the gradient by the attention weights that comes through the context vector."""
        memory, weights = self._memory, self._weights
        # As a row times a matrix: ten times faster on CPUs than the matrix times a column.
        annotations_BCJ = memory.annotations_BJC.transpose(1, 2)
        grad_B1J = torch.bmm(grad_context_BC.unsqueeze(1), annotations_BCJ)
        if memory.tags_BJP is not None and alive_BP is not None and weights.tag_PG is not None:
            total_BP = grad_in_BG @ weights.tag_PG.T
            if grad_mass_BP is not None:
                total_BP += grad_mass_BP
            tags_BPJ = memory.tags_BJP.transpose(1, 2)
            grad_B1J += torch.bmm((total_BP * alive_BP).unsqueeze(1), tags_BPJ)
        return grad_B1J.squeeze(1)

    def _coverage_step(
        self, values: StepValues, before: PlainState, grad_weights_BJ: Tensor
    ) -> tuple[Tensor | None, Tensor | None]:
        """Return the gradients by the state's projection and the old coverage; add to
        `grad_weights_BJ`.
        """
        weights = self._weights
        if before.coverage_BJK is None or values.coverage is None:
            return None, None
        if self._carry_BJK is None:  # nothing reads the coverage after the last step
            size = len(self._attention_Q)
            return grad_weights_BJ.new_zeros((len(grad_weights_BJ), size)), None
        assert weights.recurrent_KQ is not None
        assert weights.attention_Q is not None
        grad_input_BJQ, grad_coverage_BJK = early_reset_backward(
            self._carry_BJK, before.coverage_BJK, weights.recurrent_KQ, values.coverage
        )
        self._coverage_BJQ += grad_input_BJQ
        flat_XQ = grad_input_BJQ.view(-1, grad_input_BJQ.shape[-1])
        self._recurrent_KQ += early_reset_weight(
            before.coverage_BJK.flatten(0, 1), values.coverage.reset_BH.flatten(0, 1), flat_XQ
        )
        self._attention_Q.addmv_(flat_XQ.T, values.weights_BJ.reshape(-1))
        grad_weights_BJ += grad_input_BJQ @ weights.attention_Q
        return grad_input_BJQ.sum(1), grad_coverage_BJK

    def totals(self) -> tuple[Tensor | None, ...]:
        """Return all gradients in the order of the arguments of `Recurrence.forward`."""
        weights, kept, width = self._weights, self._kept, self._width
        assert weights.context_CG is not None
        for collected in (
            self._words,
            self._states,
            self._middles,
            self._contexts_in,
            self._contexts,
        ):
            collected.reverse()
        before_XH = torch.cat(
            [self._start.hidden_BH] + [values.state.hidden_BH for values in kept[:-1]]
        )
        projected_XN = torch.cat(self._middles)
        inputs_XG = torch.cat(self._contexts_in)
        weights_BJI = torch.stack([values.weights_BJ for values in kept], dim=-1)
        annotations_BJC = torch.bmm(weights_BJI, torch.stack(self._contexts, dim=1))
        keys_BJA, score_A, feature_FA = self._attention.totals()
        tag_PG = None
        if weights.tag_PG is not None:
            mass_XP = torch.cat([v.tag_mass_BP for v in kept if v.tag_mass_BP is not None])
            tag_PG = mass_XP.T @ inputs_XG
        memory = Memory(
            annotations_BJC,
            keys_BJA,
            None,  # type: ignore[arg-type]
            self._coverage_BJQ if self._has_coverage else None,
            None,
        )
        loop = LoopWeights(
            state_HM=_outer(before_XH, torch.cat(self._states), weights.state_HM),
            middle_HN=_outer(
                torch.cat([v.middle_BH for v in kept]), projected_XN, weights.middle_HN
            ),
            middle_bias_G=projected_XN[:, -width:].sum(0),
            context_CG=_outer(
                torch.cat([v.context_BC for v in kept]), inputs_XG, weights.context_CG
            ),
            tag_PG=tag_PG,
            score_A=score_A,
            feature_FA=feature_FA,
            recurrent_KQ=self._recurrent_KQ if self._has_coverage else None,
            attention_Q=self._attention_Q if self._has_coverage else None,
        )
        words_IBG = torch.stack(self._words)
        return (words_IBG, self._carry_BH, None, None, None, *memory[:-1], *loop)


def _outer(left_XM: Tensor, right_XN: Tensor, like_MN: Tensor) -> Tensor:
    """Sum the outer products of rows, in the number format of the weight."""
    return left_XM.to(like_MN.dtype).T @ right_XN.to(like_MN.dtype)


def _unpack(tensors: tuple[Tensor | None, ...]) -> tuple[Memory, LoopWeights]:
    size = len(Memory._fields) - 1  # a reference has a row of its own
    return Memory(*tensors[:size]), LoopWeights(*tensors[size:])  # type: ignore[arg-type]
