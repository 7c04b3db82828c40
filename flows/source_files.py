"""Where the sources of the settings file lie: paths, patterns and names resolved to files."""

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from flows.settings import Settings
from storage.errors import ConfigError, InputError
from storage.remote import SCHEME, is_remote
from tasks.arguments import SourceFile, source_file
from tasks.readers.catalogs import find_catalogs
from tasks.readers.checks import UNKNOWN_LICENCE
from tasks.readers.corpora import Origin
from tasks.readers.corpus_config import CorpusConfig
from tasks.readers.opening import COMPRESSIONS, missing_file


@dataclass(frozen=True, slots=True)
class CorpusFiles:
    """The files of a corpus; each part is read by itself."""

    parts: tuple[tuple[SourceFile, ...], ...]
    origins: tuple[Origin, ...]
    """Of each part."""


def find_file(settings: Settings, name: str) -> SourceFile:
    """Return a file that the settings name.

    Raises:
        InputError: there is no such file.
    """
    return source_file(_existing(settings, name))


def find_corpus(settings: Settings, config: CorpusConfig) -> CorpusFiles:
    """Return the files of a corpus, in an order that is the same on every machine.

    Raises:
        InputError: a file or package is missing, or nothing fits a pattern.
    """
    if config.format == "catalogs":
        return _catalogs(config)
    if config.format in ("parallel", "moses"):
        names = _parallel_names(settings, config)
        files = tuple(find_file(settings, name) for name in names)
        return CorpusFiles((files,), (Origin(_base_name(names[0]), config.licence),))
    paths = _matching(settings, config.path)
    folder = os.path.commonpath([os.path.dirname(path) for path in map(str, paths)])
    origins = tuple(Origin(_below(str(path), folder), config.licence) for path in paths)
    return CorpusFiles(tuple((source_file(path),) for path in paths), origins)


def expect_sources(settings: Settings) -> None:
    """Say that a file of this machine is missing, before anything is started or read.

    Raises:
        InputError: a source or a test set is not there.
    """
    for corpus in settings.corpora:
        if corpus.format in ("parallel", "moses"):
            for name in _parallel_names(settings, corpus):
                _existing(settings, name)
        elif corpus.format != "catalogs":
            _matching(settings, corpus.path)
    for dictionary in settings.dictionaries:
        _existing(settings, dictionary.path)
    for testset in settings.testsets:
        for name in (testset.source, *testset.references):
            _existing(settings, name)


def corpus_licences(config: CorpusConfig) -> dict[str, str]:
    """Return the licence of each part of a corpus, by name: packages of catalogs, or itself."""
    if config.format != "catalogs" or config.licence != UNKNOWN_LICENCE:
        return {config.name: config.licence}
    return {
        f"{config.name}: {catalog.package} {catalog.version}": catalog.licence
        for catalog in find_catalogs(config.packages, config.languages[0])
    }


def _catalogs(config: CorpusConfig) -> CorpusFiles:
    found = find_catalogs(config.packages, config.languages[0])
    said = config.licence if config.licence != UNKNOWN_LICENCE else ""
    return CorpusFiles(
        tuple((source_file(catalog.path),) for catalog in found),
        tuple(Origin(catalog.name, said or catalog.licence) for catalog in found),
    )


def _parallel_names(settings: Settings, config: CorpusConfig) -> Sequence[str]:
    if config.format == "parallel":
        return [name for name in (config.source, config.target, config.documents) if name]
    return [_with_ending(settings, f"{config.path}.{language}") for language in config.languages]


def _with_ending(settings: Settings, name: str) -> str:
    """Find a file of Moses under its plain name or compressed."""
    if is_remote(name) or settings.resolve(name).exists():
        return name
    return next(
        (name + ending for ending in COMPRESSIONS if settings.resolve(name + ending).exists()), name
    )


def _matching(settings: Settings, name: str) -> list[Path | str]:
    """Return the file of a name, or all files that fit a pattern."""
    if is_remote(name) or glob.escape(name) == name or settings.resolve(name).exists():
        return [_existing(settings, name)]
    found = sorted(glob.glob(str(settings.resolve(name)), recursive=True))
    files = [path for path in map(Path, found) if path.is_file()]
    if not files:
        raise InputError(f"{settings.resolve(name)}: no file fits this pattern. Mend the path.")
    return list(files)


def _existing(settings: Settings, name: str) -> Path | str:
    if is_remote(name):
        return name
    if "://" in name:
        raise ConfigError(
            f"{settings.file}: {name!r} is neither a file of this machine nor on S3 ({SCHEME}...). "
            "Copy the file first."
        )
    path = settings.resolve(name)
    if path.is_dir():
        raise InputError(f"{path}: expected a file, found a folder. Name a file in it.")
    if not path.is_file():
        raise InputError(missing_file(str(path)))
    return path


def _base_name(name: str) -> str:
    return name.rpartition("/")[2]


def _below(path: str, folder: str) -> str:
    return path.removeprefix(folder).lstrip("/")
