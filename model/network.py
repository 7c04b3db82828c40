"""One network, or several of the same words and slots, as search steps through them.

Several networks decide together (an ensemble): the probability of each outcome, word or phrase, is
the mean of their probabilities, or the mean of their log-probabilities scaled to sum to 1. Each
keeps its own state, and attention is the mean of theirs.

Shapes: R rows (hypotheses of all sentences), D rows that decide, J source words incl. the end
mark, P slots, Q offered phrases, V target vocabulary.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from model.batches import SourceBatch, phrases_open
from model.config import DecodingConfig
from model.families import make_loop
from model.loop import Loop, Memory, State, Step, of_hypotheses
from model.multiplied import multiplied
from model.noise import SILENT
from model.offered import everywhere, open_only
from model.phrase_mode import Request
from model.placing import placed
from model.readout import Projection, Reading
from model.search_softmax import SearchSoftmax
from model.short_list import ShortList
from model.top_words import Best, best_words, refined, scan
from model.translator import Source, Translator


class Scores(NamedTuple):
    """Scores of the next decision: log p(word) = logit + offset."""

    logits_DV: Tensor
    offset_D: Tensor
    phrase_DQ: Tensor | None
    """log p(phrase), minus infinity where its slot is used up; None without phrase mode."""
    best: Best | None
    """The best words, if one network alone decides; their logits may be more exact. Words are
    numbered as the columns of the logits.
    """
    listed: ShortList | None = None
    """Which words the columns of the logits are; None where they are all."""

    def words_DV(self) -> Tensor:
        """Return log p(word), of the best words from their exact logits."""
        logits_DV, best = self.logits_DV, self.best
        if best is not None and best.logit_DX.dtype != logits_DV.dtype:
            logits_DV = logits_DV.to(best.logit_DX.dtype)
        if best is not None:
            logits_DV = logits_DV.scatter(1, best.word_DX, best.logit_DX)
        return logits_DV + self.offset_D[:, None]


@dataclass(slots=True)
class Rows:
    """The hypotheses that advance together, as tensors."""

    sentence_R: Tensor
    sentences: tuple[int, ...]
    """The same on the host."""
    word_R: Tensor
    started_R1: Tensor
    """0 before the first word, whose embedding is zero, else 1."""
    alive_RP: Tensor
    """True for slots that may still be used."""
    states: tuple[State, ...]
    """State of each network."""


@dataclass(slots=True)
class _Member:
    """A network with everything that is fixed for a batch."""

    translator: Translator
    source: Source
    slot_BQ: Tensor
    loop: Loop
    memory: Memory
    """What the loop reads: that of the source, or with annotations that are products."""
    columns: Mapping[Tensor, slice] | None
    """Of the products with each weight; None if annotations are as they were."""
    dtype: torch.dtype
    keep: int
    """Words of a row that may be among the best."""
    reader: Any = None
    """The memory of the sentence of each row, ready to be read."""
    read_of: tuple[int, ...] = ()
    """The sentences that it was made ready for."""
    listed: ShortList | None = None
    softmax: SearchSoftmax | None = None
    """Of a short list or in int8; None is the readout's own."""

    def advance(self, rows: Rows, state: State) -> Step:
        """Feed each row's last word."""
        if self.read_of != rows.sentences:
            # Many steps in a row have the same rows, so they share one copy.
            self.read_of = rows.sentences
            self.reader = self.loop.on(of_hypotheses(self.memory, rows.sentence_R))
        word_RX = self.loop.words(self._words(rows))
        tagged = self.source.memory.tags_BJP is not None
        alive_RP = rows.alive_RP.to(word_RX.dtype) if tagged else None
        return self.loop.step(self.reader, word_RX, state, alive_RP)

    def _words(self, rows: Rows) -> Tensor:
        """Return the embedding of each row's last word, zero before the first."""
        return self.translator.decoder.embed(rows.word_R) * rows.started_R1

    def decide(self, rows: Rows, values: Step, deciding_D: Tensor) -> Scores:
        """Score the next decision of some rows."""
        translator, sentence_D = self.translator, rows.sentence_R[deciding_D]
        state_RH = values.state.layers[-1].hidden_BH
        reading = Reading(state_RH, *values.context, self._words(rows), self.columns)
        reading = reading.rows(deciding_D)
        hidden_DE = translator.readout.hidden(reading, state_RH.dtype)
        if self.softmax is None:
            logits_DV = translator.readout.logits(hidden_DE, self.dtype)
        else:
            logits_DV = self.softmax.logits(hidden_DE, sentence_D)
        best, log_sum_D = self._best(logits_DV, hidden_DE)
        open_DQ = phrases_open(rows.alive_RP[deciding_D], self.slot_BQ[sentence_D])
        mode, waits = translator.phrase_mode, open_DQ.device.type != "cpu"
        # Asking for nothing costs a GPU less than waiting to learn that there is nothing to ask.
        asked = self.source.memory.tags_BJP is not None if waits else bool(open_DQ.any())
        if mode is None or not (mode.always or asked):
            return Scores(logits_DV, -log_sum_D, None, best, self.listed)
        request = Request(
            reading,
            open_DQ,
            everywhere(open_DQ) if waits else open_only(open_DQ),
            torch.arange(len(open_DQ), device=open_DQ.device),
            log_sum_D,
            sentence_D,
            self.source.phrases,
            self.dtype,
        )
        offset_D, phrase_DQ = mode(request, SILENT)
        return Scores(logits_DV, offset_D - log_sum_D, phrase_DQ, best, self.listed)

    def _best(self, logits_DV: Tensor, hidden_DE: Tensor) -> tuple[Best, Tensor]:
        """Return the best words of each row and its log-sum-exp."""
        kind, readout = hidden_DE.dtype, self.translator.readout
        log_sum_D, highest_DN = scan(logits_DV, kind)
        own = self.softmax
        if logits_DV.dtype == kind if own is None else own.is_exact:
            return best_words(logits_DV, highest_DN, self.keep, kind), log_sum_D
        rough = best_words(logits_DV, highest_DN, 2 * self.keep, kind)
        words_VE: Tensor = readout.words_VE
        bias_V: Tensor = readout.output_bias_V
        if own is not None:
            words_VE, bias_V = own.words_XE, own.bias_X
        return refined(rough, log_sum_D, hidden_DE, (words_VE, bias_V), self.keep)


