"""What an auditor asks of the tables, as queries; each sorts its rows totally."""

PHRASES = """
SELECT * FROM (
    SELECT * FROM phrases WHERE source = $source
    UNION
    SELECT * FROM phrases WHERE starts_with(phrase_id, $prefix)
)
ORDER BY state <> 'active', source, target
"""
"""Two conditions apart, since the rows that fail one of them alone are skipped unread."""

EVIDENCE = (
    "SELECT * FROM evidence WHERE phrase_id = $phrase_id ORDER BY origin, provider, line, part"
)

HOLDS_PHRASE = "SELECT state, target FROM phrases WHERE phrase_id = $phrase_id"

OCCURRENCES = """
SELECT pair_id, corpus, document, source_words, target_words
FROM pairs
WHERE contains(replace(source, ' ', ''), $source)
ORDER BY pair_id
"""
"""Training pairs whose source holds the phrase, wherever its words are cut."""

LINKS_OF = """
SELECT pair_id, source_index, target_index
FROM links WHERE list_contains($pair_ids, pair_id) ORDER BY pair_id
"""

RAW_LINES = """
SELECT pair_id, corpus, document, file, line, source, target, licence
FROM raw_pairs WHERE list_contains($pair_ids, pair_id) ORDER BY pair_id
"""

PAIRS_BY_ID = """
SELECT pair_id, corpus, document, file, line, source, target, licence
FROM raw_pairs WHERE starts_with(pair_id, $prefix) ORDER BY pair_id LIMIT 2
"""

SENTENCES_BY_ID = """
SELECT sentence_id, testset, position, source, "references"
FROM test_lines WHERE starts_with(sentence_id, $prefix) ORDER BY sentence_id LIMIT 2
"""

ASKED_BY_ID = """
SELECT sentence_id, source_words
FROM asked WHERE starts_with(sentence_id, $prefix) ORDER BY sentence_id LIMIT 2
"""
"""A sentence that a user translated."""

OFFERED = """
SELECT COUNT(*) AS offered, COUNT(*) FILTER (slot.target_start >= 0) AS in_reference
FROM (SELECT UNNEST(slots) AS slot FROM tagged)
WHERE slot.phrase_id = $phrase_id
"""

USES = """
SELECT use, COUNT(*) AS slots
FROM (SELECT UNNEST(slots).phrase_id AS phrase_id, UNNEST(uses) AS use FROM translations)
WHERE phrase_id = $phrase_id
GROUP BY use ORDER BY use
"""

SLOTS_OF_TEXT = """
SELECT slot.phrase_id, slot.source, slot.target, slot.category, slot.origin, slot.provider,
    COUNT(*) AS slots
FROM (SELECT UNNEST(slots) AS slot FROM tagged)
WHERE slot.source = $source OR starts_with(slot.phrase_id, $prefix)
GROUP BY ALL
ORDER BY slots DESC, slot.phrase_id, slot.provider
"""
"""Phrases that rules offered to sentences are in no memory; their slots tell."""

DECISIONS = """
SELECT verdict, category, author, decided, reason, source, target
FROM decisions WHERE source = $source ORDER BY decided, line
"""

DROPPED_PAIR = "SELECT reason, detail FROM dropped WHERE pair_id = $pair_id"

KEPT_PAIR = """
SELECT DISTINCT source_words, target_words FROM pairs WHERE pair_id = $pair_id
ORDER BY source_words, target_words
"""

PAIR_OF_FILE = "SELECT pair_id FROM raw_pairs WHERE file = $file LIMIT 1"
"""Whether a table holds rows of a file."""

KNOWS_PHRASES = """
SELECT phrase_id FROM phrases WHERE phrase_id IN (SELECT UNNEST($phrase_ids)) LIMIT 1
"""

OFFERS_PHRASES = """
SELECT phrase_id FROM (SELECT UNNEST(slots).phrase_id AS phrase_id FROM tagged)
WHERE phrase_id IN (SELECT UNNEST($phrase_ids)) LIMIT 1
"""

PHRASES_IN = """
SELECT phrase_id FROM phrases
WHERE state = 'active' AND origin = 'mined'
    AND contains($source, source) AND contains($target, ' ' || target || ' ')
ORDER BY phrase_id
"""
"""Mined phrases of which a pair holds both sides."""

TRANSLATION = """
SELECT words, slots, uses FROM translations WHERE sentence_id = $sentence_id
"""
