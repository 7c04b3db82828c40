"""What the training text says of phrases: the query is held to plain Python, limits to tables."""

from collections.abc import Sequence
from dataclasses import astuple, replace

import duckdb
import pytest

from tasks.mining.config import MemoryConfig
from tasks.mining.selection import PairCounts, ScoredPair
from tasks.mining.uses import CountedPair, Uses, count_uses
from tasks.mining.verification import (
    SELECT_RELIABLE,
    Evidence,
    ReliablePhrase,
    fewest_documents,
    is_contradicted,
    is_offered,
    is_rule_contradicted,
    reliability,
    reliable_parameters,
)
from tests.reference.mining_selection import select_reliable_plainly

STRICT = MemoryConfig(min_reliability=0.9, min_extracted=0.5, min_reverse=0.5)
CANDIDATES = [
    ScoredPair("甲", "a", 9, 10, 9, 0.83, 0.9),
    ScoredPair("甲乙", "a b", 3, 3, 4, 0.8, 0.66),
    ScoredPair("丙", "c", 3, 3, 3, 0.8, 0.8),
    ScoredPair("甲", "a b", 8, 10, 9, 0.83, 0.9),
    ScoredPair("甲乙", "b", 3, 3, 4, 0.8, 0.66),
]
TEXT: list[CountedPair] = [
    *[(("laws", "one"), ["甲", "乙"], ["a", "b"])] * 9,
    *[(("laws", "two"), ["甲"], ["x"])] * 2,
    *[(("laws", "two"), ["甲"], ["a"])] * 2,
    (("news", "one"), ["甲乙", "甲"], ["b", "a"]),
    (("news", "\0some pair"), ["甲", "乙"], ["a", "b"]),
]


