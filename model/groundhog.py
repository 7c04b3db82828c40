"""The decoders of GroundHog (Context Gates' baselines): tanh, GRU or LSTM cells, a context gate,
and two orders of a step.

- Order "paper": `s_i = attend(t_{i-1})`, `t_i = f(y_{i-1}, t_{i-1}, s_i)`, read
  `g(y_{i-1}, t_i, s_i)`; the gate reads `(y_{i-1}, t_{i-1}, s_i)`.
- Order "groundhog": `t_i = f(y_{i-1}, t_{i-1}, s_{i-1})`, `s_i = attend(t_i)`, read
  `g(y_{i-1}, t_i, s_i)`; at the first word nothing is updated. The gate reads `(y_{i-1}, t_{i-1},
  s_{i-1})`.

Attention is asked with the highest layer's state, which is also coverage's; the gate reads the
lowest layer's, which it weighs.

Shapes: as in `loop.py`; G pre-activations of a cell, Z context gate.
"""

import torch
from torch import Tensor

from model.cells import product
from model.context_gate import WHOLE, Shares
from model.coverage import NeuralCoverage
from model.decoder import Decoder, context_and_gate, feature_weights, projected
from model.deferred import Deferred
from model.groundhog_cells import CellStep, GroundHogCell
from model.loop import Carried, Context, Memory, State, Step
from model.network_config import ModelConfig
from model.source_reader import SourceReader


class GroundHogDecoder(Decoder):
    """Parameters: one cell a layer."""

    def __init__(self, config: ModelConfig, vocabulary: int) -> None:
        super().__init__(config, vocabulary)
        kind, hidden = config.switches.decoder, config.hidden
        self.cell = GroundHogCell(kind, config.embedding, hidden, 2 * hidden, config.slots)
        upper = [GroundHogCell(kind, hidden, hidden, 0, 0) for _ in range(config.decoder_depth - 1)]
        self.upper = torch.nn.ModuleList(upper)
        self.upper_cells = tuple(upper)


class GroundHogLoop:
    """A decoder of the family, prepared for one pass over a batch or one search."""

    def __init__(
        self, decoder: GroundHogDecoder, *, tags: bool, dtype: torch.dtype, search: bool
    ) -> None:
        self._decoder, cell = decoder, decoder.cell
        self._exact = cell.input_weight_XG.dtype if search else dtype
        config = decoder.config
        self._reads_first = config.step_order == "paper"
        self._step = CellStep(cell, config.gate_place, dtype)
        self._upper = [
            (CellStep(layer, "projected", dtype), layer, Deferred(layer.input_weight_XG, dtype))
            for layer in decoder.upper_cells
        ]
        context_CX, self._tag_PG = context_and_gate(
            decoder, cell.context_weight_CG, cell.tag_weight_PG if tags else None
        )
        self._context = None if search else Deferred(context_CX, dtype)
        self.context_weight_CX: Tensor = context_CX
        self._query = self._query_product()
        gate = decoder.context_gate
        self._gate_state = None
        if gate is not None and "t" in gate.inputs:
            self._gate_state = Deferred(gate.state_weight_HZ, dtype)
        self._score_A = None if decoder.attention is None else 2 * decoder.attention.score_A
        self._feature_FA = feature_weights(decoder, tags=tags)

    def _query_product(self) -> Deferred | None:
        """Attention's query (doubled) and coverage's input share the state."""
        decoder = self._decoder
        if decoder.attention is None:
            return None
        parts = [2 * decoder.attention.state_weight_HA]
        if isinstance(decoder.coverage, NeuralCoverage):
            parts.append(decoder.coverage.state_weight_HG)
        return Deferred(torch.cat(parts, 1), self._exact)

    def words(self, embedded_XE: Tensor) -> Tensor:
        """Project previous words for the cell, then for the gate."""
        cell, gate = self._decoder.cell, self._decoder.context_gate
        parts: list[Tensor] = [cell.input_weight_XG]
        if gate is not None and "y" in gate.inputs:
            parts.append(gate.word_weight_EZ)
        projected_XG = product(embedded_XE, torch.cat(parts, 1).to(self._exact))
        biased_XG = cell.biased(projected_XG[..., : cell.width])
        return torch.cat([biased_XG, projected_XG[..., cell.width :]], -1)

    def on(self, memory: Memory) -> SourceReader:
        """Prepare the reading of a source."""
        return SourceReader(memory, self._score_A, self._feature_FA)

    def step(
        self, reader: SourceReader, word_BX: Tensor, state: State, alive_BP: Tensor | None
    ) -> Step:
        """Advance by one word; see `Loop.step`."""
        if self._reads_first:
            context, weights_BJ, coverage_BJK = self._read(reader, state, state.layers, alive_BP)
            layers, gate_BZ = self._update(word_BX, state.layers, context)
            return Step(State(layers, coverage_BJK), context, weights_BJ, gate_BZ)
        layers, gate_BZ = state.layers, None
        if state.context is not None:
            layers, gate_BZ = self._update(word_BX, state.layers, state.context)
        context, weights_BJ, coverage_BJK = self._read(reader, state, layers, alive_BP)
        return Step(State(layers, coverage_BJK, context), context, weights_BJ, gate_BZ)

    def _read(
        self,
        reader: SourceReader,
        state: State,
        layers: tuple[Carried, ...],
        alive_BP: Tensor | None,
    ) -> tuple[Context, Tensor, Tensor | None]:
        """Attend with a state and update coverage; return context, weights_BJ and coverage_BJK."""
        if self._query is None:
            context, weights_BJ = reader.read(None, None, alive_BP)
            return context, weights_BJ, None
        size = self._decoder.config.attention_size
        query_BX = self._query(layers[-1].hidden_BH)
        old_BJK = state.coverage_BJK
        context, weights_BJ = reader.read(query_BX[..., :size], old_BJK, alive_BP)
        if old_BJK is None:
            return context, weights_BJ, None
        assert self._decoder.coverage is not None
        assert reader.memory.coverage_BJQ is not None
        coverage_BJK = self._decoder.coverage.advance(
            old_BJK, weights_BJ, query_BX[..., size:], reader.memory.coverage_BJQ
        )
        return context, weights_BJ, coverage_BJK

    def _update(
        self, word_BX: Tensor, layers: tuple[Carried, ...], context: Context
    ) -> tuple[tuple[Carried, ...], Tensor | None]:
        """Advance all layers; return them, and the gate."""
        width = self._decoder.cell.width
        source_BX = projected(context, self.context_weight_CX, self._context, self._tag_PG)
        parts = (word_BX[..., width:], source_BX[..., width:])
        shares = self._shares(layers[0].hidden_BH, *parts)
        new = [self._step(word_BX[..., :width], source_BX[..., :width], shares, layers[0])]
        for (step, cell, inputs), carried in zip(self._upper, layers[1:], strict=True):
            below_BG = cell.biased(inputs(new[-1].hidden_BH))
            new.append(step(below_BG, None, WHOLE, carried))
        return tuple(new), shares.gate_BZ

    def _shares(self, state_BH: Tensor, word_BZ: Tensor, source_BZ: Tensor) -> Shares:
        """Weigh source and target contexts; the projections of what the gate does not read are
        empty.
        """
        gate = self._decoder.context_gate
        if gate is None:
            return WHOLE
        terms = [part_BZ for part_BZ in (word_BZ, source_BZ) if part_BZ.shape[-1]]
        if self._gate_state is not None:
            terms.append(self._gate_state(state_BH))
        return gate.shares(torch.stack(terms).sum(0) if terms else None)
