"""The conditional GRU decoder of dl4mt with attention, coverage and slot tags.

`h = GRU1(t, y)`, `s = attend(h)`, `new = GRU2(h, s)`, both halves as in `cells.py`. This file holds
the parameters and one step by hand, which training (`recurrence.py`) and search share, each with
its own way to read the source; with a context gate or other switches the step is that of
`conditional_loop.py`.

Shapes: as in `loop.py`; G = 3H, Q = 3K, M and N are sums of widths that share one product.
"""

from typing import Generic, NamedTuple, Protocol, TypeVar

import torch
from torch import Tensor

from model.casts import cast
from model.cells import GruValues, gru_forward, product
from model.coverage import NeuralCoverage
from model.decoder import Decoder, feature_weights
from model.initial import constant, orthogonal_blocks
from model.network_config import ModelConfig


class PlainState(NamedTuple):
    """What the decoder without further switches carries from step to step."""

    hidden_BH: Tensor
    coverage: Tensor | None
    """Of each source word, in the order of the reader."""


class LoopWeights(NamedTuple):
    """The weights of one step, put side by side where they share an input, in the format of the
    products. That of the context is not among them: annotations come multiplied with it.
    """

    state_HM: Tensor
    """First GRU, then coverage."""
    middle_HN: Tensor
    """Attention's query (doubled), then second GRU."""
    middle_bias_G: Tensor
    """Bias of the second GRU, inside its reset product."""
    tag_PG: Tensor | None
    score_A: Tensor
    """Doubled."""
    feature_FA: Tensor | None
    """Coverage, then tags, into the attention (doubled)."""
    recurrent_KQ: Tensor | None
    attention_Q: Tensor | None
    query_HA: Tensor | None = None
    """Attention's query (doubled) in the state's number format; None where it is in `middle_HN`."""


class Question(NamedTuple):
    """What a step asks the source."""

    query_BA: Tensor
    """Doubled projection of the state between the two GRUs."""
    state_BQ: Tensor
    """Projection of the state before the step for coverage; empty without."""
    coverage: Tensor | None
    """Coverage before the step."""
    alive_BP: Tensor | None
    """1 for slots that may still be used, 0 for others; None without slots."""


class Answer(Protocol):
    """What reading the source gives to a step."""

    @property
    def source_BG(self) -> Tensor:
        """Projected context vector, its tag part included."""

    @property
    def coverage(self) -> Tensor | None:
        """Coverage after the step."""


_Answer = TypeVar("_Answer", bound=Answer, covariant=True)


class Reader(Protocol[_Answer]):
    """A source that is ready to be read."""

    def read(self, question: Question) -> _Answer:
        """Attend, and update coverage."""


class StepValues(NamedTuple, Generic[_Answer]):
    """All that one step computed."""

    hidden_BH: Tensor
    """State after the step."""
    middle_BH: Tensor
    """State between the two GRUs."""
    first: GruValues
    second: GruValues
    answer: _Answer


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
            tag_PG=self.tag_weight_PG if tags else None,
            score_A=2 * self.attention.score_A,
            feature_FA=feature_weights(self, tags=tags),
            recurrent_KQ=coverage.recurrent_weight_KG if coverage else None,
            attention_Q=coverage.attention_weight_G if coverage else None,
            query_HA=query_HA if search else None,
        )


def step(
    weights: LoopWeights,
    reader: Reader[_Answer],
    word_BG: Tensor,
    state: PlainState,
    alive_BP: Tensor | None,
) -> StepValues[_Answer]:
    """Advance the decoder by one word, without recording gradients.

    Args:
        weights: see `ConditionalGru.weights`.
        reader: the source.
        word_BG: projected previous word.
        state: state before the step.
        alive_BP: 1 for slots that may still be used, 0 for others; None without slots.
    """
    width = word_BG.shape[-1]
    inner_BM = product(state.hidden_BH, weights.state_HM)
    middle_BH, first = gru_forward(word_BG, inner_BM[..., :width], state.hidden_BH)
    projected_BN = product(middle_BH, weights.middle_HN)
    query_BA = projected_BN[:, :-width]
    if weights.query_HA is not None:
        query_BA = middle_BH @ weights.query_HA
    answer = reader.read(Question(query_BA, inner_BM[..., width:], state.coverage, alive_BP))
    inner_BG = projected_BN[:, -width:] + weights.middle_bias_G
    after_BH, second = gru_forward(answer.source_BG, inner_BG, middle_BH)
    return StepValues(after_BH, middle_BH, first, second, answer)
