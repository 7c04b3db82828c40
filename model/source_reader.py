"""How a step of a decoder reads the source: attention with coverage and slot tags, or the last
annotation alone.

Shapes: as in `loop.py`.
"""

import torch
from torch import Tensor

from model.attention import StepAttention, attended
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
        self._score_A, self._weight_FA = score_A, weight_FA
        self._attention: StepAttention | None = None
        if score_A is None:
            words_BJ = memory.penalty_BJ == 0
            last_BJ = words_BJ & (words_BJ.cumsum(1) == words_BJ.sum(1, keepdim=True))
            self._last_BJ = last_BJ.to(memory.annotations_BJC.dtype)
        elif memory.sharing is None:
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
        context_BC, mass_BP = memory.context(weights_BJ), None
        if memory.tags_BJP is not None:
            assert alive_BP is not None
            mass_BP = torch.bmm(weights_BJ.unsqueeze(1), memory.tags_BJP).squeeze(1) * alive_BP
        return Context(context_BC, mass_BP), weights_BJ

    def _weights(
        self, query_BA: Tensor | None, coverage_BJK: Tensor | None, alive_BP: Tensor | None
    ) -> Tensor:
        if self._score_A is None:
            return self._last_BJ
        assert query_BA is not None
        parts = [] if coverage_BJK is None else [coverage_BJK]
        if self.memory.tags_BJP is not None and alive_BP is not None:
            parts.append(self.memory.tags_BJP * alive_BP.unsqueeze(1))
        features_BJF = torch.cat(parts, -1) if parts else None
        if self._attention is not None:
            return self._attention(query_BA, features_BJF)
        features = None
        if features_BJF is not None and self._weight_FA is not None:
            features = features_BJF, self._weight_FA
        return attended(self.memory, query_BA, self._score_A, features)
