"""The order of the steps: what each stage calls, with which settings and inputs. Nothing is computed here.

The same functions run, plan (`phrasenet status`) and resume, according to the `Run` they are given.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from flows.settings import Settings
from storage.datasets import ArtifactRef
from storage.errors import ConfigError, InputError
from storage.memory import Snapshot
from tasks.align import align
from tasks.arguments import SourceFile, source_file
from tasks.collect import collect, select
from tasks.ingest import dictionary, ingest, testset
from tasks.mine import mine
from tasks.prepare import clean, words
from tasks.readers.config import UNKNOWN_LICENCE, CorpusConfig, DictionaryConfig
from tasks.readers.opening import missing_file
from tasks.report import report
from tasks.run import Pending, Run
from tasks.score import score
from tasks.tag import tag_held_out, tag_training
from tasks.train import train, vocabulary
from tasks.translate import translate

PUBLISH = "publish"
STEPS = (
    "ingest",
    "dictionary",
    "testset",
    "words",
    "clean",
    "align",
    "mine",
    "select",
    "collect",
    PUBLISH,
    "tag",
    "vocabulary",
    "train",
    "translate",
    "score",
    "report",
)
"""Every step in the order in which it is first called; `publish` moves the memory's HEAD."""


@dataclass(frozen=True, slots=True)
class TestWords:
    """A test set, read and cut into words."""

    name: str
    role: str
    lines: ArtifactRef
    words: ArtifactRef


@dataclass(frozen=True, slots=True)
class ShardWords:
    """One shard of a corpus, read and cut into words."""

    label: str
    raw: ArtifactRef
    words: ArtifactRef


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


def refresh(run: Run, settings: Settings) -> Refreshed:
    """Read the sources, mine phrases and publish a snapshot of the memory.

    Raises:
        ConfigError: the settings name no corpus, or one whose licence nobody knows.
    """
    _check_sources(settings)
    testsets = _test_words(run, settings)
    cut = _training_words(run, settings)
    held_out = tuple(item.words for item in testsets)
    cleaned = run.all(
        [
            run.prepare(
                clean, item.label, words=item.words, held_out=held_out, config=settings.text
            )
            for item in cut
        ]
    )
    pairs, dropped = _column(cleaned, 0), _column(cleaned, 1)
    _must_hold_pairs(pairs)
    links = run.one(align, "", pairs=pairs, config=settings.alignment)
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
    snapshot = _settle(run, settings, counted)
    run.publish(PUBLISH, snapshot)
    return Refreshed(
        raw=tuple(item.raw for item in cut),
        pairs=pairs,
        links=tuple(links[index] for index in range(len(pairs))),
        dropped=dropped,
        testsets=testsets,
        snapshot=snapshot,
    )


def _settle(run: Run, settings: Settings, counted: list[Any]) -> Snapshot:
    candidates = run.one(
        select,
        "",
        phrase_counts=_column(counted, 0),
        source_counts=_column(counted, 1),
        target_counts=_column(counted, 2),
        config=settings.memory,
    )
    entries = run.all(
        [
            run.prepare(dictionary, config.name, file=_file(settings, config.path), config=config)
            for config in settings.dictionaries
        ]
    )
    settled = run.one(
        collect,
        "",
        candidates=candidates,
        entries=tuple(entries),
        lowercase=settings.text.lowercase,
        licences=tuple(sorted({config.licence for config in settings.corpora})),
    )
    return Snapshot(settled[0], settled[1])


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
    systems = dict.fromkeys([*settings.evaluation.baselines, settings.model.system])
    trained = []
    for system in systems:
        made = run.one(
            train,
            system,
            tagged=tagged.training,
            dev=dev,
            words=known,
            model=replace(settings.model, system=system),
            training=settings.training,
        )
        run.register(made[0], system, refreshed.snapshot)
        trained.append(TrainedModel(system, made[0], made[1]))
    return tuple(trained)


def _test_words(run: Run, settings: Settings) -> tuple[TestWords, ...]:
    lines = run.all(
        [
            run.prepare(
                testset,
                config.name,
                source=_file(settings, config.source),
                references=tuple(_file(settings, name) for name in config.references),
                name=config.name,
            )
            for config in settings.testsets
        ]
    )
    cut = run.all(
        [
            run.prepare(words, config.name, raw=ref, **_word_settings(settings))
            for config, ref in zip(settings.testsets, lines, strict=True)
        ]
    )
    return tuple(
        TestWords(config.name, config.role, ref, made)
        for config, ref, made in zip(settings.testsets, lines, cut, strict=True)
    )


