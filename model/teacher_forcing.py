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
from model.recurrence import run as run_plain


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
    means: tuple[torch.dtype, BufferPool],
) -> Trace:
    """Feed embedded previous words, by hand where the decoder has no further switches.

    Args:
        decoder: whose parameters are used.
        memory: encoded source.
        embedded_IBE: embedded previous words; zero before the first.
        start: state before the first step.
        alive_IBP: 1 for slots that may still be used at a step; None without slots.
        means: number format of the matrix products, and who lends memory to the hand-written
            recurrence.
    """
    dtype, pool = means
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
    """Feed embedded previous words and keep attention and gates; see `trace`."""
    loop = make_loop(decoder, tags=alive_IBP is not None, dtype=dtype)
    steps = run(loop, memory, embedded_IBE, start, alive_IBP)
    return Trace(
        torch.stack([step.state.layers[-1].hidden_BH for step in steps]),
        torch.stack([step.context.context_BC for step in steps]),
        stack_or_none([step.context.tag_mass_BP for step in steps]),
        torch.stack([step.weights_BJ for step in steps]),
        stack_or_none([step.gate_BZ for step in steps]),
    )
