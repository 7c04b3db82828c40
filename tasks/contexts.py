"""Steps that count, shard by shard, what terms are told by.

Two passes, each of them only counting: `sequences` and `neighbours` before anything is chosen;
`contexts` and `units` at the places where the likely phrases stand. What follows from a sentence
alone is counted only where something changed; which words belong together (`units`) follows from
the whole text and is counted each time.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.changed_pairs import changed_pairs, merged_counts, pairs_with, write_merged
from tasks.compiled.arrays import Sentences, Texts, spelled
from tasks.mining.likelihood_ratio import units
from tasks.mining.likely import LikelyPhrases
from tasks.mining.part_of_speech import shared_tagger
from tasks.mining.term_contexts import (
    English,
    PhraseFinder,
    count_contexts,
    count_units,
)
from tasks.mining.term_counts import count_terms, joined
from tasks.mining.term_scores import (
    ALL_NEIGHBOURS,
    BorderScores,
    border_scores,
    border_scores_of,
)
from tasks.mining.word_arrays import WordArrays
from tasks.phrase_columns import CountedFacts, read_phrases, write_facts
from tasks.step import Before, step
from tasks.text.script import normalise

_WORDS = ("source_words", "rules")
_BY_SOURCE = "SELECT source, LIST(target ORDER BY target) AS targets FROM {table} GROUP BY source"
_SAME_SOURCES = f"""
SELECT source FROM ({_BY_SOURCE.format(table="candidates")})
JOIN ({_BY_SOURCE.format(table="candidates_before")}) USING (source, targets)
"""
"""Sources that have the targets that they had before."""
MERGED_SEQUENCES = merged_counts("words")
MERGED_NEIGHBOURS = merged_counts("first, second")
MERGED_CONTEXTS = merged_counts(
    "source, fact, value", kept=f"SEMI JOIN ({_SAME_SOURCES}) USING (source)"
)


@step(
    writes=("sequence_counts", "neighbour_counts"),
    name="sequences",
    libraries=("duckdb",),
    continues=("pairs",),
)
def count_sequences(
    workspace: Workspace, *, pairs: ArtifactRef, max_words: int, before: Before | None = None
) -> tuple[ArtifactRef, ArtifactRef]:
    """Count the term candidates of one shard, and which words stand side by side."""
    if before is None:
        return _write_sequences(workspace, pairs, workspace, max_words)
    with changed_pairs(workspace, pairs, before.inputs["pairs"]) as (aside, now, old):
        more = _write_sequences(aside, now, aside, max_words)
        less = _write_sequences(aside, old, aside, max_words)
        sequences, neighbours = (
            write_merged(workspace, merged, known, (aside, plus, minus))
            for merged, known, plus, minus in zip(
                (MERGED_SEQUENCES, MERGED_NEIGHBOURS), before.result, more, less, strict=True
            )
        )
    return sequences, neighbours


def _write_sequences(
    workspace: Workspace, pairs: ArtifactRef, place: Workspace, max_words: int
) -> tuple[ArtifactRef, ArtifactRef]:
    counts = count_terms(_arrays(workspace, pairs), shared_tagger(), max_words=max_words + 1)
    words = list(joined(counts.sequences))
    sequences = place.write_columns(
        "sequence_counts",
        {"words": [text for text, _ in words], "count": [count for _, count in words]},
    )
    beside = counts.neighbours
    neighbours = place.write_columns(
        "neighbour_counts",
        {
            "first": [pair[0] for pair, _ in beside],
            "second": [pair[1] for pair, _ in beside],
            "count": [count for _, count in beside],
        },
    )
    return sequences, neighbours


@step(writes=("neighbours",), name="neighbours", libraries=("duckdb",))
def merge_neighbours(
    workspace: Workspace, *, neighbour_counts: tuple[ArtifactRef, ...]
) -> ArtifactRef:
    """Add up over all shards how often words stand side by side."""
    return workspace.write_query(
        "neighbours", ALL_NEIGHBOURS, {"neighbour_counts": neighbour_counts}
    )


@step(
    writes=("term_contexts",),
    name="contexts",
    libraries=("duckdb",),
    continues=("pairs", "candidates"),
)
def count_places(
    workspace: Workspace,
    *,
    pairs: ArtifactRef,
    candidates: ArtifactRef,
    entries: tuple[ArtifactRef, ...],
    max_words: int,
    before: Before | None = None,
) -> ArtifactRef:
    """Look at the places of one shard where the likely phrases stand.

    Args:
        workspace: where the tables are.
        pairs: the pairs of the shard.
        candidates: likely phrases.
        entries: the dictionaries.
        max_words: longest source, in words.
        before: an earlier call, of whose pairs and candidates many may be the same.
    """
    names = _names(workspace, entries)
    phrases = read_phrases(workspace, candidates)

    def count(place: Workspace, pairs: ArtifactRef, phrases: LikelyPhrases) -> CountedFacts:
        arrays, english = _arrays(place, pairs), _english(place, pairs)
        return phrases, count_contexts(arrays, phrases, names, english, max_words=max_words)

    if before is None:
        return write_facts(workspace, count(workspace, pairs, phrases))
    tables = {"candidates": candidates, "candidates_before": before.inputs["candidates"]}
    same = {row["source"] for row in workspace.query(_SAME_SOURCES, tables)}
    is_same = np.asarray([source in same for source in spelled(phrases.sources)], np.bool_)
    known, new = phrases.of_sources(is_same), phrases.of_sources(~is_same)
    change = changed_pairs(workspace, pairs, before.inputs["pairs"])
    with change as (aside, now, old):
        holding = pairs_with(workspace, aside, pairs, spelled(new.sources))
        more = write_facts(aside, count(aside, now, known), count(aside, holding, new))
        less = write_facts(aside, count(aside, old, known))
        return write_merged(workspace, MERGED_CONTEXTS, before.result, (aside, more, less), tables)


@step(writes=("term_contexts",), name="term-units", libraries=("duckdb",))
def count_formed(
    workspace: Workspace,
    *,
    pairs: ArtifactRef,
    neighbours: ArtifactRef,
    candidates: ArtifactRef,
    min_likelihood_ratio: float,
    max_words: int,
) -> ArtifactRef:
    """Count in one shard how often the likely phrases are words that belong together.

    Args:
        workspace: where the tables are.
        pairs: the pairs of the shard.
        neighbours: the neighbours in all shards.
        candidates: likely phrases.
        min_likelihood_ratio: see `TermConfig`.
        max_words: longest source, in words.
    """
    arrays = _arrays(workspace, pairs)
    scores = border_scores(arrays, _scores(workspace, neighbours))
    formed = units(scores, least=min_likelihood_ratio, max_words=max_words)
    phrases = read_phrases(workspace, candidates)
    facts = count_units(arrays, phrases, formed, max_words=max_words)
    return write_facts(workspace, (phrases, [facts]))


@lru_cache(maxsize=1)
def _scores(workspace: Workspace, neighbours: ArtifactRef) -> BorderScores:
    """Score all words that stand side by side; all shards ask for the same."""
    texts = workspace.read_texts(neighbours, ["first", "second"])
    names = ["count", "first_count", "second_count", "total"]
    counts = next(workspace.read_arrays(neighbours, names, max(neighbours.rows, 1)), None)
    if counts is None:
        return BorderScores(np.zeros(0, np.uint64), np.zeros(0))
    return border_scores_of((Texts(*texts["first"]), Texts(*texts["second"])), counts)


def _arrays(workspace: Workspace, pairs: ArtifactRef) -> WordArrays:
    """Read the Chinese words of a shard, and what the rules saw in them."""
    columns = next(workspace.read_arrays(pairs, list(_WORDS), max(pairs.rows, 1)), None)
    if columns is None:
        return WordArrays.of([])
    words, rules = columns["source_words"], columns["rules"]
    base = np.repeat(words.starts[:-1], np.diff(rules.starts))
    starts, ends = (base + rules.fields[side] for side in ("start", "end"))
    spans = zip(starts.tolist(), ends.tolist(), rules.fields["category"], strict=True)
    return WordArrays.of_numbered(
        words.ids.astype(np.int64), words.starts, words.words, list(spans)
    )


def _english(workspace: Workspace, pairs: ArtifactRef) -> English:
    """Read the English sentences of a shard."""
    raw = Texts(*workspace.read_texts(pairs, ["target"])["target"])
    columns: Any = next(workspace.read_arrays(pairs, ["target_words"], max(pairs.rows, 1)), None)
    if columns is None:
        return English.of([])
    words = columns["target_words"]
    sentences = Sentences(words.ids, words.starts, Texts(*words.texts), 1)
    return English(raw, sentences, words.words)


@lru_cache(maxsize=1)
def _names(workspace: Workspace, entries: tuple[ArtifactRef, ...]) -> PhraseFinder:
    """Find the phrases of the dictionaries as they stand in text; all shards ask for the same."""
    names = {
        unsegmented(source)
        for ref in entries
        for source in workspace.read_columns(ref, ["source"])["source"]
    }
    return PhraseFinder.of(sorted(names))


def unsegmented(text: str) -> str:
    """Write a phrase as it stands in text."""
    return "".join(normalise(text).split())
