"""The conditional GRU decoder of dl4mt with attention, coverage and slot tags.

`h = GRU1(t, y)`, `s = attend(h)`, `new = GRU2(h, s)`, both halves as in `cells.py`. This file holds
the parameters and one step by hand, which training (`recurrence.py`) and search share; with a
context gate or other switches the step is that of `conditional_loop.py`.

Shapes: as in `loop.py`; G = 3H, Q = 3K, M and N are sums of widths that share one product.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from model.attention import attend, attended
from model.casts import cast
from model.cells import EarlyResetValues, GruValues, early_reset_forward, gru_forward, product
from model.coverage import NeuralCoverage
from model.decoder import Decoder, feature_weights
from model.initial import constant, orthogonal_blocks
from model.loop import Memory
from model.network_config import ModelConfig


class PlainState(NamedTuple):
    """What the decoder without further switches carries from step to step."""

    hidden_BH: Tensor
    coverage_BJK: Tensor | None


class LoopWeights(NamedTuple):
    """The weights of one step, put side by side where they share an input, in the format of the
    products.
    """

    state_HM: Tensor
    """First GRU, then coverage."""
    middle_HN: Tensor
    """Attention's query (doubled), then second GRU."""
    middle_bias_G: Tensor
    """Bias of the second GRU, inside its reset product."""
    context_CG: Tensor | None
    """None where annotations come multiplied with it."""
    tag_PG: Tensor | None
    score_A: Tensor
    """Doubled."""
    feature_FA: Tensor | None
    """Coverage, then tags, into the attention (doubled)."""
    recurrent_KQ: Tensor | None
    attention_Q: Tensor | None
    query_HA: Tensor | None = None
    """Attention's query (doubled) in the state's number format; None where it is in `middle_HN`."""


class StepValues(NamedTuple):
    """All that one step computed."""

    state: PlainState
    context_BC: Tensor
    tag_mass_BP: Tensor | None
    """Attention on each live slot: the tag part of the context vector."""
    weights_BJ: Tensor
    hidden_BJA: Tensor | None
    """Attention's hidden layer; None where rows share their sentences' keys."""
    features_BJF: Tensor | None
    middle_BH: Tensor
    """State between the two GRUs."""
    first: GruValues
    second: GruValues
    coverage: EarlyResetValues | None


class ConditionalGru(Decoder):
    """Parameters of the recurrence; layers above the first are GRUs of the same form."""

    def __init__(self, config: ModelConfig, vocabulary: int) -> None:
        super().__init__(config, vocabulary)
        hidden, wide = config.hidden, 3 * config.hidden
        self.word_weight_EG = self.add("word_weight_EG", (config.embedding, wide))
        self.word_bias_G = self.add("word_bias_G", (wide,), constant())
        self.state_weight_HG = self.add("state_weight_HG", (hidden, wide), orthogonal_blocks)
        self.middle_weight_HG = self.add("middle_weight_HG", (hidden, wide), orthogonal_blocks)
        self.middle_bias_G = self.add("middle_bias_G", (wide,), constant())
        self.context_weight_CG = self.add("context_weight_CG", (2 * hidden, wide))
        if config.slots:
            self.tag_weight_PG = self.add("tag_weight_PG", (config.slots, wide))
        upper = config.decoder_depth - 1
        if upper:
            self.upper_input_weight_LHG = self.add("upper_input_weight_LHG", (upper, hidden, wide))
            self.upper_bias_LG = self.add("upper_bias_LG", (upper, wide), constant())
            self.upper_state_weight_LHG = self.add(
                "upper_state_weight_LHG", (upper, hidden, wide), orthogonal_blocks
            )

    @property
    def is_plain(self) -> bool:
        """Say whether the hand-written recurrence covers the switches of this decoder."""
        return (
            self.attention is not None
            and self.context_gate is None
            and self.config.decoder_depth == 1
            and self.config.switches.coverage in ("none", "neural")
        )

    def words(self, embedded_XE: Tensor, dtype: torch.dtype) -> Tensor:
        """Project embedded previous words for the first GRU."""
        return product(embedded_XE, cast(self.word_weight_EG, dtype)) + self.word_bias_G

    def weights(self, *, tags: bool, dtype: torch.dtype, search: bool = False) -> LoopWeights:
        """Put the weights of the recurrence side by side.

        Args:
            tags: whether the batch has slots.
            dtype: number format of the matrix products.
            search: see `families.make_loop`.
        """
        state: list[Tensor] = [self.state_weight_HG]
        coverage = self.coverage if isinstance(self.coverage, NeuralCoverage) else None
        if coverage:
            state.append(coverage.state_weight_HG)
        assert self.attention is not None
        query_HA = 2 * self.attention.state_weight_HA
        middle: list[Tensor] = [self.middle_weight_HG]
        if not search:
            middle.insert(0, query_HA)
        return LoopWeights(
            state_HM=torch.cat(state, 1).to(dtype),
            middle_HN=torch.cat(middle, 1).to(dtype),
            middle_bias_G=self.middle_bias_G,
            context_CG=None if search else self.context_weight_CG.to(dtype),
            tag_PG=self.tag_weight_PG if tags else None,
            score_A=2 * self.attention.score_A,
            feature_FA=feature_weights(self, tags=tags),
            recurrent_KQ=coverage.recurrent_weight_KG if coverage else None,
            attention_Q=coverage.attention_weight_G if coverage else None,
            query_HA=query_HA if search else None,
        )


