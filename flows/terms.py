"""The steps that tell terms from fragments among the likely phrases."""

from flows.cleaning import column
from flows.settings import Settings
from flows.sources import ShardWords
from storage.datasets import ArtifactRef
from tasks.contexts import count_formed, count_places, count_sequences, merge_neighbours
from tasks.run import Run
from tasks.terms import TermSettings, judge_terms


def tell_terms(
    run: Run,
    settings: Settings,
    shards: tuple[tuple[ShardWords, ArtifactRef], ...],
    candidates: ArtifactRef,
    entries: tuple[ArtifactRef, ...],
) -> ArtifactRef:
    """Count, shard by shard, what terms are told by, and judge the likely phrases.

    Args:
        run: how steps are called.
        settings: the settings.
        shards: each shard, and its pairs.
        candidates: the likely phrases.
        entries: the dictionaries.
    """
    config = TermSettings(settings.terms, settings.rules, settings.memory.max_words)
    counted = run.all(
        [
            run.prepare(count_sequences, item.label, pairs=ref, max_words=config.max_words)
            for item, ref in shards
        ]
    )
    neighbour_counts = column(counted, 1)
    neighbours = run.one(merge_neighbours, "", neighbour_counts=neighbour_counts)
    places = run.all(
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
    formed = run.all(
        [
            run.prepare(
                count_formed,
                item.label,
                pairs=ref,
                neighbours=(neighbours, beside),
                candidates=candidates,
                min_likelihood_ratio=settings.terms.min_likelihood_ratio,
                max_words=config.max_words,
            )
            for (item, ref), beside in zip(shards, neighbour_counts, strict=True)
        ]
    )
    return run.one(
        judge_terms,
        "",
        candidates=candidates,
        sequence_counts=column(counted, 0),
        term_contexts=(*places, *formed),
        entries=entries,
        config=config,
    )
