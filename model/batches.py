"""Examples, and padded tensors of them. In which order they come is in `batch_order.py`.

Shapes: B sentences, J source words incl. the end mark, I target words incl. the end mark, P slots,
Q offered phrases, N real target words of the batch, S phrase spans of the batch; L, Z, T and X as
in `offered.py`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.offered import open_in_references, phrase_ids
from model.vocabulary import EOS, UNK


@dataclass(frozen=True, slots=True)
class SlotIds:
    """A phrase offered on the source words `[source_start, source_end)`.

    Several phrases on the same words are rivals, candidate translations of one source phrase: they
    share a slot and its tag, and what uses up one uses up all.
    """

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
    """Offered phrases, left to right; those that are no rivals do not overlap."""

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
    found = [
        tag for tag, slot in zip(slots_of(slots), slots, strict=True) if slot.target_start >= 0
    ]
    if len(found) > len(set(found)):
        raise ValueError(
            "two candidate translations of one source phrase have a place in the reference: only "
            "one of them is its translation there."
        )


def slots_of(slots: Sequence[SlotIds]) -> tuple[int, ...]:
    """Return the slot of each phrase: phrases on the same source words share one."""
    numbers: dict[tuple[int, int], int] = {}
    return tuple(
        numbers.setdefault((slot.source_start, slot.source_end), len(numbers)) for slot in slots
    )


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
    """True for each slot that holds a source phrase."""
    slot_BQ: Tensor
    """Slot of each offered phrase (int64), -1 where there is none."""
    phrases: tuple[tuple[tuple[int, ...], ...], ...]
    """Target ids of each offered phrase, by sentence."""
    number_BQ: Tensor
    """Column of each offered phrase in `word_TX`; see `offered.PhraseIds`."""
    word_TX: Tensor
    past_TX: Tensor

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
    """Step from which on a slot is used up (int64): 0 for empty slots, I where none of its phrases
    is in the reference.
    """
    slot_BQ: Tensor
    """As in `SourceBatch`."""
    row_N: Tensor
    """Position of each real word in `ids_IB` read row by row (int64)."""
    sentence_N: Tensor
    """Sentence of each real word (int64)."""
    span_N: Tensor
    """Span of each real word, numbered from 1, or 0 for a word outside all spans (int64)."""
    start_S: Tensor
    """Real-word number of the first word of each span (int64)."""
    offer_S: Tensor
    """Offered phrase of each span (int64)."""
    known_S: Tensor
    """True where no word of the span is unknown (the paper's I_unk)."""
    row_L: Tensor
    """Real words at which a phrase is open; see `offered.Open`."""
    row_Z: Tensor
    phrase_Z: Tensor

    @property
    def num_words(self) -> int:
        """Number of real target words, end marks included."""
        return len(self.span_N)

    def alive_IBP(self) -> Tensor:
        """Return True where a slot may still be used at a step."""
        steps_I = torch.arange(len(self.ids_IB), device=self.clear_BP.device)
        return steps_I[:, None, None] < self.clear_BP

    def open_IBQ(self) -> Tensor:
        """Return True where an offered phrase may still be used at a step."""
        return phrases_open(self.alive_IBP(), self.slot_BQ)


def phrases_open(alive_XBP: Tensor, slot_BQ: Tensor) -> Tensor:
    """Return for each offered phrase whether its slot is alive, open_XBQ.

    Args:
        alive_XBP: True for live slots.
        slot_BQ: slot of each phrase, -1 where there is none.
    """
    slot_XBQ = slot_BQ.clamp(min=0).expand(*alive_XBP.shape[:-1], -1)
    return alive_XBP.gather(-1, slot_XBQ) & (slot_BQ >= 0)


def collate_source(examples: Sequence[Example], slots: int, candidates: int = 1) -> SourceBatch:
    """Pad the source sides of examples.

    Args:
        examples: at least one example.
        slots: number of slots P that the network knows; 0 ignores all phrases.
        candidates: most candidate translations of a source phrase that the network takes.

    Raises:
        ValueError: an example offers more source phrases or more candidates than that.
    """
    longest = max(len(e.source_ids) for e in examples) + 1
    ids = np.full((len(examples), longest), EOS, dtype=np.int64)
    mask = np.zeros((len(examples), longest), dtype=bool)
    slot_of = np.full((len(examples), longest), -1, dtype=np.int64)
    used = np.zeros((len(examples), slots), dtype=bool)
    offered = [_offered(example, slots, candidates) for example in examples]
    for row, example in enumerate(examples):
        length = len(example.source_ids)
        ids[row, :length] = example.source_ids
        mask[row, : length + 1] = True
        for number, phrase in zip(slots_of(offered[row]), offered[row], strict=True):
            slot_of[row, phrase.source_start : phrase.source_end] = number
            used[row, number] = True
    phrases = tuple(tuple(phrase.target_ids for phrase in each) for each in offered)
    slot_BQ = _slot_of_phrases(offered, slots)
    number_BQ, word_TX, past_TX = phrase_ids(phrases, slot_BQ.shape[1])
    return SourceBatch(
        ids_BJ=torch.from_numpy(ids),
        mask_BJ=torch.from_numpy(mask),
        slot_BJ=torch.from_numpy(slot_of),
        offered_BP=torch.from_numpy(used),
        slot_BQ=torch.from_numpy(slot_BQ),
        phrases=phrases,
        number_BQ=number_BQ,
        word_TX=word_TX,
        past_TX=past_TX,
    )


def collate_target(examples: Sequence[Example], slots: int, candidates: int = 1) -> TargetBatch:
    """Pad the target sides of examples and number their phrase spans.

    Args:
        examples: at least one example with its reference.
        slots: number of slots P that the network knows; 0 ignores all phrases.
        candidates: most candidate translations of a source phrase that the network takes.
    """
    lengths = np.asarray([len(e.target_ids) + 1 for e in examples])
    longest = int(lengths.max())
    ids = np.full((longest, len(examples)), EOS, dtype=np.int64)
    span_of = np.zeros((longest, len(examples)), dtype=np.int64)
    clear = np.zeros((len(examples), slots), dtype=np.int64)
    spans: list[tuple[int, int, int, bool]] = []
    offered = [_offered(example, slots, candidates) for example in examples]
    for row, example in enumerate(examples):
        ids[: lengths[row] - 1, row] = example.target_ids
        numbers = slots_of(offered[row])
        clear[row, list(numbers)] = longest
        for number, phrase in enumerate(offered[row]):
            start, end = phrase.target_start, phrase.target_start + len(phrase.target_ids)
            if end > len(example.target_ids) and start >= 0:
                raise ValueError("a slot has a place in the reference, but there is no reference.")
            if start >= 0:
                clear[row, numbers[number]] = end
                spans.append((start, row, number, UNK not in phrase.target_ids))
                span_of[start:end, row] = len(spans)
    mask = np.arange(longest)[:, None] < lengths
    word_number = np.cumsum(mask).reshape(mask.shape) - 1
    slot_BQ = _slot_of_phrases(offered, slots)
    row_L, row_Z, phrase_Z = open_in_references(mask, clear, slot_BQ)
    return TargetBatch(
        ids_IB=torch.from_numpy(ids),
        mask_IB=torch.from_numpy(mask),
        clear_BP=torch.from_numpy(clear),
        slot_BQ=torch.from_numpy(slot_BQ),
        row_N=torch.from_numpy(np.flatnonzero(mask)),
        sentence_N=torch.from_numpy(np.nonzero(mask)[1]),
        span_N=torch.from_numpy(span_of[mask]),
        start_S=torch.tensor(
            [int(word_number[t, row]) for t, row, _, _ in spans], dtype=torch.int64
        ),
        offer_S=torch.tensor([number for _, _, number, _ in spans], dtype=torch.int64),
        known_S=torch.tensor([known for _, _, _, known in spans], dtype=torch.bool),
        row_L=row_L,
        row_Z=row_Z,
        phrase_Z=phrase_Z,
    )


def _slot_of_phrases(offered: Sequence[tuple[SlotIds, ...]], slots: int) -> NDArray[np.int64]:
    """Return slot_BQ: as many phrases as any sentence has, and not fewer than there are slots."""
    most = max(slots, max(len(each) for each in offered))
    numbers = np.full((len(offered), most), -1, dtype=np.int64)
    for row, each in enumerate(offered):
        numbers[row, : len(each)] = slots_of(each)
    return numbers


def _offered(example: Example, slots: int, candidates: int) -> tuple[SlotIds, ...]:
    if slots == 0 or not example.slots:
        return ()
    rivals = Counter(slots_of(example.slots))
    if len(rivals) > slots:
        raise ValueError(
            f"an example offers {len(rivals)} source phrases, but the network has {slots} slots: "
            "offer fewer, or raise model.phrase_slots."
        )
    if max(rivals.values()) > candidates:
        raise ValueError(
            f"an example offers {max(rivals.values())} candidate translations of one source "
            f"phrase, but the network takes {candidates}: offer fewer (memory.phrase_candidates), "
            "or train one with a higher model.phrase_candidates."
        )
    return example.slots
