"""Questions that the commands ask of a workspace: which tables are current, and simple counts over
them.

What is current follows from the plan: the results that a run with these settings would reuse.
"""

from pathlib import Path
from typing import Any

from flows.driver import step_window
from flows.pipeline import CleanPairs, clean_pairs
from flows.settings import load_settings
from storage.datasets import ArtifactRef
from storage.errors import MissingArtifact
from storage.workspace import Workspace, existing_workspace
from tasks.observer import Silent
from tasks.run import Run

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


def current(settings_file: Path) -> tuple[Workspace, CleanPairs]:
    """Return the workspace and the pairs that were kept and dropped with these settings.

    Raises:
        MissingArtifact: the sources were not read and cleaned with these settings yet.
    """
    settings = load_settings(settings_file)
    workspace = existing_workspace(settings.workspace_path, settings.execution.engine)
    planner = Run(workspace, step_window(None, None), mode="plan", observer=Silent())
    cleaned = clean_pairs(planner, settings)
    if not all(isinstance(ref, ArtifactRef) for ref in cleaned.pairs):
        raise MissingArtifact(
            f"The workspace {workspace.root} is not up to date with {settings_file}. Run "
            f"`phrasenet refresh -c {settings_file}` first; `phrasenet status` says what changed."
        )
    return workspace, cleaned


def corpus_stats(settings_file: Path) -> list[dict[str, Any]]:
    """Count kept and dropped pairs by corpus and reason."""
    workspace, cleaned = current(settings_file)
    tables = {"pairs": cleaned.pairs, "dropped": cleaned.dropped}
    return workspace.query(CORPUS_STATS, tables)


def dropped_pairs(settings_file: Path, reason: str | None, limit: int) -> list[dict[str, Any]]:
    """Return dropped pairs with their raw texts."""
    workspace, cleaned = current(settings_file)
    tables = {"dropped": cleaned.dropped, "raw": tuple(item.raw for item in cleaned.shards)}
    return workspace.query(DROPPED_PAIRS, tables, {"reason": reason, "limit": limit})


def kept_pairs(settings_file: Path, limit: int) -> list[dict[str, Any]]:
    """Return some kept pairs with their raw texts, the same ones each time."""
    workspace, cleaned = current(settings_file)
    tables = {"pairs": cleaned.pairs, "raw": tuple(item.raw for item in cleaned.shards)}
    return workspace.query(KEPT_PAIRS, tables, {"limit": limit})
