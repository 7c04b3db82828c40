"""What all recurrent decoders share: embeddings of target words, the first state, attention,
coverage and context gate.

`conditional_gru.py` and `groundhog.py` hold the two families; what a step gives is in `loop.py`.

Shapes: as in `loop.py`; V target vocabulary, L layers, X = C or H inputs of the first state.
"""

import torch
from torch import Tensor
from torch.nn.functional import embedding

from model.attention import Attention
from model.context_gate import ContextGate
from model.coverage import LinguisticCoverage, NeuralCoverage
from model.deferred import Deferred
from model.initial import Parameters, constant, word_vectors
from model.loop import Carried, Context, Memory, State, one_hot_slots
from model.network_config import ModelConfig


class Decoder(Parameters):
    """Parameters of every recurrent decoder."""

    def __init__(self, config: ModelConfig, vocabulary: int) -> None:
        super().__init__()
        self.config = config
        hidden, slots, switches = config.hidden, config.slots, config.switches
        self.embedding_VE = self.add("embedding_VE", (vocabulary, config.embedding), word_vectors)
        if switches.is_groundhog:
            self.embedding_bias_E = self.add("embedding_bias_E", (config.embedding,), constant())
        self._from_mean = config.first_state == "mean"
        inputs, states = (2 if self._from_mean else 1) * hidden, config.decoder_depth * hidden
        self.initial_weight_CH = self.add("initial_weight_CH", (inputs, states))
        self.initial_bias_H = self.add("initial_bias_H", (states,), constant())
        if slots and self._from_mean:
            self.initial_tag_weight_PH = self.add("initial_tag_weight_PH", (slots, states))
        size = config.attention_size
        self.attention: Attention | None = None
        if config.attention_kind == "additive":
            self.attention = Attention(
                hidden, 2 * hidden, size, slots, groundhog=switches.is_groundhog
            )
        self.coverage: NeuralCoverage | LinguisticCoverage | None = None
        if switches.coverage == "linguistic":
            fertility = config.coverage_fertility
            self.coverage = LinguisticCoverage(2 * hidden, size, fertility=fertility)
        elif switches.coverage != "none":
            gated = switches.coverage == "neural"
            self.coverage = NeuralCoverage(
                config.coverage_dim, hidden, 2 * hidden, size, gated=gated
            )
        self.context_gate = ContextGate(config) if switches.gate != "none" else None

    def table(self) -> Tensor:
        """Return the embeddings of all words, embedding_VE."""
        if self.config.switches.is_groundhog:
            return self.embedding_VE + self.embedding_bias_E
        return self.embedding_VE

    def embed(self, ids_X: Tensor) -> Tensor:
        """Return the embeddings of words."""
        embedded_XE = embedding(ids_X, self.embedding_VE)
        if self.config.switches.is_groundhog:
            embedded_XE = embedded_XE + self.embedding_bias_E
        return embedded_XE

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
        memory = self.without_keys(annotations_BJC, mask_BJ, slot_BJ)
        coverage_BJQ = self.coverage.inputs(annotations_BJC, dtype) if self.coverage else None
        memory = memory._replace(coverage_BJQ=coverage_BJQ)
        if self.attention is None:
            return memory
        return memory._replace(keys_BJA=self.attention.keys(annotations_BJC, dtype))

    def without_keys(
        self, annotations_BJC: Tensor, mask_BJ: Tensor, slot_BJ: Tensor | None
    ) -> Memory:
        """Return what `remember` does, but with no keys and no coverage."""
        penalty_BJ = torch.zeros_like(annotations_BJC[..., 0])
        tags_BJP = None
        if slot_BJ is not None:
            tags_BJP = one_hot_slots(slot_BJ, self.config.slots, annotations_BJC.dtype)
        return Memory(
            annotations_BJC=annotations_BJC,
            keys_BJA=annotations_BJC[..., :0],
            penalty_BJ=penalty_BJ.masked_fill(~mask_BJ, -torch.inf),
            coverage_BJQ=None,
            tags_BJP=tags_BJP,
        )

    def start(self, memory: Memory, mask_BJ: Tensor) -> State:
        """Return the state before the first step.

        `tanh(W mean_j(h_j) + b)`, tags included (dl4mt), or `tanh(W h_1 + b)` from the backward
        state at the first word (GroundHog), for each layer its own W.
        """
        if self._from_mean:
            inner_BX = self._from_mean_annotation(memory, mask_BJ)
        else:
            first_BH = memory.annotations_BJC[:, 0, self.config.hidden :]
            inner_BX = first_BH @ self.initial_weight_CH + self.initial_bias_H
        hidden = torch.tanh(inner_BX).split(self.config.hidden, -1)
        is_lstm = self.config.switches.decoder == "groundhog-lstm"
        coverage_BJK = None
        if self.coverage:
            coverage_BJK = inner_BX.new_zeros((*mask_BJ.shape, self.coverage.size))
        layers = tuple(
            Carried(hidden_BH, torch.zeros_like(hidden_BH) if is_lstm else None)
            for hidden_BH in hidden
        )
        return State(layers, coverage_BJK)

    def _from_mean_annotation(self, memory: Memory, mask_BJ: Tensor) -> Tensor:
        words_BJ = mask_BJ.to(memory.annotations_BJC.dtype)
        share_B1J = (words_BJ / words_BJ.sum(-1, keepdim=True)).unsqueeze(1)
        mean_BC = torch.bmm(share_B1J, memory.annotations_BJC).squeeze(1)
        inner_BX = mean_BC @ self.initial_weight_CH + self.initial_bias_H
        if memory.tags_BJP is not None:
            tag_mean_BP = torch.bmm(share_B1J, memory.tags_BJP).squeeze(1)
            inner_BX = inner_BX + tag_mean_BP @ self.initial_tag_weight_PH
        return inner_BX


def context_and_gate(
    decoder: Decoder, context_CG: Tensor, tag_PG: Tensor | None
) -> tuple[Tensor, Tensor | None]:
    """Put a context gate's weights beside those of the source context and of the tags, which share
    their inputs.
    """
    gate = decoder.context_gate
    if gate is None or "s" not in gate.inputs:
        return context_CG, tag_PG
    both_CG = torch.cat([context_CG, gate.context_weight_CZ], 1)
    return both_CG, None if tag_PG is None else torch.cat([tag_PG, gate.tag_weight_PZ], 1)


def projected(
    context: Context, weight_CX: Tensor, deferred: Deferred | None, tag_PX: Tensor | None
) -> Tensor:
    """Return the product of a context vector, its tag part included, projected_BX.

    Args:
        context: what was read.
        weight_CX: weight of the context vector.
        deferred: the same weight as a function; None if annotations came multiplied, the columns
            of this weight first.
        tag_PX: weight of the tag part.
    """
    if deferred is None:
        projected_BX = context.context_BC[..., : weight_CX.shape[1]]
    else:
        projected_BX = deferred(context.context_BC)
    if context.tag_mass_BP is None or tag_PX is None:
        return projected_BX
    return projected_BX + context.tag_mass_BP @ tag_PX


def feature_weights(decoder: Decoder, *, tags: bool) -> Tensor | None:
    """Return the doubled weights of coverage and tags into the attention, weight_FA, if any."""
    if decoder.attention is None:
        return None
    parts: list[Tensor] = [decoder.coverage.energy_weight_KA] if decoder.coverage else []
    if tags:
        parts.append(decoder.attention.tag_weight_PA)
    return 2 * torch.cat(parts) if parts else None
