"""How candidates are nested, asked of the query."""

from collections.abc import Mapping

import duckdb

from tasks.mining.c_value import Nesting, Words
from tasks.mining.term_totals import nestings_query


def nestings(frequencies: Mapping[Words, int]) -> dict[Words, Nesting]:
    """Return how each candidate is nested in the longer ones."""
    longest = max(map(len, frequencies), default=1)
    with duckdb.connect() as connection:
        connection.execute(
            'CREATE TABLE sequence_counts(words TEXT, "count" BIGINT);'
            'CREATE TABLE term_contexts(source TEXT, fact TEXT, value TEXT, "count" BIGINT)'
        )
        for words, count in frequencies.items():
            text = " ".join(words)
            connection.execute("INSERT INTO sequence_counts VALUES (?, ?)", [text, count])
            connection.execute("INSERT INTO term_contexts VALUES (?, 'words', ?, 1)", [text, text])
        rows = connection.execute(nestings_query(longest), {"min_count": 1}).fetchall()
    return {tuple(words.split(" ")): Nesting(*numbers) for _, words, *numbers in rows}
