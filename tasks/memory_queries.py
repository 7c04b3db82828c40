"""Questions that people ask of the phrase memory, and the one decision they can make so far."""

import getpass
from dataclasses import asdict
from typing import Any

from storage.errors import InputError
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.lexical_scores import lexical_scores
from tasks.text.either_script import in_either_script

PHRASES_OF = """
SELECT * FROM phrases
WHERE source = $source OR starts_with(phrase_id, $prefix)
ORDER BY source, target
"""
EVIDENCE_OF = """
SELECT * FROM evidence WHERE phrase_id = $phrase_id
ORDER BY origin, provider, line, part
"""
STATS = """
SELECT category, origin, state, COUNT(*) AS phrases,
    SUM(found)::BIGINT AS found, SUM(occurrences)::BIGINT AS occurrences,
    SUM(found_documents)::BIGINT AS found_documents, SUM(documents)::BIGINT AS documents
FROM phrases
GROUP BY category, origin, state
ORDER BY category, origin, state
"""
_SHORTEST_PREFIX = 6


def lookup(workspace: Workspace, snapshot: Snapshot, phrase: str) -> list[dict[str, Any]]:
    """Return the phrases with this source text, in either script, or whose id begins so, with their
    evidence and their lexical scores (None where a phrase was not mined)."""
    prefix = phrase if len(phrase) >= _SHORTEST_PREFIX else "-"
    found: list[dict[str, Any]] = []
    for source in in_either_script(phrase):
        asked = {"source": source, "prefix": prefix}
        found = found or workspace.query(PHRASES_OF, {"phrases": snapshot.phrases}, asked)
    scores = lexical_scores(workspace, snapshot, [row["phrase_id"] for row in found])
    for row in found:
        known = scores.get(row["phrase_id"])
        row["lexical"] = None if known is None else asdict(known)
        row["evidence"] = workspace.query(
            EVIDENCE_OF, {"evidence": snapshot.evidence}, {"phrase_id": row["phrase_id"]}
        )
    return found


def stats(workspace: Workspace, snapshot: Snapshot) -> list[dict[str, Any]]:
    """Count the phrases of a snapshot by category, origin and state."""
    return workspace.query(STATS, {"phrases": snapshot.phrases})


def rollback(workspace: Workspace, snapshot: Snapshot, reason: str) -> None:
    """Make an earlier snapshot the current one, and record who decided so and why.

    Raises:
        InputError: its tables were withdrawn or lost.
    """
    if not all(map(workspace.holds, (*snapshot.tables, snapshot.evidence))):
        raise InputError(
            f"Snapshot {snapshot.snapshot_id[:12]} cannot be current again: tables of it were "
            "withdrawn or lost. `phrasenet memory history` lists the others."
        )
    with workspace.lease():
        head = workspace.memory.head()
        if head is not None and head != snapshot:
            body = {
                "decision": "rollback",
                "from": head.snapshot_id,
                "to": snapshot.snapshot_id,
                "author": getpass.getuser(),
                "reason": reason,
            }
            workspace.ledger.append("decision", body)
            workspace.memory.publish(snapshot, reason=reason)