class Network:
    """All networks that decide together, prepared for a batch."""

    def __init__(
        self,
        translators: Sequence[Translator],
        source: SourceBatch,
        config: DecodingConfig,
        listed: ShortList | None = None,
    ) -> None:
        self.device = translators[0].device
        source = placed(source, self.device)
        self.slots = translators[0].config.slots
        self.num_phrases = source.slot_BQ.shape[1]
        self.num_words = translators[0].target_size
        self._geometric = config.ensemble_mean == "log-probability"
        self._mask_BJ = source.mask_BJ
        self._offered_BP = source.offered_BP
        self._members = [_member(each, source, config, listed) for each in translators]

    def start(self) -> Rows:
        """Return one row for each sentence, before its first word."""
        memories = [member.source.memory for member in self._members]
        num = len(self._mask_BJ)
        return Rows(
            torch.arange(num, device=self.device),
            tuple(range(num)),
            torch.zeros(num, dtype=torch.int64, device=self.device),
            memories[0].annotations_BJC.new_zeros((num, 1)),
            self._offered_BP,
            tuple(
                member.translator.decoder.start(memory, self._mask_BJ)
                for member, memory in zip(self._members, memories, strict=True)
            ),
        )

    def advance(self, rows: Rows) -> list[Step]:
        """Feed each row's last word to each network."""
        return [
            member.advance(rows, state)
            for member, state in zip(self._members, rows.states, strict=True)
        ]

    def decide(self, rows: Rows, steps: Sequence[Step], deciding_D: Tensor) -> Scores:
        """Score the next decision of some rows."""
        scores = [
            member.decide(rows, step, deciding_D)
            for member, step in zip(self._members, steps, strict=True)
        ]
        return scores[0] if len(scores) == 1 else mean(scores, geometric=self._geometric)


