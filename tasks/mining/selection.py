"""Score extracted phrase pairs and keep the likely ones; the same in DuckDB and, for one pair, in
Python.

Both conditional probabilities are smoothed by Laplace's rule of succession over two outcomes, "this
translation" and "any other":

    p(t|s) = (c(s, t) + 1) / (c(s) + 2)        p(s|t) = (c(s, t) + 1) / (c(t) + 2)

so a pair seen 3 times of 3 has 0.8, and 0.9 asks for 8 of 8, or 17 of 18. Counts are integers until
the one final division. Whether a likely pair is also right wherever its source stands is counted in
`verification.py`; which of several claims the memory believes is decided in `settle.py`.
"""

from dataclasses import dataclass

from tasks.mining.config import MemoryConfig

SELECT_PHRASES = """
WITH pair AS MATERIALIZED (
    SELECT source_key, target_key, SUM("count")::BIGINT AS pair_count
    FROM pair_counts GROUP BY source_key, target_key HAVING SUM("count") >= $min_count
), by_source AS (
    SELECT source_key, SUM("count")::BIGINT AS source_count,
        MIN(source) AS source, MAX(source) AS other_source
    FROM source_phrases SEMI JOIN pair USING (source_key) GROUP BY source_key
), by_target AS (
    SELECT target_key, SUM("count")::BIGINT AS target_count,
        MIN(target) AS target, MAX(target) AS other_target
    FROM target_phrases SEMI JOIN pair USING (target_key) GROUP BY target_key
), scored AS (
    SELECT
        CASE WHEN source = other_source THEN source
            ELSE error('two phrases have one key: ' || source || ', ' || other_source) END
            AS source,
        CASE WHEN target = other_target THEN target
            ELSE error('two phrases have one key: ' || target || ', ' || other_target) END
            AS target,
        source_key, target_key, pair_count, source_count, target_count,
        (pair_count + 1)::DOUBLE / (source_count + 2)::DOUBLE AS reliability,
        (pair_count + 1)::DOUBLE / (target_count + 2)::DOUBLE AS reverse
    FROM pair JOIN by_source USING (source_key) JOIN by_target USING (target_key)
)
SELECT source, target, pair_count, source_count, target_count, reliability, reverse,
    source_key, target_key
FROM scored
WHERE reliability >= $min_reliability AND reverse >= $min_reverse
ORDER BY source, target
"""
"""Likely pairs from the tables `pair_counts(source_key, target_key, count)`,
`source_phrases(source_key, source, count)` and `target_phrases(target_key, target, count)`, in
which a key may stand once for each shard; the columns are those of `ScoredPair`, and the keys.
Parameters: `select_parameters`, or `candidate_parameters` if `verification.py` follows."""


def select_parameters(config: MemoryConfig) -> dict[str, int | float]:
    """Give the parameters of `SELECT_PHRASES` that keep what extraction alone calls reliable."""
    return {
        "min_count": config.min_count,
        "min_reliability": config.min_reliability,
        "min_reverse": config.min_reverse,
    }


def candidate_parameters(config: MemoryConfig) -> dict[str, int | float]:
    """Give the parameters of `SELECT_PHRASES` that keep what `verification.py` has to look at."""
    return {**select_parameters(config), "min_reliability": config.min_extracted}


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How often a source and a target were extracted together, and each of them with anything."""

    pair: int
    source: int
    target: int

    def minus(self, other: "PairCounts") -> "PairCounts":
        """Take the occurrences of some sentences away."""
        return PairCounts(
            self.pair - other.pair, self.source - other.source, self.target - other.target
        )


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """A row of `SELECT_PHRASES`, without the keys."""

    source: str
    target: str
    pair_count: int
    source_count: int
    target_count: int
    reliability: float
    """Smoothed p(target|source), between 0 and 1."""
    reverse: float
    """Smoothed p(source|target), between 0 and 1."""


def smoothed(times_right: int, times: int) -> float:
    """Estimate a probability from `times_right` of `times` by the rule of succession."""
    return (times_right + 1) / (times + 2)


def passes(counts: PairCounts, parameters: dict[str, int | float]) -> bool:
    """Say whether a pair passes the thresholds that `SELECT_PHRASES` has with these parameters."""
    return (
        counts.pair >= parameters["min_count"]
        and smoothed(counts.pair, counts.source) >= parameters["min_reliability"]
        and smoothed(counts.pair, counts.target) >= parameters["min_reverse"]
    )
