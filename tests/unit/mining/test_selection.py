"""Selection of mined phrases: the query is held to plain Python."""

from collections import Counter
from collections.abc import Callable, Iterable

import duckdb
import pytest

from storage.phrase_keys import phrase_key
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
from tests.reference.mining_selection import select_plainly

Occurrences = list[tuple[str, str]]
EASY = MemoryConfig(min_count=2, min_reliability=0.6, min_reverse=0.4)
STRICT = MemoryConfig(min_reliability=0.9, min_extracted=0.5, min_reverse=0.5)
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
    shards: list[PhraseCounts],
    parameters: dict[str, int | float],
    key: Callable[[str], int] = phrase_key,
) -> list[ScoredPair]:
    with duckdb.connect() as connection:
        connection.execute(
            'CREATE TABLE pair_counts(source_key BIGINT, target_key BIGINT, "count" BIGINT);'
            'CREATE TABLE source_phrases(source_key BIGINT, source TEXT, "count" BIGINT);'
            'CREATE TABLE target_phrases(target_key BIGINT, target TEXT, "count" BIGINT)'
        )
        for shard in shards:
            rows: list[list[object]] = [[key(s), key(t), n] for (s, t), n in shard.pairs.items()]
            insert(connection, "pair_counts", rows)
            for side, counter in (("source", shard.sources), ("target", shard.targets)):
                rows = [[key(text), text, count] for text, count in counter.items()]
                insert(connection, f"{side}_phrases", rows)
        found = connection.execute(SELECT_PHRASES, parameters).fetchall()
    assert all(row[7:] == (key(row[0]), key(row[1])) for row in found)
    return [ScoredPair(*row[:7]) for row in found]


def insert(connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[list[object]]) -> None:
    for row in rows:
        connection.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", row)


@pytest.mark.parametrize("config", [EASY, EVERYTHING])
@pytest.mark.parametrize("found", EXTRACTED)
def test_the_query_selects_what_plain_python_selects(
    found: Occurrences, config: MemoryConfig
) -> None:
    halves = [counted(found[::2]), counted(found[1::2])]
    for parameters in (select_parameters(config), candidate_parameters(config)):
        expected = select_plainly(counted(found), parameters)
        assert scored_in_sql(halves, parameters) == expected


def test_two_phrases_with_one_key_are_refused_and_not_added_up() -> None:
    everything = select_parameters(EVERYTHING)
    for found in ([("甲", "a"), ("乙", "a")], [("甲", "a"), ("甲", "b")]):
        with pytest.raises(
            duckdb.InvalidInputException, match="two phrases have one key: [甲ab乙]"
        ):
            scored_in_sql([counted(found)], everything, key=lambda text: 7)


def test_the_examples_of_selection_select_something_and_drop_something() -> None:
    sizes = [len(select_plainly(counted(found), select_parameters(EASY))) for found in EXTRACTED]
    assert sizes == [0, 2, 3, 1]


def right(times_right: int, times: int, target: int | None = None) -> PairCounts:
    return PairCounts(times_right, times, times_right if target is None else target)


def test_three_of_three_is_not_yet_nine_in_ten() -> None:
    strict, lenient = select_parameters(STRICT), candidate_parameters(STRICT)
    assert not passes(right(3, 3), strict)
    assert passes(right(8, 8), strict)
    assert passes(right(3, 3), lenient)
    assert not passes(right(2, 2), lenient)


def test_a_pair_that_is_often_wrong_is_not_reliable() -> None:
    parameters = select_parameters(STRICT)
    assert passes(right(17, 18), parameters)
    assert not passes(right(17, 19), parameters)


def test_a_target_with_many_sources_is_no_phrase() -> None:
    parameters = select_parameters(STRICT)
    assert passes(right(10, 10, target=20), parameters)
    assert not passes(right(10, 10, target=21), parameters)
