"""The order of the steps: what each stage calls, with which settings and inputs. Nothing is
computed here.

The same functions run, plan (`phrasenet status`) and resume, according to the `Run` they are given.
"""

from dataclasses import dataclass
from typing import Any

from flows.cleaning import CleanPairs, Writing, clean_pairs, column, link_pairs
from flows.licences import check_licences, joined_licences, source_licences
from flows.settings import Settings
from flows.sources import (
    ShardWords,
    TestWords,
    word_recipe,
)
from flows.terms import tell_terms
from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.memory import Snapshot
from tasks.casing import casing
from tasks.collect import CollectConfig, collect, listed_phrases, select
from tasks.confirm import confirm, confirm_rules, merge_rules
from tasks.mine import mine
from tasks.run import Pending, Run
from tasks.tag import tag_held_out, tag_training
from tasks.train import train, vocabulary
from tasks.units import in_units, learn_units

PUBLISH, REPORT = "publish", "report"
STEPS = (
    "dictionary",
    "testset",
    "ingest",
    "lexicon",
    "words",
    "quality",
    "judge",
    "clean",
    "drift",
    "aligner",
    "align",
    "linked",
    "mine",
    "select",
    "sequences",
    "neighbours",
    "contexts",
    "term-units",
    "terms",
    "listed",
    "confirm",
    "collect",
    "rule-uses",
    "rules",
    PUBLISH,
    "tag",
    "units",
    "code",
    "vocabulary",
    "casing",
    "train",
    "gold",
    "test-terms",
    "translate",
    "record",
    "score",
    "analyse",
    "scaling",
    "tag_terms",
    "term_settings",
    "comparison",
    REPORT,
)
"""Every step in the order in which it is first called. `publish` moves the memory's HEAD; `report`
is a view of the results."""


HeldOut = tuple[tuple[TestWords, ArtifactRef], ...]
"""Test sets with their tagged sentences."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh of the phrase memory leaves for the stages after it."""

    raw: tuple[ArtifactRef, ...]
    pairs: tuple[ArtifactRef, ...]
    links: tuple[ArtifactRef, ...]
    dropped: tuple[ArtifactRef, ...]
    testsets: tuple[TestWords, ...]
    writing: Writing
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Tagged:
    """Sentences with the phrases that are offered to them."""

    training: tuple[ArtifactRef, ...]
    held_out: HeldOut


def refresh(run: Run, settings: Settings) -> Refreshed:
    """Read the sources, mine phrases and publish a snapshot of the memory.

    Raises:
        ConfigError: the settings name no corpus, or one whose licence nobody knows.
    """
    check_licences(settings)
    cleaned = clean_pairs(run, settings)
    _must_hold_pairs(settings, cleaned.pairs)
    linked = link_pairs(run, settings, cleaned)
    cut, pairs, links = cleaned.shards, linked.pairs, linked.links
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
    snapshot = run.publish(PUBLISH, _settle(run, settings, cleaned, pairs, counted))
    return Refreshed(
        raw=cleaned.raw,
        pairs=pairs,
        links=links,
        dropped=linked.dropped,
        testsets=cleaned.testsets,
        writing=cleaned.writing,
        snapshot=snapshot,
    )


def _settle(
    run: Run,
    settings: Settings,
    cleaned: CleanPairs,
    pairs: tuple[ArtifactRef, ...],
    counted: list[Any],
) -> Snapshot:
    cut = cleaned.shards
    candidates = run.one(
        select,
        "",
        phrase_counts=column(counted, 0),
        source_counts=column(counted, 1),
        target_counts=column(counted, 2),
        config=settings.memory,
    )
    shards = tuple(zip(cut, pairs, strict=True))
    terms = tell_terms(run, settings, shards, candidates, cleaned.writing.entries)
    listed = run.one(
        listed_phrases,
        "",
        entries=cleaned.writing.entries,
        lowercase=settings.text.lowercase,
    )
    uses = _confirm(run, cut, pairs, "mined", candidates)
    listed_uses = _confirm(run, cut, pairs, "listed", listed)
    settled = run.one(
        collect,
        "",
        likely={"candidates": candidates, "terms": terms},
        counts=_by_corpus(cut, counted, uses),
        dictionaries={"entries": cleaned.writing.entries, "use_counts": listed_uses},
        decisions=run.workspace.decisions.tables() + run.workspace.tombstones.of_phrases(),
        config=CollectConfig(
            memory=settings.memory,
            lowercase=settings.text.lowercase,
            fragments=settings.terms.fragments,
            licences=joined_licences(settings),
            untrusted=tuple(config.name for config in settings.dictionaries if not config.trusted),
        ),
    )
    return Snapshot(settled[0], settled[1], _count_rules(run, shards))