def reliable_in_sql(
    shards: list[list[Uses]],
    config: MemoryConfig,
    candidates: Sequence[ScoredPair] = tuple(CANDIDATES),
) -> list[ReliablePhrase]:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE candidates(source TEXT, target TEXT, pair_count BIGINT,"
            " source_count BIGINT, target_count BIGINT, reliability DOUBLE, reverse DOUBLE);"
            "CREATE TABLE use_counts(source TEXT, target TEXT, found BIGINT, occurrences BIGINT,"
            " found_documents BIGINT, documents BIGINT)"
        )
        for candidate in candidates:
            row = list(astuple(candidate))
            connection.execute("INSERT INTO candidates VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        for shard in shards:
            for candidate, uses in zip(candidates, shard, strict=True):
                row = [candidate.source, candidate.target, *astuple(uses)]
                if uses.occurrences:
                    connection.execute("INSERT INTO use_counts VALUES (?, ?, ?, ?, ?, ?)", row)
        rows = connection.execute(SELECT_RELIABLE, reliable_parameters(config)).fetchall()
    return [ReliablePhrase(*row) for row in rows]


@pytest.mark.parametrize("count_by", ["documents", "sentences"])
@pytest.mark.parametrize("least", [0.0, 0.5, 0.75, 0.8])
def test_the_query_selects_what_plain_python_selects(least: float, count_by: str) -> None:
    config = MemoryConfig(min_reliability=least, count_by=count_by)  # type: ignore[arg-type]
    phrases = [(candidate.source, candidate.target) for candidate in CANDIDATES]
    laws, news = ([pair for pair in TEXT if pair[0][0] == name] for name in ("laws", "news"))
    found = reliable_in_sql([count_uses(laws, phrases), count_uses(news, phrases)], config)
    assert found == select_reliable_plainly(CANDIDATES, count_uses(TEXT, phrases), config)


def test_the_examples_of_the_query_select_something_and_drop_something() -> None:
    phrases = [(candidate.source, candidate.target) for candidate in CANDIDATES]
    uses = count_uses(TEXT, phrases)
    assert uses == [
        Uses(13, 15, 3, 4),
        Uses(10, 11, 2, 3),
        Uses(),
        Uses(10, 15, 2, 4),
        Uses(11, 11, 3, 3),
    ]
    chosen = [
        [
            phrase.source
            for phrase in select_reliable_plainly(
                CANDIDATES,
                uses,
                MemoryConfig(min_reliability=0.8, count_by=count_by),
            )
        ]
        for count_by in ("documents", "sentences")
    ]
    assert chosen == [["甲乙"], ["甲", "甲乙"]]


def test_a_target_that_mostly_stands_inside_of_another_is_a_part_of_it() -> None:
    def chosen(found_whole: int) -> list[str]:
        candidates = [
            ScoredPair("甲", "b", 30, 40, 30, 0.8, 0.9),
            ScoredPair("甲", "a b", 9, 40, 9, 0.8, 0.9),
            ScoredPair("甲", "ba", 3, 40, 9, 0.8, 0.9),
        ]
        uses = [Uses(40, 40, 9, 9), Uses(found_whole, 40, 9, 9), Uses(40, 40, 9, 9)]
        phrases = select_reliable_plainly(candidates, uses, MemoryConfig(min_reliability=0.5))
        assert phrases == reliable_in_sql([uses], MemoryConfig(min_reliability=0.5), candidates)
        return [phrase.target for phrase in phrases]

    assert chosen(32) == ["a b"]
    assert chosen(31) == ["b"], "too often it stands alone"


@pytest.mark.parametrize(
    ("uses", "by_documents", "by_sentences"),
    [
        (Uses(), 1 / 2, 1 / 2),
        (Uses(10, 10, 1, 1), 2 / 3, 11 / 12),
        (Uses(10, 10, 10, 10), 11 / 12, 11 / 12),
        (Uses(9, 30, 9, 9), 10 / 32, 10 / 32),
    ],
)
def test_the_worse_of_two_estimates_counts(
    uses: Uses, by_documents: float, by_sentences: float
) -> None:
    assert reliability(uses, "documents") == by_documents
    assert reliability(uses, "sentences") == by_sentences


def evidence(pair_count: int, uses: Uses) -> Evidence:
    return Evidence(PairCounts(pair_count, pair_count, pair_count), uses)


def test_every_threshold_is_tested_of_a_mined_phrase() -> None:
    config = STRICT
    assert is_offered("mined", evidence(8, Uses(8, 8, 8, 8)), config)
    assert not is_offered("mined", evidence(2, Uses(8, 8, 8, 8)), config)
    assert not is_offered("mined", evidence(8, Uses(7, 8, 7, 8)), config)
    assert not is_offered("mined", evidence(8, Uses(8, 8, 7, 7)), config)
    assert is_offered("mined", evidence(8, Uses(8, 8, 7, 7)), replace(STRICT, count_by="sentences"))
    few_sources = Evidence(PairCounts(8, 17, 8), Uses(8, 8, 8, 8))
    many_targets = Evidence(PairCounts(8, 8, 17), Uses(8, 8, 8, 8))
    assert not is_offered("mined", few_sources, config)
    assert not is_offered("mined", many_targets, config)


@pytest.mark.parametrize(
    ("uses", "is_against"),
    [
        (Uses(), False),
        (Uses(0, 2, 0, 2), False),
        (Uses(0, 3, 0, 3), True),
        (Uses(3, 3, 1, 1), False),
        (Uses(3, 5, 1, 1), False),
        (Uses(5, 9, 5, 9), True),
        (Uses(90, 100, 1, 4), True),
    ],
)
def test_a_dictionary_is_believed_until_the_text_speaks_against_it(
    uses: Uses, is_against: bool
) -> None:
    config = MemoryConfig(min_count=3, min_listed_share=0.6)
    assert is_contradicted(uses, config) == is_against
    assert is_offered("dictionary", evidence(0, uses), config) != is_against
    assert not is_contradicted(uses, replace(config, min_listed_share=0.0))


def test_documents_speak_against_an_entry_only_if_they_are_counted() -> None:
    one_law = Uses(90, 100, 1, 4)
    assert is_contradicted(one_law, MemoryConfig(count_by="documents"))
    assert not is_contradicted(one_law, MemoryConfig(count_by="sentences"))
    assert is_rule_contradicted(one_law, MemoryConfig())
    assert not is_rule_contradicted(Uses(9, 10, 8, 9), MemoryConfig())


def test_people_and_rules_are_believed_whatever_the_text_says() -> None:
    wrong = evidence(0, Uses(0, 100, 0, 100))
    assert is_offered("review", wrong, MemoryConfig())
    assert is_offered("rule", wrong, MemoryConfig())


def test_as_many_documents_are_needed_as_the_threshold_asks_for() -> None:
    for least in (0.5, 0.7, 0.75, 0.8, 0.9, 0.95):
        config = MemoryConfig(min_reliability=least)
        number = fewest_documents(config)
        assert reliability(Uses(number, number, number, number), "documents") >= least - 1e-9
        if number:
            less = number - 1
            assert reliability(Uses(less, less, less, less), "documents") < least
