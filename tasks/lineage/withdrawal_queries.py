"""What a withdrawal asks of the tables."""

PAIRS_OF = """
SELECT * FROM raw_pairs
WHERE corpus = $corpus AND ($document IS NULL OR document = $document)
ORDER BY pair_id
"""
ENTRIES_OF = "SELECT * FROM entries WHERE dictionary = $dictionary ORDER BY line, part"

LINE_OF_CORPUS = """
SELECT * FROM raw_pairs
WHERE corpus = $corpus AND line = $line AND ($file = '' OR file = $file)
ORDER BY pair_id
"""
PAIR_WITH_ID = "SELECT * FROM raw_pairs WHERE starts_with(pair_id, $prefix) ORDER BY pair_id"
DOCUMENTS = "SELECT DISTINCT document FROM raw_pairs WHERE corpus = $corpus ORDER BY document"

WORDS_OF = """
SELECT pair_id, source, target, source_words, target_words
FROM words JOIN (SELECT UNNEST($pair_ids) AS pair_id) USING (pair_id)
ORDER BY pair_id
"""
TEXTS_OF_PAIRS = """
SELECT source, target
FROM words ANTI JOIN (SELECT UNNEST($pair_ids) AS pair_id) USING (pair_id)
"""
HOLDS_PAIRS = """
SELECT COUNT(*) AS number
FROM pairs JOIN (SELECT UNNEST($pair_ids) AS pair_id) USING (pair_id)
"""

CLAIMED_BY_ONE = """
SELECT phrase_id, source, target
FROM phrases JOIN (
    SELECT phrase_id
    FROM evidence
    WHERE origin <> 'review'
    GROUP BY phrase_id
    HAVING COUNT(*) FILTER (
        provider <> $provider OR ($line_count > 0 AND NOT list_contains($lines, line))
    ) = 0
) USING (phrase_id)
ORDER BY phrase_id
"""
"""Phrases for which only one source speaks, or only some lines of it; people's decisions apart."""
PHRASE_IDS = "SELECT phrase_id FROM phrases ORDER BY phrase_id"
