"""Under which licences the sources of a project may be used; nothing learns from an unknown one."""

from collections.abc import Iterator

from flows.settings import Settings
from flows.source_files import corpus_licences
from storage.errors import ConfigError
from storage.registry import SourceLicence
from tasks.readers.checks import UNKNOWN_LICENCE


def source_licences(settings: Settings) -> tuple[SourceLicence, ...]:
    """Return the licence of every corpus and dictionary, of catalogs by package."""
    return tuple(_licences(settings))


def _licences(settings: Settings) -> Iterator[SourceLicence]:
    for corpus in settings.corpora:
        for name, licence in corpus_licences(corpus).items():
            yield SourceLicence("corpus", name, licence, corpus.licence_url, corpus.attribution)
    for entry in settings.dictionaries:
        yield SourceLicence(
            "dictionary", entry.name, entry.licence, entry.licence_url, entry.attribution
        )


def joined_licences(settings: Settings) -> dict[str, str]:
    """Return one licence expression for each corpus, as evidence of its phrases shows it."""
    return {
        corpus.name: " AND ".join(sorted(set(corpus_licences(corpus).values())))
        for corpus in settings.corpora
    }


def check_licences(settings: Settings) -> None:
    """Refuse to learn from a source whose licence nobody knows, unless the user allows it.

    Raises:
        ConfigError: names the source and the setting.
    """
    allowed = {
        (kind, config.name)
        for kind, configs in (("corpus", settings.corpora), ("dictionary", settings.dictionaries))
        for config in configs
        if config.allow_unknown_licence
    }
    for found in source_licences(settings):
        owner = found.source.partition(": ")[0]
        if found.licence == UNKNOWN_LICENCE and (found.kind, owner) not in allowed:
            raise ConfigError(
                f"{settings.file}: nobody said under which licence {found.source!r} may be "
                f'used. Add licence = "..." (an SPDX id or a text) to its [[{found.kind}]], or '
                "allow_unknown_licence = true."
            )
