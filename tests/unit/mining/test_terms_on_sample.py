"""What is mined from the built-in sample, against the phrases that its program put there.

The names of people and organisations are in the sample's dictionary; dates, numbers and quantities
are read by the rules. Mining answers for what is repeated often enough to be reliable.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest

from tasks.compiled.arrays import texts_of
from tasks.mining.alignment import align
from tasks.mining.alignment_config import AlignmentConfig
from tasks.mining.c_value import Words
from tasks.mining.candidates import count_phrases
from tasks.mining.config import ExtractionConfig, MemoryConfig
from tasks.mining.likelihood_ratio import units
from tasks.mining.likely import LikelyPhrases
from tasks.mining.part_of_speech import Tagger
from tasks.mining.selection import candidate_parameters, smoothed
from tasks.mining.term_config import TermConfig
from tasks.mining.term_contexts import English, PhraseFinder, count_contexts, count_units
from tasks.mining.term_counts import TermCounts, count_terms
from tasks.mining.term_facts import gather
from tasks.mining.term_scores import BorderScores, border_scores, border_scores_of
from tasks.mining.uses import count_uses, document_key
from tasks.mining.word_arrays import WordArrays
from tasks.sample.newswire import Sample, generate
from tests.facts import spelled_facts
from tests.nestings import nestings
from tests.reference.mining_selection import select_plainly, select_reliable_plainly
from tests.reference.mining_terms import judge_of

MEMORY = MemoryConfig(min_reliability=0.85)
"""One pair in fifty of the sample is noise: of ten occurrences, one may be wrong."""
TERMS = TermConfig()


@dataclass(frozen=True)
class Mined:
    """What was mined, and which of it are terms."""

    reliable: dict[str, str]
    terms: dict[str, str]


@pytest.fixture(scope="module")
def sample() -> Sample:
    return generate(seed=2016, train=3000, dev=0, test=0)


@pytest.fixture(scope="module")
def mined(sample: Sample) -> Mined:
    reliable = _reliable(sample)
    arrays = WordArrays.of((made.source_words, ()) for made in sample.train)
    tagger = Tagger()
    counts = count_terms(arrays, tagger, max_words=MEMORY.max_words + 1)
    scores = border_scores(arrays, _border_scores(counts))
    sources = sorted(reliable)
    phrases = LikelyPhrases.of_lists(sources, [reliable[source] for source in sources])
    contexts = count_contexts(
        arrays,
        phrases,
        PhraseFinder.of(sorted({name.source for name in sample.dictionary})),
        English.of((made.target, made.target_words) for made in sample.train),
        max_words=MEMORY.max_words,
    )
    columns = ("source", "fact", "value", "count")
    formed = units(scores, least=TERMS.min_likelihood_ratio, max_words=MEMORY.max_words)
    in_units = count_units(arrays, phrases, formed, max_words=MEMORY.max_words)
    rows = spelled_facts(phrases, [*contexts, in_units])
    facts = gather(dict(zip(columns, row, strict=True)) for row in rows)
    frequent: dict[Words, int] = {
        words: count for words, count in counts.sequences if count >= MEMORY.min_count
    }
    judge = judge_of(TERMS, tagger, (frequent, nestings(frequent)), facts)
    return Mined(
        reliable,
        {
            source: target
            for source, target in reliable.items()
            if not judge.judge(facts[source], target).reason
        },
    )


def _reliable(sample: Sample) -> dict[str, str]:
    words = [(made.source_words, made.target_words) for made in sample.train]
    links = align(words, AlignmentConfig())
    linked = [(*pair, found) for pair, found in zip(words, links, strict=True)]
    counts = count_phrases(linked, ExtractionConfig(), max_words=MEMORY.max_words)
    candidates = select_plainly(counts, candidate_parameters(MEMORY))
    uses = count_uses(
        [(document_key("sample", "", str(place)), *pair) for place, pair in enumerate(words)],
        [(candidate.source, candidate.target) for candidate in candidates],
    )
    reliable = select_reliable_plainly(candidates, uses, MEMORY)
    return {phrase.source: phrase.target for phrase in reliable}


def _border_scores(counts: TermCounts) -> BorderScores:
    """Score the neighbours of one shard that is all there is."""
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for (before, after), count in counts.neighbours:
        first[before] += count
        second[after] += count
    befores, afters = zip(*(pair for pair, _ in counts.neighbours), strict=True)
    both = [count for _, count in counts.neighbours]
    columns = {
        "count": np.asarray(both),
        "first_count": np.asarray([first[word] for word in befores]),
        "second_count": np.asarray([second[word] for word in afters]),
        "total": np.full(len(both), first.total()),
    }
    return border_scores_of((texts_of(befores), texts_of(afters)), columns)


def test_what_is_a_term_is_a_phrase_of_the_sample(sample: Sample, mined: Mined) -> None:
    gold = {(it.source_text, it.target_text) for made in sample.train for it in made.phrases}
    right = sum(phrase in gold for phrase in mined.terms.items())
    assert len(mined.terms) > 100
    assert right >= 0.97 * len(mined.terms)
    assert sum(phrase in gold for phrase in mined.reliable.items()) < 0.7 * len(mined.reliable)


def test_nearly_all_that_is_reliable_and_a_phrase_is_a_term(sample: Sample, mined: Mined) -> None:
    gold = {(it.source_text, it.target_text) for made in sample.train for it in made.phrases}
    wanted = set(mined.reliable.items()) & gold
    assert len(set(mined.terms.items()) & wanted) >= 0.97 * len(wanted)


def test_phrases_that_are_repeated_often_enough_are_found(sample: Sample, mined: Mined) -> None:
    seen = Counter((it.source_text, it.target_text) for made in sample.train for it in made.phrases)
    fewest = next(n for n in range(1, 100) if smoothed(n, n) >= MEMORY.min_reliability)
    wanted = {phrase for phrase, count in seen.items() if count >= fewest}
    found = sum(mined.terms.get(source) == target for source, target in wanted)
    assert len(wanted) > 100
    assert found >= 0.9 * len(wanted)
