"""The first steps of every flow: the sources, read, cut into words, cleaned and linked."""

from dataclasses import dataclass
from typing import Any, cast

from flows.settings import Settings
from flows.sources import (
    ShardWords,
    TestWords,
    check_sources,
    cut_corpora,
    cut_testsets,
    read_corpora,
    read_dictionaries,
    read_lexicon,
    read_testsets,
)
from storage.datasets import ArtifactRef
from tasks.align import align, keep_linked, train_aligner
from tasks.clean import clean, judge, quality, repeats
from tasks.run import Pending, Run
from tasks.saved_aligner import drift


@dataclass(frozen=True, slots=True)
class Writing:
    """What is known of words beside the corpora."""

    entries: tuple[ArtifactRef, ...]
    """The dictionaries."""
    lexicon: ArtifactRef


@dataclass(frozen=True, slots=True)
class CleanPairs:
    """The sources, read, cut into words and cleaned."""

    shards: tuple[ShardWords, ...]
    testsets: tuple[TestWords, ...]
    writing: Writing
    pairs: tuple[ArtifactRef, ...]
    dropped: tuple[ArtifactRef, ...]

    @property
    def raw(self) -> tuple[ArtifactRef, ...]:
        """Return the pairs as they were read, of all shards."""
        return tuple(shard.raw for shard in self.shards)

    @property
    def aside(self) -> tuple[ArtifactRef, ...]:
        """Return what was set aside while the corpora were read, of each corpus."""
        return tuple({shard.corpus: shard.aside for shard in self.shards}.values())


def clean_pairs(run: Run, settings: Settings) -> CleanPairs:
    """Read the sources and set aside, with a reason, the pairs that are unfit."""
    check_sources(settings)
    entries = read_dictionaries(run, settings)
    lines, read = read_testsets(run, settings), read_corpora(run, settings)
    known = read_lexicon(run, settings, entries)
    testsets = cut_testsets(run, settings, known, lines)
    shards = cut_corpora(run, settings, known, read)
    held_out = tuple((item.lines, item.words) for item in testsets)
    measured = run.all(
        [
            run.prepare(
                quality,
                item.label,
                shard=(item.raw, item.words),
                held_out=held_out,
                overlap_words=settings.text.overlap_words,
                style=settings.rules,
            )
            for item in shards
        ]
    )
    verdicts = run.all(
        [
            run.prepare(judge, item.label, quality=ref, config=settings.text)
            for item, ref in zip(shards, measured, strict=True)
        ]
    )
    repeated = run.one(repeats, "", verdicts=tuple(verdicts))
    cleaned = run.all(
        [
            run.prepare(
                clean, item.label, words=item.words, verdicts=ref, repeated=repeated[number]
            )
            for number, (item, ref) in enumerate(zip(shards, verdicts, strict=True))
        ]
    )
    writing = Writing(entries, known)
    return CleanPairs(shards, testsets, writing, column(cleaned, 0), column(cleaned, 1))


@dataclass(frozen=True, slots=True)
class LinkedPairs:
    """The pairs that are fit, with their links, shard by shard."""

    pairs: tuple[ArtifactRef, ...]
    links: tuple[ArtifactRef, ...]
    dropped: tuple[ArtifactRef, ...]
    """What cleaning dropped, and what was dropped for want of links."""


def link_pairs(run: Run, settings: Settings, cleaned: CleanPairs) -> LinkedPairs:
    """Link the words of the clean pairs and set aside those of which too little is linked."""
    aligner = _aligner(run, settings, cleaned.pairs)
    shards = list(zip(cleaned.shards, cleaned.pairs, strict=True))
    links = run.all(
        [
            run.prepare(align, item.label, pairs=ref, aligner=aligner, config=settings.alignment)
            for item, ref in shards
        ]
    )
    kept = run.all(
        [
            run.prepare(
                keep_linked,
                item.label,
                pairs=ref,
                links=found,
                min_linked_share=settings.text.min_linked_share,
                config=settings.alignment,
            )
            for (item, ref), found in zip(shards, links, strict=True)
        ]
    )
    dropped = (*cleaned.dropped, *column(kept, 2))
    return LinkedPairs(column(kept, 0), column(kept, 1), dropped)


def _aligner(run: Run, settings: Settings, pairs: tuple[ArtifactRef, ...]) -> ArtifactRef:
    """Return the saved aligner while the text is much the same, or else train one on it.

    It is trained, too, where a person asks for it (`--from aligner`), where its settings or its
    code changed, and where the text that trained it is no longer there.
    """
    training = run.prepare(train_aligner, "", pairs=pairs, config=settings.alignment)
    if any(isinstance(ref, Pending) for ref in pairs):
        return run.all([training])[0]
    saved = None if run.window.first == train_aligner.name else run.last(training, ("pairs",))
    if saved is None or saved.inputs["pairs"] == pairs:
        return run.all([training])[0]
    moved = run.one(drift, "", trained=saved.inputs["pairs"], pairs=pairs)
    if isinstance(moved, Pending):
        return cast(ArtifactRef, moved)
    if moved > settings.refresh.max_drift:
        return run.all([training])[0]
    return cast(ArtifactRef, saved.result)


def column(results: list[Any], index: int) -> tuple[ArtifactRef, ...]:
    """Return one part of the result of each of several calls."""
    return tuple(result[index] for result in results)
