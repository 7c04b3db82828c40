"""Steps that count what lexical weights and the significance of mined phrases follow from.

Only integers are kept; the weights are worked out when someone asks (`tasks/lexical_scores.py`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from storage.datasets import ArtifactRef
from storage.phrase_keys import phrase_key
from storage.records import phrase_id
from storage.workspace import Workspace
from tasks.linked import read_corpora
from tasks.mining.config import ExtractionConfig
from tasks.mining.lexical_queries import (
    MOST_FREQUENT_ALIGNMENTS,
    TOTAL_SENTENCES,
    WANTED_WORD_LINKS,
)
from tasks.mining.lexical_weights import word_pairs
from tasks.mining.link_counts import NULL_KEY, LinkCounter
from tasks.mining.phrase_places import PhraseLinks, PhrasePlaces, count_alignments
from tasks.step import step

Lexical = tuple[ArtifactRef, ArtifactRef, ArtifactRef]
"""`link_counts`, `alignment_counts` and `sentence_counts` of a shard."""


@step(
    writes=("link_counts", "alignment_counts", "sentence_counts"),
    name="lexical-counts",
    libraries=("duckdb",),
)
def count_lexical(
    workspace: Workspace,
    *,
    pairs: ArtifactRef,
    links: ArtifactRef,
    candidates: ArtifactRef,
    config: ExtractionConfig,
    max_words: int,
) -> Lexical:
    """Count in one shard how words are linked, how the likely phrases are linked inside, and in
    how many sentence pairs they stand.
    """
    known = workspace.read_columns(candidates, ["source", "target", "source_key", "target_key"])
    phrases = list(zip(known["source"], known["target"], strict=True))
    keys = list(zip(known["source_key"], known["target_key"], strict=True))
    places = PhrasePlaces(phrases, config, max_words=max_words)
    words, alignments = LinkCounter(), Counter[PhraseLinks]()
    for corpus, _ in read_corpora(workspace, pairs, links):
        words.add(corpus)
        places.see(corpus)
        for cut, count in count_alignments(corpus, places.find(corpus)):
            alignments[cut] += count
    counted = words.counts()
    return (
        workspace.write_arrays(
            "link_counts",
            {
                "source_key": counted.sources,
                "target_key": counted.targets,
                "count": counted.counts,
            },
        ),
        _write_alignments(workspace, alignments, keys),
        _write_sentences(workspace, places, keys),
    )


def _write_alignments(
    workspace: Workspace, alignments: Mapping[PhraseLinks, int], keys: list[tuple[int, int]]
) -> ArtifactRef:
    return workspace.write_columns(
        "alignment_counts",
        {
            "source_key": [keys[cut.phrase][0] for cut in alignments],
            "target_key": [keys[cut.phrase][1] for cut in alignments],
            "source_words": [cut.source_words for cut in alignments],
            "links": [cut.links for cut in alignments],
            "count": list(alignments.values()),
        },
    )


def _write_sentences(
    workspace: Workspace, places: PhrasePlaces, keys: list[tuple[int, int]]
) -> ArtifactRef:
    both, sources, targets = places.sentences()
    return workspace.write_columns(
        "sentence_counts",
        {
            "source_key": [source for source, _ in keys],
            "target_key": [target for _, target in keys],
            "sentences": both,
            "source_sentences": sources,
            "target_sentences": targets,
        },
    )


@step(writes=("alignments", "word_links"), name="lexical", libraries=("duckdb",))
def merge_lexical(
    workspace: Workspace,
    *,
    phrases: ArtifactRef,
    candidates: ArtifactRef,
    counts: Mapping[str, tuple[ArtifactRef, ...]],
    pairs: tuple[ArtifactRef, ...],
) -> tuple[ArtifactRef, ArtifactRef]:
    """Keep what was counted of the phrases of a memory over all shards.

    Args:
        workspace: where the tables are.
        phrases: the memory.
        candidates: what was looked for.
        counts: what `count_lexical` counted in each shard, by kind.
        pairs: the shards.
    """
    wanted = set(workspace.read_columns(phrases, ["phrase_id"])["phrase_id"])
    totals = {
        (row["source_key"], row["target_key"]): row
        for row in workspace.query(TOTAL_SENTENCES, {"sentence_counts": counts["sentence_counts"]})
    }
    total = sum(ref.rows for ref in pairs)
    rows: dict[str, dict[str, Any]] = {}
    for row in workspace.query(
        MOST_FREQUENT_ALIGNMENTS,
        {"alignment_counts": counts["alignment_counts"], "candidates": candidates},
    ):
        identity = phrase_id(row["source"], row["target"])
        if identity in wanted and identity not in rows:
            rows[identity] = {
                "phrase_id": identity,
                "source_words": row["source_words"],
                "target_words": row["target"],
                "links": row["links"],
                "count": row["count"],
                **totals[row["source_key"], row["target_key"]],
                "total_sentences": total,
            }
    return (
        workspace.write_rows("alignments", rows.values()),
        workspace.write_rows("word_links", _word_links(workspace, rows.values(), counts)),
    )


def _word_links(
    workspace: Workspace,
    alignments: Iterable[Mapping[str, Any]],
    counts: Mapping[str, tuple[ArtifactRef, ...]],
) -> Iterable[dict[str, Any]]:
    """Yield the counts of the word pairs that some phrases are linked by."""
    wanted = {pair for row in alignments for pair in word_pairs(row)}
    by_key = {(_key(source), _key(target)): (source, target) for source, target in wanted}
    asked = {
        "sources": [source for source, _ in by_key],
        "targets": [target for _, target in by_key],
    }
    tables = {"link_counts": counts["link_counts"]}
    for row in workspace.query(WANTED_WORD_LINKS, tables, asked):
        source, target = by_key[row.pop("source_key"), row.pop("target_key")]
        yield {"source": source, "target": target, **row}


def _key(word: str) -> int:
    return phrase_key(word) if word else NULL_KEY
