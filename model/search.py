"""Search: a batch of sentences advances together through the network.

Beam search with a phrase mode keeps stacks by number of emitted words: a word leads to the next
stack, a phrase of m words to the stack m further on, after its idle run. All hypotheses of all
sentences at one number of words advance as one batch of rows. Hypotheses with the same words and
the same live slots are recombined by adding their probabilities. Greedy search and sampling follow
one hypothesis.

`growth.py` has the rules by which a hypothesis grows, `beam.py` and `walk.py` the bookkeeping of
one sentence, `network.py` the network or networks; this file joins them.

Shapes: as in `network.py`; K beam.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from model.batches import Example, collate_source, slots_of
from model.beam import Beam
from model.casts import casts_kept
from model.config import DecodingConfig
from model.growth import FREE, Growth
from model.hypotheses import Candidates, Hypothesis, OutputWord, Partial
from model.loop import Step, rows_of
from model.network import Network, Rows, Scores, attended, check_ensemble
from model.placing import brought, read
from model.requirements import required_in
from model.short_list import Ids, short_list
from model.top_words import top_words
from model.translator import Translator
from model.vocabulary import EOS
from model.walk import Walk, stream_of

__all__ = ["Hypothesis", "OutputWord", "translate", "translate_n_best"]

NONE: frozenset[int] = frozenset()


def translate(
    translator: Translator | Sequence[Translator],
    examples: Sequence[Example],
    config: DecodingConfig,
    required: Sequence[frozenset[int]] | None = None,
    listed: Sequence[Ids] | None = None,
) -> list[Hypothesis]:
    """Return the best translation of each example, in the order of the examples; see
    `translate_n_best`.
    """
    return [found[0] for found in translate_n_best(translator, examples, config, required, listed)]


@torch.no_grad()
@casts_kept()
def translate_n_best(
    translator: Translator | Sequence[Translator],
    examples: Sequence[Example],
    config: DecodingConfig,
    required: Sequence[frozenset[int]] | None = None,
    listed: Sequence[Ids] | None = None,
) -> list[list[Hypothesis]]:
    """Return the finished hypotheses of each example, best first; there is at least one.

    Greedy search has one, sampling as many as `config.samples`, equal ones included.

    Args:
        translator: the network, or networks that decide together; left in evaluation mode.
        examples: source words and offered phrases; references are ignored.
        config: how to search.
        required: for each example the numbers of the phrases that each translation must hold:
            produced in phrase mode, or spelled out where there is no phrase memory. Of rivals any
            one is enough. Those that `requirements.impossible` names must not be among them.
        listed: for each example the target words that its translation may have, beside those of
            its phrases; None takes all words.

    Raises:
        ValueError: the networks cannot decide together, or phrases are required of a search
            without beam.
    """
    translators = [translator] if isinstance(translator, Translator) else list(translator)
    check_ensemble(translators)
    required = required if required is not None else [NONE] * len(examples)
    if config.method != "beam" and any(required):
        raise ValueError(
            f"phrases are required, but decoding.method is {config.method!r}: only a beam keeps "
            'room for them. Set decoding.method to "beam".'
        )
    for each in translators:
        each.eval()
    copies = config.samples if config.method == "sample" else 1
    jobs = [(index, copy) for index in range(len(examples)) for copy in range(copies)]
    jobs.sort(key=lambda job: -len(examples[job[0]].source_ids))
    results: list[list[Hypothesis]] = [[] for _ in examples]
    for first in range(0, len(jobs), config.batch_size):
        part = jobs[first : first + config.batch_size]
        batch = [examples[index] for index, _ in part]
        shape = translators[0].config
        source = collate_source(batch, shape.slots, shape.phrase_candidates)
        words = None
        if listed is not None:
            chosen = [listed[index] for index, _ in part]
            words = short_list(chosen, batch, translators[0].device)
        network = Network(translators, source, config, words)
        growths = [
            _growth(network, example, config, required[index])
            for (index, _), example in zip(part, batch, strict=True)
        ]
        found = _search(network, growths, [copy for _, copy in part], batch, config)
        for (index, _), hypotheses in zip(part, found, strict=True):
            results[index].extend(hypotheses)
    for hypotheses in results:
        hypotheses.sort(key=lambda hypothesis: -hypothesis.score)
    return results


def _growth(
    network: Network, example: Example, config: DecodingConfig, wanted: frozenset[int]
) -> Growth:
    required = FREE
    if wanted:
        required = required_in(example, wanted, phrase_mode=network.slots > 0)
    offered = example.slots if network.slots else ()
    phrases = tuple(phrase.target_ids for phrase in offered)
    return Growth(phrases, slots_of(offered), len(example.source_ids), config, required)


def _search(
    network: Network,
    growths: Sequence[Growth],
    copies: Sequence[int],
    batch: Sequence[Example],
    config: DecodingConfig,
) -> list[list[Hypothesis]]:
    """Search a batch of sentences together."""
    searches: list[Beam] | list[Walk]
    if config.method == "beam":
        searches = [Beam(growth) for growth in growths]
    else:
        searches = [
            Walk(growth, stream_of(example.source_ids, config.seed, copy)
                 if config.method == "sample" else None)
            for growth, example, copy in zip(growths, batch, copies, strict=True)
        ]  # fmt: skip
    rows = network.start()
    while len(rows.sentence_R):
        steps = network.advance(rows)
        if config.method == "beam":
            _expand_beams(network, searches, rows, steps)  # type: ignore[arg-type]
        else:
            _expand_walks(network, searches, rows, steps)  # type: ignore[arg-type]
        rows = _next_rows([search.rows for search in searches], steps, network.slots, rows)
    return [search.results() for search in searches]


def _expand_beams(
    network: Network, beams: Sequence[Beam], rows: Rows, steps: Sequence[Step]
) -> None:
    """Give every sentence the next decisions of its hypotheses; hypotheses in an idle run just
    advance.

    Whatever a step tells the host is read at once, here: a GPU is waited for once a step.
    """
    position_R = attended(steps)
    active = [beam for beam in beams if beam.rows]
    owners = [(beam, partial) for beam in active for partial in beam.rows]
    deciding = [row for row, (_, partial) in enumerate(owners) if not partial.forced]
    candidates: list[Candidates | None] = [None] * len(owners)
    if deciding:
        deciding_D = brought(torch.tensor(deciding), network.device)
        scores = network.decide(rows, steps, deciding_D)
        wanted = [sorted(owners[row][0].wanted(owners[row][1])) for row in deciding]
        beam = active[0].growth.config.beam
        positions, found = _candidates(scores, beam, wanted, position_R)
        for row, each in zip(deciding, found, strict=True):
            candidates[row] = each
    else:
        positions = position_R.tolist()
    first = 0
    for each_beam in active:
        last = first + len(each_beam.rows)
        each_beam.advance(first, candidates[first:last], positions[first:last])
        first = last


def _expand_walks(
    network: Network, walks: Sequence[Walk], rows: Rows, steps: Sequence[Step]
) -> None:
    """Let every sentence take its next word; a GPU is waited for once, as in `_expand_beams`."""
    active = [walk for walk in walks if walk.rows]
    deciding = [row for row, walk in enumerate(active) if not walk.rows[0].forced]
    told = [attended(steps)]
    if deciding:
        scores = network.decide(rows, steps, brought(torch.tensor(deciding), network.device))
        words_DV = scores.words_DV()
        if scores.listed is not None:
            words_DV = scores.listed.spread(words_DV, network.num_words)
        parts_DX = [words_DV]
        if network.slots:
            closed_DQ = parts_DX[0].new_full((len(deciding), network.num_phrases), -torch.inf)
            parts_DX.append(closed_DQ if scores.phrase_DQ is None else scores.phrase_DQ)
        told.append(torch.cat(parts_DX, 1))
    position_R, *tables = read(*told)
    positions = position_R.astype(int).tolist()
    outcomes = dict(zip(deciding, tables[0], strict=True)) if tables else {}
    num_words = network.num_words
    for row, walk in enumerate(active):
        found = outcomes.get(row)
        if found is not None:
            found = found[: num_words + len(walk.growth.phrases)].astype(np.float64)
        walk.advance(row, found, positions[row])


def _candidates(
    scores: Scores, beam: int, wanted: Sequence[Sequence[int]], position_R: Tensor
) -> tuple[list[int], Iterator[Candidates]]:
    """Return the positions, and the best words of each row, the end mark, and all phrases, with
    their log-probabilities.
    """
    # One more than the beam, for the end mark may be among the best and is counted apart.
    best = scores.best or top_words(scores.logits_DV, beam + 1)
    listed = scores.listed
    told = [
        position_R,
        best.word_DX if listed is None else listed.word_X[best.word_DX],
        best.logit_DX + scores.offset_D[:, None],
        best.end_D + scores.offset_D,
    ]
    if scores.phrase_DQ is not None:
        told.append(scores.phrase_DQ)
    if any(wanted):
        told.append(_scores_of(scores, wanted))
    positions, words, word_scores, ends, *more = read(*told)
    beside = more.pop().tolist() if any(wanted) else [[]] * len(words)
    phrases = more.pop().tolist() if more else [[]] * len(words)
    rows = zip(
        words.astype(int).tolist(), word_scores.tolist(), ends.tolist(), phrases, strict=True
    )
    found = (
        _candidates_of_row(*row, dict(zip(own, own_scores, strict=False)), listed is not None)
        for row, own, own_scores in zip(rows, wanted, beside, strict=True)
    )
    return positions.astype(int).tolist(), found


def _scores_of(scores: Scores, words: Sequence[Sequence[int]]) -> Tensor:
    """Return the log-probabilities of some words of each row, and arbitrary ones behind them where
    a row has fewer than others, score_DW.
    """
    most = max(map(len, words))
    table = [[*own, *[EOS] * (most - len(own))] for own in words]
    word_DW = brought(torch.tensor(table), scores.logits_DV.device)
    if scores.listed is not None:
        word_DW = scores.listed.places(word_DW)
    offset_D1 = scores.offset_D[:, None].to(scores.logits_DV.dtype)
    return scores.logits_DV.gather(1, word_DW) + offset_D1


def _candidates_of_row(
    words: list[int],
    word_scores: list[float],
    end: float,
    phrases: list[float],
    beside: Mapping[int, float],
    is_listed: bool,  # noqa: FBT001 - private
) -> Candidates:
    """Put the candidates of a row together, wanted words last."""
    best = set(words)
    for word, score in beside.items():
        if word not in best:
            words.append(word)
            word_scores.append(score)
    if is_listed:  # a list may have fewer words than a beam takes
        there = [at for at, score in enumerate(word_scores) if score > -math.inf]
        words = [words[at] for at in there]
        word_scores = [word_scores[at] for at in there]
    return Candidates(words, word_scores, end, phrases)


def _next_rows(
    alive: Sequence[list[Partial]], steps: Sequence[Step], slots: int, before: Rows
) -> Rows:
    """Gather the state of each surviving hypothesis from the row that it grew from."""
    partials: list[Partial] = []
    sentence: list[int] = []
    for number, survivors in enumerate(alive):
        partials.extend(survivors)
        sentence.extend([number] * len(survivors))
    numbers = [[partial.row, partial.word_id, partial.alive] for partial in partials]
    # One small copy to the device instead of four.
    table_4R = torch.tensor([*zip(*numbers, strict=True), sentence] if numbers else [[]] * 4)
    table_4R = brought(table_4R.long(), before.sentence_R.device)
    parent_R, word_R, alive_R, sentence_R = table_4R
    return Rows(
        sentence_R,
        tuple(sentence),
        word_R,
        before.started_R1.new_ones((len(partials), 1)),
        (alive_R[:, None] >> torch.arange(slots, device=alive_R.device) & 1).bool(),
        tuple(rows_of(step.state, parent_R) for step in steps),
    )
