"""Randomness of training: dropout masks and the noise of the noisy tanh, from a stream of its own.

The stream is a value that a checkpoint keeps, so a resumed run draws what an uninterrupted one
would have drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Noise:
    """Where random numbers come from; without a stream there are none, as in evaluation and
    search.
    """

    stream: torch.Generator | None = None
    dropout_rate: float = 0.0
    """Share of units set to zero, between 0 and 1; the others are scaled up to keep the mean."""

    def dropout(self, x: Tensor) -> Tensor:
        """Drop units at random, or return the input as it is."""
        if self.stream is None or self.dropout_rate == 0:
            return x
        keep = 1 - self.dropout_rate
        mask = torch.empty_like(x, requires_grad=False).bernoulli_(keep, generator=self.stream)
        return x * mask.div_(keep)

    def normal(self, shape: Sequence[int], like: Tensor) -> Tensor | None:
        """Draw standard normal numbers, or None without a stream."""
        if self.stream is None:
            return None
        return torch.randn(
            tuple(shape), generator=self.stream, dtype=like.dtype, device=like.device
        )


SILENT = Noise()
"""No randomness."""
