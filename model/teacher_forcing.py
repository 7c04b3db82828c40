"""The decoder fed with the words of references.

Shapes: as in `loop.py`, and in `recurrence.py` where places are packed.
"""

from typing import NamedTuple, TypeGuard

import torch
from torch import Tensor

from model.buffer_pool import BufferPool
from model.cells import product
from model.conditional_gru import ConditionalGru
from model.families import AnyDecoder, make_loop
from model.loop import Memory, State, run, stack_or_none
from model.noise import SILENT, Noise
from model.places import Places, places_of
from model.places_reader import PlaceMemory
from model.readout import Reading
from model.recurrence import Layout, contexts
from model.recurrence import run as run_plain
from model.transformer_decoder import TransformerDecoder
from model.transformer_layers import Manner


class Means(NamedTuple):
    """What a pass is computed with."""

    dtype: torch.dtype
    """Number format of the matrix products."""
    pool: BufferPool
    """Lends memory to the hand-written recurrence."""
    noise: Noise = SILENT
    """Dropout within a Transformer."""


class Trace(NamedTuple):
    """What the decoder went through."""

    states_IBH: Tensor
    contexts_IBC: Tensor
    tag_mass_IBP: Tensor | None
    attention_IBJ: Tensor | None = None
    """None if it was not to be recorded."""
    gates_IBZ: Tensor | None = None
    """Context gate; None if there is none or it was not to be recorded. In GroundHog's order the
    first word has none, and its row is left out.
    """


class References(NamedTuple):
    """What is fed."""

    embedded_IBE: Tensor
    """Embedded previous words; zero before the first."""
    mask_IB: Tensor
    """True on words."""
    alive_IBP: Tensor | None
    """1 for slots that may still be used at a step; None without slots."""
    row_N: Tensor
    """Place `i * B + b` of each real word (int64)."""


class Sources(NamedTuple):
    """What is read."""

    memory: Memory
    """Where `reads_places`, keys and coverage may be missing."""
    mask_BJ: Tensor
    """True on words."""


def reads_places(decoder: AnyDecoder) -> TypeGuard[ConditionalGru]:
    """Say whether references are read by hand, where there are words: by a conditional GRU without
    further switches.
    """
    return isinstance(decoder, ConditionalGru) and decoder.is_plain


def read(
    decoder: AnyDecoder, sources: Sources, references: References, start: State, means: Means
) -> Reading:
    """Feed embedded previous words; return what the decoder read at each real word.

    Args:
        decoder: whose parameters are used.
        sources: encoded source sentences.
        references: previous words.
        start: state before the first step.
        means: number format, memory and dropout.
    """
    if reads_places(decoder):
        return _read_places(decoder, sources, references, start, means)
    embedded_IBE, _, alive_IBP, row_N = references
    traced = trace(decoder, sources.memory, embedded_IBE, start, alive_IBP, means)
    mass_IBP = traced.tag_mass_IBP
    return Reading(
        traced.states_IBH.flatten(0, 1),
        traced.contexts_IBC.flatten(0, 1),
        None if mass_IBP is None else mass_IBP.flatten(0, 1),
        embedded_IBE.flatten(0, 1),
    ).rows(row_N)


def _read_places(
    decoder: ConditionalGru,
    sources: Sources,
    references: References,
    start: State,
    means: Means,
) -> Reading:
    """Read by hand, where there are words."""
    annotations_BJC, dtype = sources.memory.annotations_BJC, means.dtype
    places = places_of(
        sources.mask_BJ,
        references.mask_IB,
        decoder.config.attention_size,
        annotations_BJC,
    )
    annotations_XC = places.words(annotations_BJC)
    alive_RP = None
    if references.alive_IBP is not None:
        alive_RP = places.plan.take(references.alive_IBP, 0)
    states_RH, attention_W, mass_RP = run_plain(
        decoder.weights(tags=alive_RP is not None, dtype=dtype),
        _memory(decoder, annotations_XC, sources.memory.tags_BJP, places, dtype),
        decoder.words(places.plan.take(references.embedded_IBE, 0), dtype),
        places.sentences(start.layers[0].hidden_BH),
        Layout(places, alive_RP, means.pool),
    )
    row_N = places.rows_of(references.row_N)
    return Reading(
        states_RH.index_select(0, row_N),
        contexts(attention_W, annotations_XC, places).index_select(
            0, places.seats_of(references.row_N)
        ),
        None if mass_RP is None else mass_RP.index_select(0, row_N),
        references.embedded_IBE.flatten(0, 1).index_select(0, references.row_N),
    )


def _memory(
    decoder: ConditionalGru,
    annotations_XC: Tensor,
    tags_BJP: Tensor | None,
    places: Places,
    dtype: torch.dtype,
) -> PlaceMemory:
    assert decoder.attention is not None
    products_XU = product(annotations_XC, decoder.context_weight_CG.to(dtype))
    if tags_BJP is not None:
        products_XU = torch.cat([products_XU, places.words(tags_BJP)], 1)
    coverage_XQ = None
    if decoder.coverage is not None:
        coverage_XQ = decoder.coverage.inputs(annotations_XC, dtype)
    return PlaceMemory(products_XU, decoder.attention.keys(annotations_XC, dtype), coverage_XQ)


def trace(
    decoder: AnyDecoder,
    memory: Memory,
    embedded_IBE: Tensor,
    start: State,
    alive_IBP: Tensor | None,
    means: Means,
) -> Trace:
    """Feed embedded previous words: all at once to a Transformer, else one by one.

    Args:
        decoder: whose parameters are used.
        memory: encoded source.
        embedded_IBE: embedded previous words; zero before the first.
        start: state before the first step.
        alive_IBP: 1 for slots that may still be used at a step; None without slots.
        means: number format, memory and dropout.
    """
    if isinstance(decoder, TransformerDecoder):
        manner = Manner(means.noise, means.dtype)
        return _at_once(decoder, memory, embedded_IBE, start, alive_IBP, manner)
    return recorded(decoder, memory, embedded_IBE, start, alive_IBP, means.dtype)


def recorded(
    decoder: AnyDecoder,
    memory: Memory,
    embedded_IBE: Tensor,
    start: State,
    alive_IBP: Tensor | None,
    dtype: torch.dtype,
) -> Trace:
    """Feed embedded previous words one by one and keep attention and gates; see `trace`."""
    loop = make_loop(decoder, tags=alive_IBP is not None, dtype=dtype)
    steps = run(loop, memory, embedded_IBE, start, alive_IBP)
    return Trace(
        torch.stack([step.state.layers[-1].hidden_BH for step in steps]),
        torch.stack([step.context.context_BC for step in steps]),
        stack_or_none([step.context.tag_mass_BP for step in steps]),
        torch.stack([step.weights_BJ for step in steps]),
        stack_or_none([step.gate_BZ for step in steps]),
    )


def _at_once(
    decoder: TransformerDecoder,
    memory: Memory,
    embedded_IBE: Tensor,
    start: State,
    alive_IBP: Tensor | None,
    manner: Manner,
) -> Trace:
    words_BIH = decoder.words(embedded_IBE, manner.dtype).transpose(0, 1)
    alive_BIP = None if alive_IBP is None else alive_IBP.transpose(0, 1)
    fed = decoder.feed(words_BIH, memory, start.past, alive_BIP, manner, weights=False)
    mass_BIP = fed.looked.mass_BIP
    return Trace(
        fed.state_BIH.transpose(0, 1),
        fed.looked.heads_BIH.transpose(0, 1),
        None if mass_BIP is None else mass_BIP.transpose(0, 1),
    )
