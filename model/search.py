"""Beam search with a phrase mode.

Stacks by number of emitted words: a word leads to the next stack, a phrase of m words to the stack
m further on, after its idle run. All hypotheses of all sentences at one number of words advance as
one batch of rows. Hypotheses with the same words and the same live slots are recombined by adding
their probabilities. `hypotheses.py` holds the bookkeeping of one sentence; this file joins it with
the network.

Shapes: R rows (hypotheses of all sentences), B sentences, J source words incl. the end mark, P
    slots, V target vocabulary, K beam.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from model.batches import Example, collate_source
from model.config import DecodingConfig
from model.families import make_loop
from model.hypotheses import Beam, Candidates, Hypothesis, OutputWord, Partial
from model.loop import Loop, State, Step, rows_of
from model.noise import SILENT
from model.phrase_mode import Request
from model.readout import Reading
from model.translator import Source, Translator
from model.vocabulary import EOS

__all__ = ["Hypothesis", "OutputWord", "translate"]


def translate(
    translator: Translator, examples: Sequence[Example], config: DecodingConfig
) -> list[Hypothesis]:
    """Return the best translation of each example, in the order of the examples.

    Args:
        translator: the network; it is left in evaluation mode.
        examples: source words and offered phrases; references are ignored.
        config: beam and length rules.
    """
    return [found[0] for found in translate_n_best(translator, examples, config)]


@torch.no_grad()
def translate_n_best(
    translator: Translator, examples: Sequence[Example], config: DecodingConfig
) -> list[list[Hypothesis]]:
    """Return the finished hypotheses of each example, best first; there is at least one."""
    translator.eval()
    order = sorted(range(len(examples)), key=lambda index: -len(examples[index].source_ids))
    results: list[list[Hypothesis]] = [[] for _ in examples]
    for first in range(0, len(order), config.batch_size):
        indices = order[first : first + config.batch_size]
        batch = [examples[index] for index in indices]
        for index, found in zip(indices, _search(translator, batch, config), strict=True):
            results[index] = found
    return results


@dataclass(slots=True)
class _Network:
    """The network with everything that is fixed for a batch."""

    translator: Translator
    source: Source
    loop: Loop
    dtype: torch.dtype

    def advance(self, rows: "_Rows") -> Step:
        """Feed each row's last word."""
        memory = rows_of(self.source.memory, rows.sentence_R)
        word_RX = self.loop.words(self.words(rows))
        alive_RP = None if memory.tags_BJP is None else rows.alive_RP.to(word_RX.dtype)
        return self.loop.step(self.loop.on(memory), word_RX, rows.state, alive_RP)

    def words(self, rows: "_Rows") -> Tensor:
        """Return the embedding of each row's last word, zero before the first."""
        return self.translator.decoder.embed(rows.word_R) * rows.started_R1

    def decide(self, rows: "_Rows", values: Step, deciding_D: Tensor) -> "_Scores":
        """Score the next decision of some rows."""
        translator, sentence_D = self.translator, rows.sentence_R[deciding_D]
        state_RH = values.state.layers[-1].hidden_BH
        reading = Reading(state_RH, *values.context, self.words(rows)).rows(deciding_D)
        hidden_DE = translator.readout.hidden(reading, self.dtype)
        logits_DV = translator.readout.logits(hidden_DE, self.dtype)
        log_sum_D = logits_DV.logsumexp(-1)
        alive_DP = rows.alive_RP[deciding_D]
        mode = translator.phrase_mode
        if mode is None or not (mode.always or bool(alive_DP.any())):
            return _Scores(logits_DV, -log_sum_D, None)
        request = Request(
            reading,
            alive_DP,
            torch.arange(len(alive_DP)),
            log_sum_D,
            sentence_D,
            self.source.phrases,
            self.dtype,
        )
        offset_D, phrase_DP = mode(request, SILENT)
        return _Scores(logits_DV, offset_D - log_sum_D, phrase_DP)


class _Scores(NamedTuple):
    """Scores of the next decision: log p(word) = logit + offset."""

    logits_DV: Tensor
    offset_D: Tensor
    phrase_DP: Tensor | None


