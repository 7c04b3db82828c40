"""What changed between two snapshots of the phrase memory, and which sentences notice it."""

from collections.abc import Iterator, Mapping
from typing import Any

from storage.datasets import ArtifactRef
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.mining.config import MemoryConfig
from tasks.tag import tagged_rows

CHANGED_PHRASES = """
WITH old AS (SELECT * FROM before WHERE state = 'active'),
new AS (SELECT * FROM after WHERE state = 'active')
SELECT
    CASE WHEN old.source IS NULL THEN 'added' WHEN new.source IS NULL THEN 'removed'
        WHEN old.phrase_id <> new.phrase_id THEN 'changed' ELSE 'recounted' END AS change,
    COALESCE(old.source, new.source) AS source,
    CASE WHEN old.source IS NULL THEN NULL ELSE old END AS before,
    CASE WHEN new.source IS NULL THEN NULL ELSE new END AS after,
    gone.state AS now
FROM old FULL JOIN new ON old.source = new.source
LEFT JOIN after AS gone ON gone.phrase_id = old.phrase_id AND gone.state <> 'active'
WHERE old IS DISTINCT FROM new
ORDER BY change, source
"""
"""Phrases that are offered before or after, and differ; `now` is what became of one that is not
offered any more, NULL if nothing claims it."""
CHANGED_EVIDENCE = """
SELECT 'gone' AS change, * FROM (SELECT * FROM before EXCEPT SELECT * FROM after)
UNION ALL BY NAME
SELECT 'new' AS change, * FROM (SELECT * FROM after EXCEPT SELECT * FROM before)
ORDER BY phrase_id, change, origin, provider, line, part
"""


def changed_phrases(
    workspace: Workspace, before: Snapshot, after: Snapshot
) -> list[dict[str, Any]]:
    """Return the phrases that were added, removed, changed or recounted, with what speaks for it.

    Each row has `change`, `source`, the rows `before` and `after` of the table of phrases (None
    where there is none), `now`, and `evidence`: rows of evidence that are gone or new.
    """
    rows = workspace.query(CHANGED_PHRASES, {"before": before.phrases, "after": after.phrases})
    evidence: dict[str, list[dict[str, Any]]] = {}
    for item in workspace.query(
        CHANGED_EVIDENCE, {"before": before.evidence, "after": after.evidence}
    ):
        evidence.setdefault(item["phrase_id"], []).append(item)
    for row in rows:
        ids = dict.fromkeys(side["phrase_id"] for side in (row["before"], row["after"]) if side)
        row["evidence"] = [item for identity in ids for item in evidence.get(identity, [])]
    return rows


def changed_sentences(
    workspace: Workspace,
    words: ArtifactRef,
    before: Snapshot,
    after: Snapshot,
    config: MemoryConfig,
) -> Iterator[dict[str, Any]]:
    """Yield the sentences of a test set that are offered something else.

    Each has `sentence_id`, `source_words`, and the slots `before` and `after` that differ.
    """
    for old, new in zip(
        tagged_rows(workspace, words, before.tables, config),
        tagged_rows(workspace, words, after.tables, config),
        strict=True,
    ):
        gone, come = _offers(old), _offers(new)
        if gone.keys() != come.keys():
            yield {
                "sentence_id": old["sentence_id"],
                "source_words": old["source_words"],
                "before": [slot for key, slot in gone.items() if key not in come],
                "after": [slot for key, slot in come.items() if key not in gone],
            }


def _offers(row: Mapping[str, Any]) -> dict[tuple[int, int, str], dict[str, Any]]:
    """Return the slots of a sentence by what a system sees of them: words and target."""
    return {(slot["start"], slot["end"], slot["phrase_id"]): slot for slot in row["slots"]}
