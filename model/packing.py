"""Which words of a batch recurrences read at which step, and where these stand in padded tensors.

On a processor only real words are read. Sentences are ordered by length, so that at each step those
that still have words come first: the rows of all steps follow each other without gaps. On a GPU
nobody waits for the lengths: all places are read, and states are kept where there is no word.

Shapes: B sentences, T places of a padded sentence, X rows of all steps, D directions.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, pairwise
from typing import NamedTuple

import torch
from torch import Tensor

_local = threading.local()


@contextmanager
def all_places() -> Iterator[None]:
    """Read all places for a while in this thread, on a processor, too."""
    before = getattr(_local, "all", False)
    _local.all = True
    try:
        yield
    finally:
        _local.all = before


def packs(like: Tensor) -> bool:
    """Say whether only real words are read where a tensor is."""
    return like.device.type == "cpu" and not getattr(_local, "all", False)


class Packing(NamedTuple):
    """The order of reading of each direction."""

    backwards: tuple[bool, ...]
    """Which directions read from the last word to the first."""
    sizes: tuple[int, ...]
    """Rows of each step; none has more than the one before."""
    place_DX: Tensor | None
    """Place `t * B + b` of each row, one row of a tensor for each direction; None if all places are
    read as they stand, or from the last to the first.
    """
    keep_DTB: Tensor | None
    """True where a step finds no word, in each direction's order; None if it always does."""
    order_B: Tensor | None
    """Sentences, the longest first; None if they are as they were."""

    def steps(self) -> list[slice]:
        """Return the rows of each step."""
        return [slice(*ends) for ends in pairwise(accumulate(self.sizes, initial=0))]

    def take(self, padded_TBY: Tensor, direction: int) -> Tensor:
        """Return the rows of a padded tensor in a direction's order of reading, rows_XY."""
        if self.place_DX is not None:
            return padded_TBY.flatten(0, 1).index_select(0, self.place_DX[direction])
        return self._turned(padded_TBY, direction).flatten(0, 1)

    def put(self, rows_XY: Tensor, direction: int, steps: int, sentences: int) -> Tensor:
        """Return the padded tensor of so many steps and sentences to which rows belong; where there
        is no word, it holds zeros, or values that must not be used.
        """
        if self.place_DX is not None:
            padded_PY = rows_XY.new_zeros((steps * sentences, rows_XY.shape[-1]))
            padded_PY = padded_PY.index_copy(0, self.place_DX[direction], rows_XY)
            return padded_PY.view(steps, sentences, -1)
        return self._turned(rows_XY.unflatten(0, (steps, sentences)), direction)

    def _turned(self, rows_TBY: Tensor, direction: int) -> Tensor:
        return rows_TBY.flip(0) if self.backwards[direction] else rows_TBY

    def last(self, states_XY: Tensor, sentences: int) -> Tensor:
        """Return the state of each sentence after its last word, zero if it has none, last_BY."""
        if self.order_B is None:
            return states_XY[-sentences:]
        found_BY = states_XY.new_zeros((sentences, states_XY.shape[-1]))
        # A sentence ends at the last step that has a row for it.
        rows = self.steps()
        ends = [
            rows[step].start + row
            for step, (size, following) in enumerate(pairwise((*self.sizes, 0)))
            for row in range(following, size)
        ]
        ranks = [
            row for size, following in pairwise((*self.sizes, 0)) for row in range(following, size)
        ]
        return found_BY.index_copy(0, self.order_B[ranks], states_XY[ends])


def packing(
    mask_TB: Tensor,
    backwards: Sequence[bool],
    then_B: Tensor | None = None,
) -> Packing:
    """Plan the reading of a batch.

    Args:
        mask_TB: True on words; those of a sentence come before its padding.
        backwards: for each direction, whether it reads from the last word to the first.
        then_B: of two equally long sentences the one with more of this comes first.
    """
    directions = tuple(backwards)
    steps, sentences = mask_TB.shape
    if not packs(mask_TB):
        padding_TB = ~mask_TB
        keeps = [padding_TB.flip(0) if turned else padding_TB for turned in directions]
        return Packing(directions, (sentences,) * steps, None, torch.stack(keeps), None)
    length_B = mask_TB.sum(0)
    rank_B = length_B if then_B is None else length_B * (then_B.max() + 1) + then_B
    order_B = rank_B.argsort(descending=True, stable=True)
    length_B = length_B[order_B]
    step_T1 = torch.arange(steps)[:, None]
    read_TB = step_T1 < length_B
    places = [
        ((length_B - 1 - step_T1 if turned else step_T1) * sentences + order_B)[read_TB]
        for turned in directions
    ]
    sizes = tuple(size for size in read_TB.sum(1).tolist() if size)
    return Packing(directions, sizes, torch.stack(places), None, order_B)


def with_carry(grad_BH: Tensor, carry_BH: Tensor) -> Tensor:
    """Add to the gradients of a step what comes back from the next one, which may have had fewer
    rows. Leading axes are allowed.
    """
    rows = carry_BH.shape[-2]
    if rows == grad_BH.shape[-2]:
        return grad_BH + carry_BH
    total_BH = grad_BH.clone()
    total_BH[..., :rows, :] += carry_BH
    return total_BH
