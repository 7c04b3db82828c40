"""Memory that is used again from batch to batch.

The largest intermediate results of a training step (tens to thousands of megabytes) are needed
until the backward pass and never again. Fresh memory for each batch costs more time in the
operating system than some of the products, so their owner keeps the memory and lends it out.
"""

import torch
from torch import Tensor


class BufferPool:
    """Lends out memory; what is not given back is simply collected as garbage."""

    def __init__(self) -> None:
        self._spare: list[Tensor] = []

    def take(self, size: int, like: Tensor) -> Tensor:
        """Return at least `size` arbitrary numbers in one row, of the kind of `like`."""
        kind = (like.dtype, like.device)
        mine = [spare for spare in self._spare if (spare.dtype, spare.device) == kind]
        fits = [spare for spare in mine if len(spare) >= size]
        self._spare = [spare for spare in self._spare if (spare.dtype, spare.device) != kind]
        if not fits:  # what is too small now would stay too small: let larger ones take its place
            return torch.empty(size, dtype=like.dtype, device=like.device)
        best = min(fits, key=len)
        self._spare.extend(spare for spare in mine if spare is not best)
        return best

    def give_back(self, row: Tensor) -> None:
        """Take back what was lent; the borrower must not use it again."""
        self._spare.append(row)

    def __deepcopy__(self, memo: object) -> "BufferPool":
        return BufferPool()
