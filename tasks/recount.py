"""Count the phrases of a shard again after few of its pairs changed.

Counts are integers that add up: what is new is counted and added, what is gone is counted and taken
away. The result is the table that counting everything would give.
"""

import contextlib
import logging
from collections.abc import Callable, Iterator

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.changed_ids import changed_ids
from tasks.changed_pairs import changed_rows, merged_counts, write_merged
from tasks.step import Before

log = logging.getLogger(__name__)

Counts = tuple[ArtifactRef, ArtifactRef, ArtifactRef]
"""`pair_counts`, `source_phrases` and `target_phrases` of a shard."""
Shard = tuple[ArtifactRef, ArtifactRef]
"""The pairs of a shard and their links."""

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
    with changed_links(workspace, shard, old) as (aside, added, removed):
        more, less = count(aside, *added), count(aside, *removed)
        pairs, sources, targets = (
            write_merged(workspace, merged, known, (aside, plus, minus))
            for known, plus, minus, merged in zip(before.result, more, less, _MERGED, strict=True)
        )
    return pairs, sources, targets


@contextlib.contextmanager
def changed_links(
    workspace: Workspace, now: Shard, old: Shard
) -> Iterator[tuple[Workspace, Shard, Shard]]:
    """Give the pairs of a shard that differ in words or links, as they are now and as they were.

    Yields:
        The workspace in which they lie for the moment; what came, and what went.
    """
    ids = sorted({*changed_ids(workspace, now[0], old[0]), *changed_ids(workspace, now[1], old[1])})
    with workspace.aside() as aside:
        added, removed = (
            (
                changed_rows(workspace, aside, pairs, ids),
                changed_rows(workspace, aside, links, ids),
            )
            for pairs, links in (now, old)
        )
        log.info("counting %d pairs more and %d less", added[0].rows, removed[0].rows)
        yield aside, added, removed
