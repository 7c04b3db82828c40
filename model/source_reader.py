"""How a step of a decoder reads the source: attention with coverage and slot tags, or the last
annotation alone.

Shapes: as in `loop.py`.
"""

import torch
from torch import Tensor

from model.attention import StepAttention
from model.loop import Context, Memory


class SourceReader:
    """The source side of one pass over a batch, or of one step of a search."""

    def __init__(self, memory: Memory, score_A: Tensor | None, weight_FA: Tensor | None) -> None:
        """Prepare the reading.

        Args:
            memory: the encoded source.
            score_A: doubled score vector; None reads the last annotation.
            weight_FA: doubled weights of coverage and tags, if there are any.
        """
        self.memory = memory
        self._attention: StepAttention | None = None
        if score_A is None:
            words_BJ = memory.penalty_BJ == 0
            last_BJ = words_BJ & (words_BJ.cumsum(1) == words_BJ.sum(1, keepdim=True))
            self._last_BJ = last_BJ.to(memory.annotations_BJC.dtype)
        else:
            self._attention = StepAttention(memory.keys_BJA, score_A, memory.penalty_BJ, weight_FA)

    def read(
        self, query_BA: Tensor | None, coverage_BJK: Tensor | None, alive_BP: Tensor | None
    ) -> tuple[Context, Tensor]:
        """Return what was read, and weights_BJ.

        Args:
            query_BA: doubled projection of the state; None without attention.
            coverage_BJK: coverage before the step.
            alive_BP: 1 for slots that may still be used.
        """
        memory = self.memory
        weights_BJ = self._weights(query_BA, coverage_BJK, alive_BP)
        weights_B1J = weights_BJ.unsqueeze(1)
        context_BC = torch.bmm(weights_B1J, memory.annotations_BJC).squeeze(1)
        mass_BP = None
        if memory.tags_BJP is not None:
            assert alive_BP is not None
            mass_BP = torch.bmm(weights_B1J, memory.tags_BJP).squeeze(1) * alive_BP
        return Context(context_BC, mass_BP), weights_BJ

    def _weights(
        self, query_BA: Tensor | None, coverage_BJK: Tensor | None, alive_BP: Tensor | None
    ) -> Tensor:
        if self._attention is None:
            return self._last_BJ
        assert query_BA is not None
        features = [] if coverage_BJK is None else [coverage_BJK]
        if self.memory.tags_BJP is not None and alive_BP is not None:
            features.append(self.memory.tags_BJP * alive_BP.unsqueeze(1))
        return self._attention(query_BA, torch.cat(features, -1) if features else None)
