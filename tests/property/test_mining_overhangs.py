"""Words beyond a target are counted as the slow reference counts them."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.mining.extraction import LinkedPair, corpus_of
from tasks.mining.likely import LikelyPhrases
from tasks.mining.overhangs import count_overhangs_in, overhang_facts
from tests.facts import spelled_facts
from tests.property.test_mining_extraction import random_pair
from tests.reference.mining_overhangs import overhangs_plainly

TARGETS = ["bank", "banks", "central", "bank of", "central bank", "é", "no such words"]
PHRASES = {source: TARGETS for source in ("银行", "行中国", "中国", "在银行", "没有")}

WORKS = ["特工", "从事", "暴力活动"], ["agents", "engage", "in", "violent"]
PAIRS: list[LinkedPair] = [
    ([*WORKS[0]], [*WORKS[1], "acts"], [(0, 0), (1, 1), (2, 3), (2, 4)]),
    ([*WORKS[0]], [*WORKS[1], "group", "activities"], [(0, 0), (2, 3), (2, 5)]),
    ([*WORKS[0]], [*WORKS[1], "of", "the"], [(0, 0), (2, 3), (2, 4), (2, 5)]),
    ([*WORKS[0]], [*WORKS[1], "work"], [(0, 0), (1, 1), (1, 4), (2, 3)]),
    ([*WORKS[0]], ["agents", "fight"], [(0, 0), (2, 1)]),
]
"""A target that goes on, twice; one with function words alone; another word's word; no target."""


def facts(
    pairs: list[LinkedPair], phrases: dict[str, list[str]], parts: int = 1, *, max_words: int = 6
) -> list[tuple[str, str, str, int]]:
    listed = sorted((source, target) for source, targets in phrases.items() for target in targets)
    likely = LikelyPhrases.of_lists([pair[0] for pair in listed], [pair[1] for pair in listed])
    corpora = (corpus_of(pairs[part::parts]) for part in range(parts))
    overhangs = count_overhangs_in(corpora, likely, max_words=max_words)
    return spelled_facts(likely, overhang_facts(overhangs, likely))


@given(st.integers(0, 1 << 32), st.integers(1, 4), st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_what_is_beyond_a_target_is_that_of_the_definition(
    seed: int, max_words: int, parts: int
) -> None:
    random = Random(seed)
    pairs = [random_pair(random) for _ in range(40)]
    rows = facts(pairs, PHRASES, parts, max_words=max_words)
    found = Counter({(source, fact, target): number for source, fact, target, number in rows})
    assert all(found.values())
    assert len(found) == len(rows)
    for source, targets in PHRASES.items():
        for target in targets:
            plainly = overhangs_plainly(pairs, (source, target), max_words=max_words)
            here = found[source, "opposite", target], found[source, "beyond", target]
            assert here == plainly


@pytest.mark.parametrize("max_words", [1, 6])
def test_a_target_that_goes_on_is_told_by_the_links_of_its_source(max_words: int) -> None:
    assert facts(PAIRS, {"暴力活动": ["violent"]}, max_words=max_words) == [
        ("暴力活动", "beyond", "violent", 2),
        ("暴力活动", "opposite", "violent", 4),
    ]


@pytest.mark.parametrize("target", ["riverbank", "bankside", "the riverbank"])
def test_a_part_of_a_word_of_the_target_is_beyond_it(target: str) -> None:
    words = [*target.split(), "bank"]
    pair: LinkedPair = (["河岸"], words, [(0, place) for place in range(len(words))])
    assert facts([pair], {"河岸": [target]}) == [
        ("河岸", "beyond", target, 1),
        ("河岸", "opposite", target, 1),
    ]


def test_without_phrases_there_is_nothing_to_count() -> None:
    assert facts(PAIRS, {}) == []
    assert facts([], {"暴力活动": ["violent"]}, parts=0) == []
