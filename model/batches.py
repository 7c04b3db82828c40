"""Examples, length-bucketed batches of them, and padded tensors.

Shapes: B sentences, J source words incl. the end mark, I target words incl. the end mark, P slots,
N real target words of the batch, S phrase spans of the batch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.vocabulary import EOS, UNK


@dataclass(frozen=True, slots=True)
class SlotIds:
    """A phrase offered on the source words `[source_start, source_end)`."""

    source_start: int
    source_end: int
    target_ids: tuple[int, ...]
    """Ids of the phrase's target words; a word outside the vocabulary is `UNK`."""
    target_start: int = -1
    """Where the phrase stands in the example's target words, or -1 if it is not in the reference.
    """

    def __post_init__(self) -> None:
        if not 0 <= self.source_start < self.source_end or not self.target_ids:
            raise ValueError(
                f"slot on source words [{self.source_start}, {self.source_end}) with "
                f"{len(self.target_ids)} target words: both sides must hold at least one word."
            )


def _no_words() -> NDArray[np.int32]:
    return np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A sentence as ids, with its reference in training, and the phrases offered to it."""

    source_ids: NDArray[np.int32]
    """Source words, no end mark."""
    target_ids: NDArray[np.int32] = field(default_factory=_no_words)
    """Target words, no end mark; empty at test time."""
    slots: tuple[SlotIds, ...] = ()
    """Offered phrases, left to right, without overlap."""

    def __post_init__(self) -> None:
        for slot in self.slots:
            if slot.source_end > len(self.source_ids):
                raise ValueError(
                    f"slot ends at source word {slot.source_end}, "
                    f"but the sentence has {len(self.source_ids)} words."
                )
        if len(self.target_ids):
            _check_target_spans(self.slots, len(self.target_ids))


def _check_target_spans(slots: tuple[SlotIds, ...], num_words: int) -> None:
    """Refuse phrases that leave the reference or share a word of it: the likelihood would be
    wrong.
    """
    free = 0
    spans = ((s.target_start, s.target_start + len(s.target_ids)) for s in slots)
    for start, end in sorted(span for span in spans if span[0] >= 0):
        if start < free or end > num_words:
            raise ValueError(
                f"slot on target words [{start}, {end}): it must lie within the reference's "
                f"{num_words} words and share none with another slot."
            )
        free = end


@dataclass(frozen=True, slots=True)
class SourceBatch:
    """Padded source side of a batch."""

    ids_BJ: Tensor
    """Word ids, each sentence ended by `EOS`, then padded with `EOS` (int64)."""
    mask_BJ: Tensor
    """True on words and the end mark, False on padding."""
    slot_BJ: Tensor
    """Slot of each source word, or -1 (int64)."""
    offered_BP: Tensor
    """True for each slot that holds a phrase."""
    phrases: tuple[tuple[tuple[int, ...], ...], ...]
    """Target ids of each offered phrase, by sentence and slot."""

    @property
    def has_slots(self) -> bool:
        """Say whether any sentence of the batch was offered a phrase."""
        return any(self.phrases)


@dataclass(frozen=True, slots=True)
class TargetBatch:
    """Padded target side of a batch, and where phrases stand in it.

    Real words are numbered 0..N-1 along time, then along sentences (the order of `mask_IB` read
    row by row).
    """

    ids_IB: Tensor
    """Word ids, each sentence ended by `EOS`, then padded with `EOS` (int64)."""
    mask_IB: Tensor
    """True on words and the end mark."""
    clear_BP: Tensor
    """Step from which on a slot is used up (int64): 0 for empty slots, I for phrases not in the
    reference.
    """
    row_N: Tensor
    """Position of each real word in `ids_IB` read row by row (int64)."""
    sentence_N: Tensor
    """Sentence of each real word (int64)."""
    span_N: Tensor
    """Span of each real word, numbered from 1, or 0 for a word outside all spans (int64)."""
    start_S: Tensor
    """Real-word number of the first word of each span (int64)."""
    slot_S: Tensor
    """Slot of each span (int64)."""
    known_S: Tensor
    """True where no word of the span is unknown (the paper's I_unk)."""

    @property
    def num_words(self) -> int:
        """Number of real target words, end marks included."""
        return len(self.span_N)

    def alive_IBP(self) -> Tensor:
        """Return True where a slot may still be used at a step."""
        steps_I = torch.arange(len(self.ids_IB)).to(self.clear_BP.device)
        return steps_I[:, None, None] < self.clear_BP


def bucketed_batches(
    examples: Sequence[Example], *, batch_size: int, seed: int, epoch: int, buffer_batches: int = 20
) -> Iterator[list[int]]:
    """Yield the indices of each batch of one epoch, examples of similar length together.

    The data are shuffled, cut into buffers of `buffer_batches` batches, each buffer is sorted by
    length and cut into batches, and the batches of a buffer are shuffled. The order depends on the
    arguments only.
    """
    lengths = [(len(e.target_ids), len(e.source_ids)) for e in examples]
    random = np.random.default_rng((seed, epoch))
    order = random.permutation(len(lengths)).tolist()
    buffer = batch_size * buffer_batches
    for start in range(0, len(order), buffer):
        chunk = sorted(order[start : start + buffer], key=lambda index: (lengths[index], index))
        batches = [chunk[at : at + batch_size] for at in range(0, len(chunk), batch_size)]
        for position in random.permutation(len(batches)):
            yield batches[position]


def longest_first_batches(
    examples: Sequence[Example], *, batch_size: int, seed: int, buffer_batches: int = 20
) -> Iterator[list[int]]:
    """Yield the indices of each batch as dl4mt does, in the same order in every epoch.

    The data are shuffled once; each buffer of `buffer_batches` batches is sorted by target length
    and used up from its longest end.
    """
    lengths = [(len(e.target_ids), len(e.source_ids)) for e in examples]
    order = np.random.default_rng(seed).permutation(len(lengths)).tolist()
    buffer = batch_size * buffer_batches
    for start in range(0, len(order), buffer):
        chunk = sorted(order[start : start + buffer], key=lambda index: (lengths[index], index))
        chunk.reverse()
        for at in range(0, len(chunk), batch_size):
            yield chunk[at : at + batch_size]


def collate_source(examples: Sequence[Example], slots: int) -> SourceBatch:
    """Pad the source sides of examples.

    Args:
        examples: at least one example.
        slots: number of slots P that the network knows; 0 ignores all phrases.

    Raises:
        ValueError: an example offers more phrases than there are slots.
    """
    longest = max(len(e.source_ids) for e in examples) + 1
    ids = np.full((len(examples), longest), EOS, dtype=np.int64)
    mask = np.zeros((len(examples), longest), dtype=bool)
    slot_of = np.full((len(examples), longest), -1, dtype=np.int64)
    offered = np.zeros((len(examples), slots), dtype=bool)
    for row, example in enumerate(examples):
        length = len(example.source_ids)
        ids[row, :length] = example.source_ids
        mask[row, : length + 1] = True
        for number, slot in enumerate(_slots_of(example, slots)):
            slot_of[row, slot.source_start : slot.source_end] = number
            offered[row, number] = True
    return SourceBatch(
        ids_BJ=torch.from_numpy(ids),
        mask_BJ=torch.from_numpy(mask),
        slot_BJ=torch.from_numpy(slot_of),
        offered_BP=torch.from_numpy(offered),
        phrases=tuple(tuple(s.target_ids for s in _slots_of(e, slots)) for e in examples),
    )


def collate_target(examples: Sequence[Example], slots: int) -> TargetBatch:
    """Pad the target sides of examples and number their phrase spans.

    Args:
        examples: at least one example with its reference.
        slots: number of slots P that the network knows; 0 ignores all phrases.
    """
    lengths = np.asarray([len(e.target_ids) + 1 for e in examples])
    longest = int(lengths.max())
    ids = np.full((longest, len(examples)), EOS, dtype=np.int64)
    span_of = np.zeros((longest, len(examples)), dtype=np.int64)
    clear = np.zeros((len(examples), slots), dtype=np.int64)
    spans: list[tuple[int, int, int, bool]] = []
    for row, example in enumerate(examples):
        ids[: lengths[row] - 1, row] = example.target_ids
        for number, slot in enumerate(_slots_of(example, slots)):
            start, end = slot.target_start, slot.target_start + len(slot.target_ids)
            if end > len(example.target_ids) and start >= 0:
                raise ValueError("a slot has a place in the reference, but there is no reference.")
            clear[row, number] = longest if start < 0 else end
            if start >= 0:
                spans.append((start, row, number, UNK not in slot.target_ids))
                span_of[start:end, row] = len(spans)
    mask = np.arange(longest)[:, None] < lengths
    word_number = np.cumsum(mask).reshape(mask.shape) - 1
    return TargetBatch(
        ids_IB=torch.from_numpy(ids),
        mask_IB=torch.from_numpy(mask),
        clear_BP=torch.from_numpy(clear),
        row_N=torch.from_numpy(np.flatnonzero(mask)),
        sentence_N=torch.from_numpy(np.nonzero(mask)[1]),
        span_N=torch.from_numpy(span_of[mask]),
        start_S=torch.tensor(
            [int(word_number[t, row]) for t, row, _, _ in spans], dtype=torch.int64
        ),
        slot_S=torch.tensor([number for _, _, number, _ in spans], dtype=torch.int64),
        known_S=torch.tensor([known for _, _, _, known in spans], dtype=torch.bool),
    )


def _slots_of(example: Example, slots: int) -> tuple[SlotIds, ...]:
    if slots == 0:
        return ()
    if len(example.slots) > slots:
        raise ValueError(
            f"an example offers {len(example.slots)} phrases, but the network has {slots} slots: "
            f"offer fewer, or raise model.phrase_slots."
        )
    return example.slots
