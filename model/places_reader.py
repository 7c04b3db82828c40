"""Reading the source while references are fed: attention, context, tags and coverage of one step
over the places of a batch, forward and backward.

Shapes: as in `places.py` and `conditional_gru.py`; B rows that are alive, X their places, U = G + P
columns of the products: annotations times the context's weight, then tags.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from model.attention import Attended, attend_blocks, gradients_of
from model.cells import (
    EarlyResetValues,
    early_reset_backward,
    early_reset_forward,
    early_reset_weight,
)
from model.conditional_gru import LoopWeights, Question
from model.fused_attention import serves
from model.places import Block, Places, of_block


class PlaceMemory(NamedTuple):
    """What the recurrence reads of the source."""

    products_XU: Tensor
    keys_XA: Tensor
    """Doubled."""
    coverage_XQ: Tensor | None
    """What coverage reads of the annotations."""


class Read(NamedTuple):
    """What one step read."""

    source_BG: Tensor
    coverage: Tensor | None
    coverage_values: EarlyResetValues | None
    tag_mass_BP: Tensor | None
    alive_BP: Tensor | None
    weights_X: Tensor
    hidden: Tensor
    """Attention's hidden layer hidden_XA, or what `attend_blocks` gives in its place."""
    features_XF: Tensor | None
    before_XK: Tensor | None
    """Coverage before the step."""
    blocks: Sequence[Block]


