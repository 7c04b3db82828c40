"""Where the counts of a mined phrase come from, and what the parts of the memory say together."""

CORPUS_COUNTS = """
WITH used AS (
    SELECT source, target,
        SUM(found)::BIGINT AS found, SUM(occurrences)::BIGINT AS occurrences,
        SUM(found_documents)::BIGINT AS found_documents, SUM(documents)::BIGINT AS documents
    FROM use_counts GROUP BY source, target
), extracted AS (
    SELECT source, target, SUM("count")::BIGINT AS pair_count
    FROM pair_counts JOIN candidates USING (source_key, target_key) GROUP BY source, target
)
SELECT source, target, COALESCE(pair_count, 0) AS pair_count,
    found, occurrences, found_documents, documents
FROM used LEFT JOIN extracted USING (source, target)
WHERE occurrences > 0
ORDER BY source, target
"""
"""Counts of the candidates in the shards of one corpus: tables `use_counts`,
`pair_counts` and `candidates`."""

COUNTS_OF_PART = "SELECT * FROM corpus_counts ORDER BY source, target"
LISTINGS_OF_PART = "SELECT * FROM listings ORDER BY source, dictionary, line, part"
TERMS_OF_PART = "SELECT source, target, category, methods, fragment FROM terms"

ALL_PHRASES = "SELECT * FROM phrases ORDER BY phrase_id"
ALL_EVIDENCE = "SELECT * FROM evidence ORDER BY phrase_id, origin, provider, line, part"
"""A phrase is settled in one part, so its rows are those of that part."""

ANY_MINED = "SELECT 1 FROM evidence WHERE origin = 'mined' LIMIT 1"
SOURCES_BY_STATE = """
SELECT state, COUNT(DISTINCT source) AS sources FROM phrases GROUP BY state ORDER BY state
"""
