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


def new_stream(seed: int, device: torch.device) -> torch.Generator:
    """Return random numbers for tensors of a device."""
    return torch.Generator(device).manual_seed(seed)


def set_stream(stream: torch.Generator, state: Tensor, seed: int) -> None:
    """Go on with random numbers where a state was taken; where that was on another kind of device,
    whose states have another form, begin with a seed.
    """
    if state.numel() == stream.get_state().numel():
        stream.set_state(state.cpu())
    else:
        stream.manual_seed(seed)


SILENT = Noise()
"""No randomness."""
