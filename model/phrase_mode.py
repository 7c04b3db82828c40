"""PhraseNet's phrase mode: when to emit a remembered phrase, and which one (arXiv 1606.01792).

Two variants with one interface, `PhraseMode`. `GateMode` decides with a binary gate whether the
next decision is a phrase and classifies over live slots; `SoftmaxMode` lets words and phrases
share one softmax. A word's log-probability is `logit - log_sum + offset`, where `offset` is what
phrase mode takes away from words.

Several candidate translations of one source phrase share its slot. The softmax variant knows
phrases by their words and tells them apart; the gate variant knows them by their slot alone and
takes one phrase a slot, so that there Q = P.

Shapes: N rows (real target words, or hypotheses), S rows where phrase scores are wanted, L rows
with an open phrase, P slots, Q offered phrases of a sentence, W gate width, E embedding and
readout, Z pairs of a row and an open phrase, X offered phrases of the batch, T longest phrase.
"""

import math
from typing import NamedTuple, Protocol

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from model.batches import SourceBatch
from model.config import ModelConfig
from model.encoder import GruLayer
from model.initial import Parameters, constant, gaussian
from model.noise import Noise
from model.offered import Open
from model.packing import packing
from model.readout import Projection, Reading

ALPHA = 1.15
"""Weight of the hard tanh in the noisy tanh (NTanhP)."""
NOISE_SCALE = 0.5
"""Scale c of the noise in the noisy tanh (NTanhP)."""
HALF_NORMAL_MEAN = math.sqrt(2 / math.pi)


class Phrases(NamedTuple):
    """The offered phrases of a batch, as the softmax variant reads them."""

    number_BQ: Tensor
    """Row of each offered phrase in `embedding_XH` (int64); 0 where there is none."""
    embedding_XH: Tensor


class PhraseMode(Protocol):
    """What both variants offer to the loss and to search."""

    always: bool
    """Whether words pay for phrase mode even where no slot is live."""

    def encode(
        self, source: SourceBatch, embedding_VE: Tensor, dtype: torch.dtype
    ) -> Phrases | None:
        """Encode the offered phrases of a batch, if the variant reads their words."""

    def __call__(self, request: "Request", noise: Noise) -> tuple[Tensor, Tensor]:
        """Return offset_N and the log-probability log p(z = 1, k) of each phrase, phrase_SQ."""


class Request(NamedTuple):
    """What a phrase mode is asked."""

    reading: Reading
    open_NQ: Tensor
    """True for offered phrases that may be used."""
    open: Open
    """All places where it is True, or more."""
    rows_S: Tensor
    """Rows where phrase scores are wanted (int64)."""
    word_log_sum_N: Tensor
    """Log-sum-exp of the word logits."""
    sentence_N: Tensor
    """Sentence of each row (int64)."""
    phrases: Phrases | None
    dtype: torch.dtype


class NoisyTanh(Parameters):
    """Noisy hard tanh with learned noise width (Gulcehre et al. 2016), NTanhP.

    `phi(x) = a h(x) + (1 - a) x + sgn(x) c (sigmoid(p (h(x) - x)) - 1/2)^2 eps`, h(x) = clip(x,
    -1, 1): no noise for |x| <= 1.
    """

    def __init__(self, size: int, *, half_normal: bool) -> None:
        super().__init__()
        self.width_W = self.add("width_W", (size,), constant(1.0))
        self._half_normal = half_normal

    def forward(self, x_NW: Tensor, noise: Noise) -> Tensor:
        """Return phi(x); without noise, eps is replaced by its mean."""
        hard_NW = x_NW.clamp(-1, 1)
        mean_NW = ALPHA * hard_NW + (1 - ALPHA) * x_NW
        eps_NW = noise.normal(x_NW.shape, x_NW)
        if eps_NW is None and not self._half_normal:
            return mean_NW
        shape_NW = (torch.sigmoid(self.width_W * (hard_NW - x_NW)) - 0.5).square()
        scale_NW = -x_NW.sign() * math.copysign(1, 1 - ALPHA) * NOISE_SCALE * shape_NW
        if eps_NW is None:
            return mean_NW + scale_NW * HALF_NORMAL_MEAN
        return mean_NW + scale_NW * (eps_NW.abs() if self._half_normal else eps_NW)


