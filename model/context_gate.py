"""The context gate: how much source and how much target context goes into the next state
(Tu et al., arXiv 1608.06043, equations 4 to 7).

`z = sigmoid(W_z e(y) + U_z t + C_z s)` without a bias. A gate yields the two *shares* by which
contributions are multiplied: the source's a and the target's b.

==============  =====================  ==================
mode            source share a         target share b
==============  =====================  ==================
source (5)      z                      1
target (6)      1                      z
both (7)        z                      1 - z
scalar          z in R^1, reads t      1
static          sigmoid(w), w in R^H   1 - a
static-scalar   sigmoid(w), w in R^1   1 - a
fixed           a number               a number
==============  =====================  ==================

What the shares multiply is the cell's concern (`groundhog_cells.py`, `conditional_gru.py`).

Shapes: B rows, I steps, E embedding, H state, C annotation, P slots, Z gate (H, or 1 if scalar).
"""

from typing import NamedTuple

import torch
from torch import Tensor

from model.initial import SMALL_SCALE, Parameters, constant, gaussian
from model.network_config import ModelConfig
from model.switches import LEARNED_GATES


class Shares(NamedTuple):
    """Weights of the two contexts; None stands for 1."""

    source_BZ: Tensor | None
    target_BZ: Tensor | None
    gate_BZ: Tensor | None = None
    """The gate z, for records; None where none is learned."""


WHOLE = Shares(None, None)
"""Both contexts count in full: there is no gate."""


class ContextGate(Parameters):
    """Parameters of a gate; a fixed one has none."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        switches = config.switches
        self.mode, self.inputs = switches.gate, switches.gate_inputs
        self.size = 1 if self.mode in ("scalar", "static-scalar") else config.hidden
        self._scales = (config.source_scale, config.target_scale)
        small = gaussian(SMALL_SCALE)
        if "t" in self.inputs:
            self.state_weight_HZ = self.add("state_weight_HZ", (config.hidden, self.size), small)
        if "s" in self.inputs:
            self.context_weight_CZ = self.add(
                "context_weight_CZ", (2 * config.hidden, self.size), small
            )
            if config.slots:
                self.tag_weight_PZ = self.add("tag_weight_PZ", (config.slots, self.size), small)
        if "y" in self.inputs:
            self.word_weight_EZ = self.add("word_weight_EZ", (config.embedding, self.size), small)
        if self.mode == "scalar":
            self.bias_Z = self.add("bias_Z", (1,), constant())
        if self.mode.startswith("static"):
            self.weight_Z = self.add("weight_Z", (self.size,), constant())

    @property
    def is_learned(self) -> bool:
        """Say whether the gate reads anything."""
        return self.mode in LEARNED_GATES

    def shares(self, input_BZ: Tensor | None) -> Shares:
        """Return the shares of one step.

        Args:
            input_BZ: sum of the projections of what the gate reads; None for a gate that reads
                nothing.
        """
        if self.mode == "fixed":
            source, target = (self._number(scale) for scale in self._scales)
            return Shares(source, target)
        if self.mode.startswith("static"):
            share_Z = torch.sigmoid(self.weight_Z)
            return Shares(share_Z, 1 - share_Z)
        assert input_BZ is not None
        gate_BZ = torch.sigmoid(input_BZ + self.bias_Z if self.mode == "scalar" else input_BZ)
        if self.mode == "target":
            return Shares(None, gate_BZ, gate_BZ)
        return Shares(gate_BZ, 1 - gate_BZ if self.mode == "both" else None, gate_BZ)

    @staticmethod
    def _number(scale: float) -> Tensor | None:
        """A factor of 1 is left out, so that scales (1, 1) are the network without a gate."""
        return None if scale == 1 else torch.tensor(scale, dtype=torch.float64)


def weighted(share_BZ: Tensor | None, x_BX: Tensor) -> Tensor:
    """Multiply contributions, one or several of the state's size side by side, by a share.

    Args:
        share_BZ: the share; its last axis has the state's size, or 1, or it is a single number.
        x_BX: contributions; X is a multiple of the state's size.
    """
    if share_BZ is None:
        return x_BX
    if share_BZ.dim() == 0 or share_BZ.shape[-1] in (1, x_BX.shape[-1]):
        return x_BX * share_BZ
    blocks_BTH = x_BX.unflatten(-1, (-1, share_BZ.shape[-1]))
    flat_BX: Tensor = (blocks_BTH * share_BZ.unsqueeze(-2)).flatten(-2)
    return flat_BX
