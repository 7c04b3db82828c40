"""Questions that the commands ask of the phrase memory."""

import getpass
from pathlib import Path
from typing import Any

from flows.settings import load_settings
from storage.errors import InputError
from storage.memory import Snapshot
from storage.workspace import Workspace, existing_workspace
from tasks.text.script import normalise

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
SELECT category, origin, state, COUNT(*) AS phrases FROM phrases
GROUP BY category, origin, state
ORDER BY category, origin, state
"""
_SHORTEST_PREFIX = 6


def workspace_of(settings_file: Path) -> Workspace:
    """Open the workspace of a settings file."""
    settings = load_settings(settings_file)
    return existing_workspace(settings.workspace_path, settings.execution.engine)


def snapshot_of(workspace: Workspace, as_of: str | None) -> Snapshot:
    """Return the current snapshot, or the one whose id begins with `as_of`.

    Raises:
        InputError: nothing was published yet, or there is no such snapshot.
    """
    if as_of is not None:
        return workspace.memory.snapshot(as_of)
    head = workspace.memory.head()
    if head is None:
        raise InputError("The phrase memory is empty. Run `phrasenet refresh` first.")
    return head


def lookup(settings_file: Path, phrase: str, as_of: str | None) -> list[dict[str, Any]]:
    """Return the phrases with this source text, or whose id begins so, with their evidence."""
    workspace = workspace_of(settings_file)
    snapshot = snapshot_of(workspace, as_of)
    source = "".join(normalise(phrase).split())
    prefix = phrase if len(phrase) >= _SHORTEST_PREFIX else "-"
    found = workspace.query(
        PHRASES_OF, {"phrases": snapshot.phrases}, {"source": source, "prefix": prefix}
    )
    for row in found:
        row["evidence"] = workspace.query(
            EVIDENCE_OF, {"evidence": snapshot.evidence}, {"phrase_id": row["phrase_id"]}
        )
    return found


def stats(settings_file: Path, as_of: str | None) -> list[dict[str, Any]]:
    """Count the phrases of a snapshot by category, origin and state."""
    workspace = workspace_of(settings_file)
    return workspace.query(STATS, {"phrases": snapshot_of(workspace, as_of).phrases})


def rollback(settings_file: Path, prefix: str, reason: str) -> str:
    """Make an earlier snapshot the current one, and record that a person did so."""
    workspace = workspace_of(settings_file)
    snapshot = workspace.memory.snapshot(prefix)
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
    return snapshot.snapshot_id
