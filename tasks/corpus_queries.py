"""What came into a workspace, what was dropped and why: simple questions over its pairs."""

from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace

CORPUS_STATS = """
SELECT corpus, outcome, COUNT(*) AS pairs FROM (
    SELECT corpus, 'kept' AS outcome FROM pairs
    UNION ALL
    SELECT corpus, 'dropped: ' || reason AS outcome FROM dropped
)
GROUP BY corpus, outcome
ORDER BY corpus, outcome DESC
"""
DROPPED_PAIRS = """
SELECT raw.corpus, raw.document, raw.line, reason, source, target
FROM dropped JOIN raw USING (pair_id)
WHERE $reason IS NULL OR reason = $reason
ORDER BY reason, raw.corpus, raw.position
LIMIT $limit
"""
KEPT_PAIRS = """
SELECT raw.corpus, raw.document, raw.line, raw.source, raw.target
FROM pairs JOIN raw USING (pair_id)
ORDER BY md5(pair_id)
LIMIT $limit
"""

Refs = tuple[ArtifactRef, ...]


def corpus_stats(workspace: Workspace, pairs: Refs, dropped: Refs) -> list[dict[str, Any]]:
    """Count kept and dropped pairs by corpus and reason."""
    return workspace.query(CORPUS_STATS, {"pairs": pairs, "dropped": dropped})


def dropped_pairs(
    workspace: Workspace, dropped: Refs, raw: Refs, reason: str | None, limit: int
) -> list[dict[str, Any]]:
    """Return dropped pairs with their raw texts, those of one reason or of all."""
    parameters = {"reason": reason, "limit": limit}
    return workspace.query(DROPPED_PAIRS, {"dropped": dropped, "raw": raw}, parameters)


def kept_pairs(workspace: Workspace, pairs: Refs, raw: Refs, limit: int) -> list[dict[str, Any]]:
    """Return some kept pairs with their raw texts, the same ones each time."""
    return workspace.query(KEPT_PAIRS, {"pairs": pairs, "raw": raw}, {"limit": limit})
