"""The step that counts, shard by shard, beside which targets more of their source stands."""

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.changed_pairs import merged_counts, pairs_with, with_ids, write_merged
from tasks.compiled.arrays import spelled
from tasks.linked import read_corpora
from tasks.mining.likely import LikelyPhrases
from tasks.mining.overhangs import count_overhangs_in, overhang_facts
from tasks.phrase_columns import CountedFacts, query_phrases, read_phrases, write_facts
from tasks.reconfirm import KNOWN_PHRASES, NEW_PHRASES
from tasks.recount import Shard, changed_links
from tasks.step import Before, step

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

    def count(place: Workspace, shard: Shard, phrases: LikelyPhrases) -> CountedFacts:
        corpora = (corpus for corpus, _ in read_corpora(place, *shard))
        counts = count_overhangs_in(corpora, phrases, max_words=max_words)
        return phrases, overhang_facts(counts, phrases)

    if before is None:
        return write_facts(workspace, count(workspace, shard, read_phrases(workspace, candidates)))
    tables = {"phrases": candidates, "phrases_before": before.inputs["candidates"]}
    known, new = (query_phrases(workspace, it, tables) for it in (KNOWN_PHRASES, NEW_PHRASES))
    with changed_links(workspace, shard, before.inputs["shard"]) as (aside, now, gone):
        holding = _pairs_holding(workspace, aside, shard, new)
        more = write_facts(aside, count(aside, now, known), count(aside, holding, new))
        less = write_facts(aside, count(aside, gone, known))
        return write_merged(workspace, _MERGED, before.result, (aside, more, less), tables)


def _pairs_holding(
    workspace: Workspace, aside: Workspace, shard: Shard, phrases: LikelyPhrases
) -> Shard:
    """Write, aside, the pairs in which the source of one of some phrases stands, and their
    links.
    """
    pairs = pairs_with(workspace, aside, shard[0], spelled(phrases.sources))
    ids = aside.read_columns(pairs, ["pair_id"])["pair_id"]
    return pairs, with_ids(workspace, aside, shard[1], ids)