@dataclass(slots=True)
class _Rows:
    """The hypotheses that advance together, as tensors."""

    sentence_R: Tensor
    word_R: Tensor
    started_R1: Tensor
    """0 before the first word, whose embedding is zero, else 1."""
    alive_RP: Tensor
    state: State


def _search(
    translator: Translator, examples: Sequence[Example], config: DecodingConfig
) -> list[list[Hypothesis]]:
    """Search a batch of sentences together."""
    dtype = translator.number_format(config.precision)
    source = collate_source(examples, translator.config.slots)
    encoded = translator.encode(source, SILENT, dtype)
    tags = encoded.memory.tags_BJP is not None
    loop = make_loop(translator.decoder, tags=tags, dtype=dtype)
    network = _Network(translator, encoded, loop, dtype)
    beams = [
        Beam(phrases, len(example.source_ids), config)
        for phrases, example in zip(source.phrases, examples, strict=True)
    ]
    rows = _Rows(
        torch.arange(len(beams)),
        torch.zeros(len(beams), dtype=torch.int64),
        encoded.memory.annotations_BJC.new_zeros((len(beams), 1)),
        source.offered_BP,
        translator.decoder.start(encoded.memory, source.mask_BJ),
    )
    while len(rows.sentence_R):
        values = network.advance(rows)
        _expand(network, beams, rows, values, config)
        rows = _next_rows(beams, values, translator.config.slots)
    return [beam.results() for beam in beams]


def _expand(
    network: _Network,
    beams: list[Beam],
    rows: _Rows,
    values: Step,
    config: DecodingConfig,
) -> None:
    """Give every sentence the next decisions of its hypotheses; hypotheses in an idle run just
    advance.
    """
    attended = values.weights_BJ.argmax(-1).tolist()
    active = [(number, beam) for number, beam in enumerate(beams) if beam.rows]
    partials = [partial for _, beam in active for partial in beam.rows]
    deciding = [row for row, partial in enumerate(partials) if not partial.forced]
    candidates: list[Candidates | None] = [None] * len(partials)
    if deciding:
        scores = network.decide(rows, values, torch.tensor(deciding))
        for row, found in zip(deciding, _candidates(scores, config), strict=True):
            candidates[row] = found
    first = 0
    for _, beam in active:
        last = first + len(beam.rows)
        beam.advance(first, candidates[first:last], attended[first:last])
        first = last


def _candidates(scores: _Scores, config: DecodingConfig) -> Iterator[Candidates]:
    """Return the best words of each row, the end mark, and all phrases, with their
    log-probabilities.
    """
    num_words = scores.logits_DV.shape[-1]
    # One more than the beam, for the end mark may be among the best and is counted apart.
    top = torch.topk(scores.logits_DV, min(config.beam + 1, num_words))
    words = top.indices.tolist()
    word_scores = (top.values + scores.offset_D[:, None]).double().tolist()
    ends = (scores.logits_DV[:, EOS] + scores.offset_D).double().tolist()
    phrases: list[list[float]] = [[]] * len(words)
    if scores.phrase_DP is not None:
        phrases = scores.phrase_DP.double().tolist()
    for row, row_words in enumerate(words):
        yield Candidates(row_words, word_scores[row], ends[row], phrases[row])


def _next_rows(beams: list[Beam], values: Step, slots: int) -> _Rows:
    """Gather the state of each surviving hypothesis from the row that it grew from."""
    partials: list[Partial] = []
    sentence: list[int] = []
    for number, beam in enumerate(beams):
        partials.extend(beam.rows)
        sentence.extend([number] * len(beam.rows))
    parent_R = torch.tensor([partial.row for partial in partials], dtype=torch.int64)
    alive_R1 = torch.tensor([[partial.alive] for partial in partials], dtype=torch.int64)
    return _Rows(
        torch.tensor(sentence, dtype=torch.int64),
        torch.tensor([partial.word_id for partial in partials], dtype=torch.int64),
        values.context.context_BC.new_ones((len(partials), 1)),
        (alive_R1.view(-1, 1) >> torch.arange(slots) & 1).bool(),
        rows_of(values.state, parent_R),
    )