def step(
    weights: LoopWeights,
    memory: Memory,
    word_BG: Tensor,
    state: PlainState,
    alive_BP: Tensor | None,
    out_BJA: Tensor | None = None,
) -> StepValues:
    """Advance the decoder by one word, without recording gradients.

    Args:
        weights: see `ConditionalGru.weights`.
        memory: see `Decoder.remember`.
        word_BG: projected previous word.
        state: state before the step.
        alive_BP: 1 for slots that may still be used, 0 for others; None without slots.
        out_BJA: where to put the attention's hidden layer.
    """
    before_BH, coverage_BJK = state
    width = word_BG.shape[-1]
    inner_BM = product(before_BH, weights.state_HM)
    middle_BH, first = gru_forward(word_BG, inner_BM[..., :width], before_BH)

    projected_BN = product(middle_BH, weights.middle_HN)
    features_BJF = _features(memory, coverage_BJK, alive_BP)
    query_BA = projected_BN[:, :-width]
    if weights.query_HA is not None:
        query_BA = middle_BH @ weights.query_HA
    hidden_BJA, weights_BJ = _attend(weights, memory, query_BA, features_BJF, out_BJA)
    context_BC = memory.context(weights_BJ)
    new_coverage_BJK, coverage = None, None
    if coverage_BJK is not None:
        assert memory.coverage_BJQ is not None
        assert weights.attention_Q is not None
        assert weights.recurrent_KQ is not None
        input_BJQ = torch.addcmul(
            memory.coverage_BJQ, weights_BJ.unsqueeze(-1), weights.attention_Q
        ).add_(inner_BM[:, None, width:])
        new_coverage_BJK, coverage = early_reset_forward(
            input_BJQ, coverage_BJK, weights.recurrent_KQ
        )

    context_BG = context_BC[..., :width]
    if weights.context_CG is not None:
        context_BG = product(context_BC, weights.context_CG)
    tag_mass_BP = None
    if memory.tags_BJP is not None:
        assert alive_BP is not None
        assert weights.tag_PG is not None
        tag_mass_BP = torch.bmm(weights_BJ.unsqueeze(1), memory.tags_BJP).squeeze(1) * alive_BP
        context_BG = context_BG + tag_mass_BP @ weights.tag_PG
    inner_BG = projected_BN[:, -width:] + weights.middle_bias_G
    after_BH, second = gru_forward(context_BG, inner_BG, middle_BH)
    return StepValues(
        PlainState(after_BH, new_coverage_BJK),
        context_BC,
        tag_mass_BP,
        weights_BJ,
        hidden_BJA,
        features_BJF,
        middle_BH,
        first,
        second,
        coverage,
    )


def _attend(
    weights: LoopWeights,
    memory: Memory,
    query_BA: Tensor,
    features_BJF: Tensor | None,
    out_BJA: Tensor | None,
) -> tuple[Tensor | None, Tensor]:
    """Return hidden_BJA, None where rows share keys, and weights_BJ."""
    features, score_A = None, weights.score_A
    if features_BJF is not None and weights.feature_FA is not None:
        features = features_BJF, weights.feature_FA
    if memory.sharing is not None:
        return None, attended(memory, query_BA, score_A, features)
    return attend(memory.keys_BJA, query_BA, score_A, memory.penalty_BJ, features, out_BJA)


def _features(
    memory: Memory, coverage_BJK: Tensor | None, alive_BP: Tensor | None
) -> Tensor | None:
    """Put coverage and the tags of live slots side by side."""
    if memory.tags_BJP is None or alive_BP is None:
        return coverage_BJK
    live_BJP = memory.tags_BJP * alive_BP.unsqueeze(1)
    return live_BJP if coverage_BJK is None else torch.cat([coverage_BJK, live_BJP], dim=-1)
