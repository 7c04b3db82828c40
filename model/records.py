"""What a network attends to and how its context gate stands, word by word, under forced decoding;
and test-time scaling of the two contexts.

A translation that was searched for is looked at by feeding it back: the states are those that the
search went through.

Shapes: I target words incl. the end mark, J source words incl. the end mark, Z gate, P slots.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.batches import Example, slots_of
from model.hypotheses import Hypothesis
from model.noise import SILENT
from model.placing import placed
from model.teacher_forcing import recorded
from model.translator import Translator
from model.vocabulary import UNK


@dataclass(frozen=True, slots=True)
class WordRecord:
    """One sentence under forced decoding."""

    attention_IJ: Tensor
    """Each row over J sums to 1."""
    gate_IZ: Tensor | None
    """Context gate z, between 0 and 1, higher for more source; None if there is no learned gate. In
    GroundHog's order the first word has no gate: its row is not a number.
    """

    @property
    def gate_mean_I(self) -> Tensor | None:
        """Mean of the gate over its dimensions."""
        return None if self.gate_IZ is None else self.gate_IZ.mean(-1)


@torch.no_grad()
def record_references(
    translator: Translator, examples: Sequence[Example], batch_size: int = 32
) -> list[WordRecord]:
    """Record the references of examples, in their order."""
    clear = [
        [
            -1 if slot.target_start < 0 else slot.target_start + len(slot.target_ids)
            for slot in example.slots
        ]
        for example in examples
    ]
    return _record(translator, examples, clear, batch_size)


@torch.no_grad()
def record_translations(
    translator: Translator,
    examples: Sequence[Example],
    found: Sequence[Hypothesis],
    *,
    clear_on_word_match: bool = True,
    batch_size: int = 32,
) -> list[WordRecord]:
    """Record translations that a search of the examples found.

    Args:
        translator: the network that found them.
        examples: what was translated.
        found: one translation of each example.
        clear_on_word_match: as in the search.
        batch_size: sentences decoded together.
    """
    clear = [
        used_up(example, hypothesis, clear_on_word_match=clear_on_word_match)
        for example, hypothesis in zip(examples, found, strict=True)
    ]
    fed = [
        replace(
            example,
            target_ids=_ids(hypothesis),
            slots=tuple(replace(slot, target_start=-1) for slot in example.slots),
        )
        for example, hypothesis in zip(examples, found, strict=True)
    ]
    return _record(translator, fed, clear, batch_size)


def used_up(example: Example, hypothesis: Hypothesis, *, clear_on_word_match: bool) -> list[int]:
    """Return for each phrase the number of words after which it was used up, or -1 for never;
    rivals are used up together.
    """
    phrases, slots = [phrase.target_ids for phrase in example.slots], slots_of(example.slots)
    clear, words = [-1] * len(phrases), [_key(word.word_id, word.slot) for word in hypothesis.words]
    for position, word in enumerate(hypothesis.words, start=1):
        used = -1
        if word.slot >= 0:
            if word.offset == len(phrases[word.slot]) - 1:
                used = word.slot
        elif clear_on_word_match:
            spelled = [
                number
                for number, phrase in enumerate(phrases)
                if clear[number] < 0
                and UNK not in phrase
                and tuple(words[max(0, position - len(phrase)) : position]) == phrase
            ]
            used = max(spelled, key=lambda number: (len(phrases[number]), -number), default=-1)
        if used >= 0:
            clear = [
                position if slot == slots[used] else end
                for slot, end in zip(slots, clear, strict=True)
            ]
    return clear


def scaled(translator: Translator, source_scale: float, target_scale: float) -> Translator:
    """Return the same network with its two contexts multiplied by fixed weights (a, b).

    Raises:
        ValueError: the network has a context gate of its own, or is a Transformer.
    """
    config = translator.config
    if config.switches.is_transformer:
        raise ValueError(
            "the model is a Transformer, whose layers add both contexts up: only those of a "
            "recurrent state can be scaled."
        )
    if config.switches.gate not in ("none", "fixed"):
        raise ValueError(
            f"the model has a context gate ({config.switches.gate}), so its contexts cannot be "
            "scaled: take a model without one."
        )
    fixed = replace(
        config, context_gate="fixed", source_scale=source_scale, target_scale=target_scale
    )
    other = Translator(fixed, translator.source_size, translator.target_size)
    other.to(translator.readout.output_bias_V)
    other.load_state_dict(translator.state_dict())
    return other.eval()


def _key(word_id: int, slot: int) -> int:
    """Unknown words of phrases are no words that another phrase could hold."""
    return -1 if word_id == UNK and slot >= 0 else word_id


def _ids(hypothesis: Hypothesis) -> NDArray[np.int32]:
    return np.asarray([word.word_id for word in hypothesis.words], dtype=np.int32)


def _record(
    translator: Translator,
    examples: Sequence[Example],
    clear: Sequence[Sequence[int]],
    batch_size: int,
) -> list[WordRecord]:
    translator.eval()
    records: list[WordRecord] = []
    for first in range(0, len(examples), batch_size):
        part = slice(first, first + batch_size)
        records.extend(_record_batch(translator, examples[part], clear[part]))
    return records


def _record_batch(
    translator: Translator, examples: Sequence[Example], clear: Sequence[Sequence[int]]
) -> list[WordRecord]:
    dtype = translator.number_format("float32")
    source, target = translator.collate(examples)
    source, target = placed(source, translator.device), placed(target, translator.device)
    memory = translator.encode(source, SILENT, dtype).memory
    embedded_IBE = translator.decoder.embed(target.ids_IB).roll(1, 0)
    embedded_IBE[0] = 0
    alive_IBP = None
    if memory.tags_BJP is not None:
        steps = len(target.ids_IB)
        clear_BP = torch.zeros(target.clear_BP.shape, dtype=torch.int64)
        for row, (example, ends) in enumerate(zip(examples, clear, strict=True)):
            used = [(slot, end) for slot, end in zip(slots_of(example.slots), ends, strict=True)]
            for slot in {slot for slot, _ in used}:
                end = max(end for other, end in used if other == slot)
                clear_BP[row, slot] = steps if end < 0 else end
        clear_BP = clear_BP.to(translator.device)
        alive_IBP = replace(target, clear_BP=clear_BP).alive_IBP().to(embedded_IBE.dtype)
    start = translator.decoder.start(memory, source.mask_BJ)
    trace = recorded(translator.decoder, memory, embedded_IBE, start, alive_IBP, dtype)
    assert trace.attention_IBJ is not None
    attention_IBJ = trace.attention_IBJ.cpu()
    gates_IBZ = None if trace.gates_IBZ is None else trace.gates_IBZ.cpu()
    if gates_IBZ is not None and len(gates_IBZ) < len(attention_IBJ):
        gates_IBZ = torch.cat([torch.full_like(gates_IBZ[:1], torch.nan), gates_IBZ])
    lengths = [(len(e.target_ids) + 1, len(e.source_ids) + 1) for e in examples]
    return [
        WordRecord(
            attention_IBJ[:words, row, :sources],
            None if gates_IBZ is None else gates_IBZ[:words, row],
        )
        for row, (words, sources) in enumerate(lengths)
    ]
