"""Batches padded to one of few sizes, so that batches of the same size can share a CUDA graph.

A batch is widened by sentences that nobody counts. They hold nothing but the end mark, and whatever
else is added (target words, phrases, pairs of a word and a phrase) belongs to the last of them. So
the loss of the true sentences and its gradient are what they were, up to the order of sums.

Shapes: as in `batches.py`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import pad

from model.batches import SourceBatch, TargetBatch
from model.vocabulary import EOS

SENTENCES, LENGTH, WORDS = 8, 8, 256
"""Of these the sentences, the steps of either side and the target words are multiples."""
PHRASE_LENGTH = 4
"""Of which the length of the longest phrase is a multiple."""
FEWEST = 8
"""Of what is counted in powers of two."""


class Room(NamedTuple):
    """The sizes of a batch that differ from batch to batch."""

    sentences: int
    source: int
    target: int
    words: int
    offered: int
    """Phrases of a sentence."""
    spans: int
    pairs: int
    phrases: int
    phrase_length: int


class Piece(NamedTuple):
    """A batch, or a part of one, as a network reads it."""

    source: SourceBatch
    target: TargetBatch
    real_B: Tensor | None = None
    """True for the sentences that count; None if all do."""
    room: Room | None = None
    """What it was widened to, if it was."""


def room_of(source: SourceBatch, target: TargetBatch) -> Room:
    """Return the room that a batch is widened to; at least one sentence and one word of it are
    added ones.
    """
    sentences, words_J = source.ids_BJ.shape
    longest, phrases = source.word_TX.shape
    return Room(
        _multiple(sentences + 1, SENTENCES),
        _multiple(words_J, LENGTH),
        _multiple(len(target.ids_IB), LENGTH),
        _multiple(target.num_words + 1, WORDS),
        source.slot_BQ.shape[1],
        _power(len(target.start_S)),
        _power(len(target.row_Z)),
        _power(phrases),
        _multiple(longest, PHRASE_LENGTH),
    )


def widened(source: SourceBatch, target: TargetBatch) -> Piece:
    """Pad a batch to its room."""
    room = room_of(source, target)
    real_B = torch.arange(room.sentences) < len(source.ids_BJ)
    return Piece(_source(source, room), _target(target, room), real_B, room)


def _multiple(number: int, of: int) -> int:
    return -(-number // of) * of


def _power(number: int) -> int:
    """Return the next of 8, 12, 16, 24, 32, 48, ..., and 0 for none: what a batch has nothing of, a
    network does not ask for.
    """
    size = FEWEST if number else 0
    while size < number:
        if size + size // 2 >= number:
            return size + size // 2
        size *= 2
    return size


def _source(source: SourceBatch, room: Room) -> SourceBatch:
    wide = (room.sentences, room.source)
    mask_BJ = _padded(source.mask_BJ, wide, 0)
    mask_BJ[len(source.mask_BJ) :, 0] = True
    phrases = (room.phrase_length, room.phrases)
    # Phrases are read from the last row to the first, so what is added comes before all.
    added = room.phrase_length - len(source.past_TX)
    past_TX = torch.cat([source.past_TX.new_ones((added, source.past_TX.shape[1])), source.past_TX])
    return SourceBatch(
        ids_BJ=_padded(source.ids_BJ, wide, EOS),
        mask_BJ=mask_BJ,
        slot_BJ=_padded(source.slot_BJ, wide, -1),
        offered_BP=_padded(source.offered_BP, (room.sentences,), 0),
        slot_BQ=_padded(source.slot_BQ, (room.sentences,), -1),
        phrases=(*source.phrases, *[()] * (room.sentences - len(source.phrases))),
        number_BQ=_padded(source.number_BQ, (room.sentences,), 0),
        word_TX=_padded(source.word_TX, phrases, EOS),
        past_TX=_padded(past_TX, phrases, 1),
    )


def _target(target: TargetBatch, room: Room) -> TargetBatch:
    _, sentences = target.ids_IB.shape
    wide, last = (room.target, room.sentences), room.sentences - 1
    mask_IB = _padded(target.mask_IB, wide, 0)
    mask_IB[0, sentences:] = True
    step_N, sentence_N = target.row_N // sentences, target.row_N % sentences
    added_word = room.words - 1
    return TargetBatch(
        ids_IB=_padded(target.ids_IB, wide, EOS),
        mask_IB=mask_IB,
        clear_BP=_padded(target.clear_BP, (room.sentences,), 0),
        slot_BQ=_padded(target.slot_BQ, (room.sentences,), -1),
        row_N=_padded(step_N * room.sentences + sentence_N, (room.words,), last),
        sentence_N=_padded(target.sentence_N, (room.words,), last),
        span_N=_padded(target.span_N, (room.words,), 0),
        start_S=_padded(target.start_S, (room.spans,), added_word),
        offer_S=_padded(target.offer_S, (room.spans,), 0),
        known_S=_padded(target.known_S, (room.spans,), 1),
        row_L=torch.arange(room.words),  # how many are open differs too much
        row_Z=_padded(target.row_Z, (room.pairs,), added_word),
        phrase_Z=_padded(target.phrase_Z, (room.pairs,), 0),
    )


def _padded(tensor: Tensor, sizes: Sequence[int], value: int) -> Tensor:
    """Add rows (and columns) behind a tensor."""
    ends = [size - own for size, own in zip(sizes, tensor.shape, strict=False)]
    ends += [0] * (tensor.dim() - len(ends))
    return pad(tensor, [side for end in reversed(ends) for side in (0, end)], value=value)
