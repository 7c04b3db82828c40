"""Count uses again in a shard of which few pairs changed: only in the documents that they touch.

Uses are counted document by document (`tasks/mining/uses.py`), so that a changed pair takes its
whole document with it; all others count as they did.
"""

import contextlib
from collections.abc import Iterator

from storage.datasets import ArtifactRef
from storage.workspace import Elsewhere, Workspace

_OWN = "CASE WHEN document = '' THEN pair_id ELSE '' END"
_TOUCHED = f"""
WITH same AS (
    SELECT pair_id FROM now JOIN old USING (pair_id)
    WHERE now.source_words = old.source_words AND now.target_words = old.target_words
        AND now.rules = old.rules
), touched AS (
    SELECT corpus, document, {_OWN} AS own FROM now ANTI JOIN same USING (pair_id)
    UNION
    SELECT corpus, document, {_OWN} AS own FROM old ANTI JOIN same USING (pair_id)
)
SELECT here.* FROM {{table}} AS here SEMI JOIN touched
ON here.corpus = touched.corpus AND here.document = touched.document
    AND CASE WHEN here.document = '' THEN here.pair_id ELSE '' END = touched.own
ORDER BY pair_id
"""
"""Pairs, before or after, of the documents of which a pair is not the same before and after."""

_SUMS = ", ".join(
    f"SUM({name})::BIGINT AS {name}"
    for name in ("found", "occurrences", "found_documents", "documents")
)
_LESS = ", ".join(
    f"-{name} AS {name}" for name in ("found", "occurrences", "found_documents", "documents")
)
MERGED_USES = f"""
SELECT {{key}}, {_SUMS}
FROM (
    SELECT before.* FROM before {{kept}}
    UNION ALL BY NAME SELECT * FROM added
    UNION ALL BY NAME SELECT * REPLACE ({_LESS}) FROM removed
)
GROUP BY {{key}} HAVING SUM(occurrences) > 0
ORDER BY {{key}}
"""
MERGED_PHRASE_USES = MERGED_USES.format(
    key="source, target", kept="SEMI JOIN phrases USING (source, target)"
)
MERGED_RULE_USES = MERGED_USES.format(key="rule, shape", kept="")
KNOWN_PHRASES = "SELECT * FROM phrases SEMI JOIN phrases_before USING (source, target)"
NEW_PHRASES = "SELECT * FROM phrases ANTI JOIN phrases_before USING (source, target)"
"""Phrases that were looked up before, and those that were not."""


@contextlib.contextmanager
def touched_documents(
    workspace: Workspace, now: ArtifactRef, old: ArtifactRef
) -> Iterator[tuple[Workspace, ArtifactRef, ArtifactRef]]:
    """Give the pairs of the documents that changed, as they are now and as they were.

    Yields:
        The workspace in which they lie for the moment, and the two tables.
    """
    tables = {name: Elsewhere(workspace.root, ref) for name, ref in (("now", now), ("old", old))}
    with workspace.aside() as aside:
        yield (
            aside,
            aside.write_query("pairs", _TOUCHED.format(table="now"), tables),
            aside.write_query("pairs", _TOUCHED.format(table="old"), tables),
        )
