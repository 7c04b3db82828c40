"""Which source words the decoder attends to while it is fed with references, side by side.

On a processor only real words are attended to, and only while their reference goes on. Sentences
are ordered by the length of their references, then of their sources, and those that follow each
other with nearly equally long sources are a block, which is computed as one tensor. At each step
the first rows, and with them the first places, are alive. Else (`packing.packs`) all sentences are
one block with all their padding.

Shapes: B sentences in the order of the rows, J source words and I steps of the longest sentence, X
places (source words of all blocks), Y columns of any kind, R rows of all steps (`packing.py`), S
seats (as R, but sentence by sentence and with the steps of the longest of a block), N real target
words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor

from model.packing import Packing, packing, packs

CACHED = 1 << 19
"""Numbers of attention's hidden layer that are worked on at a time: they stay in a cache."""
SPARE = 16
"""One of so many places of a block may be padding: fewer and larger blocks cost fewer calls."""


class Block(NamedTuple):
    """Sentences that are computed as one tensor."""

    rows: slice
    places: slice
    words: int
    """Places of each sentence."""

    @property
    def shape(self) -> tuple[int, int]:
        """Sentences, and places of each."""
        return self.rows.stop - self.rows.start, self.words


def of_block(flat_XY: Tensor, block: Block) -> Tensor:
    """Return the places of a block sentence by sentence."""
    by_sentence: Tensor = flat_XY[block.places].unflatten(0, block.shape)
    return by_sentence


