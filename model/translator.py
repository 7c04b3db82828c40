"""The translator: encoder, decoder, readout and phrase mode put together. All systems are this one
network with switches.

It computes log-likelihoods; training is in `fit.py`, search in `search.py`.

Shapes: B sentences, J source words incl. the end mark, I target words incl. the end mark, N real
target words, P slots, Q offered phrases, V target vocabulary, R hypotheses.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from model.batches import Example, SourceBatch, TargetBatch, collate_source, collate_target
from model.buffer_pool import BufferPool
from model.config import ModelConfig, Precision
from model.families import AnyDecoder, AnyEncoder, make_decoder, make_encoder
from model.initial import fill
from model.loop import Memory
from model.loss import sentence_log_likelihood
from model.noise import SILENT, Noise
from model.offered import Open
from model.phrase_mode import GateMode, Phrases, Request, SoftmaxMode
from model.placing import placed
from model.readout import Reading, Readout
from model.teacher_forcing import Means, References, Sources, read, reads_places


class Source(NamedTuple):
    """An encoded batch."""

    memory: Memory
    phrases: Phrases | None


class Translator(nn.Module):
    """One network of the family."""

    def __init__(self, config: ModelConfig, source_size: int, target_size: int) -> None:
        super().__init__()
        self.config = config
        self.pool = BufferPool()
        self.source_size, self.target_size = source_size, target_size
        self.encoder: AnyEncoder = make_encoder(config, source_size)
        self.decoder: AnyDecoder = make_decoder(config, target_size)
        self.readout = Readout(config, target_size, self.decoder.embedding_VE)
        self.phrase_mode: GateMode | SoftmaxMode | None = None
        if config.phrase_memory == "gate":
            self.phrase_mode = GateMode(config)
        elif config.phrase_memory == "softmax":
            self.phrase_mode = SoftmaxMode(config)

    @property
    def device(self) -> torch.device:
        """Where the network is."""
        return self.readout.output_bias_V.device

    def number_format(self, precision: Precision) -> torch.dtype:
        """Return the format of matrix products: bfloat16, or that of the parameters."""
        return torch.bfloat16 if precision == "bfloat16" else self.readout.output_bias_V.dtype

    def collate(self, examples: Sequence[Example]) -> tuple[SourceBatch, TargetBatch]:
        """Pad examples with references, with as many slots and candidates as the network has.

        Raises:
            ValueError: an example offers more.
        """
        room = self.config.slots, self.config.phrase_candidates
        return collate_source(examples, *room), collate_target(examples, *room)

    def encode(self, source: SourceBatch, noise: Noise, dtype: torch.dtype) -> Source:
        """Encode the source sentences and the phrases offered to them."""
        return self._encode(source, noise, dtype, keys=True)

    def _encode(
        self, source: SourceBatch, noise: Noise, dtype: torch.dtype, *, keys: bool
    ) -> Source:
        """Encode; without keys where `teacher_forcing.read` makes its own."""
        annotations_BJC = self.encoder(source.ids_BJ, source.mask_BJ, noise, dtype)
        tagged = self.phrase_mode is not None and source.has_slots
        slot_BJ = source.slot_BJ if tagged else None
        if keys or not reads_places(self.decoder):
            memory = self.decoder.remember(annotations_BJC, source.mask_BJ, slot_BJ, dtype)
        else:
            memory = self.decoder.without_keys(annotations_BJC, source.mask_BJ, slot_BJ)
        phrases = None
        if self.phrase_mode is not None and tagged:
            phrases = self.phrase_mode.encode(source, self.decoder.table(), dtype)
        return Source(memory, phrases)

    def log_likelihood(
        self,
        source: SourceBatch,
        target: TargetBatch,
        *,
        noise: Noise = SILENT,
        label_smoothing: float = 0.0,
        precision: Precision = "float32",
    ) -> Tensor:
        """Return log p(y | x) of each sentence, log_B (PhraseNet, arXiv 1606.01792).

        Args:
            source: source sides.
            target: references.
            noise: randomness of training.
            label_smoothing: share of each word's target that is spread evenly over the vocabulary;
                words inside phrase spans are left as they are.
            precision: number format of the matrix products.
        """
        source, target = placed(source, self.device), placed(target, self.device)
        dtype = self.number_format(precision)
        encoded = self._encode(source, noise, dtype, keys=False)
        tagged = encoded.memory.tags_BJP is not None
        alive_IBP = target.alive_IBP() if tagged else None
        reading = self._read(source, target, encoded, alive_IBP, noise, dtype)
        hidden_NE = noise.dropout(self.readout.hidden(reading, dtype))
        words_N = target.ids_IB.view(-1)[target.row_N]
        logit_N, log_sum_N = self.readout.scores(hidden_NE, words_N, dtype, self.pool)
        word_N = logit_N - log_sum_N
        phrase_S = None
        if self.phrase_mode is not None and (tagged or self.phrase_mode.always):
            open_NQ = target.open_IBQ().flatten(0, 1)[target.row_N]
            request = Request(
                reading,
                open_NQ,
                Open(target.row_L, target.row_Z, target.phrase_Z),
                target.start_S,
                log_sum_N,
                target.sentence_N,
                encoded.phrases,
                dtype,
            )
            offset_N, phrase_SQ = self.phrase_mode(request, noise)
            word_N = word_N + offset_N
            phrase_S = phrase_SQ.gather(1, target.offer_S[:, None]).squeeze(1)
        if label_smoothing:
            spread_N = self.readout.mean_logits(hidden_NE) - logit_N
            word_N = word_N + label_smoothing * spread_N * (target.span_N == 0)
        return sentence_log_likelihood(target, word_N, phrase_S)

    def _read(
        self,
        source: SourceBatch,
        target: TargetBatch,
        encoded: Source,
        alive_IBP: Tensor | None,
        noise: Noise,
        dtype: torch.dtype,
    ) -> Reading:
        """Run the decoder over the references; return what it read at each real word."""
        previous_IBE = self.decoder.embed(target.ids_IB[:-1])
        first_1BE = torch.zeros_like(self.decoder.embedding_VE[:1]).expand(
            1, len(source.ids_BJ), -1
        )
        word_IBE = noise.dropout(torch.cat([first_1BE, previous_IBE]))
        references = References(
            word_IBE,
            target.mask_IB,
            None if alive_IBP is None else alive_IBP.to(word_IBE.dtype),
            target.row_N,
        )
        return read(
            self.decoder,
            Sources(encoded.memory, source.mask_BJ),
            references,
            self.decoder.start(encoded.memory, source.mask_BJ),
            Means(dtype, self.pool, noise),
        )


def build_translator(
    config: ModelConfig, source_size: int, target_size: int, seed: int
) -> Translator:
    """Create a network with its first values.

    Args:
        config: sizes and system.
        source_size: entries of the source vocabulary, special ones included.
        target_size: entries of the target vocabulary, special ones included.
        seed: the same seed gives the same values wherever two systems share a parameter.
    """
    for side, size in (("source", source_size), ("target", target_size)):
        if size < 3:
            raise ValueError(f"the {side} vocabulary has {size} entries; it needs 3 or more.")
    translator = Translator(config, source_size, target_size)
    fill(translator, seed, config.initial_values)
    return translator
