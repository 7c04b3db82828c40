"""What a single term is compared with: queries over the counts of the whole text.

They are C-value and NC-value of `c_value.py` in the form of queries, which keep what does not fit
into memory on disk. All sums are of integers. The slow form is `tests/reference/mining_terms.py`.
"""

import math

from tasks.mining.c_value import SHARE_OF_BEST

TOTAL_WORDS = """
SELECT COALESCE(SUM("count"), 0)::BIGINT AS "count" FROM (
    SELECT words, SUM("count")::BIGINT AS "count" FROM sequence_counts
    WHERE NOT CONTAINS(words, ' ') GROUP BY words HAVING SUM("count") >= $min_count
)
"""
"""Words of content in the whole text, but for rare ones."""

_CUTS = """
cuts AS (
    SELECT source, value AS words FROM term_contexts WHERE fact = 'words'
    GROUP BY source, value
    QUALIFY ROW_NUMBER() OVER (PARTITION BY source ORDER BY SUM("count") DESC, value) = 1
)"""
"""How each source is mostly cut into words, from `term_contexts` of all shards."""


def nestings_query(longest: int) -> str:
    """Return the query of how the sources are nested in longer candidates: rows of `nestings`.

    Candidates are looked at from long to short. A candidate that was itself found inside longer
    ones passes on only its occurrences outside of them, so no occurrence is counted twice.

    Args:
        longest: the longest candidate, in words.
    """
    levels = ", ".join(_level(size, longest) for size in range(longest, 0, -1))
    everything = " UNION ALL ".join(f"FROM level_{size}" for size in range(1, longest + 1))
    return f"""
WITH frequent AS MATERIALIZED (
    SELECT words, SUM("count")::BIGINT AS "count", STRING_SPLIT(words, ' ') AS cut
    FROM sequence_counts GROUP BY words HAVING SUM("count") >= $min_count
), {levels}, {_CUTS.strip()}
SELECT source, words, "count", nested, holders FROM ({everything}) JOIN cuts USING (words)
ORDER BY source, words
"""


def _level(size: int, longest: int) -> str:
    """Return the candidates of `size` words, and what each passes on to the shorter ones in it."""
    held = [f"FROM inner_{longer}" for longer in range(size + 1, longest + 1)]
    inside = " UNION ALL ".join(held) or "SELECT '' AS words, 0::BIGINT AS outside WHERE false"
    runs = ", ".join(
        f"({start}, {start + length})"
        for length in range(1, size)
        for start in range(size - length + 1)
    )
    level = f"""
level_{size} AS MATERIALIZED (
    SELECT words, "count", cut, COALESCE(SUM(outside), 0)::BIGINT AS nested,
        COUNT(outside)::BIGINT AS holders
    FROM (FROM frequent WHERE LEN(cut) = {size}) LEFT JOIN ({inside}) USING (words)
    GROUP BY words, "count", cut
)"""
    if not runs:
        return level
    return f"""{level}, inner_{size} AS MATERIALIZED (
    SELECT words, outside FROM (
        SELECT DISTINCT words AS holder, ARRAY_TO_STRING(cut[first + 1:past], ' ') AS words,
            "count" - nested AS outside
        FROM level_{size}, (VALUES {runs}) AS runs(first, past)
    ) SEMI JOIN frequent USING (words)
)"""


def context_weights_query(longest: int) -> str:
    """Return the query of the words beside the best candidates of several words: `context_weights`.

    The best are those with the highest C-value, `$best` of them. The logarithms are written into
    the query, so that they are the same as everywhere else.

    Args:
        longest: the longest source, in words.
    """
    logarithms = " ".join(f"WHEN {size} THEN {math.log2(size)!r}" for size in range(2, longest + 1))
    return f"""
WITH scored AS (
    SELECT source, STRING_SPLIT(words, ' ') AS cut,
        CASE LEN(cut) {logarithms} END::DOUBLE * ("count"::DOUBLE
            - CASE WHEN holders = 0 THEN 0.0 ELSE nested::DOUBLE / holders::DOUBLE END) AS c_value
    FROM nestings WHERE CONTAINS(words, ' ')
), best AS (
    SELECT source FROM scored ORDER BY c_value DESC, cut LIMIT $best
)
SELECT value AS word, COUNT(DISTINCT source)::BIGINT AS terms
FROM term_contexts SEMI JOIN best USING (source)
WHERE fact IN ('left', 'right') AND value <> ''
GROUP BY value ORDER BY value
"""


NUM_COMPLEX = "SELECT COUNT(*) AS number FROM nestings WHERE CONTAINS(words, ' ')"
"""Candidates of several words that are sources."""


def num_best(number: int) -> int:
    """Return how many of so many candidates teach which words stand beside terms."""
    return min(number, max(1, round(number * SHARE_OF_BEST)))


PHRASES_OF_PART = "SELECT source, target FROM candidates ORDER BY source, target"
NESTINGS_OF_PART = "SELECT * FROM nestings"
NAMED_LISTINGS = "SELECT DISTINCT source, category FROM listings WHERE category <> 'term'"
"""What dictionaries call their phrases, where they say more than that they are terms."""

ALL_TERMS = "SELECT * FROM terms ORDER BY source, target"
TERMS_BY_FRAGMENT = "SELECT fragment, COUNT(*) AS number FROM terms GROUP BY fragment"
