"""The Transformer's decoder, word by word for search.

Keys and values of the words so far are kept, so a step attends to them instead of feeding them
again. How many they are is the number of the step.

Shapes: as in `loop.py`; T words fed before.
"""

import torch
from torch import Tensor

from model.loop import Carried, Context, Memory, State, Step
from model.noise import SILENT
from model.transformer_decoder import TransformerDecoder
from model.transformer_layers import Manner


class TransformerLoop:
    """One step for all hypotheses."""

    context_weight_CX = None

    def __init__(self, decoder: TransformerDecoder, *, dtype: torch.dtype) -> None:
        self._decoder, self._manner = decoder, Manner(SILENT, dtype)

    def words(self, embedded_XE: Tensor) -> Tensor:
        """Bring previous words to the width of the layers."""
        return self._decoder.words(embedded_XE, self._manner.dtype)

    def on(self, memory: Memory) -> Memory:
        """Return what the step reads."""
        return memory._replace(keys_BJA=memory.keys_BJA.to(self._manner.dtype))

    def step(self, reader: Memory, word_BX: Tensor, state: State, alive_BP: Tensor | None) -> Step:
        """Advance by one word; see `Loop.step`."""
        alive_BIP = None if alive_BP is None else alive_BP.unsqueeze(1)
        fed = self._decoder.feed(
            word_BX.unsqueeze(1), reader, state.past, alive_BIP, self._manner, weights=True
        )
        looked = fed.looked
        assert looked.weights_BIJ is not None
        mass_BP = None if looked.mass_BIP is None else looked.mass_BIP[:, 0]
        return Step(
            State((Carried(fed.state_BIH[:, 0]),), None, past=fed.past),
            Context(looked.heads_BIH[:, 0], mass_BP),
            looked.weights_BIJ[:, 0],
            None,
        )
