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
from collections.abc import Iterator, Sequence

import numpy as np
import torch

from model.batches import Example, collate_source, slots_of
from model.beam import Beam
from model.casts import casts_kept
from model.config import DecodingConfig
from model.growth import FREE, Growth
from model.hypotheses import Candidates, Hypothesis, OutputWord, Partial
from model.loop import Step, rows_of
from model.network import Network, Rows, Scores, attended, check_ensemble
from model.requirements import required_in
from model.short_list import Ids, short_list
from model.top_words import top_words
from model.translator import Translator
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
    """
    positions = attended(steps)
    active = [beam for beam in beams if beam.rows]
    owners = [(beam, partial) for beam in active for partial in beam.rows]
    deciding = [row for row, (_, partial) in enumerate(owners) if not partial.forced]
    candidates: list[Candidates | None] = [None] * len(owners)
    if deciding:
        scores = network.decide(rows, steps, torch.tensor(deciding).to(network.device))
        wanted = [owners[row][0].wanted(owners[row][1]) for row in deciding]
        beam = active[0].growth.config.beam
        for row, found in zip(deciding, _candidates(scores, beam, wanted), strict=True):
            candidates[row] = found
    first = 0
    for each in active:
        last = first + len(each.rows)
        each.advance(first, candidates[first:last], positions[first:last])
        first = last


def _expand_walks(
    network: Network, walks: Sequence[Walk], rows: Rows, steps: Sequence[Step]
) -> None:
    """Let every sentence take its next word."""
    positions = attended(steps)
    active = [walk for walk in walks if walk.rows]
    deciding = [row for row, walk in enumerate(active) if not walk.rows[0].forced]
    outcomes = {}
    if deciding:
        scores = network.decide(rows, steps, torch.tensor(deciding).to(network.device))
        words_DV = scores.words_DV()
        if scores.listed is not None:
            words_DV = scores.listed.spread(words_DV, network.num_words)
        parts_DX = [words_DV]
        if network.slots:
            closed_DQ = parts_DX[0].new_full((len(deciding), network.num_phrases), -torch.inf)
            parts_DX.append(closed_DQ if scores.phrase_DQ is None else scores.phrase_DQ)
        table = torch.cat(parts_DX, 1).double().cpu().numpy()
        outcomes = dict(zip(deciding, table, strict=True))
    num_words = network.num_words
    for row, walk in enumerate(active):
        found = outcomes.get(row)
        if found is not None:
            found = found[: num_words + len(walk.growth.phrases)].astype(np.float64)
        walk.advance(row, found, positions[row])


def _candidates(
    scores: Scores, beam: int, wanted: Sequence[frozenset[int]]
) -> Iterator[Candidates]:
    """Return the best words of each row, the end mark, and all phrases, with their
    log-probabilities.
    """
    # One more than the beam, for the end mark may be among the best and is counted apart.
    best = scores.best or top_words(scores.logits_DV, beam + 1)
    listed = scores.listed
    words = (best.word_DX if listed is None else listed.word_X[best.word_DX]).tolist()
    word_scores = (best.logit_DX + scores.offset_D[:, None]).double().tolist()
    ends = (best.end_D + scores.offset_D).double().tolist()
    phrases: list[list[float]] = [[]] * len(words)
    if scores.phrase_DQ is not None:
        phrases = scores.phrase_DQ.double().tolist()
    for row, row_words in enumerate(words):
        beside = sorted(wanted[row].difference(row_words))
        if beside:
            beside_X = torch.tensor(beside).to(scores.logits_DV.device)
            beside_X = beside_X if listed is None else listed.places(beside_X)
            more_X = scores.logits_DV[row, beside_X] + scores.offset_D[row]
            row_words.extend(beside)
            word_scores[row].extend(more_X.double().tolist())
        if listed is not None:  # a list may have fewer words than a beam takes
            there = [at for at, score in enumerate(word_scores[row]) if score > -math.inf]
            row_words[:] = [row_words[at] for at in there]
            word_scores[row] = [word_scores[row][at] for at in there]
        yield Candidates(row_words, word_scores[row], ends[row], phrases[row])


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
    table_4R = table_4R.long().to(before.sentence_R.device)
    parent_R, word_R, alive_R, sentence_R = table_4R
    return Rows(
        sentence_R,
        word_R,
        before.started_R1.new_ones((len(partials), 1)),
        (alive_R[:, None] >> torch.arange(slots, device=alive_R.device) & 1).bool(),
        tuple(rows_of(step.state, parent_R) for step in steps),
    )
