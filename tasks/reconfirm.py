"""Count uses again in a shard of which few pairs changed: only in the documents that they touch.

Uses are counted document by document (`tasks/mining/uses.py`), so that a changed pair takes its
whole document with it; all others count as they did.
"""

import contextlib
from collections.abc import Iterator
from functools import lru_cache

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.changed_ids import changed_ids
from tasks.changed_pairs import changed_rows, merged_counts

_OWN = "CASE WHEN document = '' THEN pair_id ELSE '' END"
_TOUCHED = f"""
WITH touched AS (
    SELECT corpus, document, {_OWN} AS own FROM now WHERE pair_id IN (SELECT UNNEST($ids))
    UNION
    SELECT corpus, document, {_OWN} AS own FROM old WHERE pair_id IN (SELECT UNNEST($ids))
)
SELECT here.pair_id FROM {{table}} AS here SEMI JOIN touched
ON here.corpus = touched.corpus AND here.document = touched.document
    AND CASE WHEN here.document = '' THEN here.pair_id ELSE '' END = touched.own
ORDER BY pair_id
"""
"""Pairs, before or after, of the documents of which a pair is not the same before and after."""

_USES = ("found", "occurrences", "found_documents", "documents")
MERGED_PHRASE_USES = merged_counts(
    "source, target",
    counts=_USES,
    positive=("occurrences",),
    kept="SEMI JOIN phrases USING (source, target)",
)
MERGED_RULE_USES = merged_counts("rule, shape", counts=_USES, positive=("occurrences",))
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
    ids_now, ids_old = _touched_ids(workspace, now, old)
    with workspace.aside() as aside:
        yield (
            aside,
            changed_rows(workspace, aside, now, ids_now),
            changed_rows(workspace, aside, old, ids_old),
        )


@lru_cache(maxsize=16)
def _touched_ids(
    workspace: Workspace, now: ArtifactRef, old: ArtifactRef
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of the pairs in the documents that changed, now and before; several steps
    ask for them.
    """
    tables, changed = {"now": now, "old": old}, {"ids": list(changed_ids(workspace, now, old))}
    found = (workspace.query(_TOUCHED.format(table=name), tables, changed) for name in tables)
    ids_now, ids_old = (tuple(row["pair_id"] for row in rows) for rows in found)
    return ids_now, ids_old
