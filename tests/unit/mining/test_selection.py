"""Selection of mined phrases: the queries are held to plain Python, leave-one-out takes away."""

from collections import Counter
from dataclasses import astuple

import duckdb
import pytest

from tasks.mining.candidates import PhraseCounts
from tasks.mining.config import MemoryConfig
from tasks.mining.selection import (
    SELECT_PHRASES,
    PairCounts,
    ScoredPair,
    candidate_parameters,
    passes,
    select_parameters,
)
from tasks.mining.verification import (
    SELECT_RELIABLE,
    Evidence,
    ReliablePhrase,
    UseCounts,
    by_source,
    count_uses,
    reliable_parameters,
    still_verified,
)
from tests.reference.mining_selection import select_plainly, select_reliable_plainly

Occurrences = list[tuple[str, str]]
EASY = MemoryConfig(min_count=2, min_reliability=0.6, min_reverse=0.4)
EVERYTHING = MemoryConfig(min_count=1, min_reliability=0.0, min_reverse=0.0)
EXTRACTED: list[Occurrences] = [
    [],
    [("甲", "a")] * 9 + [("甲", "b c")] + [("乙", "b c")] * 3,
    [("甲", "a"), ("乙", "a"), ("丙", "d")] * 4,
    [("乙", "a"), ("甲", "d"), ("乙", "b c"), ("乙", "a")],
]


def counted(found: Occurrences) -> PhraseCounts:
    return PhraseCounts(Counter(found), Counter(s for s, _ in found), Counter(t for _, t in found))


def scored_in_sql(
    shards: list[PhraseCounts], parameters: dict[str, int | float]
) -> list[ScoredPair]:
    with duckdb.connect() as connection:
        connection.execute(
            'CREATE TABLE pair_counts(source TEXT, target TEXT, "count" BIGINT);'
            'CREATE TABLE source_counts(source TEXT, "count" BIGINT);'
            'CREATE TABLE target_counts(target TEXT, "count" BIGINT)'
        )
        for shard in shards:
            for (source, target), count in shard.pairs.items():
                connection.execute(
                    "INSERT INTO pair_counts VALUES (?, ?, ?)", [source, target, count]
                )
            for table, counter in (
                ("source_counts", shard.sources),
                ("target_counts", shard.targets),
            ):
                for text, count in counter.items():
                    connection.execute(f"INSERT INTO {table} VALUES (?, ?)", [text, count])
        rows = connection.execute(SELECT_PHRASES, parameters).fetchall()
    return [ScoredPair(*row) for row in rows]


def reliable_in_sql(
    candidates: list[ScoredPair], shards: list[UseCounts], config: MemoryConfig
) -> list[ReliablePhrase]:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE candidates(source TEXT, target TEXT, pair_count BIGINT,"
            " source_count BIGINT, target_count BIGINT, reliability DOUBLE, reverse DOUBLE);"
            "CREATE TABLE use_counts(source TEXT, target TEXT, found BIGINT, occurrences BIGINT)"
        )
        for candidate in candidates:
            connection.execute(
                "INSERT INTO candidates VALUES (?, ?, ?, ?, ?, ?, ?)", list(astuple(candidate))
            )
        for shard in shards:
            for (source, target), found in shard.found.items():
                row = [source, target, found, shard.occurrences[source]]
                connection.execute("INSERT INTO use_counts VALUES (?, ?, ?, ?)", row)
        rows = connection.execute(SELECT_RELIABLE, reliable_parameters(config)).fetchall()
    return [ReliablePhrase(*row) for row in rows]


@pytest.mark.parametrize("config", [EASY, EVERYTHING])
@pytest.mark.parametrize("found", EXTRACTED)
def test_the_queries_select_what_plain_python_selects(
    found: Occurrences, config: MemoryConfig
) -> None:
    halves = [counted(found[::2]), counted(found[1::2])]
    for parameters in (select_parameters(config), candidate_parameters(config)):
        expected = select_plainly(counted(found), parameters)
        assert scored_in_sql(halves, parameters) == expected

    wanted = by_source((pair.source, pair.target) for pair in expected)
    text = [([s, "乙"], ["x", *t.split()]) for s, t in found]
    shards = [count_uses(half, wanted, max_words=6) for half in (text[::2], text[1::2])]
    whole = count_uses(text, wanted, max_words=6)
    assert reliable_in_sql(expected, shards, config) == select_reliable_plainly(
        expected, whole, config
    )


def test_the_examples_of_selection_select_something_and_drop_something() -> None:
    sizes = [len(select_plainly(counted(found), select_parameters(EASY))) for found in EXTRACTED]
    assert sizes == [0, 2, 3, 1]


def right(times_right: int, times: int, target: int | None = None) -> PairCounts:
    return PairCounts(times_right, times, times_right if target is None else target)


def test_three_of_three_is_not_yet_nine_in_ten() -> None:
    strict, lenient = select_parameters(MemoryConfig()), candidate_parameters(MemoryConfig())
    assert not passes(right(3, 3), strict)
    assert passes(right(8, 8), strict)
    assert passes(right(3, 3), lenient)
    assert not passes(right(2, 2), lenient)


def test_a_pair_that_is_often_wrong_is_not_reliable() -> None:
    parameters = select_parameters(MemoryConfig())
    assert passes(right(17, 18), parameters)
    assert not passes(right(17, 19), parameters)


def test_a_target_with_many_sources_is_no_phrase() -> None:
    parameters = select_parameters(MemoryConfig())
    assert passes(right(10, 10, target=20), parameters)
    assert not passes(right(10, 10, target=21), parameters)


def test_leaving_a_sentence_out_takes_its_uses_away_too() -> None:
    once = Evidence(right(1, 1), found=1, occurrences=1)
    nine = Evidence(right(9, 9), found=9, occurrences=9)
    assert still_verified(nine, once, MemoryConfig())
    assert not still_verified(Evidence(right(9, 9), 8, 9), once, MemoryConfig())
    assert still_verified(Evidence(right(9, 9), 8, 8), once, MemoryConfig(leave_one_out=False))
    few = Evidence(right(3, 3), found=20, occurrences=20)
    assert not still_verified(few, once, MemoryConfig())


def test_a_source_that_stands_without_its_target_is_counted() -> None:
    text = [(["旧", "仓库"], ["warehouses"]), (["仓库"], ["a", "warehouse"]), (["库"], ["x"])]
    uses = count_uses(text, {"仓库": ("warehouses",)}, max_words=2)
    assert uses == UseCounts(Counter({("仓库", "warehouses"): 1}), Counter({"仓库": 2}))


def test_one_target_opposite_serves_one_of_two_occurrences() -> None:
    text = [(["甲", "乙", "甲", "乙"], ["a", "b"])]
    uses = count_uses(text, {"甲乙": ("a b",)}, max_words=2)
    assert uses.found["甲乙", "a b"] == 1
    assert uses.occurrences["甲乙"] == 2
    assert not count_uses(text, {"甲乙": ("a b",)}, max_words=1).occurrences
