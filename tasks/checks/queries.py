"""What is counted in the tables of a refresh: rows, what is empty or out of range, and drift."""

MEASURED = """
WITH read AS (SELECT corpus, COUNT(*) AS number FROM raw GROUP BY corpus),
fit AS (SELECT corpus, COUNT(*) AS number FROM pairs GROUP BY corpus),
linked AS (
    SELECT pairs.pair_id, len(source_words) AS num_source, len(target_words) AS num_target,
        source_index, target_index
    FROM pairs LEFT JOIN links USING (pair_id)
),
spoken AS (SELECT DISTINCT phrase_id FROM evidence WHERE NOT rejects)
SELECT 'rows' AS name, corpus AS subject, number AS part, number AS whole FROM read
UNION ALL
SELECT 'dropped', corpus, read.number - COALESCE(fit.number, 0), read.number
FROM read LEFT JOIN fit USING (corpus)
UNION ALL
SELECT 'empty', 'pairs', COUNT(*) FILTER (
    trim(COALESCE(source, '')) = '' OR trim(COALESCE(target, '')) = ''
    OR COALESCE(len(source_words), 0) = 0 OR COALESCE(len(target_words), 0) = 0
), COUNT(*) FROM pairs
UNION ALL
SELECT 'unlinked', 'links', COUNT(*) FILTER (source_index IS NULL), COUNT(*) FROM linked
UNION ALL
SELECT 'range', 'links', COUNT(*) FILTER (
    len(source_index) <> len(target_index)
    OR list_min(source_index) < 0 OR list_max(source_index) >= num_source
    OR list_min(target_index) < 0 OR list_max(target_index) >= num_target
), COUNT(*) FROM linked
UNION ALL
SELECT 'empty', 'phrases', COUNT(*) FILTER (
    trim(COALESCE(source, '')) = '' OR trim(COALESCE(target, '')) = '' OR phrase_id IS NULL
), COUNT(*) FROM phrases
UNION ALL
SELECT 'range', 'phrases', COUNT(*) FILTER (
    reliability IS NULL OR NOT reliability BETWEEN 0 AND 1
    OR found < 0 OR found > occurrences OR found_documents < 0 OR found_documents > documents
    OR pair_count < 0 OR pair_count > source_count OR pair_count > target_count
), COUNT(*) FROM phrases
UNION ALL
SELECT 'unfounded', 'phrases', COUNT(*) FILTER (spoken.phrase_id IS NULL), COUNT(*)
FROM (SELECT phrase_id FROM phrases WHERE state = 'active') LEFT JOIN spoken USING (phrase_id)
UNION ALL
SELECT 'several', 'phrases', COUNT(*) - COUNT(DISTINCT source), COUNT(*)
FROM phrases WHERE state = 'active'
ORDER BY name, subject
"""
"""`part` of `whole` rows, by what is wrong with them; of `rows`, how many there are. A source
phrase must have one translation in use at most (`several`), and each in use something that speaks
for it (`unfounded`)."""

CHANGED = """
WITH old AS (SELECT source, target FROM before WHERE state = 'active'),
new AS (SELECT source, target FROM after WHERE state = 'active')
SELECT COUNT(*) FILTER (old.target IS DISTINCT FROM new.target) AS changed, COUNT(*) AS phrases,
    COUNT(old.source) AS before, COUNT(new.source) AS after
FROM old FULL JOIN new ON old.source = new.source
"""
"""How many of the phrases in use before or after are new, gone or translated in another way."""

ALL_NEW = """
SELECT COUNT(*) AS changed, COUNT(*) AS phrases, 0::BIGINT AS before, COUNT(*) AS after
FROM after WHERE state = 'active'
"""
"""The same where there was no memory before."""