def attended(steps: Sequence[Step]) -> Tensor:
    """Return for each row the source position with most attention, of all networks together,
    position_R.
    """
    weights_RJ = steps[0].weights_BJ
    for step in steps[1:]:
        weights_RJ = weights_RJ + step.weights_BJ
    return weights_RJ.argmax(-1)


def mean(scores: Sequence[Scores], *, geometric: bool) -> Scores:
    """Return the mean of what several networks say: of probabilities, or (geometric) of
    log-probabilities.
    """
    words_MDV = torch.stack([each.words_DV() for each in scores])
    phrases_MDQ = None
    listed = scores[0].listed
    if all(each.phrase_DQ is not None for each in scores):
        phrases_MDQ = torch.stack([each.phrase_DQ for each in scores])  # type: ignore[misc]
    if not geometric:
        log_num = math.log(len(scores))
        phrase_DQ = None if phrases_MDQ is None else phrases_MDQ.logsumexp(0) - log_num
        offset_D = torch.zeros_like(words_MDV[0, :, 0])
        return Scores(words_MDV.logsumexp(0) - log_num, offset_D, phrase_DQ, None, listed)
    words_DV = words_MDV.mean(0)
    total_D = words_DV.logsumexp(-1)
    if phrases_MDQ is None:
        return Scores(words_DV, -total_D, None, None, listed)
    phrase_DQ = phrases_MDQ.mean(0)
    total_D = torch.logaddexp(total_D, phrase_DQ.logsumexp(-1))
    return Scores(words_DV, -total_D, phrase_DQ - total_D[:, None], None, listed)


def _member(
    translator: Translator, source: SourceBatch, config: DecodingConfig, listed: ShortList | None
) -> _Member:
    """Prepare a network: in bfloat16 only what the decoder does with its state and the bulk of the
    logits are.

    The source is read once, and the readout's hidden layer, words and attention's query are small,
    but rounding them would change the best translation as often as rounding the rest does.
    """
    dtype = translator.number_format(config.precision)
    encoded = translator.encode(source, SILENT, translator.number_format("float32"))
    tags = encoded.memory.tags_BJP is not None
    loop = make_loop(translator.decoder, tags=tags, dtype=dtype, search=True)
    memory, columns = encoded.memory, None
    if loop.context_weight_CX is not None:
        readers = [each for each in translator.modules() if isinstance(each, Projection)]
        weights = [loop.context_weight_CX, *(each.context_weight_CO for each in readers)]
        memory, columns = multiplied(memory, weights)
    softmax, int8 = None, config.readout == "int8"
    if listed is not None or int8:
        softmax = SearchSoftmax(translator.readout, listed, dtype, int8=int8)
    return _Member(
        translator,
        encoded,
        source.slot_BQ,
        loop,
        memory,
        columns,
        dtype,
        config.beam + 1,
        listed=listed,
        softmax=softmax,
    )


def check_ensemble(translators: Sequence[Translator]) -> None:
    """Refuse networks that cannot decide together.

    Raises:
        ValueError: there is none, or they differ in vocabularies, slots or candidates.
    """
    if not translators:
        raise ValueError("there is no model to translate with: give at least one.")
    first = translators[0]
    for number, other in enumerate(translators[1:], start=2):
        for what, ours, theirs in (
            ("source words", first.source_size, other.source_size),
            ("target words", first.target_size, other.target_size),
            ("slots for phrases", first.config.slots, other.config.slots),
            (
                "candidates a phrase",
                first.config.phrase_candidates,
                other.config.phrase_candidates,
            ),
        ):
            if ours != theirs:
                raise ValueError(
                    f"model 1 has {ours} {what} and model {number} has {theirs}: models that "
                    "decide together must have the same words and slots."
                )
