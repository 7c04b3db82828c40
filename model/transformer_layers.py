"""What encoder and decoder of the Transformer share (Vaswani et al. 2017): positions, affine maps,
layer normalisation, self-attention and feed-forward layers.

Every sublayer f is put before the residual stream's normalisation (pre-norm): `x + f(norm(x))`.

Shapes: B sentences or hypotheses, I words that are looked at, T words that may be attended to, H
width, M heads, D = H / M, F hidden units, X inputs and Y outputs of an affine map.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import layer_norm, linear, scaled_dot_product_attention

from model.casts import cast
from model.cells import product
from model.initial import Parameters, by_inputs, constant
from model.network_config import ModelConfig
from model.noise import Noise

SLOWEST = 10_000.0
"""Wavelength of the slowest position wave, divided by 2 pi."""


class Manner(NamedTuple):
    """How a pass is computed."""

    noise: Noise
    """Its dropout is applied to the output of each sublayer."""
    dtype: torch.dtype
    """Number format of the matrix products."""


def positions(first: int, count: int, like_H: Tensor) -> Tensor:
    """Return the sinusoidal positions of words `first`, `first + 1`, ..., position_IH.

    `sin(i / 10000^(2k/H))` in column 2k and the cosine of the same in column 2k + 1. Unlike learned
    positions they need no greatest length, and a longer sentence than any in training has some.
    """
    width = like_H.shape[-1]
    kind, device = torch.float64, like_H.device
    column_H = torch.arange(width, dtype=kind, device=device)
    rate_H = SLOWEST ** (-2 * torch.div(column_H, 2, rounding_mode="floor") / width)
    step_I = torch.arange(first, first + count, dtype=kind, device=device)
    angle_IH = step_I[:, None] * rate_H
    wave_IH = torch.where(column_H % 2 == 0, angle_IH.sin(), angle_IH.cos())
    return wave_IH.to(like_H)


class Affine(Parameters):
    """`x W + b`."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight_XY = self.add("weight_XY", (inputs, outputs), by_inputs)
        self.bias_Y = self.add("bias_Y", (outputs,), constant())

    def forward(self, x: Tensor, dtype: torch.dtype) -> Tensor:
        """Map the last axis."""
        if x.dtype == dtype:
            return linear(x, self.weight_XY.T, self.bias_Y)
        return product(x, cast(self.weight_XY, dtype)) + self.bias_Y


class LayerNorm(Parameters):
    """`g (x - mean(x)) / deviation(x) + b` along the last axis."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.gain_H = self.add("gain_H", (size,), constant(1.0))
        self.bias_H = self.add("bias_H", (size,), constant())

    def forward(self, x: Tensor) -> Tensor:
        """Normalise."""
        return layer_norm(x, self.gain_H.shape, self.gain_H, self.bias_H)


class FeedForward(Parameters):
    """`W_2 max(0, W_1 x + b_1) + b_2`."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.inner = Affine(config.hidden, config.feed_forward_size)
        self.outer = Affine(config.feed_forward_size, config.hidden)

    def forward(self, x: Tensor, dtype: torch.dtype) -> Tensor:
        """Return a tensor of the same shape."""
        out: Tensor = self.outer(torch.relu(self.inner(x, dtype)), dtype)
        return out


class SelfAttention(Parameters):
    """Several heads over the words of the same sentence; queries, keys and values in one map."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self._heads = config.num_heads
        self.joint = Affine(config.hidden, 3 * config.hidden)
        self.output = Affine(config.hidden, config.hidden)

    def forward(
        self, x_BIH: Tensor, visible_BT: Tensor | None, past_BTX: Tensor | None, dtype: torch.dtype
    ) -> tuple[Tensor, Tensor]:
        """Return the output, of the shape of the input, and keys and values for later words.

        Args:
            x_BIH: normalised words.
            visible_BT: True on words that may be attended to (encoder); None lets each word see
                itself and those before it (decoder).
            past_BTX: keys and values of earlier words, X = 2H; None if there are none.
            dtype: number format of the matrix products.
        """
        width = x_BIH.shape[-1]
        joint_BIX = self.joint(x_BIH, dtype)
        known_BTX = joint_BIX[..., width:]
        if past_BTX is not None:
            known_BTX = torch.cat([past_BTX, known_BTX], 1)
        mask = None if visible_BT is None else visible_BT[:, None, None]
        # Several words at once are the first ones, so the triangle begins at the first of all.
        causal = visible_BT is None and x_BIH.shape[1] > 1
        query_BMID, keys_BMTD, values_BMTD = (
            split(part, self._heads).to(dtype)
            for part in (joint_BIX[..., :width], *known_BTX.split(width, -1))
        )
        heads_BMID = scaled_dot_product_attention(
            query_BMID, keys_BMTD, values_BMTD, mask, is_causal=causal
        )
        out_BIH: Tensor = self.output(joined(heads_BMID).to(x_BIH.dtype), dtype)
        return out_BIH, known_BTX


def split(x_BTH: Tensor, heads: int) -> Tensor:
    """Give each head its share, x_BMTD."""
    shares_BTMD: Tensor = x_BTH.unflatten(-1, (heads, -1))
    return shares_BTMD.transpose(1, 2)


def joined(x_BMTD: Tensor) -> Tensor:
    """Put the shares of the heads side by side, x_BTH."""
    return x_BMTD.transpose(1, 2).flatten(2)
