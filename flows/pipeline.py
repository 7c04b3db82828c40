"""The order of the steps: what each stage calls, with which settings and inputs. Nothing is
computed here.

The same functions run, plan (`phrasenet status`) and resume, according to the `Run` they are given.
"""

from dataclasses import dataclass, replace
from typing import Any

from flows.settings import Settings
from flows.sources import (
    ShardWords,
    TestWords,
    check_sources,
    read_corpora,
    read_dictionaries,
    read_testsets,
    word_recipe,
)
from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.memory import Snapshot
from tasks.align import align, train_aligner
from tasks.collect import CollectConfig, collect, confirm, select
from tasks.mine import mine
from tasks.prepare import clean
from tasks.run import Pending, Run
from tasks.tag import tag_held_out, tag_training
from tasks.train import train, vocabulary

PUBLISH, REPORT = "publish", "report"
STEPS = (
    "ingest",
    "dictionary",
    "testset",
    "words",
    "clean",
    "aligner",
    "align",
    "mine",
    "select",
    "confirm",
    "collect",
    PUBLISH,
    "tag",
    "vocabulary",
    "train",
    "translate",
    "score",
    "comparison",
    REPORT,
)
"""Every step in the order in which it is first called. `publish` moves the memory's HEAD; `report`
is a view of the results."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh of the phrase memory leaves for the stages after it."""

    raw: tuple[ArtifactRef, ...]
    pairs: tuple[ArtifactRef, ...]
    links: tuple[ArtifactRef, ...]
    dropped: tuple[ArtifactRef, ...]
    testsets: tuple[TestWords, ...]
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Tagged:
    """Sentences with the phrases that are offered to them."""

    training: tuple[ArtifactRef, ...]
    held_out: tuple[tuple[TestWords, ArtifactRef], ...]


@dataclass(frozen=True, slots=True)
class CleanPairs:
    """The sources, read, cut into words and cleaned."""

    shards: tuple[ShardWords, ...]
    testsets: tuple[TestWords, ...]
    pairs: tuple[ArtifactRef, ...]
    dropped: tuple[ArtifactRef, ...]

    @property
    def raw(self) -> tuple[ArtifactRef, ...]:
        """Return the pairs as they were read, of all shards."""
        return tuple(shard.raw for shard in self.shards)


def clean_pairs(run: Run, settings: Settings) -> CleanPairs:
    """Read the sources and set aside, with a reason, the pairs that are unfit."""
    check_sources(settings)
    testsets = read_testsets(run, settings)
    shards = read_corpora(run, settings)
    held_out = tuple(item.lines for item in testsets)
    cleaned = run.all(
        [
            run.prepare(
                clean, item.label, words=item.words, held_out=held_out, config=settings.text
            )
            for item in shards
        ]
    )
    return CleanPairs(tuple(shards), testsets, _column(cleaned, 0), _column(cleaned, 1))


def refresh(run: Run, settings: Settings) -> Refreshed:
    """Read the sources, mine phrases and publish a snapshot of the memory.

    Raises:
        ConfigError: the settings name no corpus, or one whose licence nobody knows.
    """
    cleaned = clean_pairs(run, settings)
    cut, pairs = cleaned.shards, cleaned.pairs
    _must_hold_pairs(settings, pairs)
    aligner = run.one(train_aligner, "", pairs=pairs, config=settings.alignment)
    links = run.all(
        [
            run.prepare(align, item.label, pairs=ref, aligner=aligner, config=settings.alignment)
            for item, ref in zip(cut, pairs, strict=True)
        ]
    )
    counted = run.all(
        [
            run.prepare(
                mine,
                item.label,
                pairs=pairs[index],
                links=links[index],
                config=settings.extraction,
                max_words=settings.memory.max_words,
            )
            for index, item in enumerate(cut)
        ]
    )
    snapshot = run.publish(PUBLISH, _settle(run, settings, cut, pairs, counted))
    return Refreshed(
        raw=cleaned.raw,
        pairs=pairs,
        links=tuple(links),
        dropped=cleaned.dropped,
        testsets=cleaned.testsets,
        snapshot=snapshot,
    )


