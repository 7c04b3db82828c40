"""The step that counts, shard by shard, beside which targets more of their source stands."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.changed_pairs import merged_counts, pairs_with, with_ids, write_merged
from tasks.linked import read_corpora
from tasks.mining.overhangs import OverhangCounter
from tasks.reconfirm import KNOWN_PHRASES, NEW_PHRASES
from tasks.recount import Shard, changed_links
from tasks.step import Before, step

Rows = Iterable[Mapping[str, Any]]

_COLUMNS = ("source", "fact", "value", "count")
_ORDERED = " ORDER BY source, target"
_MERGED = merged_counts(
    "source, fact, value",
    kept="SEMI JOIN phrases ON before.source = phrases.source AND before.value = phrases.target",
)


@step(
    writes=("term_contexts",),
    name="overhangs",
    libraries=("duckdb",),
    continues=("shard", "candidates"),
)
def count_overhangs(
    workspace: Workspace,
    *,
    shard: Shard,
    candidates: ArtifactRef,
    max_words: int,
    before: Before | None = None,
) -> ArtifactRef:
    """Count in one shard where targets stand opposite, and where more is linked to their source.

    Args:
        workspace: where the tables are.
        shard: the pairs of the shard and their links.
        candidates: the likely phrases.
        max_words: longest source, in words.
        before: an earlier call, of whose pairs and candidates many may be the same.
    """
    if before is None:
        phrases = workspace.read_rows(candidates, ["source", "target"])
        return _write(workspace, [(shard, phrases)], max_words)
    tables = {"phrases": candidates, "phrases_before": before.inputs["candidates"]}
    known, new = (workspace.query(it + _ORDERED, tables) for it in (KNOWN_PHRASES, NEW_PHRASES))
    with changed_links(workspace, shard, before.inputs["shard"]) as (aside, now, gone):
        holding = _pairs_holding(workspace, aside, shard, new)
        more = _write(aside, [(now, known), (holding, new)], max_words)
        less = _write(aside, [(gone, known)], max_words)
        return write_merged(workspace, _MERGED, before.result, (aside, more, less), tables)


def _write(
    workspace: Workspace, counted: Iterable[tuple[Shard, Rows]], max_words: int
) -> ArtifactRef:
    """Count some phrases in some pairs, for each of several of both."""
    return workspace.write_rows(
        "term_contexts",
        (
            dict(zip(_COLUMNS, row, strict=True))
            for shard, phrases in counted
            for row in _counter(workspace, shard, phrases, max_words).counts()
        ),
    )


def _counter(workspace: Workspace, shard: Shard, phrases: Rows, max_words: int) -> OverhangCounter:
    """Count phrases, ordered by source, in the pairs of a shard."""
    by_source = groupby(phrases, itemgetter("source"))
    likely = {source: [row["target"] for row in rows] for source, rows in by_source}
    counter = OverhangCounter(likely, max_words=max_words)
    for corpus, _ in read_corpora(workspace, *shard):
        counter.add(corpus)
    return counter


def _pairs_holding(workspace: Workspace, aside: Workspace, shard: Shard, phrases: Rows) -> Shard:
    """Write, aside, the pairs in which the source of one of some phrases stands, and their
    links.
    """
    pairs = pairs_with(workspace, aside, shard[0], (row["source"] for row in phrases))
    ids = aside.read_columns(pairs, ["pair_id"])["pair_id"]
    return pairs, with_ids(workspace, aside, shard[1], ids)