class PlacesReader:
    """The source side of one step."""

    def __init__(
        self,
        weights: LoopWeights,
        memory: PlaceMemory,
        places: Places,
        blocks: Sequence[Block],
        out_XA: Tensor | None,
    ) -> None:
        """Prepare the reading.

        Args:
            weights: see `ConditionalGru.weights`.
            memory: of all places.
            places: where they are.
            blocks: those that are alive.
            out_XA: where to put attention's hidden layer.
        """
        self._weights, self._places, self._blocks = weights, places, blocks
        self._out_XA, self._size = out_XA, blocks[-1].places.stop
        self._memory = PlaceMemory(
            *(None if each is None else each[: self._size] for each in memory)  # type: ignore[arg-type]
        )

    def read(self, question: Question) -> Read:
        """Attend, and update coverage."""
        weights, memory, size = self._weights, self._memory, self._size
        before_XK = None if question.coverage is None else question.coverage[:size]
        features_XF = self._features(before_XK, question.alive_BP)
        features = None
        if features_XF is not None and weights.feature_FA is not None:
            features = features_XF, weights.feature_FA
        attended = Attended(memory.keys_XA, self._places.penalty_X[:size], self._blocks)
        hidden, weights_X = attend_blocks(
            attended, question.query_BA, weights.score_A, features, self._out_XA
        )
        source_BG, mass_BP = self._context(weights_X, question.alive_BP)
        after_XK, values = self._cover(before_XK, weights_X, question.state_BQ)
        return Read(
            source_BG,
            after_XK,
            values,
            mass_BP,
            question.alive_BP,
            weights_X,
            hidden,
            features_XF,
            before_XK,
            self._blocks,
        )

    def _features(self, before_XK: Tensor | None, alive_BP: Tensor | None) -> Tensor | None:
        """Put coverage and the tags of live slots side by side."""
        if alive_BP is None:
            return before_XK
        tags_XP = self._memory.products_XU[:, -alive_BP.shape[1] :]
        live_XP = tags_XP * alive_BP.index_select(0, self._places.sentence_X[: self._size])
        return live_XP if before_XK is None else torch.cat([before_XK, live_XP], dim=-1)

    def _context(self, weights_X: Tensor, alive_BP: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """Return source_BG, and the attention on each live slot."""
        products_XU, blocks = self._memory.products_XU, self._blocks
        mean_BU = weights_X.new_empty((blocks[-1].rows.stop, products_XU.shape[1]))
        for block in blocks:
            weights_B1J = of_block(weights_X, block).unsqueeze(1)
            rows_B1U = mean_BU[block.rows].unsqueeze(1)
            torch.bmm(weights_B1J, of_block(products_XU, block), out=rows_B1U)
        if alive_BP is None:
            return mean_BU, None
        assert self._weights.tag_PG is not None
        slots = alive_BP.shape[1]
        mass_BP = mean_BU[:, -slots:] * alive_BP
        return torch.addmm(mean_BU[:, :-slots], mass_BP, self._weights.tag_PG), mass_BP

    def _cover(
        self, before_XK: Tensor | None, weights_X: Tensor, state_BQ: Tensor
    ) -> tuple[Tensor | None, EarlyResetValues | None]:
        if before_XK is None:
            return None, None
        weights = self._weights
        assert self._memory.coverage_XQ is not None
        assert weights.attention_Q is not None
        assert weights.recurrent_KQ is not None
        input_XQ = torch.addcmul(
            self._memory.coverage_XQ, weights_X.unsqueeze(-1), weights.attention_Q
        ).add_(state_BQ.index_select(0, self._places.sentence_X[: self._size]))
        return early_reset_forward(input_XQ, before_XK, weights.recurrent_KQ)


class ReadingGradients:
    """Running sums of the gradients of `PlacesReader.read` over the steps of a batch."""

    def __init__(self, weights: LoopWeights, memory: PlaceMemory, places: Places) -> None:
        self._weights, self._memory = weights, memory
        self._attention = gradients_of(
            memory.keys_XA,
            weights.score_A,
            weights.feature_FA,
            places.blocks,
            fused=serves(memory.keys_XA),
        )
        self.coverage_XQ: Tensor | None = None
        self.recurrent_KQ: Tensor | None = None
        self.attention_Q: Tensor | None = None
        self._carry_XK: Tensor | None = None
        self._following: Sequence[Block] = ()
        """Blocks of the step that follows."""
        if memory.coverage_XQ is not None:
            assert weights.recurrent_KQ is not None
            assert weights.attention_Q is not None
            self.coverage_XQ = torch.zeros_like(memory.coverage_XQ)
            self.recurrent_KQ = torch.zeros_like(weights.recurrent_KQ)
            self.attention_Q = torch.zeros_like(weights.attention_Q)

    def step(
        self,
        read: Read,
        grad_weights_X: Tensor,
        grad_source_BG: Tensor,
        grad_mass_BP: Tensor | None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Go back through one step; return the gradients by query_BA, state_BQ and the mean of the
        products, mean_BU.

        Args:
            read: what the step read.
            grad_weights_X: what comes from elsewhere to the attention weights; it is added to.
            grad_source_BG: gradient by the projected context.
            grad_mass_BP: gradient by the attention on slots, or None.
        """
        grad_mean_BU = self._mean(read, grad_source_BG, grad_mass_BP)
        for block in read.blocks:
            # As a row times a matrix: ten times faster on CPUs than the matrix times a column.
            products_BUJ = of_block(self._memory.products_XU, block).transpose(1, 2)
            grad_B1J = torch.bmm(grad_mean_BU[block.rows].unsqueeze(1), products_BUJ)
            of_block(grad_weights_X, block).add_(grad_B1J.squeeze(1))
        grad_state_BQ, grad_before_XK = self._coverage(read, grad_weights_X, grad_source_BG)
        grad_query_BA, grad_XF = self._attention.step(
            grad_weights_X, read.weights_X, read.hidden, read.features_XF, read.blocks
        )
        if read.before_XK is not None and grad_XF is not None:
            self._carry_XK = grad_XF[:, : read.before_XK.shape[1]]
            if grad_before_XK is not None:
                self._carry_XK[: len(grad_before_XK)] += grad_before_XK
            self._following = read.blocks
        return grad_query_BA, grad_state_BQ, grad_mean_BU

    def _mean(self, read: Read, grad_source_BG: Tensor, grad_mass_BP: Tensor | None) -> Tensor:
        if read.alive_BP is None or self._weights.tag_PG is None:
            return grad_source_BG
        total_BP = grad_source_BG @ self._weights.tag_PG.T
        if grad_mass_BP is not None:
            total_BP += grad_mass_BP
        return torch.cat([grad_source_BG, total_BP * read.alive_BP], 1)

    def _coverage(
        self, read: Read, grad_weights_X: Tensor, like: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """Return the gradients by the state's projection and the old coverage; add to
        `grad_weights_X`. Only places of references that go on have a coverage that is read.
        """
        if read.before_XK is None or read.coverage_values is None:
            return like[:, :0], None
        weights = self._weights
        assert weights.recurrent_KQ is not None
        assert weights.attention_Q is not None
        grad_state_BQ = like.new_zeros((len(like), len(weights.attention_Q)))
        if self._carry_XK is None:  # nothing reads the coverage after the last step
            return grad_state_BQ, None
        size = len(self._carry_XK)
        values = EarlyResetValues(*(each[:size] for each in read.coverage_values))
        before_XK = read.before_XK[:size]
        grad_input_XQ, grad_before_XK = early_reset_backward(
            self._carry_XK, before_XK, weights.recurrent_KQ, values
        )
        assert self.coverage_XQ is not None
        assert self.recurrent_KQ is not None
        assert self.attention_Q is not None
        self.coverage_XQ[:size] += grad_input_XQ
        self.recurrent_KQ += early_reset_weight(before_XK, values.reset_BH, grad_input_XQ)
        self.attention_Q.addmv_(grad_input_XQ.T, read.weights_X[:size])
        grad_weights_X[:size] += grad_input_XQ @ weights.attention_Q
        for block in self._following:
            torch.sum(of_block(grad_input_XQ, block), 1, out=grad_state_BQ[block.rows])
        return grad_state_BQ, grad_before_XK

    def totals(self) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return the gradients of the attention; see `AttentionGradients.totals`."""
        return self._attention.totals()
