"""Where the counts of a mined phrase come from: its evidence by corpus."""

EVIDENCE_OF_CORPUS = """
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
