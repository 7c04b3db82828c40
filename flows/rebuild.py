"""Where the files lie from which results are made again."""

from collections.abc import Iterator

from flows.settings import Settings
from flows.source_files import find_corpus, find_file
from storage.errors import PhrasenetError
from tasks.arguments import SourceFile
from tasks.recall import Files


def files_of(settings: Settings) -> Files:
    """Return all files that the settings name, by digest; those that are gone are left out."""
    found: dict[str, list[tuple[str, SourceFile]]] = {}
    for name, file in _files(settings):
        found.setdefault(file.digest, []).append((name, file))
    return found


def _files(settings: Settings) -> Iterator[tuple[str, SourceFile]]:
    for corpus in settings.corpora:
        try:
            parts = find_corpus(settings, corpus).parts
        except PhrasenetError:
            continue
        yield from ((corpus.name, file) for part in parts for file in part)
    for owner, path in _named(settings):
        try:
            yield owner, find_file(settings, path)
        except PhrasenetError:
            continue


def _named(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the paths of dictionaries and test sets, each with the name of its owner."""
    for dictionary in settings.dictionaries:
        yield dictionary.name, dictionary.path
    for testset in settings.testsets:
        optional = (testset.source, *testset.references, testset.terms, testset.gold)
        yield from ((testset.name, path) for path in (*optional, *testset.gold_words) if path)
