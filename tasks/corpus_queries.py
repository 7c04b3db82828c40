"""What came into a workspace, what was dropped and why: simple questions over its pairs."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace

CORPUS_STATS = """
WITH outcomes AS (
    SELECT corpus, 'kept' AS outcome, COUNT(*) AS pairs FROM pairs GROUP BY ALL
    UNION ALL
    SELECT corpus, 'dropped: ' || reason, COUNT(*) FROM dropped GROUP BY ALL
    UNION ALL
    SELECT corpus, 'set aside: ' || reason, COUNT(*) FROM aside GROUP BY ALL
)
SELECT corpus, outcome, pairs FROM outcomes
UNION ALL
SELECT corpus, 'read', CAST(SUM(pairs) AS BIGINT) FROM outcomes GROUP BY corpus
ORDER BY corpus, outcome <> 'read', outcome <> 'kept', pairs DESC, outcome
"""
"""What is set aside is no pair yet; it counts as read."""

DROPPED_PAIRS = """
WITH found AS (
    SELECT
        raw.corpus, raw.document, raw.file, raw.line, reason, detail, source, target, raw.position
    FROM dropped JOIN raw USING (pair_id)
    UNION ALL
    SELECT corpus, '', file, line, reason, '', text, '', number FROM aside
), ranked AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY reason ORDER BY md5($seed || corpus || position), corpus, position
        ) AS rank
    FROM found
    WHERE ($reason IS NULL OR reason = $reason) AND ($corpus IS NULL OR corpus = $corpus)
), chosen AS (
    SELECT * FROM ranked ORDER BY rank, reason LIMIT $limit
)
SELECT * EXCLUDE (rank, position) FROM chosen ORDER BY reason, corpus, position
"""
"""Examples of every reason, by chance but the same ones each time."""

KEPT_PAIRS = """
SELECT raw.corpus, raw.document, raw.file, raw.line, raw.source, raw.target
FROM pairs JOIN raw USING (pair_id)
WHERE $corpus IS NULL OR raw.corpus = $corpus
ORDER BY md5($seed || pair_id), pair_id
LIMIT $limit
"""


@dataclass(frozen=True, slots=True)
class CorpusTables:
    """What became of all that was read."""

    raw: tuple[ArtifactRef, ...]
    aside: tuple[ArtifactRef, ...]
    pairs: tuple[ArtifactRef, ...]
    dropped: tuple[ArtifactRef, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which pairs are asked for."""

    reason: str | None = None
    corpus: str | None = None
    limit: int = 20
    seed: int = 1


def corpus_stats(workspace: Workspace, tables: CorpusTables) -> list[dict[str, Any]]:
    """Count what was read, kept, dropped and set aside, by corpus and reason."""
    return workspace.query(CORPUS_STATS, _named(tables, ("pairs", "dropped", "aside")))


def dropped_pairs(
    workspace: Workspace, tables: CorpusTables, wanted: Wanted
) -> list[dict[str, Any]]:
    """Return examples of what was dropped or set aside, with reasons and raw texts."""
    parameters = {
        "reason": wanted.reason,
        "corpus": wanted.corpus,
        "limit": wanted.limit,
        "seed": str(wanted.seed),
    }
    return workspace.query(DROPPED_PAIRS, _named(tables, ("dropped", "raw", "aside")), parameters)


def kept_pairs(workspace: Workspace, tables: CorpusTables, wanted: Wanted) -> list[dict[str, Any]]:
    """Return a sample of the kept pairs with their raw texts, the same one for a seed."""
    parameters = {"corpus": wanted.corpus, "limit": wanted.limit, "seed": str(wanted.seed)}
    return workspace.query(KEPT_PAIRS, _named(tables, ("pairs", "raw")), parameters)


def _named(
    tables: CorpusTables, names: Iterable[str]
) -> dict[str, ArtifactRef | Iterable[ArtifactRef]]:
    return {name: getattr(tables, name) for name in names}
