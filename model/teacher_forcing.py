"""The decoder fed with the words of references.

Shapes: as in `loop.py`.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from model.buffer_pool import BufferPool
from model.conditional_gru import ConditionalGru, PlainState
from model.families import AnyDecoder, make_loop
from model.loop import Memory, State, run, stack_or_none
from model.noise import SILENT, Noise
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


def trace(
    decoder: AnyDecoder,
    memory: Memory,
    embedded_IBE: Tensor,
    start: State,
    alive_IBP: Tensor | None,
    means: Means,
) -> Trace:
    """Feed embedded previous words: all at once to a Transformer, by hand where a conditional GRU
    has no further switches.

    Args:
        decoder: whose parameters are used.
        memory: encoded source.
        embedded_IBE: embedded previous words; zero before the first.
        start: state before the first step.
        alive_IBP: 1 for slots that may still be used at a step; None without slots.
        means: number format, memory and dropout.
    """
    dtype, pool, noise = means
    if isinstance(decoder, TransformerDecoder):
        manner = Manner(noise, dtype)
        return _at_once(decoder, memory, embedded_IBE, start, alive_IBP, manner)
    if not (isinstance(decoder, ConditionalGru) and decoder.is_plain):
        return recorded(decoder, memory, embedded_IBE, start, alive_IBP, dtype)
    return Trace(
        *run_plain(
            decoder.weights(tags=alive_IBP is not None, dtype=dtype),
            memory,
            decoder.words(embedded_IBE, dtype),
            PlainState(start.layers[0].hidden_BH, start.coverage_BJK),
            alive_IBP,
            pool,
        )
    )


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
