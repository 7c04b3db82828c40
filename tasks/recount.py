"""Count the phrases of a shard again after few of its pairs changed.

Counts are integers that add up: what is new is counted and added, what is gone is counted and taken
away. The result is the table that counting everything would give.
"""

import logging
from collections.abc import Callable

from storage.datasets import ArtifactRef
from storage.workspace import Elsewhere, Source, Workspace
from tasks.changed_pairs import merged_counts, write_merged
from tasks.step import Before

log = logging.getLogger(__name__)

Counts = tuple[ArtifactRef, ArtifactRef, ArtifactRef]
"""`pair_counts`, `source_phrases` and `target_phrases` of a shard."""
Shard = tuple[ArtifactRef, ArtifactRef]
"""The pairs of a shard and their links."""

_SAME = """
SELECT pair_id
FROM now JOIN now_links USING (pair_id)
JOIN old USING (pair_id) JOIN old_links USING (pair_id)
WHERE now.source_words = old.source_words AND now.target_words = old.target_words
    AND now_links.source_index = old_links.source_index
    AND now_links.target_index = old_links.target_index
"""
CHANGED = f"SELECT * FROM {{table}} ANTI JOIN ({_SAME}) USING (pair_id) ORDER BY pair_id"
"""Rows of a table that are not the same before and after."""
_MERGED = (
    merged_counts("source_key, target_key"),
    merged_counts("source_key", "ANY_VALUE(source) AS source"),
    merged_counts("target_key", "ANY_VALUE(target) AS target"),
)


def recount(
    workspace: Workspace,
    shard: Shard,
    before: Before,
    count: Callable[[Workspace, ArtifactRef, ArtifactRef], Counts],
) -> Counts:
    """Return the counts of a shard from those of before.

    Args:
        workspace: where the tables are.
        shard: the shard as it is now.
        before: an earlier count; its inputs are `pairs` and `links`.
        count: counts a shard in a workspace.
    """
    old = before.inputs["pairs"], before.inputs["links"]
    with workspace.aside() as aside:
        tables = _tables(workspace, shard, old)
        added, removed = (
            [
                aside.write_query(kind, CHANGED.format(table=name), tables)
                for kind, name in (("pairs", when), ("links", f"{when}_links"))
            ]
            for when in ("now", "old")
        )
        log.info("counting %d pairs more and %d less", added[0].rows, removed[0].rows)
        more, less = count(aside, *added), count(aside, *removed)
        pairs, sources, targets = (
            write_merged(workspace, merged, known, (aside, plus, minus))
            for known, plus, minus, merged in zip(before.result, more, less, _MERGED, strict=True)
        )
    return pairs, sources, targets


def _tables(workspace: Workspace, now: Shard, old: Shard) -> dict[str, Source]:
    refs = {"now": now[0], "now_links": now[1], "old": old[0], "old_links": old[1]}
    return {name: Elsewhere(workspace.root, ref) for name, ref in refs.items()}
