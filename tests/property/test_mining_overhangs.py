"""Words beyond a target are counted as the slow reference counts them."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.mining.extraction import LinkedPair, corpus_of
from tasks.mining.overhangs import OverhangCounter
from tests.property.test_mining_extraction import random_pair
from tests.reference.mining_overhangs import overhangs_plainly

TARGETS = ["bank", "central", "bank of", "central bank", "é", "no such words"]
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


def counted(pairs: list[LinkedPair], parts: int, max_words: int) -> Counter[tuple[str, str, str]]:
    counter = OverhangCounter(PHRASES, max_words=max_words)
    for part in range(parts):
        counter.add(corpus_of(pairs[part::parts]))
    return Counter({(source, fact, target): n for source, fact, target, n in counter.counts()})


@given(st.integers(0, 1 << 32), st.integers(1, 4), st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_what_is_beyond_a_target_is_that_of_the_definition(
    seed: int, max_words: int, parts: int
) -> None:
    random = Random(seed)
    pairs = [random_pair(random) for _ in range(40)]
    found = counted(pairs, parts, max_words)
    assert all(found.values())
    for source, targets in PHRASES.items():
        for target in targets:
            plainly = overhangs_plainly(pairs, (source, target), max_words=max_words)
            facts = found[source, "opposite", target], found[source, "beyond", target]
            assert facts == plainly


@pytest.mark.parametrize("max_words", [1, 6])
def test_a_target_that_goes_on_is_told_by_the_links_of_its_source(max_words: int) -> None:
    counter = OverhangCounter({"暴力活动": ["violent"]}, max_words=max_words)
    counter.add(corpus_of(PAIRS))
    assert list(counter.counts()) == [
        ("暴力活动", "opposite", "violent", 4),
        ("暴力活动", "beyond", "violent", 2),
    ]


def test_without_phrases_there_is_nothing_to_count() -> None:
    counter = OverhangCounter({}, max_words=6)
    counter.add(corpus_of(PAIRS))
    assert list(counter.counts()) == []