def _settle(
    run: Run,
    settings: Settings,
    cut: tuple[ShardWords, ...],
    pairs: tuple[ArtifactRef, ...],
    counted: list[Any],
) -> Snapshot:
    candidates = run.one(
        select,
        "",
        phrase_counts=_column(counted, 0),
        source_counts=_column(counted, 1),
        target_counts=_column(counted, 2),
        config=settings.memory,
    )
    uses = run.all(
        [
            run.prepare(
                confirm,
                item.label,
                pairs=pairs[index],
                candidates=candidates,
                max_words=settings.memory.max_words,
            )
            for index, item in enumerate(cut)
        ]
    )
    settled = run.one(
        collect,
        "",
        candidates=candidates,
        mined=_by_corpus(cut, counted, uses),
        entries=read_dictionaries(run, settings),
        decisions=run.workspace.decisions.tables(),
        config=CollectConfig(
            memory=settings.memory,
            lowercase=settings.text.lowercase,
            licences={config.name: config.licence for config in settings.corpora},
        ),
    )
    return Snapshot(settled[0], settled[1])


def _by_corpus(
    cut: tuple[ShardWords, ...], counted: list[Any], uses: list[Any]
) -> dict[str, dict[str, tuple[ArtifactRef, ...]]]:
    """Arrange the counts of all shards by corpus."""
    arranged: dict[str, dict[str, tuple[ArtifactRef, ...]]] = {}
    for item, counts, used in zip(cut, counted, uses, strict=True):
        corpus = arranged.setdefault(item.corpus, {"pair_counts": (), "use_counts": ()})
        corpus["pair_counts"] += (counts[0],)
        corpus["use_counts"] += (used,)
    return arranged


def tag(run: Run, settings: Settings, refreshed: Refreshed) -> Tagged:
    """Offer the phrases of the snapshot to all training and held-out sentences."""
    training = run.all(
        [
            run.prepare(
                tag_training,
                f"training {index + 1}/{len(refreshed.pairs)}",
                shard=(pairs, refreshed.links[index]),
                all_pairs=refreshed.pairs,
                phrases=refreshed.snapshot.phrases,
                config=settings.memory,
                extraction=settings.extraction,
            )
            for index, pairs in enumerate(refreshed.pairs)
        ]
    )
    held_out = run.all(
        [
            run.prepare(
                tag_held_out,
                item.name,
                words=item.words,
                phrases=refreshed.snapshot.phrases,
                config=settings.memory,
            )
            for item in refreshed.testsets
        ]
    )
    return Tagged(tuple(training), tuple(zip(refreshed.testsets, held_out, strict=True)))


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A system and the model that was trained for it."""

    system: str
    model: ArtifactRef
    log: ArtifactRef


def train_systems(
    run: Run, settings: Settings, refreshed: Refreshed, tagged: Tagged
) -> tuple[TrainedModel, ...]:
    """Train the system of `[model]` and its baselines on the same sentences and words."""
    known = run.one(
        vocabulary,
        "",
        tagged=tagged.training,
        source_size=settings.model.source_vocabulary,
        target_size=settings.model.target_vocabulary,
    )
    dev = tuple(ref for item, ref in tagged.held_out if item.role == "dev")
    systems = tuple(dict.fromkeys([*settings.evaluation.baselines, settings.model.system]))
    made = run.all(
        [
            run.prepare(
                train,
                system,
                tagged=tagged.training,
                dev=dev,
                words=known,
                recipe=word_recipe(settings),
                configs=(replace(settings.model, system=system), settings.training),
            )
            for system in systems
        ]
    )
    trained = [
        TrainedModel(system, result[0], result[1])
        for system, result in zip(systems, made, strict=True)
    ]
    for item in trained:
        run.register(f"train {item.system}", item.model, item.system, refreshed.snapshot)
    return tuple(trained)


def _column(results: list[Any], index: int) -> tuple[ArtifactRef, ...]:
    """Return one part of the result of each of several calls."""
    return tuple(result[index] for result in results)


def _must_hold_pairs(settings: Settings, pairs: tuple[ArtifactRef, ...]) -> None:
    if any(isinstance(ref, Pending) for ref in pairs):
        return
    if not any(ref.rows for ref in pairs):
        corpora = ", ".join(config.name for config in settings.corpora)
        raise InputError(
            f"{settings.file}: every sentence pair of {corpora} was dropped as unfit. "
            f"`phrasenet corpus dropped -c {settings.file}` shows why; loosen [text] or mend the "
            "corpus."
        )
