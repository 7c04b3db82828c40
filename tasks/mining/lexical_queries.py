"""What was counted by shard, added up; integers only. Tables: see `tasks/lexical.py`."""

REMEMBERED = """
SELECT * FROM candidates
WHERE source IN (SELECT REPLACE(source, ' ', '') FROM memory)
ORDER BY source, target
"""
"""The likely phrases of which a memory holds the source: few, and the only ones that are asked for
afterwards."""

MOST_FREQUENT_ALIGNMENTS = """
WITH total AS (
    SELECT source_key, target_key, source_words, links, SUM("count")::BIGINT AS "count"
    FROM alignment_counts SEMI JOIN candidates USING (source_key, target_key)
    GROUP BY source_key, target_key, source_words, links
), best AS (
    SELECT * FROM total
    QUALIFY ROW_NUMBER() OVER (
        PARTITION BY source_key, target_key ORDER BY "count" DESC, source_words, links
    ) = 1
), seen AS (
    SELECT source_key, target_key, SUM(sentences)::BIGINT AS sentences,
        SUM(source_sentences)::BIGINT AS source_sentences,
        SUM(target_sentences)::BIGINT AS target_sentences
    FROM sentence_counts SEMI JOIN candidates USING (source_key, target_key)
    GROUP BY source_key, target_key
)
SELECT source, target AS target_words, source_words, links, "count",
    sentences, source_sentences, target_sentences
FROM best JOIN candidates USING (source_key, target_key) JOIN seen USING (source_key, target_key)
ORDER BY pair_count DESC, source, target
"""
"""The alignment of each candidate that was seen most often, of several the first by text, and in
how many sentence pairs stand both sides, the source and the target."""

WANTED_WORD_LINKS = """
WITH wanted AS (SELECT UNNEST($sources) AS source_key, UNNEST($targets) AS target_key),
total AS (
    SELECT source_key, target_key, SUM("count")::BIGINT AS "count"
    FROM link_counts GROUP BY source_key, target_key
), by_source AS (
    SELECT source_key, SUM("count")::BIGINT AS source_count FROM total GROUP BY source_key
), by_target AS (
    SELECT target_key, SUM("count")::BIGINT AS target_count FROM total GROUP BY target_key
)
SELECT source_key, target_key, COALESCE("count", 0) AS "count",
    COALESCE(source_count, 0) AS source_count, COALESCE(target_count, 0) AS target_count
FROM wanted LEFT JOIN total USING (source_key, target_key)
LEFT JOIN by_source USING (source_key) LEFT JOIN by_target USING (target_key)
ORDER BY source_key, target_key
"""
"""How often words are linked, and each with anything, for the word pairs of the parameters."""
