"""The conditional GRU decoder of dl4mt with attention, coverage and slot tags.

This file holds the parameters, what is computed once per sentence, and one step of the recurrence,
which training (`recurrence.py`) and search share. Reading out words and phrases is in `readout.py`
and `phrase_mode.py`.

Shapes: B rows (sentences or hypotheses), J source words, E embedding, H state, G = 3H, C
annotation, A attention, K coverage, Q = 3K, P slots, F = K + P features, M and N are sums of
widths that share one product.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from model.attention import Attention, attend
from model.cells import GruValues, gru_forward, product
from model.config import ModelConfig
from model.coverage import CoverageValues, NeuralCoverage, coverage_forward
from model.initial import Parameters, constant, orthogonal_blocks, word_vectors


class Memory(NamedTuple):
    """What the decoder reads of the source, fixed while a sentence is decoded."""

    annotations_BJC: Tensor
    keys_BJA: Tensor
    penalty_BJ: Tensor
    """0 on words, minus infinity on padding."""
    coverage_BJQ: Tensor | None
    """Projected annotations for the coverage GRU."""
    tags_BJP: Tensor | None
    """One-hot slot of each source word; None if no sentence of the batch has a slot."""


class State(NamedTuple):
    """What the decoder carries from step to step."""

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
    context_CG: Tensor
    tag_PG: Tensor | None
    score_A: Tensor
    """Doubled."""
    feature_FA: Tensor | None
    """Coverage, then tags, into the attention (doubled)."""
    recurrent_KQ: Tensor | None
    attention_Q: Tensor | None


class StepValues(NamedTuple):
    """All that one step computed."""

    state: State
    context_BC: Tensor
    tag_mass_BP: Tensor | None
    """Attention on each live slot: the tag part of the context vector."""
    weights_BJ: Tensor
    hidden_BJA: Tensor
    features_BJF: Tensor | None
    middle_BH: Tensor
    """State between the two GRUs."""
    first: GruValues
    second: GruValues
    coverage: CoverageValues | None


class Decoder(Parameters):
    """Parameters of the recurrence."""

    def __init__(self, config: ModelConfig, vocabulary: int) -> None:
        super().__init__()
        hidden, annotation = config.hidden, 2 * config.hidden
        attention, slots = config.attention_size, config.slots
        self.embedding_VE = self.add("embedding_VE", (vocabulary, config.embedding), word_vectors)
        self.initial_weight_CH = self.add("initial_weight_CH", (annotation, hidden))
        self.initial_bias_H = self.add("initial_bias_H", (hidden,), constant())
        self.word_weight_EG = self.add("word_weight_EG", (config.embedding, 3 * hidden))
        self.word_bias_G = self.add("word_bias_G", (3 * hidden,), constant())
        self.state_weight_HG = self.add("state_weight_HG", (hidden, 3 * hidden), orthogonal_blocks)
        self.middle_weight_HG = self.add(
            "middle_weight_HG", (hidden, 3 * hidden), orthogonal_blocks
        )
        self.middle_bias_G = self.add("middle_bias_G", (3 * hidden,), constant())
        self.context_weight_CG = self.add("context_weight_CG", (annotation, 3 * hidden))
        if slots:
            self.tag_weight_PG = self.add("tag_weight_PG", (slots, 3 * hidden))
            self.initial_tag_weight_PH = self.add("initial_tag_weight_PH", (slots, hidden))
        self.attention = Attention(hidden, annotation, attention, slots)
        self.coverage: NeuralCoverage | None = None
        if config.switches.coverage == "neural":
            self.coverage = NeuralCoverage(config.coverage_dim, hidden, annotation, attention)

    def remember(
        self, annotations_BJC: Tensor, mask_BJ: Tensor, slot_BJ: Tensor | None, dtype: torch.dtype
    ) -> Memory:
        """Compute what is fixed for a sentence.

        Args:
            annotations_BJC: output of the encoder.
            mask_BJ: True on words.
            slot_BJ: slot of each word or -1; None leaves tags out.
            dtype: number format of the matrix products.
        """
        penalty_BJ = torch.zeros_like(annotations_BJC[..., 0])
        tags_BJP = None
        if slot_BJ is not None:
            slots = self.tag_weight_PG.shape[0]
            tags_BJP = slot_BJ.unsqueeze(-1) == torch.arange(slots, device=slot_BJ.device)
            tags_BJP = tags_BJP.to(annotations_BJC.dtype)
        return Memory(
            annotations_BJC=annotations_BJC,
            keys_BJA=self.attention.keys(annotations_BJC, dtype),
            penalty_BJ=penalty_BJ.masked_fill(~mask_BJ, -torch.inf),
            coverage_BJQ=self.coverage.inputs(annotations_BJC, dtype) if self.coverage else None,
            tags_BJP=tags_BJP,
        )

    def start(self, memory: Memory, mask_BJ: Tensor) -> State:
        """Return the state before the first step: from the mean annotation, tags included."""
        words_BJ = mask_BJ.to(memory.annotations_BJC.dtype)
        share_B1J = (words_BJ / words_BJ.sum(-1, keepdim=True)).unsqueeze(1)
        mean_BC = torch.bmm(share_B1J, memory.annotations_BJC).squeeze(1)
        inner_BH = mean_BC @ self.initial_weight_CH + self.initial_bias_H
        if memory.tags_BJP is not None:
            tag_mean_BP = torch.bmm(share_B1J, memory.tags_BJP).squeeze(1)
            inner_BH = inner_BH + tag_mean_BP @ self.initial_tag_weight_PH
        coverage_BJK = None
        if self.coverage:
            size = self.coverage.recurrent_weight_KG.shape[0]
            coverage_BJK = mean_BC.new_zeros((*mask_BJ.shape, size))
        return State(torch.tanh(inner_BH), coverage_BJK)

    def words(self, embedded_XE: Tensor, dtype: torch.dtype) -> Tensor:
        """Project embedded previous words for the first GRU."""
        return product(embedded_XE, self.word_weight_EG.to(dtype)) + self.word_bias_G

    def weights(self, *, tags: bool, dtype: torch.dtype) -> LoopWeights:
        """Put the weights of the recurrence side by side.

        Args:
            tags: whether the batch has slots.
            dtype: number format of the matrix products.
        """
        state: list[Tensor] = [self.state_weight_HG]
        feature: list[Tensor] = []
        if self.coverage:
            state.append(self.coverage.state_weight_HG)
            feature.append(self.coverage.energy_weight_KA)
        if tags:
            feature.append(self.attention.tag_weight_PA)
        return LoopWeights(
            state_HM=torch.cat(state, 1).to(dtype),
            middle_HN=torch.cat([2 * self.attention.state_weight_HA, self.middle_weight_HG], 1).to(
                dtype
            ),
            middle_bias_G=self.middle_bias_G,
            context_CG=self.context_weight_CG.to(dtype),
            tag_PG=self.tag_weight_PG if tags else None,
            score_A=2 * self.attention.score_A,
            feature_FA=2 * torch.cat(feature) if feature else None,
            recurrent_KQ=self.coverage.recurrent_weight_KG if self.coverage else None,
            attention_Q=self.coverage.attention_weight_G if self.coverage else None,
        )


def step(
    weights: LoopWeights,
    memory: Memory,
    word_BG: Tensor,
    state: State,
    alive_BP: Tensor | None,
    out_BJA: Tensor | None = None,
) -> StepValues:
    """Advance the decoder by one word, without recording gradients.

    Args:
        weights: see `Decoder.weights`.
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
    hidden_BJA, weights_BJ = attend(
        memory.keys_BJA,
        projected_BN[:, :-width],
        weights.score_A,
        memory.penalty_BJ,
        None
        if features_BJF is None or weights.feature_FA is None
        else (features_BJF, weights.feature_FA),
        out_BJA,
    )
    context_BC = torch.bmm(weights_BJ.unsqueeze(1), memory.annotations_BJC).squeeze(1)
    new_coverage_BJK, coverage = None, None
    if coverage_BJK is not None:
        assert memory.coverage_BJQ is not None
        assert weights.attention_Q is not None
        assert weights.recurrent_KQ is not None
        input_BJQ = torch.addcmul(
            memory.coverage_BJQ, weights_BJ.unsqueeze(-1), weights.attention_Q
        ).add_(inner_BM[:, None, width:])
        new_coverage_BJK, coverage = coverage_forward(input_BJQ, coverage_BJK, weights.recurrent_KQ)

    context_BG = product(context_BC, weights.context_CG)
    tag_mass_BP = None
    if memory.tags_BJP is not None:
        assert alive_BP is not None
        assert weights.tag_PG is not None
        tag_mass_BP = torch.bmm(weights_BJ.unsqueeze(1), memory.tags_BJP).squeeze(1) * alive_BP
        context_BG += tag_mass_BP @ weights.tag_PG
    inner_BG = projected_BN[:, -width:] + weights.middle_bias_G
    after_BH, second = gru_forward(context_BG, inner_BG, middle_BH)
    return StepValues(
        State(after_BH, new_coverage_BJK),
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


def _features(
    memory: Memory, coverage_BJK: Tensor | None, alive_BP: Tensor | None
) -> Tensor | None:
    """Put coverage and the tags of live slots side by side."""
    if memory.tags_BJP is None or alive_BP is None:
        return coverage_BJK
    live_BJP = memory.tags_BJP * alive_BP.unsqueeze(1)
    return live_BJP if coverage_BJK is None else torch.cat([coverage_BJK, live_BJP], dim=-1)
