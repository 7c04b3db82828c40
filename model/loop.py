"""What every decoder is to training and search: a loop that reads the source and advances a state.

`run` feeds a batch of references with automatic differentiation; search steps by itself. The
conditional GRU without further switches has a faster way through references in `recurrence.py`.

Shapes: B rows (sentences or hypotheses), J source words, I steps, E embedding, H state, C
annotation, A attention, K coverage, Q coverage's inputs, P slots, F = K + P features, X projected
words, Z context gate, T words so far.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from model.cells import product


class Run(NamedTuple):
    """Rows that follow each other and read the same sentence."""

    sentence: int
    rows: slice


class Sharing:
    """Which rows of a batch read which sentence; those of a sentence follow each other.

    Shapes: S sentences, K rows of the sentence that has most, M heads, X inputs, Y outputs.
    """

    def __init__(self, sentence_R: Tensor, sentences: int) -> None:
        counts = torch.bincount(sentence_R, minlength=sentences)
        ends = counts.cumsum(0)
        self.runs = tuple(
            Run(sentence, slice(end - count, end))
            for sentence, (count, end) in enumerate(
                zip(counts.tolist(), ends.tolist(), strict=True)
            )
            if count
        )
        self.most = int(counts.max())
        row_R = torch.arange(len(sentence_R))
        self._cell_R = row_R + sentence_R * self.most - (ends - counts)[sentence_R]
        self._row_X = row_R.new_zeros(sentences * self.most).index_copy(0, self._cell_R, row_R)

    def product(self, x_BMX: Tensor, matrix_SMXY: Tensor) -> Tensor:
        """Multiply each row with the matrices of its sentence, out_BMY: one product for a sentence
        and a head.
        """
        grid_SKMX = x_BMX.index_select(0, self._row_X).unflatten(0, (len(matrix_SMXY), -1))
        found_SMKY = product(grid_SKMX.transpose(1, 2), matrix_SMXY)
        return found_SMKY.transpose(1, 2).flatten(0, 1).index_select(0, self._cell_R)


class Memory(NamedTuple):
    """What the decoder reads of the source, fixed while a sentence is decoded."""

    annotations_BJC: Tensor
    keys_BJA: Tensor
    """Doubled keys of the attention; empty without attention. Of a Transformer keys and values of
    all layers, from the lowest.
    """
    penalty_BJ: Tensor
    """0 on words, minus infinity on padding."""
    coverage_BJQ: Tensor | None
    """What coverage reads of the annotations."""
    tags_BJP: Tensor | None
    """One-hot slot of each source word; None if no sentence of the batch has a slot."""
    sharing: Sharing | None = None
    """Which annotations and keys each row of the batch reads; None if they are in its order."""

    def context(self, weights_BJ: Tensor) -> Tensor:
        """Return the mean of the annotations under an attention, context_BC."""
        if self.sharing is None:
            return torch.bmm(weights_BJ.unsqueeze(1), self.annotations_BJC).squeeze(1)
        context_BC = weights_BJ.new_empty((len(weights_BJ), self.annotations_BJC.shape[-1]))
        for sentence, rows in self.sharing.runs:
            torch.mm(weights_BJ[rows], self.annotations_BJC[sentence], out=context_BC[rows])
        return context_BC


class Carried(NamedTuple):
    """What one layer carries from step to step."""

    hidden_BH: Tensor
    cell_BH: Tensor | None = None
    """Memory of an LSTM."""


class Context(NamedTuple):
    """What one step read of the source."""

    context_BC: Tensor
    tag_mass_BP: Tensor | None
    """Attention on each live slot: the tag part of the context vector."""


class State(NamedTuple):
    """What the decoder carries from step to step."""

    layers: tuple[Carried, ...]
    """From the lowest; the readout reads the last."""
    coverage_BJK: Tensor | None
    context: Context | None = None
    """GroundHog's order: what was read when the last word was chosen; None before the first."""
    past: tuple[Tensor, ...] = ()
    """Transformer: keys and values of the words so far, past_BTX of each layer."""


class Step(NamedTuple):
    """What one step gives to the readout, to the next step and to records."""

    state: State
    context: Context
    weights_BJ: Tensor
    """Attention; without attention, 1 on the last annotation. Of a Transformer the mean over the
    heads of the highest layer.
    """
    gate_BZ: Tensor | None
    """Context gate, if one is learned."""


class Loop(Protocol):
    """A decoder prepared for one pass over a batch or one search."""

    @property
    def context_weight_CX(self) -> Tensor | None:
        """What the step multiplies the context vector with; None if that is no mean of
        annotations.
        """

    def words(self, embedded_XE: Tensor) -> Tensor:
        """Project embedded previous words; leading axes are kept."""

    def on(self, memory: Memory) -> Any:
        """Prepare the reading of a source."""

    def step(self, reader: Any, word_BX: Tensor, state: State, alive_BP: Tensor | None) -> Step:
        """Advance by one word.

        Args:
            reader: see `on`.
            word_BX: projected previous word.
            state: state before the step.
            alive_BP: 1 for slots that may still be used, 0 for others; None without slots.
        """


def run(
    loop: Loop, memory: Memory, embedded_IBE: Tensor, start: State, alive_IBP: Tensor | None
) -> list[Step]:
    """Feed all previous words of a batch of references."""
    reader, state = loop.on(memory), start
    steps: list[Step] = []
    for position, word_BX in enumerate(loop.words(embedded_IBE)):
        alive_BP = None if alive_IBP is None else alive_IBP[position]
        steps.append(loop.step(reader, word_BX, state, alive_BP))
        state = steps[-1].state
    return steps


def rows_of(structure: Any, index_R: Tensor) -> Any:
    """Return the same structure of tuples with some rows of each of its tensors."""
    if structure is None:
        return None
    if isinstance(structure, Tensor):
        return structure.index_select(0, index_R)  # as whole rows: `[...]` takes six times as long
    parts = [rows_of(part, index_R) for part in structure]
    return type(structure)(*parts) if hasattr(structure, "_fields") else tuple(parts)


def of_hypotheses(memory: Memory, sentence_R: Tensor) -> Memory:
    """Return the memory of the sentence of each hypothesis.

    Args:
        memory: of the sentences.
        sentence_R: sentence of each hypothesis, ascending. On a CPU the large tensors are not
            copied for each hypothesis: those of a sentence share them.
    """
    if sentence_R.device.type != "cpu":
        own: Memory = rows_of(memory, sentence_R)
        return own
    return Memory(
        memory.annotations_BJC,
        memory.keys_BJA,
        memory.penalty_BJ[sentence_R],
        rows_of(memory.coverage_BJQ, sentence_R),
        rows_of(memory.tags_BJP, sentence_R),
        Sharing(sentence_R, len(memory.keys_BJA)),
    )


def one_hot_slots(slot_BJ: Tensor, slots: int, dtype: torch.dtype) -> Tensor:
    """Return the tags of source words, tags_BJP: one-hot slots, zeros where the slot is -1."""
    numbers = torch.arange(slots, device=slot_BJ.device)
    return (slot_BJ.unsqueeze(-1) == numbers).to(dtype)


def stack_or_none(tensors: Sequence[Tensor | None]) -> Tensor | None:
    """Stack the values of all steps, or return None where steps have none."""
    present = [tensor for tensor in tensors if tensor is not None]
    return torch.stack(present) if present else None
