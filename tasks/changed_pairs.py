"""Count again in a shard of which few pairs changed: only in those, and where new phrases stand.

Counts are integers that add up, so what is new is counted and added, and what is gone is counted
and taken away.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from storage.datasets import ArtifactRef
from storage.held import Held, hold_rows
from storage.workspace import Elsewhere, Source, Workspace
from tasks.changed_ids import WITH_IDS, changed_ids
from tasks.compiled.arrays import Sentences, texts_of
from tasks.mining.candidates import BATCH_PAIRS
from tasks.tagging.matcher import Matcher

_MOST_HELD = 2000
"""Most rows of a table that are kept in memory for the next step, about a kilobyte each."""

_MERGED = """
SELECT {columns}, {sums}
FROM (
    SELECT before.* FROM before {kept}
    UNION ALL BY NAME SELECT * FROM added
    UNION ALL BY NAME SELECT * REPLACE ({less}) FROM removed
)
GROUP BY {key} {having}
ORDER BY {key}
"""


def merged_counts(
    key: str,
    *others: str,
    counts: Sequence[str] = ("count",),
    positive: Sequence[str] = ("count",),
    kept: str = "",
) -> str:
    """Return the query that adds up the counts of `before`, `added` and, taken away, `removed`.

    Args:
        key: the columns that name what is counted.
        others: expressions for columns that follow from the key.
        counts: the columns that are added up.
        positive: those of them of which one at least is more than 0 in every row of the result.
        kept: a join of `before` that leaves out what is counted anew.
    """
    return _MERGED.format(
        columns=", ".join([key, *others]),
        sums=", ".join(f'SUM("{name}")::BIGINT AS "{name}"' for name in counts),
        less=", ".join(f'-"{name}" AS "{name}"' for name in counts),
        having="HAVING " + " OR ".join(f'SUM("{name}") > 0' for name in positive),
        key=key,
        kept=kept,
    )


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
    workspace: Workspace, now: ArtifactRef, old: ArtifactRef
) -> Iterator[tuple[Workspace, ArtifactRef, ArtifactRef]]:
    """Give the pairs of a shard that differ, as they are now and as they were.

    Yields:
        The workspace in which they lie for the moment, and the two tables.
    """
    ids = changed_ids(workspace, now, old)
    with workspace.aside() as aside:
        yield (
            aside,
            changed_rows(workspace, aside, now, ids),
            changed_rows(workspace, aside, old, ids),
        )


def changed_rows(
    workspace: Workspace, aside: Workspace, ref: ArtifactRef, ids: Sequence[str]
) -> ArtifactRef:
    """Write, aside, what changed in a table of pairs or links, given its ids.

    Several steps ask for the same rows, and to find them in the table takes longer than to write
    them, so a few are kept.
    """
    if len(ids) > _MOST_HELD:
        return with_ids(workspace, aside, ref, ids)
    return _held(workspace, ref, tuple(ids)).write(aside.root)


@lru_cache(maxsize=32)
def _held(workspace: Workspace, ref: ArtifactRef, ids: tuple[str, ...]) -> Held:
    """Read the rows of a table of pairs or links that have some ids."""
    return hold_rows(workspace.root, ref, "pair_id", ids)


def with_ids(
    workspace: Workspace, aside: Workspace, ref: ArtifactRef, ids: Iterable[str]
) -> ArtifactRef:
    """Write, aside, the rows of a table of pairs or links that have some ids."""
    tables = {"whole": Elsewhere(workspace.root, ref)}
    return aside.write_query(ref.kind, WITH_IDS.format(table="whole"), tables, {"ids": list(ids)})


def pairs_with(
    workspace: Workspace,
    aside: Workspace,
    pairs: ArtifactRef,
    sources: Iterable[str],
    targets: Iterable[str] = (),
) -> ArtifactRef:
    """Write, aside, the pairs of a shard in which one of some phrases stands on its side; of
    targets, words may be cut otherwise.
    """
    ids: set[str] = set()
    for column, texts in (("source_words", sources), ("target_words", targets)):
        if wanted := dict.fromkeys(texts):
            ids.update(_ids_with(workspace, pairs, column, wanted))
    return with_ids(workspace, aside, pairs, sorted(ids))


def _ids_with(
    workspace: Workspace, pairs: ArtifactRef, column: str, phrases: Iterable[str]
) -> Iterator[str]:
    """Yield the ids of the pairs in which one of some phrases stands, blanks apart."""
    matcher = Matcher(([phrase], place) for place, phrase in enumerate(phrases))
    for batch in workspace.read_arrays(pairs, ["pair_id", column], BATCH_PAIRS):
        words = batch[column]
        texts = texts_of(["".join(word.split()) for word in words.words])
        rows = matcher.find_numbered(Sentences(words.ids, words.starts, texts, 0)).rows
        yield from (batch["pair_id"][place] for place in np.unique(rows[:, 0]).tolist())
