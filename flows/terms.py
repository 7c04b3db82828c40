"""The steps that tell terms from fragments among the likely phrases."""

from flows.cleaning import column
from flows.settings import Settings
from flows.sources import ShardWords
from storage.datasets import ArtifactRef
from tasks.contexts import count_formed, count_places, count_sequences, merge_neighbours
from tasks.mining.key_parts import parts_of
from tasks.run import Run
from tasks.terms import TermSettings, judge_terms, merge_terms, total_terms


def tell_terms(
    run: Run,
    settings: Settings,
    shards: tuple[tuple[ShardWords, ArtifactRef], ...],
    candidates: ArtifactRef,
    dictionaries: tuple[tuple[ArtifactRef, ...], ArtifactRef],
) -> ArtifactRef:
    """Count, shard by shard, what terms are told by, and judge the likely phrases.

    Args:
        run: how steps are called.
        settings: the settings.
        shards: each shard, and its pairs.
        candidates: the likely phrases.
        dictionaries: their entries, and these as they are looked up.
    """
    entries, listings = dictionaries
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
    contexts = (*places, *formed)
    totals = run.one(
        total_terms,
        "",
        sequence_counts=column(counted, 0),
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
                term_contexts=contexts,
                part=part,
                config=config,
            )
            for part in parts_of(settings.execution.shards)
        ]
    )
    return run.one(merge_terms, "", terms=tuple(judged))