def _training_words(run: Run, settings: Settings) -> list[ShardWords]:
    """Read all corpora and cut every shard into words."""
    shards = settings.execution.shards
    read = run.all(
        [
            run.prepare(
                ingest,
                config.name,
                files=_corpus_files(settings, config),
                form=config.form,
                shards=shards,
            )
            for config in settings.corpora
        ]
    )
    labelled = [
        (f"{config.name} {shard + 1}/{shards}", parts[shard])
        for config, parts in zip(settings.corpora, read, strict=True)
        for shard in range(shards)
    ]
    cut = run.all(
        [run.prepare(words, label, raw=ref, **_word_settings(settings)) for label, ref in labelled]
    )
    return [ShardWords(label, ref, made) for (label, ref), made in zip(labelled, cut, strict=True)]


def _word_settings(settings: Settings) -> dict[str, Any]:
    return {"segmenter": settings.text.segmenter, "lowercase": settings.text.lowercase}


def _column(results: list[Any], index: int) -> tuple[ArtifactRef, ...]:
    """Return one part of the result of each of several calls."""
    return tuple(result[index] for result in results)


def _corpus_files(settings: Settings, config: CorpusConfig) -> tuple[SourceFile, ...]:
    names = (config.path, config.source, config.target, config.documents)
    return tuple(_file(settings, name) for name in names if name)


def _file(settings: Settings, name: str) -> SourceFile:
    path = settings.resolve(name)
    if not path.is_file():
        raise InputError(missing_file(str(path)))
    return source_file(path)


def _check_sources(settings: Settings) -> None:
    if not settings.corpora:
        raise ConfigError(
            f"{settings.file}: no [[corpus]] is named. Add one with name, path, format and licence."
        )
    sources: list[CorpusConfig | DictionaryConfig] = [*settings.corpora, *settings.dictionaries]
    for config in sources:
        if config.licence == UNKNOWN_LICENCE and not config.allow_unknown_licence:
            raise ConfigError(
                f"{settings.file}: nobody said under which licence {config.name!r} may be used. Add "
                'licence = "..." (an SPDX id or a text), or allow_unknown_licence = true.'
            )


def _must_hold_pairs(pairs: tuple[ArtifactRef, ...]) -> None:
    if any(isinstance(ref, Pending) for ref in pairs):
        return
    if not any(ref.rows for ref in pairs):
        raise InputError(
            "Every sentence pair was dropped as unfit. `phrasenet corpus dropped` shows why; loosen "
            "[text] or mend the corpus."
        )


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What an evaluation leaves."""

    results: Mapping[str, Mapping[str, Mapping[str, ArtifactRef]]]
    """Test set, then system, then `translations` or `scores`."""
    report: ArtifactRef


def evaluate(
    run: Run,
    settings: Settings,
    refreshed: Refreshed,
    tagged: Tagged,
    trained: tuple[TrainedModel, ...],
) -> Evaluated:
    """Translate every test set with every system, score and report."""
    pairs = [(item, ref, made) for item, ref in tagged.held_out for made in trained]
    translated = run.all(
        [
            run.prepare(
                translate,
                f"{item.name} {made.system}",
                model=made.model,
                tagged=ref,
                decoding=settings.decoding,
            )
            for item, ref, made in pairs
        ]
    )
    scores = run.all(
        [
            run.prepare(
                score,
                f"{item.name} {made.system}",
                lines=item.lines,
                translations=output,
                testset=item.name,
                system=made.system,
            )
            for (item, _, made), output in zip(pairs, translated, strict=True)
        ]
    )
    results: dict[str, dict[str, dict[str, ArtifactRef]]] = {}
    for (item, _, made), output, scored in zip(pairs, translated, scores, strict=True):
        by_system = results.setdefault(item.name, {})
        by_system[made.system] = {"translations": output, "scores": scored}
    page = run.one(
        report,
        "",
        results=results,
        lines={item.name: item.lines for item in refreshed.testsets},
        logs={made.system: made.log for made in trained},
        phrases=refreshed.snapshot.phrases,
        title=settings.file.stem,
    )
    return Evaluated(results, page)


def refresh_stages(run: Run, settings: Settings) -> None:
    """Refresh the memory."""
    refresh(run, settings)


def retrain_stages(run: Run, settings: Settings) -> None:
    """Refresh the memory, tag and train."""
    refreshed = refresh(run, settings)
    train_systems(run, settings, refreshed, tag(run, settings, refreshed))


def evaluate_stages(run: Run, settings: Settings) -> ArtifactRef:
    """Refresh the memory, tag, train, translate, score and report; returns the report."""
    return evaluate_all(run, settings).report


def evaluate_all(run: Run, settings: Settings) -> Evaluated:
    """Do all stages; returns what the last one leaves."""
    refreshed = refresh(run, settings)
    tagged = tag(run, settings, refreshed)
    trained = train_systems(run, settings, refreshed, tagged)
    return evaluate(run, settings, refreshed, tagged, trained)