def even_blocks(keys_BJA: Tensor) -> list[Block]:
    """Cut padded sentences into blocks; on a GPU all are one."""
    rows = sentences = len(keys_BJA)
    words = keys_BJA.shape[1]
    if keys_BJA.device.type == "cpu":
        rows = max(1, CACHED * sentences // max(keys_BJA.numel(), 1))
    firsts = range(0, sentences, max(rows, 1))
    ends = [(first, min(first + rows, sentences)) for first in firsts]
    return [
        Block(slice(first, end), slice(first * words, end * words), words) for first, end in ends
    ]


@dataclass(frozen=True)
class Places:
    """The layout of a batch."""

    plan: Packing
    """Which references go on at which step."""
    blocks: tuple[Block, ...]
    place_X: Tensor | None
    """Place `b * J + j` of each in the padded batch; None if all are as they stand there."""
    sentence_X: Tensor
    """Row of each place's sentence."""
    penalty_X: Tensor
    """0 on words, minus infinity on padding."""

    def sentences(self, padded_BY: Tensor) -> Tensor:
        """Put sentences into the order of the rows."""
        order_B = self.plan.order_B
        return padded_BY if order_B is None else padded_BY.index_select(0, order_B)

    def words(self, padded_BJY: Tensor) -> Tensor:
        """Return what belongs to each place, flat_XY."""
        flat_XY = padded_BJY.flatten(0, 1)
        return flat_XY if self.place_X is None else flat_XY.index_select(0, self.place_X)

    def alive(self, rows: int) -> Iterator[Block]:
        """Yield the blocks of the first rows, the last one cut where they end."""
        for block in self.blocks:
            first, last = block.rows.start, min(block.rows.stop, rows)
            if first < last:
                start = block.places.start
                end = start + (last - first) * block.words
                yield Block(slice(first, last), slice(start, end), block.words)

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Steps of the longest reference of each block."""
        return tuple(
            sum(size > block.rows.start for size in self.plan.sizes) for block in self.blocks
        )

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """Seats of each block."""
        return tuple(
            block.shape[0] * steps for block, steps in zip(self.blocks, self.steps, strict=True)
        )

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """Weights of all steps of each block."""
        return tuple(
            seats * block.words for block, seats in zip(self.blocks, self.seats, strict=True)
        )

    def cells_of(self, row_C: Tensor) -> list[Tensor]:
        """Return the weights of each block, cells_BIJ, which lie in one row."""
        return [
            part_C.view(block.shape[0], steps, block.words)
            for part_C, block, steps in zip(
                row_C.split(self.cells), self.blocks, self.steps, strict=True
            )
        ]

    @cached_property
    def _seat_R(self) -> Tensor:
        """Seat of each row; on processors only."""
        seat_B = torch.empty(self.plan.sizes[0], dtype=torch.int64)
        first = 0
        for block, steps, seats in zip(self.blocks, self.steps, self.seats, strict=True):
            seat_B[block.rows] = torch.arange(first, first + seats, steps)
            first += seats
        return torch.cat([seat_B[:size] + step for step, size in enumerate(self.plan.sizes)])

    def seated(self, rows_RY: Tensor) -> Tensor:
        """Put rows on their seats; zero where a reference has ended."""
        if self.place_X is None:
            by_step_IBY = rows_RY.unflatten(0, (len(self.plan.sizes), -1))
            by_sentence: Tensor = by_step_IBY.transpose(0, 1).flatten(0, 1)
            return by_sentence
        seats_SY = rows_RY.new_zeros((sum(self.seats), rows_RY.shape[-1]))
        return seats_SY.index_copy_(0, self._seat_R, rows_RY)

    def rows_of(self, row_N: Tensor) -> Tensor:
        """Return the row of each real word, given its place `i * B + b`."""
        if self.plan.place_DX is None:
            return row_N
        (place_R,) = self.plan.place_DX
        number = torch.zeros(int(place_R.max()) + 1, dtype=torch.int64)
        number[place_R] = torch.arange(len(place_R))
        return number[row_N]

    def seats_of(self, row_N: Tensor) -> Tensor:
        """Return the seat of each real word, given its place `i * B + b`."""
        if self.place_X is None:
            steps, (sentences, _) = len(self.plan.sizes), self.blocks[0].shape
            return row_N % sentences * steps + row_N // sentences
        return self._seat_R[self.rows_of(row_N)]


def places_of(mask_BJ: Tensor, mask_IB: Tensor, width: int, like: Tensor) -> Places:
    """Lay out a batch.

    Args:
        mask_BJ: True on source words, which come before padding.
        mask_IB: True on target words.
        width: numbers of attention's hidden layer for each place.
        like: a tensor of the network's number format, where it computes.
    """
    sentences, words = mask_BJ.shape
    if not packs(like):
        plan = packing(mask_IB, (False,))
        row_B = torch.arange(sentences, device=like.device)
        penalty_X = like.new_zeros(mask_BJ.numel()).masked_fill(~mask_BJ.flatten(), -torch.inf)
        block = Block(slice(0, sentences), slice(0, mask_BJ.numel()), words)
        sentence_X = row_B[:, None].expand(sentences, words).flatten()
        return Places(plan, (block,), None, sentence_X, penalty_X)
    length_B = mask_BJ.sum(1)
    plan = packing(mask_IB, (False,), length_B)
    assert plan.order_B is not None
    length_B = length_B[plan.order_B]
    blocks = tuple(_blocks(length_B.tolist(), width))
    row_X = torch.cat([_rows(block) for block in blocks])
    word_X = torch.cat([torch.arange(block.words).repeat(block.shape[0]) for block in blocks])
    penalty_X = like.new_zeros(len(row_X)).masked_fill(word_X >= length_B[row_X], -torch.inf)
    return Places(plan, blocks, plan.order_B[row_X] * words + word_X, row_X, penalty_X)


def _rows(block: Block) -> Tensor:
    return torch.arange(block.rows.start, block.rows.stop).repeat_interleave(block.words)


def _blocks(lengths: Sequence[int], width: int) -> Iterator[Block]:
    """Cut sentences into blocks that fit into the cache and hold little padding."""
    first = place = 0
    while first < len(lengths):
        last, longest, real = first, 0, 0
        while last < len(lengths):
            most = max(longest, lengths[last])
            places = (last + 1 - first) * most
            spare = places - real - lengths[last]
            if last > first and (places * width > CACHED or spare * SPARE > places):
                break
            last, longest, real = last + 1, most, real + lengths[last]
        end = place + (last - first) * longest
        yield Block(slice(first, last), slice(place, end), longest)
        first, place = last, end