class ModeGate(Parameters):
    """`a1 = phi(W1 x + b1)`, `a2 = phi(W2 a1 + b2) + a1`, `f = sigmoid(w3 . a2 + b3)`, x = [s; c;
    e].
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        width, half = config.gate_size, config.gate_noise == "half-normal"
        self.first = Projection(config, width)
        self.first_phi = NoisyTanh(width, half_normal=half)
        self.second_weight_WW = self.add("second_weight_WW", (width, width), gaussian())
        self.second_bias_W = self.add("second_bias_W", (width,), constant())
        self.second_phi = NoisyTanh(width, half_normal=half)
        self.third_weight_W = self.add("third_weight_W", (width,), gaussian())
        self.third_bias = self.add("third_bias", (), constant(config.gate_bias))

    def forward(self, reading: Reading, noise: Noise, dtype: torch.dtype) -> Tensor:
        """Return the log-odds of phrase mode, odds_N."""
        first_NW = self.first_phi(self.first(reading, dtype), noise)
        second_NW = first_NW @ self.second_weight_WW + self.second_bias_W
        second_NW = self.second_phi(second_NW, noise) + first_NW
        odds_N: Tensor = second_NW @ self.third_weight_W + self.third_bias
        return odds_N


class GateMode(Parameters):
    """phraseNet_gate: gate f_z and phrase classifier f_p."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.gate = ModeGate(config)
        self.classifier = Projection(config, config.embedding, bias_rows=0)
        self.slot_weight_PE = self.add(
            "slot_weight_PE", (config.slots, config.embedding), gaussian(inputs_last=True)
        )
        self.always = config.gate_always

    def encode(
        self, source: SourceBatch, embedding_VE: Tensor, dtype: torch.dtype
    ) -> Phrases | None:
        """Return None: this variant knows phrases by their slot only."""
        return None

    def forward(self, request: Request, noise: Noise) -> tuple[Tensor, Tensor]:
        """Return offset_N = log(1 - f), 0 without a live slot, and phrase_SQ = log f + log f_p."""
        live_N = request.open_NQ.any(-1)
        asked_L = request.open.row_L
        if self.always:
            asked_L = torch.arange(len(live_N), device=live_N.device)
        odds_L = self.gate(request.reading.rows(asked_L), noise, request.dtype)
        odds_N = odds_L.new_zeros(len(live_N)).index_copy(0, asked_L, odds_L)
        counted_N = torch.ones_like(live_N) if self.always else live_N
        offset_N = torch.where(counted_N, logsigmoid(-odds_N), torch.zeros_like(odds_N))
        return offset_N, self._phrases(request, live_N, odds_N)

    def _phrases(self, request: Request, live_N: Tensor, odds_N: Tensor) -> Tensor:
        rows_S = request.rows_S
        open_SQ = request.open_NQ[rows_S]
        hidden_SE = torch.tanh(self.classifier(request.reading.rows(rows_S), request.dtype))
        logits_SQ = hidden_SE @ self.slot_weight_PE.T
        # Rows without a live slot are scored over all slots and then refused, so that none is NaN.
        allowed_SQ = open_SQ | ~live_N[rows_S].unsqueeze(-1)
        share_SQ = torch.log_softmax(logits_SQ.masked_fill(~allowed_SQ, -torch.inf), dim=-1)
        score_SQ = share_SQ + logsigmoid(odds_N[rows_S]).unsqueeze(-1)
        return score_SQ.masked_fill(~open_SQ, -torch.inf)


class SoftmaxMode(Parameters):
    """phraseNet_softmax: `psi_pj = w_q . tanh(U_q s + C_q c + V_q e + R_q e_pj)` beside the word
    logits.

    e_pj is the last state of a GRU that reads the phrase's target words from the last to the first.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.projection = Projection(config, config.embedding, bias_rows=0)
        self.phrase_weight_HE = self.add("phrase_weight_HE", (config.hidden, config.embedding))
        self.score_weight_E = self.add("score_weight_E", (config.embedding,), gaussian())
        self.reader = GruLayer(1, config.embedding, config.hidden)
        if config.phrase_bias:
            self.score_bias = self.add("score_bias", (), constant())
        self._has_bias = config.phrase_bias
        self.always = False

    def encode(
        self, source: SourceBatch, embedding_VE: Tensor, dtype: torch.dtype
    ) -> Phrases | None:
        """Encode every offered phrase of the batch once."""
        embedded_TXE = nn.functional.embedding(source.word_TX, embedding_VE)
        plan = packing(~source.past_TX.flip(0), (True,))
        states_DYH = self.reader(embedded_TXE, plan, dtype)
        return Phrases(source.number_BQ, plan.last(states_DYH[0], embedded_TXE.shape[1]))

    def forward(self, request: Request, noise: Noise) -> tuple[Tensor, Tensor]:
        """Return offset_N and phrase_SQ of the softmax over words and live phrases."""
        scores_NQ = self._scores(request)
        phrase_sum_N = scores_NQ.logsumexp(-1)
        total_N = torch.logaddexp(request.word_log_sum_N, phrase_sum_N)
        return request.word_log_sum_N - total_N, (scores_NQ - total_N.unsqueeze(-1))[request.rows_S]

    def _scores(self, request: Request) -> Tensor:
        """Return psi of each open phrase, minus infinity for others."""
        open_NQ = request.open_NQ
        assert request.phrases is not None
        _, row_Z, phrase_Z = request.open
        number_Z = request.phrases.number_BQ[request.sentence_N[row_Z], phrase_Z]
        content_XE = request.phrases.embedding_XH @ self.phrase_weight_HE
        base_NE = self.projection(request.reading, request.dtype)
        score_Z = torch.tanh(base_NE[row_Z] + content_XE[number_Z]) @ self.score_weight_E
        if self._has_bias:
            score_Z = score_Z + self.score_bias
        empty_NQ = torch.full_like(open_NQ, -torch.inf, dtype=score_Z.dtype)
        scores_NQ = empty_NQ.index_put((row_Z, phrase_Z), score_Z)
        return scores_NQ.masked_fill(~open_NQ, -torch.inf)
