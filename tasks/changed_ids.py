"""What differs between two tables of pairs, or of links."""

from functools import lru_cache

from storage.datasets import ArtifactRef
from storage.workspace import Workspace

_CHANGED_IDS = """
SELECT COALESCE(now.pair_id, old.pair_id) AS pair_id
FROM now FULL JOIN old ON now.pair_id = old.pair_id
WHERE now.pair_id IS DISTINCT FROM old.pair_id OR {different}
ORDER BY pair_id
"""
_COMPARED = {
    "words": ("source", "target", "source_words", "target_words"),
    "pairs": ("source_words", "target_words", "target", "rules"),
    "links": ("source_index", "target_index"),
}
"""What is read of a table beside the id, in which raw texts, corpus and document are."""
WITH_IDS = "SELECT * FROM {table} WHERE pair_id IN (SELECT UNNEST($ids)) ORDER BY pair_id"


@lru_cache(maxsize=16)
def changed_ids(workspace: Workspace, now: ArtifactRef, old: ArtifactRef) -> tuple[str, ...]:
    """Return the ids of what differs between two tables of pairs, or of links, in order: of what
    came, of what went, and of what is another now.

    Several steps ask for the same two tables, and to compare them takes longer than to count again
    what differs.
    """
    different = " OR ".join(f"now.{x} IS DISTINCT FROM old.{x}" for x in _COMPARED[now.kind])
    found = workspace.query(_CHANGED_IDS.format(different=different), {"now": now, "old": old})
    return tuple(row["pair_id"] for row in found)
