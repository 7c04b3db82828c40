"""The steps that tell terms from fragments among the likely phrases."""

from collections.abc import Iterable

from flows.cleaning import column
from flows.settings import Settings
from flows.sources import ShardWords
from storage.datasets import ArtifactRef
from tasks.contexts import count_formed, count_places, count_sequences, merge_neighbours
from tasks.mining.key_parts import parts_of
from tasks.overhangs import count_overhangs
from tasks.run import Run
from tasks.terms import TermSettings, judge_terms, merge_terms, total_terms

Shards = tuple[tuple[ShardWords, ArtifactRef], ...]


def tell_terms(
    run: Run,
    settings: Settings,
    shards: Shards,
    links: tuple[ArtifactRef, ...],
    candidates: ArtifactRef,
    dictionaries: tuple[tuple[ArtifactRef, ...], ArtifactRef],
) -> ArtifactRef:
    """Count, shard by shard, what terms are told by, and judge the likely phrases.

    Args:
        run: how steps are called.
        settings: the settings.
        shards: each shard, and its pairs.
        links: of each shard.
        candidates: the phrases to judge.
        dictionaries: their entries, and these as they are looked up.
    """
    config = TermSettings(settings.terms, settings.rules, settings.memory.max_words)
    entries, listings = dictionaries
    sequences, contexts = _count(run, config, shards, (candidates, entries))
    beyond = _count_overhangs(run, config, zip(shards, links, strict=True), candidates)
    totals = run.one(
        total_terms,
        "",
        sequence_counts=sequences,
        term_contexts=contexts,
        max_words=config.max_words,
    )
    judged = run.all(
        [
            run.prepare(
                judge_terms,
                f"{part.number + 1}/{part.of}",
                phrases={"candidates": candidates, "listings": listings},
                totals=totals,
                term_contexts=(*contexts, *beyond),
                part=part,
                config=config,
            )
            for part in parts_of(settings.execution.shards)
        ]
    )
    return run.one(merge_terms, "", terms=tuple(judged))


def _count(
    run: Run,
    config: TermSettings,
    shards: Shards,
    phrases: tuple[ArtifactRef, tuple[ArtifactRef, ...]],
) -> tuple[tuple[ArtifactRef, ...], tuple[ArtifactRef, ...]]:
    """Count what stands in each shard; returns the sequences of words, and the contexts of the
    likely phrases.

    Args:
        run: how steps are called.
        config: settings of the counting.
        shards: each shard, and its pairs.
        phrases: the likely phrases, and the dictionaries' entries.
    """
    counted = run.all(
        [
            run.prepare(count_sequences, item.label, pairs=ref, max_words=config.max_words)
            for item, ref in shards
        ]
    )
    neighbours = run.one(merge_neighbours, "", neighbour_counts=column(counted, 1))
    places = _count_places(run, config, shards, phrases)
    formed = _count_formed(run, config, shards, (phrases[0], neighbours))
    return column(counted, 0), (*places, *formed)


def _count_places(
    run: Run,
    config: TermSettings,
    shards: Shards,
    phrases: tuple[ArtifactRef, tuple[ArtifactRef, ...]],
) -> list[ArtifactRef]:
    """Count where the likely phrases, and the dictionaries' entries, stand."""
    candidates, entries = phrases
    return run.all(
        [
            run.prepare(
                count_places,
                item.label,
                pairs=ref,
                candidates=candidates,
                entries=entries,
                max_words=config.max_words,
            )
            for item, ref in shards
        ]
    )


def _count_formed(
    run: Run,
    config: TermSettings,
    shards: Shards,
    tables: tuple[ArtifactRef, ArtifactRef],
) -> list[ArtifactRef]:
    """Count how the likely phrases are formed, given these and what stands beside words."""
    candidates, neighbours = tables
    return run.all(
        [
            run.prepare(
                count_formed,
                item.label,
                pairs=ref,
                neighbours=neighbours,
                candidates=candidates,
                min_likelihood_ratio=config.terms.min_likelihood_ratio,
                max_words=config.max_words,
            )
            for item, ref in shards
        ]
    )


def _count_overhangs(
    run: Run,
    config: TermSettings,
    linked: Iterable[tuple[tuple[ShardWords, ArtifactRef], ArtifactRef]],
    candidates: ArtifactRef,
) -> list[ArtifactRef]:
    """Count beside which targets more of their source stands, given each shard and its links."""
    return run.all(
        [
            run.prepare(
                count_overhangs,
                item.label,
                shard=(pairs, links),
                candidates=candidates,
                max_words=config.max_words,
            )
            for (item, pairs), links in linked
        ]
    )
