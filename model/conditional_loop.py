"""The conditional GRU with a context gate, other coverage, no attention or several layers, by
automatic differentiation; and its plain step by hand for search.

With the shares a and b of `context_gate.py`, the gate reads `h = GRU1(t, y)` and `s = attend(h)`
(the word only if it is told to, for h has read it), and weighs the second GRU:

- place "code" (the released rewrite): `new = GRU2(b o h, a o K s)`, where b o h is also carried;
- place "projected" (the paper's equation 7): `b o (U h + bias)` and `a o K s` in all three
  pre-activations, h itself is carried.

Attention is asked with h of the first layer; coverage reads the state before the step.

Shapes: as in `loop.py`; G = 3H, L layers above the first.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from model.casts import cast
from model.cells import early_reset_forward, product
from model.conditional_gru import ConditionalGru, LoopWeights, PlainState, Question, step
from model.context_gate import WHOLE, Shares, weighted
from model.coverage import NeuralCoverage
from model.decoder import context_and_gate, feature_weights, projected
from model.deferred import Deferred
from model.gru_step import gru_step
from model.loop import Carried, Context, Memory, State, Step
from model.source_reader import SourceReader


class Found(NamedTuple):
    """What a search read of the source."""

    source_BG: Tensor
    coverage: Tensor | None
    context: Context
    weights_BJ: Tensor


class SharedReader:
    """Reading for a search: hypotheses share their sentences' keys and annotations, which come
    multiplied, those with the weight of the context first.
    """

    def __init__(self, weights: LoopWeights, memory: Memory) -> None:
        self._weights, self._memory = weights, memory
        self._source = SourceReader(memory, weights.score_A, weights.feature_FA)

    def read(self, question: Question) -> Found:
        """Attend, and update coverage."""
        weights, coverage_BJK = self._weights, question.coverage
        context, weights_BJ = self._source.read(question.query_BA, coverage_BJK, question.alive_BP)
        source_BG = context.context_BC[..., : len(weights.middle_bias_G)]
        if context.tag_mass_BP is not None and weights.tag_PG is not None:
            source_BG = source_BG + context.tag_mass_BP @ weights.tag_PG
        if coverage_BJK is None:
            return Found(source_BG, None, context, weights_BJ)
        assert self._memory.coverage_BJQ is not None
        assert weights.attention_Q is not None
        assert weights.recurrent_KQ is not None
        input_BJQ = torch.addcmul(
            self._memory.coverage_BJQ, weights_BJ.unsqueeze(-1), weights.attention_Q
        ).add_(question.state_BQ.unsqueeze(1))
        new_BJK, _ = early_reset_forward(input_BJQ, coverage_BJK, weights.recurrent_KQ)
        return Found(source_BG, new_BJK, context, weights_BJ)


class PlainLoop:
    """The step by hand, for a search."""

    def __init__(self, decoder: ConditionalGru, *, tags: bool, dtype: torch.dtype) -> None:
        self._decoder = decoder
        self._weights = decoder.weights(tags=tags, dtype=dtype, search=True)
        self.context_weight_CX: Tensor = decoder.context_weight_CG

    def words(self, embedded_XE: Tensor) -> Tensor:
        """Project previous words."""
        return self._decoder.words(embedded_XE, self._decoder.word_weight_EG.dtype)

    def on(self, memory: Memory) -> SharedReader:
        """Prepare the reading of a source."""
        return SharedReader(self._weights, memory)

    def step(
        self, reader: SharedReader, word_BX: Tensor, state: State, alive_BP: Tensor | None
    ) -> Step:
        """Advance by one word; see `Loop.step`."""
        plain = PlainState(state.layers[0].hidden_BH, state.coverage_BJK)
        values = step(self._weights, reader, word_BX, plain, alive_BP)
        found = values.answer
        after = State((Carried(values.hidden_BH),), found.coverage)
        return Step(after, found.context, found.weights_BJ, None)


class ConditionalLoop:
    """The decoder with all switches."""

    def __init__(
        self, decoder: ConditionalGru, *, tags: bool, dtype: torch.dtype, search: bool
    ) -> None:
        self._decoder = decoder
        self._exact = decoder.word_weight_EG.dtype if search else dtype
        self._width = 3 * decoder.config.hidden
        before: list[Tensor] = [decoder.state_weight_HG]
        if isinstance(decoder.coverage, NeuralCoverage):
            before.append(decoder.coverage.state_weight_HG)
        self._before = Deferred(torch.cat(before, 1), dtype)
        self._asks = self._asking()
        self._middle = Deferred(decoder.middle_weight_HG, dtype)
        context_CX, self._tag_PG = context_and_gate(
            decoder, decoder.context_weight_CG, decoder.tag_weight_PG if tags else None
        )
        self._context = None if search else Deferred(context_CX, dtype)
        self.context_weight_CX: Tensor = context_CX
        self._score_A = None if decoder.attention is None else 2 * decoder.attention.score_A
        self._feature_FA = feature_weights(decoder, tags=tags)
        self._upper = [
            (
                Deferred(decoder.upper_input_weight_LHG[layer], dtype),
                decoder.upper_bias_LG[layer],
                Deferred(decoder.upper_state_weight_LHG[layer], dtype),
            )
            for layer in range(decoder.config.decoder_depth - 1)
        ]

    def _asking(self) -> Deferred | None:
        """Attention's query (doubled) and the gate read the state between the two GRUs."""
        decoder, parts = self._decoder, list[Tensor]()
        if decoder.attention is not None:
            parts.append(2 * decoder.attention.state_weight_HA)
        if decoder.context_gate is not None and "t" in decoder.context_gate.inputs:
            parts.append(decoder.context_gate.state_weight_HZ)
        return Deferred(torch.cat(parts, 1), self._exact) if parts else None

    def words(self, embedded_XE: Tensor) -> Tensor:
        """Project previous words for the first GRU, then for the gate."""
        gate = self._decoder.context_gate
        projected_XG = self._decoder.words(embedded_XE, self._exact)
        if gate is None or "y" not in gate.inputs:
            return projected_XG
        gate_XZ = product(embedded_XE, cast(gate.word_weight_EZ, self._exact))
        return torch.cat([projected_XG, gate_XZ], -1)

    def on(self, memory: Memory) -> SourceReader:
        """Prepare the reading of a source."""
        return SourceReader(memory, self._score_A, self._feature_FA)

    def step(
        self, reader: SourceReader, word_BX: Tensor, state: State, alive_BP: Tensor | None
    ) -> Step:
        """Advance by one word; see `Loop.step`."""
        before_BH, width = state.layers[0].hidden_BH, self._width
        inner_BX = self._before(before_BH)
        middle_BH = gru_step(word_BX[..., :width], inner_BX[..., :width], before_BH)
        asked_BX = middle_BH[..., :0] if self._asks is None else self._asks(middle_BH)
        size = 0 if self._decoder.attention is None else self._decoder.config.attention_size
        query_BA = asked_BX[..., :size] if size else None
        context, weights_BJ = reader.read(query_BA, state.coverage_BJK, alive_BP)
        source_BX = projected(context, self.context_weight_CX, self._context, self._tag_PG)
        shares = self._shares(word_BX[..., width:], asked_BX[..., size:], source_BX[..., width:])
        layers = self._layers(source_BX[..., :width], shares, middle_BH, state)
        coverage_BJK = state.coverage_BJK
        if coverage_BJK is not None:
            assert self._decoder.coverage is not None
            assert reader.memory.coverage_BJQ is not None
            coverage_BJK = self._decoder.coverage.advance(
                coverage_BJK, weights_BJ, inner_BX[..., width:], reader.memory.coverage_BJQ
            )
        return Step(State(layers, coverage_BJK), context, weights_BJ, shares.gate_BZ)

    def _shares(self, *parts: Tensor) -> Shares:
        """Weigh the contexts; the projections of what the gate does not read are empty."""
        if self._decoder.context_gate is None:
            return WHOLE
        read = [part_BZ for part_BZ in parts if part_BZ.shape[-1]]
        total = sum(read[1:], start=read[0]) if read else None
        return self._decoder.context_gate.shares(total)

    def _layers(
        self, source_BG: Tensor, shares: Shares, middle_BH: Tensor, state: State
    ) -> tuple[Carried, ...]:
        """Advance the second GRU, then the layers above."""
        source_BG = weighted(shares.source_BZ, source_BG)
        bias_G = self._decoder.middle_bias_G
        if self._decoder.config.gate_place == "code":
            middle_BH = weighted(shares.target_BZ, middle_BH)
            inner_BG = self._middle(middle_BH) + bias_G
        else:
            inner_BG = weighted(shares.target_BZ, self._middle(middle_BH) + bias_G)
        layers = [Carried(gru_step(source_BG, inner_BG, middle_BH))]
        for (inputs, upper_G, states), carried in zip(self._upper, state.layers[1:], strict=True):
            below_BG = inputs(layers[-1].hidden_BH) + upper_G
            old_BH = carried.hidden_BH
            layers.append(Carried(gru_step(below_BG, states(old_BH), old_BH)))
        return tuple(layers)
