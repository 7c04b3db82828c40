"""The recurrent cells of GroundHog's decoder, plain, gated and with a memory cell, under a context
gate.

With the shares a and b of `context_gate.py` (1 where there is no gate), target contribution
`W e + bias` and source contribution `C s`, the pre-activation of every gate and candidate is

- place "projected", the paper's equations 5 to 7: `b o (U t + W e + bias) + a o C s`;
- place "code", the released code: `U (b o t) + b o (W e + bias) + a o C s`, and the scaled state
  `b o t` is also what the GRU carries over.

====  =====================================================================================
tanh  `new = tanh(W e + U t + C s + bias)`, the paper's equation 3
GRU   `r, u = sigmoid(...)`, `n = tanh(W e + U (r o t) + C s + bias)`, `new = u n + (1 - u) t`:
      reset before the matrix product, the update gate takes the *new* value, bias in n only
LSTM  `i, f, o = sigmoid(...)`, `n = tanh(...)`, `m = f m + i n`, `new = o tanh(m)`
====  =====================================================================================

Shapes: B rows, X inputs, H state, C annotation, P slots, G all pre-activations: H, 3H (reset,
update, candidate) or 4H (input, forget, output, candidate).
"""

import torch
from torch import Tensor

from model.context_gate import Shares, weighted
from model.deferred import Deferred
from model.initial import Parameters, constant, gaussian, orthogonal_blocks
from model.loop import Carried
from model.switches import GatePlace

WIDTHS = {"groundhog-tanh": 1, "groundhog-gru": 3, "groundhog-lstm": 4}
"""Pre-activations of each decoder's cell, as multiples of the state."""


class GroundHogCell(Parameters):
    """Parameters of one layer; only the first reads the source context."""

    def __init__(self, decoder: str, inputs: int, hidden: int, context: int, slots: int) -> None:
        super().__init__()
        self.hidden, self.width = hidden, WIDTHS[decoder] * hidden
        self.input_weight_XG = self.add("input_weight_XG", (inputs, self.width))
        biases = self.width if self.is_lstm else hidden
        self.bias = self.add("bias", (biases,), constant())
        self.state_weight_HG = self.add("state_weight_HG", (hidden, self.width), orthogonal_blocks)
        if context:
            self.context_weight_CG = self.add("context_weight_CG", (context, self.width))
            if slots:
                self.tag_weight_PG = self.add("tag_weight_PG", (slots, self.width), gaussian())

    @property
    def is_gru(self) -> bool:
        """Say whether the cell has reset and update gates."""
        return self.width == 3 * self.hidden

    @property
    def is_lstm(self) -> bool:
        """Say whether the cell has a memory."""
        return self.width == 4 * self.hidden

    def biased(self, projected_BG: Tensor) -> Tensor:
        """Add the bias to projected inputs: a GRU's belongs to the candidate alone."""
        pad = self.width - self.bias.shape[0]
        bias_G = torch.cat([self.bias.new_zeros(pad), self.bias]) if pad else self.bias
        return projected_BG + bias_G


class CellStep:
    """One layer prepared for a pass over a batch."""

    def __init__(self, cell: GroundHogCell, place: GatePlace, dtype: torch.dtype) -> None:
        self._cell, self._on_state = cell, place == "code"
        weight_HG = cell.state_weight_HG
        if cell.is_gru:
            gates_HX, candidate_HH = weight_HG.split([2 * cell.hidden, cell.hidden], 1)
            self._gates, self._inner = Deferred(gates_HX, dtype), Deferred(candidate_HH, dtype)
        else:
            self._inner = Deferred(weight_HG, dtype)

    def __call__(
        self, target_BG: Tensor, source_BG: Tensor | None, shares: Shares, carried: Carried
    ) -> Carried:
        """Advance by one step.

        Args:
            target_BG: projected input of the target side, bias included.
            source_BG: projected source context, or None in upper layers.
            shares: weights of the two contexts.
            carried: what the layer carries.
        """
        if self._on_state:
            carried = Carried(weighted(shares.target_BZ, carried.hidden_BH), carried.cell_BH)
        if self._cell.is_lstm:
            return self._lstm(target_BG, source_BG, shares, carried)
        if not self._cell.is_gru:
            inner_BH = self._inner(carried.hidden_BH)
            return Carried(torch.tanh(self._sum(inner_BH, target_BG, source_BG, shares)), None)
        return self._gru(target_BG, source_BG, shares, carried.hidden_BH)

    def _sum(
        self, inner_BX: Tensor, target_BX: Tensor, source_BX: Tensor | None, shares: Shares
    ) -> Tensor:
        """Add the contributions of state, target and source under their shares."""
        if self._on_state:
            total_BX = inner_BX + weighted(shares.target_BZ, target_BX)
        else:
            total_BX = weighted(shares.target_BZ, inner_BX + target_BX)
        return total_BX if source_BX is None else total_BX + weighted(shares.source_BZ, source_BX)

    def _gru(
        self, target_BG: Tensor, source_BG: Tensor | None, shares: Shares, state_BH: Tensor
    ) -> Carried:
        sizes = [2 * self._cell.hidden, self._cell.hidden]
        target_BX, target_BH = target_BG.split(sizes, -1)
        source_BX, source_BH = (None, None) if source_BG is None else source_BG.split(sizes, -1)
        gates_BX = torch.sigmoid(self._sum(self._gates(state_BH), target_BX, source_BX, shares))
        reset_BH, update_BH = gates_BX.chunk(2, -1)
        inner_BH = self._inner(reset_BH * state_BH)
        candidate_BH = torch.tanh(self._sum(inner_BH, target_BH, source_BH, shares))
        return Carried(torch.lerp(state_BH, candidate_BH, update_BH), None)

    def _lstm(
        self, target_BG: Tensor, source_BG: Tensor | None, shares: Shares, carried: Carried
    ) -> Carried:
        assert carried.cell_BH is not None
        inner_BG = self._inner(carried.hidden_BH)
        total_BG = self._sum(inner_BG, target_BG, source_BG, shares)
        size = self._cell.hidden
        gates_BX = torch.sigmoid(total_BG[..., : 3 * size])
        take_BH, keep_BH, show_BH = gates_BX.chunk(3, -1)
        cell_BH = keep_BH * carried.cell_BH + take_BH * torch.tanh(total_BG[..., 3 * size :])
        return Carried(show_BH * torch.tanh(cell_BH), cell_BH)
