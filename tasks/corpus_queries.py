"""What came into a workspace, what was dropped and why: simple questions over its pairs."""

from collections.abc import Iterable, Iterator, Sequence
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

OTHER_ASIDE = """
SELECT corpus AS source, reason, COUNT(*) AS records
FROM aside
GROUP BY ALL
ORDER BY source, records DESC, reason
"""

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
class OtherSource:
    """What became of a dictionary or of a test set."""

    name: str
    """With its kind, such as "dictionary terms", as the rows of what was set aside say it."""
    kept: ArtifactRef
    aside: ArtifactRef


@dataclass(frozen=True, slots=True)
class CorpusTables:
    """What became of all that was read."""

    raw: tuple[ArtifactRef, ...]
    aside: tuple[ArtifactRef, ...]
    pairs: tuple[ArtifactRef, ...]
    dropped: tuple[ArtifactRef, ...]
    others: tuple[OtherSource, ...] = ()
    links: tuple[ArtifactRef, ...] = ()
    """Of the words of `pairs`, shard by shard; none if they were not made yet."""

    @property
    def all_aside(self) -> tuple[ArtifactRef, ...]:
        """Return what was set aside of all sources."""
        return (*self.aside, *(other.aside for other in self.others))

    @property
    def shards(self) -> tuple[tuple[ArtifactRef, ArtifactRef | None], ...]:
        """Return the pairs of each shard with their links, or with None."""
        return tuple(zip(self.pairs, self.links or [None] * len(self.pairs), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which pairs are asked for."""

    reason: str | None = None
    corpus: str | None = None
    limit: int = 20
    seed: int = 1


def corpus_stats(workspace: Workspace, tables: CorpusTables) -> list[dict[str, Any]]:
    """Count what was read, kept, dropped and set aside, by corpus and reason; after the corpora,
    entries of dictionaries and sentences of test sets.
    """
    found = workspace.query(CORPUS_STATS, _named(tables, ("pairs", "dropped", "aside")))
    return [*found, *_other_stats(workspace, tables.others)]


def _other_stats(workspace: Workspace, others: Sequence[OtherSource]) -> Iterator[dict[str, Any]]:
    if not others:
        return
    aside = workspace.query(OTHER_ASIDE, {"aside": [other.aside for other in others]})
    for other in others:
        reasons = {row["reason"]: row["records"] for row in aside if row["source"] == other.name}
        outcomes = {f"set aside: {reason}": records for reason, records in reasons.items()}
        read = other.kept.rows + sum(reasons.values())
        for outcome, records in ({"read": read, "kept": other.kept.rows} | outcomes).items():
            if records:
                yield {"corpus": other.name, "outcome": outcome, "pairs": records}


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
    named = {**_named(tables, ("dropped", "raw")), "aside": tables.all_aside}
    return workspace.query(DROPPED_PAIRS, named, parameters)


def kept_pairs(workspace: Workspace, tables: CorpusTables, wanted: Wanted) -> list[dict[str, Any]]:
    """Return a sample of the kept pairs with their raw texts, the same one for a seed."""
    parameters = {"corpus": wanted.corpus, "limit": wanted.limit, "seed": str(wanted.seed)}
    return workspace.query(KEPT_PAIRS, _named(tables, ("pairs", "raw")), parameters)


def _named(
    tables: CorpusTables, names: Iterable[str]
) -> dict[str, ArtifactRef | Iterable[ArtifactRef]]:
    return {name: getattr(tables, name) for name in names}