def _count_rules(run: Run, shards: tuple[tuple[ShardWords, ArtifactRef], ...]) -> ArtifactRef:
    """Count in every shard how often the rules are right, and add it up."""
    counted = run.all([run.prepare(confirm_rules, item.label, pairs=ref) for item, ref in shards])
    return run.one(merge_rules, "", rule_counts=tuple(counted))


def _confirm(
    run: Run,
    cut: tuple[ShardWords, ...],
    pairs: tuple[ArtifactRef, ...],
    kind: str,
    phrases: ArtifactRef,
) -> tuple[ArtifactRef, ...]:
    """Count the uses of phrases in every shard."""
    return tuple(
        run.all(
            [
                run.prepare(confirm, f"{kind} {item.label}", pairs=ref, phrases=phrases)
                for item, ref in zip(cut, pairs, strict=True)
            ]
        )
    )


def _by_corpus(
    cut: tuple[ShardWords, ...], counted: list[Any], uses: tuple[ArtifactRef, ...]
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
                memory=refreshed.snapshot.tables,
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
                memory=refreshed.snapshot.tables,
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
    training, held_out, extra = _in_units(run, settings, refreshed, tagged)
    known = run.one(
        vocabulary,
        "",
        tagged=training,
        source_size=settings.model.source_vocabulary,
        target_size=settings.model.target_vocabulary,
    )
    forms = run.one(casing, "", pairs=refreshed.pairs, entries=refreshed.writing.entries)
    dev = tuple(ref for item, ref in held_out if item.role == "dev")
    systems = tuple(dict.fromkeys([*settings.evaluation.baselines, settings.model.system]))
    made = run.all(
        [
            run.prepare(
                train,
                system,
                tagged=training,
                dev=dev,
                words=(known, forms, refreshed.writing.lexicon, *extra),
                recipe=word_recipe(settings),
                configs=(settings.model_of(system), settings.training),
            )
            for system in systems
        ]
    )
    trained = [
        TrainedModel(system, result[0], result[1])
        for system, result in zip(systems, made, strict=True)
    ]
    for item in trained:
        label = f"train {item.system}"
        run.register(label, item.model, item.system, refreshed.snapshot, source_licences(settings))
    return tuple(trained)


def _in_units(
    run: Run, settings: Settings, refreshed: Refreshed, tagged: Tagged
) -> tuple[tuple[ArtifactRef, ...], HeldOut, tuple[ArtifactRef, ...]]:
    """Bring tagged sentences to the units of the settings; returns also what codes them.

    Test sets stay in words: the step that translates brings them to the units of its model.
    """
    recipe = word_recipe(settings)
    if not recipe.has_units:
        return tagged.training, tagged.held_out, ()
    learned = run.one(
        learn_units,
        "",
        pairs=refreshed.pairs,
        recipe=recipe,
        num_subwords=settings.text.num_subwords,
    )
    dev = [(item, ref) for item, ref in tagged.held_out if item.role == "dev"]
    labelled = [
        (f"training {number}/{len(tagged.training)}", ref)
        for number, ref in enumerate(tagged.training, start=1)
    ] + [(item.name, ref) for item, ref in dev]
    coded = run.all(
        [
            run.prepare(in_units, label, tagged=ref, units=learned, recipe=recipe)
            for label, ref in labelled
        ]
    )
    shards = len(tagged.training)
    held_out = tuple((item, ref) for (item, _), ref in zip(dev, coded[shards:], strict=True))
    return tuple(coded[:shards]), held_out, (learned,)


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
