"""Alignment and mining against the answers of the built-in sample."""

import pytest

from tasks.metrics.alignment_error import GoldLinks, alignment_scores
from tasks.mining.alignment import align
from tasks.mining.alignment_config import AlignmentConfig
from tasks.mining.candidates import count_phrases
from tasks.mining.config import ExtractionConfig, MemoryConfig
from tasks.mining.selection import candidate_parameters, select_parameters
from tasks.mining.symmetrise import Links
from tasks.mining.uses import count_uses, document_key
from tasks.sample.newswire import Sample, generate
from tests.reference.mining_selection import select_plainly, select_reliable_plainly

CONFIG = MemoryConfig(min_reliability=0.8)


@pytest.fixture(scope="module")
def sample() -> Sample:
    return generate(seed=11, train=1500, dev=0, test=200)


@pytest.fixture(scope="module")
def links(sample: Sample) -> list[Links]:
    pairs = [(made.source_words, made.target_words) for made in sample.train]
    return align(pairs, AlignmentConfig())


@pytest.fixture(scope="module")
def mined(sample: Sample, links: list[Links]) -> dict[str, str]:
    linked = [
        (made.source_words, made.target_words, found)
        for made, found in zip(sample.train, links, strict=True)
    ]
    counts = count_phrases(linked, ExtractionConfig(), max_words=CONFIG.max_words)
    candidates = select_plainly(counts, candidate_parameters(CONFIG))
    uses = count_uses(
        [(document_key("sample", "", str(place)), *pair[:2]) for place, pair in enumerate(linked)],
        [(candidate.source, candidate.target) for candidate in candidates],
    )
    by_extraction = select_plainly(counts, select_parameters(CONFIG))
    phrases = select_reliable_plainly(candidates, uses, CONFIG)
    assert len(by_extraction) > len(phrases) > 50
    return {phrase.source: phrase.target for phrase in phrases}


def test_most_links_are_right(sample: Sample, links: list[Links]) -> None:
    clean = [i for i, made in enumerate(sample.train) if not made.is_noise]
    gold = [
        GoldLinks(frozenset(sample.train[i].links), frozenset(sample.train[i].possible_links))
        for i in clean
    ]
    scores = alignment_scores([links[i] for i in clean], gold)
    assert scores.error_rate < 0.2


def test_most_terms_are_mined_and_what_is_mined_is_right(
    sample: Sample, mined: dict[str, str]
) -> None:
    gold = {found.source_text: found.target_text for made in sample.train for found in made.phrases}
    terms = {
        found.source_text
        for made in sample.train
        for found in made.phrases
        if found.category == "term"
    }
    assert sum(mined.get(term) == gold[term] for term in terms) >= 0.8 * len(terms)
    assert all(mined[source] == gold[source] for source in mined if source in gold)


def test_a_mined_phrase_is_right_wherever_it_stands_in_new_text(
    sample: Sample, mined: dict[str, str]
) -> None:
    offered = found = in_plain_sentences = 0
    for made in sample.test:
        opposite = f" {' '.join(made.target_words)} "
        for start in range(len(made.source_words)):
            for end in range(start + 1, len(made.source_words) + 1):
                target = mined.get("".join(made.source_words[start:end]))
                if target is not None:
                    offered += 1
                    found += f" {target} " in opposite
                    in_plain_sentences += not made.phrases
    assert offered > 100
    assert found >= 0.95 * offered
    assert in_plain_sentences <= 0.02 * offered
