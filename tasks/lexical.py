"""Steps that count what lexical weights and the significance of mined phrases follow from.

Only integers are kept; the weights are worked out when someone asks (`tasks/lexical_scores.py`).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from storage.datasets import ArtifactRef
from storage.phrase_keys import phrase_key
from storage.records import phrase_id
from storage.workspace import Elsewhere, Workspace
from tasks.changed_pairs import merged_counts, pairs_with, with_ids, write_merged
from tasks.linked import read_corpora
from tasks.mining.config import ExtractionConfig
from tasks.mining.lexical_queries import (
    MOST_FREQUENT_ALIGNMENTS,
    REMEMBERED,
    WANTED_WORD_LINKS,
)
from tasks.mining.lexical_weights import word_pairs
from tasks.mining.link_counts import NULL_KEY, LinkCounter, LinkCounts
from tasks.mining.phrase_places import PhraseLinks, PhrasePlaces, count_alignments
from tasks.reconfirm import KNOWN_PHRASES, NEW_PHRASES
from tasks.recount import Shard, changed_links
from tasks.step import Before, step

Lexical = tuple[ArtifactRef, ArtifactRef, ArtifactRef]
"""`link_counts`, `alignment_counts` and `sentence_counts` of a shard."""
_PHRASES = "candidates", "memory"
_ALIGNMENT = ("source_key", "target_key", "source_words", "links", "count")
_SENTENCES = ("source_key", "target_key", "sentences", "source_sentences", "target_sentences")
_STILL_LIKELY = "SEMI JOIN phrases USING (source_key, target_key)"
_MERGED = (
    merged_counts("source_key, target_key"),
    merged_counts("source_key, target_key, source_words, links", kept=_STILL_LIKELY),
    merged_counts(
        "source_key, target_key",
        counts=_SENTENCES[2:],
        positive=_SENTENCES[3:],
        kept=_STILL_LIKELY,
    ),
)


@step(
    writes=("link_counts", "alignment_counts", "sentence_counts"),
    name="lexical-counts",
    libraries=("duckdb",),
    continues=("shard", "phrases"),
)
def count_lexical(
    workspace: Workspace,
    *,
    shard: Shard,
    phrases: tuple[ArtifactRef, ArtifactRef],
    config: ExtractionConfig,
    max_words: int,
    before: Before | None = None,
) -> Lexical:
    """Count in one shard how words are linked, how the likely phrases that the memory may hold are
    linked inside, and in how many sentence pairs they stand.

    Args:
        workspace: where the tables are.
        shard: the pairs of the shard and their links.
        phrases: the likely phrases, and the memory, whose sources are looked at.
        config: how phrases are extracted.
        max_words: longest side of what may be a phrase.
        before: an earlier call, of whose pairs and phrases many may be the same.
    """

    rule = config, max_words
    if before is None:
        rows = workspace.query(REMEMBERED, dict(zip(_PHRASES, phrases, strict=True)))
        return _write(workspace, _count(workspace, shard, rows, rule))
    with changed_links(workspace, shard, before.inputs["shard"]) as (aside, now, gone):
        tables = {
            "phrases": _remembered(workspace, aside, phrases),
            "phrases_before": _remembered(workspace, aside, before.inputs["phrases"]),
        }
        known, new = (workspace.query(query, tables) for query in (KNOWN_PHRASES, NEW_PHRASES))
        holding = _pairs_holding(workspace, aside, shard, new)
        of_new = _count(aside, holding, new, rule)
        more = _write(aside, _count(aside, now, known, rule).and_phrases(of_new))
        less = _write(aside, _count(aside, gone, known, rule))
        words, alignments, sentences = (
            write_merged(workspace, merged, was, (aside, plus, minus), tables)
            for merged, was, plus, minus in zip(_MERGED, before.result, more, less, strict=True)
        )
    return words, alignments, sentences


def _remembered(
    workspace: Workspace, aside: Workspace, phrases: Sequence[ArtifactRef]
) -> Elsewhere:
    """Write, aside, the likely phrases that a memory may hold."""
    read = {
        name: Elsewhere(workspace.root, ref) for name, ref in zip(_PHRASES, phrases, strict=True)
    }
    return Elsewhere(aside.root, aside.write_query("candidates", REMEMBERED, read))


class _Counted(NamedTuple):
    """What was counted in some pairs."""

    words: LinkCounts
    alignments: list[tuple[int, int, str, str, int]]
    """Rows of `alignment_counts`."""
    sentences: list[tuple[int, int, int, int, int]]
    """Rows of `sentence_counts`, of the phrases of which a side stands in the pairs."""

    def and_phrases(self, other: "_Counted") -> "_Counted":
        """Add what was counted of other phrases, and not how words are linked."""
        return _Counted(
            self.words, self.alignments + other.alignments, self.sentences + other.sentences
        )


def _count(
    workspace: Workspace,
    shard: Shard,
    candidates: Iterable[Mapping[str, Any]],
    rule: tuple[ExtractionConfig, int],
) -> _Counted:
    """Count in some pairs how words are linked, and some phrases."""
    rows = list(candidates)
    keys = [(row["source_key"], row["target_key"]) for row in rows]
    config, max_words = rule
    phrases = [(row["source"], row["target"]) for row in rows]
    places = PhrasePlaces(phrases, config, max_words=max_words)
    words, alignments = LinkCounter(), Counter[PhraseLinks]()
    for corpus, _ in read_corpora(workspace, *shard):
        words.add(corpus)
        places.see(corpus)
        for cut, count in count_alignments(corpus, places.find(corpus)):
            alignments[cut] += count
    seen = zip(*(side.tolist() for side in places.sentences()), strict=True)
    return _Counted(
        words.counts(),
        [(*keys[cut.phrase], cut.source_words, cut.links, n) for cut, n in alignments.items()],
        # A row of every phrase in every shard would grow with the square of the text.
        [(*key, *counts) for key, counts in zip(keys, seen, strict=True) if any(counts)],
    )


def _pairs_holding(
    workspace: Workspace, aside: Workspace, shard: Shard, phrases: Sequence[Mapping[str, Any]]
) -> Shard:
    """Write, aside, the pairs in which a side of one of some phrases stands, and their links."""
    sources, targets = ([row[side] for row in phrases] for side in ("source", "target"))
    pairs = pairs_with(workspace, aside, shard[0], sources, targets)
    ids = aside.read_columns(pairs, ["pair_id"])["pair_id"]
    return pairs, with_ids(workspace, aside, shard[1], ids)


def _write(workspace: Workspace, counted: _Counted) -> Lexical:
    words = counted.words
    numbers = {"source_key": words.sources, "target_key": words.targets, "count": words.counts}
    return (
        workspace.write_arrays("link_counts", numbers),
        _write_tuples(workspace, "alignment_counts", _ALIGNMENT, counted.alignments),
        _write_tuples(workspace, "sentence_counts", _SENTENCES, counted.sentences),
    )


def _write_tuples(
    workspace: Workspace, kind: str, names: tuple[str, ...], rows: list[Any]
) -> ArtifactRef:
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return workspace.write_columns(kind, dict(zip(names, map(list, columns), strict=True)))


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
    total = sum(ref.rows for ref in pairs)
    rows: dict[str, dict[str, Any]] = {}
    for row in _alignments(workspace, _mined(workspace, candidates, wanted), counts):
        identity = phrase_id(row.pop("source"), row["target_words"])
        if identity not in rows:
            rows[identity] = {"phrase_id": identity, **row, "total_sentences": total}
    return (
        workspace.write_rows("alignments", rows.values()),
        workspace.write_rows("word_links", _word_links(workspace, rows.values(), counts)),
    )


def _mined(
    workspace: Workspace, candidates: ArtifactRef, wanted: Collection[str]
) -> Iterator[dict[str, Any]]:
    """Yield the candidates that are in a memory, which are few."""
    for row in workspace.read_rows(candidates):
        if phrase_id(row["source"], row["target"]) in wanted:
            yield row


def _alignments(
    workspace: Workspace,
    mined: Iterable[Mapping[str, Any]],
    counts: Mapping[str, tuple[ArtifactRef, ...]],
) -> Iterator[dict[str, Any]]:
    """Yield the most frequent alignment of some candidates and what was counted of them."""
    kinds = ("alignment_counts", "sentence_counts")
    with workspace.aside() as aside:
        candidates = Elsewhere(aside.root, aside.write_rows("candidates", mined))
        tables = {kind: counts[kind] for kind in kinds}
        yield from workspace.stream(MOST_FREQUENT_ALIGNMENTS, {**tables, "candidates": candidates})


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
