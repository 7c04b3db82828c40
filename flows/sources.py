"""Reading the sources of a project: corpora, dictionaries and test sets, as far as their words."""

from dataclasses import dataclass
from typing import Any

from flows.settings import Settings
from flows.source_files import CorpusFiles, find_corpus, find_file
from storage.datasets import ArtifactRef
from storage.errors import ConfigError
from tasks.arguments import SourceFile
from tasks.corpus_queries import OtherSource
from tasks.ingest import dictionary, ingest, testset
from tasks.prepare import lexicon, words
from tasks.readers.config import DictionaryConfig
from tasks.readers.corpus_config import CorpusConfig
from tasks.readers.dictionaries import form_of
from tasks.recipe import WordRecipe
from tasks.run import Run
from tasks.step import StepCall
from tasks.tombstones import reading_key
from tasks.withdrawn_again import kept_out

_Read = tuple[ArtifactRef, ArtifactRef]
"""What was kept of a source, and what was set aside."""


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
    corpus: str
    raw: ArtifactRef
    aside: ArtifactRef
    """What was set aside of the whole corpus while it was read."""
    words: ArtifactRef


def check_sources(settings: Settings) -> None:
    """Refuse settings without a corpus.

    Raises:
        ConfigError: says what is missing.
    """
    if not settings.corpora:
        raise ConfigError(
            f"{settings.file}: no [[corpus]] is named. Add one with name, path, format and licence."
        )


def read_testsets(run: Run, settings: Settings) -> list[ArtifactRef]:
    """Read the lines of all test sets."""
    return [result[0] for result in _testsets(run, settings)]


def _testsets(run: Run, settings: Settings) -> list[_Read]:
    return run.all(
        [
            run.prepare(
                testset,
                config.name,
                source=find_file(settings, config.source),
                references=tuple(find_file(settings, name) for name in config.references),
                form=config.form,
            )
            for config in settings.testsets
        ]
    )


def read_corpora(run: Run, settings: Settings) -> list[Any]:
    """Read all corpora; returns the shards of each, and what was set aside of it."""
    found = [find_corpus(settings, config) for config in settings.corpora]
    return _telling(
        run,
        [
            run.prepare(
                ingest,
                config.name,
                parts=files.parts,
                origins=files.origins,
                form=config.form,
                shards=settings.execution.shards,
                **_withdrawn(run, corpus_reading(config, files)),
            )
            for config, files in zip(settings.corpora, found, strict=True)
        ],
    )


def read_lexicon(run: Run, settings: Settings, entries: tuple[ArtifactRef, ...]) -> ArtifactRef:
    """Choose what the making of words has to know of the dictionaries."""
    return run.one(lexicon, "", entries=entries, recipe=word_recipe(settings))


def cut_testsets(
    run: Run, settings: Settings, known: ArtifactRef, lines: list[ArtifactRef]
) -> tuple[TestWords, ...]:
    """Cut the lines of all test sets into words."""
    recipe = word_recipe(settings)
    cut = run.all(
        [
            run.prepare(words, config.name, raw=ref, lexicon=known, recipe=recipe)
            for config, ref in zip(settings.testsets, lines, strict=True)
        ]
    )
    return tuple(
        TestWords(config.name, config.role, ref, made)
        for config, ref, made in zip(settings.testsets, lines, cut, strict=True)
    )


def cut_corpora(
    run: Run, settings: Settings, known: ArtifactRef, read: list[Any]
) -> tuple[ShardWords, ...]:
    """Cut every shard of all corpora into words."""
    shards, recipe = settings.execution.shards, word_recipe(settings)
    labelled = [
        (f"{config.name} {shard + 1}/{shards}", config.name, result[0][shard], result[1])
        for config, result in zip(settings.corpora, read, strict=True)
        for shard in range(shards)
    ]
    cut = run.all(
        [
            run.prepare(words, label, raw=raw, lexicon=known, recipe=recipe)
            for label, _, raw, _ in labelled
        ]
    )
    return tuple(
        ShardWords(label, corpus, raw, aside, made)
        for (label, corpus, raw, aside), made in zip(labelled, cut, strict=True)
    )


def read_dictionaries(run: Run, settings: Settings) -> tuple[ArtifactRef, ...]:
    """Read all dictionaries."""
    return tuple(result[0] for result in _dictionaries(run, settings))


def _dictionaries(run: Run, settings: Settings) -> list[_Read]:
    found = [find_file(settings, config.path) for config in settings.dictionaries]
    return _telling(
        run,
        [
            run.prepare(
                dictionary,
                config.name,
                file=file,
                form=form_of(config),
                **_withdrawn(run, dictionary_reading(config, file)),
            )
            for config, file in zip(settings.dictionaries, found, strict=True)
        ],
    )


def _telling(run: Run, calls: list[StepCall[Any]]) -> list[Any]:
    """Read sources, and tell a person what of them is kept out, if that is not as it last was."""
    before = [run.last_result(call) for call in calls]
    read = run.all(calls)
    for old, result in zip(before, read, strict=True):
        aside = result[1]
        if run.mode != "plan" and (old is None or old[1] != aside):
            for text in kept_out(run.workspace, aside):
                run.observer.note(text)
    return read


def corpus_reading(config: CorpusConfig, files: CorpusFiles) -> str:
    """Name what is read of a corpus: its files' contents and their form."""
    return reading_key("corpus", files.parts, config.form)


def dictionary_reading(config: DictionaryConfig, file: SourceFile) -> str:
    """Name what is read of a dictionary."""
    return reading_key("dictionary", file, form_of(config))


def _withdrawn(run: Run, reading: str) -> dict[str, Any]:
    """Give the withdrawals that a reading has to obey; none is no input of the step at all."""
    tables = run.workspace.tombstones.of_reading(reading)
    return {"withdrawn": tables} if tables else {}


def other_sources(run: Run, settings: Settings) -> tuple[OtherSource, ...]:
    """Return what became of the dictionaries and test sets that were read before."""
    named = [f"dictionary {config.name}" for config in settings.dictionaries]
    named += [f"testset {config.name}" for config in settings.testsets]
    read = _dictionaries(run, settings) + _testsets(run, settings)
    return tuple(
        OtherSource(name, result[0], result[1])
        for name, result in zip(named, read, strict=True)
        if isinstance(result[0], ArtifactRef)
    )


def word_recipe(settings: Settings) -> WordRecipe:
    """Return how text becomes words."""
    text = settings.text
    return WordRecipe(
        segmenter=text.segmenter,
        user_words=text.user_words,
        script=text.script,
        variant=text.variant,
        protected_names=text.protected_names,
        lowercase=text.lowercase,
        source_units=text.source_units,
        target_units=text.target_units,
        style=settings.rules,
    )
