"""Count again in a shard of which few pairs changed: only in those, and where new phrases stand.

Counts are integers that add up, so what is new is counted and added, and what is gone is counted
and taken away.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from storage.datasets import ArtifactRef
from storage.workspace import Elsewhere, Source, Workspace
from tasks.compiled.arrays import Sentences, texts_of
from tasks.mining.candidates import BATCH_PAIRS
from tasks.tagging.matcher import Matcher

_CHANGED = """
SELECT {table}.* FROM {table} ANTI JOIN (
    SELECT pair_id FROM now JOIN old USING (pair_id) WHERE {same}
) USING (pair_id)
ORDER BY pair_id
"""
_WITH_IDS = "SELECT * FROM pairs WHERE pair_id IN (SELECT UNNEST($ids)) ORDER BY pair_id"
_MERGED = """
SELECT {columns}, SUM("count")::BIGINT AS "count"
FROM (
    SELECT before.* FROM before {kept}
    UNION ALL SELECT * FROM added
    UNION ALL SELECT * REPLACE (-"count" AS "count") FROM removed
)
GROUP BY {key} HAVING SUM("count") > 0
ORDER BY {key}
"""


def merged_counts(key: str, *others: str, kept: str = "") -> str:
    """Return the query that adds up the counts of `before`, `added` and, taken away, `removed`.

    Args:
        key: the columns that name what is counted.
        others: expressions for columns that follow from the key.
        kept: a join of `before` that leaves out what is counted anew.
    """
    return _MERGED.format(columns=", ".join([key, *others]), key=key, kept=kept)


def write_merged(
    workspace: Workspace,
    merged: str,
    before: ArtifactRef,
    change: tuple[Workspace, ArtifactRef, ArtifactRef],
    others: Mapping[str, Source] | None = None,
) -> ArtifactRef:
    """Write the table of `before` after a change.

    Args:
        workspace: where it is.
        merged: see `merged_counts`.
        before: the counts before.
        change: where the counts of what came and of what went lie, and these two.
        others: what else the query reads.
    """
    aside, added, removed = change
    tables = {
        "before": before,
        "added": Elsewhere(aside.root, added),
        "removed": Elsewhere(aside.root, removed),
        **(others or {}),
    }
    return workspace.write_query(before.kind, merged, tables)


@contextlib.contextmanager
def changed_pairs(
    workspace: Workspace, now: ArtifactRef, old: ArtifactRef, columns: Iterable[str]
) -> Iterator[tuple[Workspace, ArtifactRef, ArtifactRef]]:
    """Give the pairs of a shard that differ in some columns, as they are now and as they were.

    Yields:
        The workspace in which they lie for the moment, and the two tables.
    """
    same = " AND ".join(f"now.{name} = old.{name}" for name in columns)
    tables = {name: Elsewhere(workspace.root, ref) for name, ref in (("now", now), ("old", old))}
    with workspace.aside() as aside:
        yield (
            aside,
            aside.write_query("pairs", _CHANGED.format(table="now", same=same), tables),
            aside.write_query("pairs", _CHANGED.format(table="old", same=same), tables),
        )


def pairs_with(
    workspace: Workspace, aside: Workspace, pairs: ArtifactRef, sources: Iterable[str]
) -> ArtifactRef:
    """Write, aside, the pairs of a shard in which one of some source phrases stands."""
    matcher = Matcher(([source], place) for place, source in enumerate(dict.fromkeys(sources)))
    ids: list[str] = []
    for batch in workspace.read_arrays(pairs, ["pair_id", "source_words"], BATCH_PAIRS):
        words = batch["source_words"]
        texts = texts_of(["".join(word.split()) for word in words.words])
        rows = matcher.find_numbered(Sentences(words.ids, words.starts, texts, 0)).rows
        ids += [batch["pair_id"][place] for place in np.unique(rows[:, 0]).tolist()]
    tables = {"pairs": Elsewhere(workspace.root, pairs)}
    return aside.write_query("pairs", _WITH_IDS, tables, {"ids": ids})
