"""Reading the sources of a project: corpora, dictionaries and test sets, as far as their words."""

from dataclasses import dataclass

from flows.settings import Settings
from storage.datasets import ArtifactRef
from storage.errors import ConfigError, InputError
from tasks.arguments import SourceFile, source_file
from tasks.ingest import dictionary, ingest, testset
from tasks.prepare import words
from tasks.readers.config import UNKNOWN_LICENCE, CorpusConfig, DictionaryConfig
from tasks.readers.dictionaries import form_of
from tasks.readers.opening import missing_file
from tasks.recipe import WordRecipe
from tasks.run import Run


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
    words: ArtifactRef


def check_sources(settings: Settings) -> None:
    """Refuse settings without a corpus, or with a source whose licence nobody knows.

    Raises:
        ConfigError: says what is missing.
    """
    if not settings.corpora:
        raise ConfigError(
            f"{settings.file}: no [[corpus]] is named. Add one with name, path, format and licence."
        )
    sources: list[CorpusConfig | DictionaryConfig] = [*settings.corpora, *settings.dictionaries]
    for config in sources:
        if config.licence == UNKNOWN_LICENCE and not config.allow_unknown_licence:
            raise ConfigError(
                f"{settings.file}: nobody said under which licence {config.name!r} may be "
                "used. Add "
                'licence = "..." (an SPDX id or a text), or allow_unknown_licence = true.'
            )


def read_testsets(run: Run, settings: Settings) -> tuple[TestWords, ...]:
    """Read all test sets and cut their lines into words."""
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
            run.prepare(words, config.name, raw=ref, recipe=word_recipe(settings))
            for config, ref in zip(settings.testsets, lines, strict=True)
        ]
    )
    return tuple(
        TestWords(config.name, config.role, ref, made)
        for config, ref, made in zip(settings.testsets, lines, cut, strict=True)
    )


def read_corpora(run: Run, settings: Settings) -> list[ShardWords]:
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
        (f"{config.name} {shard + 1}/{shards}", config.name, parts[shard])
        for config, parts in zip(settings.corpora, read, strict=True)
        for shard in range(shards)
    ]
    cut = run.all(
        [
            run.prepare(words, label, raw=ref, recipe=word_recipe(settings))
            for label, _, ref in labelled
        ]
    )
    return [
        ShardWords(label, corpus, ref, made)
        for (label, corpus, ref), made in zip(labelled, cut, strict=True)
    ]


def read_dictionaries(run: Run, settings: Settings) -> tuple[ArtifactRef, ...]:
    """Read all dictionaries."""
    entries = run.all(
        [
            run.prepare(
                dictionary, config.name, file=_file(settings, config.path), form=form_of(config)
            )
            for config in settings.dictionaries
        ]
    )
    return tuple(entries)


def word_recipe(settings: Settings) -> WordRecipe:
    """Return how text becomes words."""
    return WordRecipe(
        segmenter=settings.text.segmenter, lowercase=settings.text.lowercase, style=settings.rules
    )


def _corpus_files(settings: Settings, config: CorpusConfig) -> tuple[SourceFile, ...]:
    names = (config.path, config.source, config.target, config.documents)
    return tuple(_file(settings, name) for name in names if name)


def _file(settings: Settings, name: str) -> SourceFile:
    path = settings.resolve(name)
    if path.is_dir():
        raise InputError(f"{path}: expected a file, found a folder. Name a file in it.")
    if not path.is_file():
        raise InputError(missing_file(str(path)))
    return source_file(path)
