"""Open what the commands `tag` and `translate` need: the memory's current snapshot and a model."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from flows.driver import step_window
from flows.settings import Settings
from flows.sources import read_dictionaries, read_lexicon, word_recipe
from flows.workspaces import open_settings
from storage.datasets import ArtifactRef
from storage.errors import ConfigError, InputError, MissingArtifact
from storage.registry import ModelEntry
from storage.workspace import Workspace
from tasks.decoding import Models, open_models
from tasks.lines import LineTagger, casing_of
from tasks.recipe import WordRecipe
from tasks.run import Run
from tasks.text.lexicon import Lexicon
from tasks.text.truecase import Casing
from tasks.unknown_words import lexicon_of
from tasks.word_maker import WordMaker


def open_tagger(settings_file: Path) -> LineTagger:
    """Return a tagger for the current snapshot of the memory."""
    settings, workspace = open_settings(settings_file)
    return _tagger(settings, workspace, word_maker(settings, workspace))


def word_maker(settings: Settings, workspace: Workspace) -> WordMaker:
    """Return what makes words as the settings say."""
    return WordMaker(word_recipe(settings), _current_lexicon(settings, workspace))


def _current_lexicon(settings: Settings, workspace: Workspace) -> Lexicon:
    """Return what the making of words knows of the dictionaries of the settings.

    Raises:
        MissingArtifact: they were not read yet, and the settings ask for them.
    """
    run = Run(workspace, step_window(None, None), mode="plan")
    ref = read_lexicon(run, settings, read_dictionaries(run, settings))
    if isinstance(ref, ArtifactRef):
        return Lexicon.of_files(workspace.read_bundle(ref))
    if settings.text.user_words or settings.text.script != "keep":
        raise MissingArtifact(
            f"The dictionaries of {settings.file} were not read yet with these settings, and "
            f"[text] asks for them. Run `phrasenet refresh -c {settings.file}` first."
        )
    return Lexicon()


@dataclass(frozen=True, slots=True)
class OpenTranslator:
    """What translates lines of text."""

    tagger: LineTagger
    models: Models
    settings: Settings
    warnings: tuple[str, ...]
    """What a person should know of the models."""
    casing: Casing | None
    """How words are written; None if the models make them in their case."""


def open_translator(
    settings_file: Path,
    names: Sequence[str],
    decoding: Mapping[str, Any],
    *,
    averaged: bool = False,
) -> OpenTranslator:
    """Return a tagger that makes words as the models know them, the models, and the settings.

    Args:
        settings_file: the settings file.
        names: beginnings of models' ids; none means the newest of the system in the settings.
        decoding: settings of decoding that the command line changed.
        averaged: whether the models' weights are averaged instead of letting them decide together.

    Raises:
        ConfigError: a changed setting makes no sense.
    """
    settings, workspace = open_settings(settings_file)
    try:
        changed = replace(settings.decoding, **decoding)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    entries = [workspace.registry.find(name) for name in names] or [
        _newest(workspace, settings.model.system)
    ]
    bundles = [workspace.read_bundle(entry.ref) for entry in entries]
    recipes = [WordRecipe.of_model(files) for files in bundles]
    if any(recipe != recipes[0] for recipe in recipes):
        raise InputError(
            "The models were trained on words that were cut differently. Models that translate "
            "together must come from the same settings under [text]."
        )
    maker = WordMaker(recipes[0], Lexicon.of_files(bundles[0]))
    tagger = _tagger(settings, workspace, maker)
    lexicon = lexicon_of(tagger.book.phrases)
    models = open_models(bundles, changed, lexicon, averaged=averaged)
    warnings = tuple(_withdrawn(workspace, entries))
    return OpenTranslator(tagger, models, settings, warnings, casing_of(bundles[0]))


def _withdrawn(workspace: Workspace, entries: Sequence[ModelEntry]) -> Iterator[str]:
    """Say which models were trained on something that was withdrawn since."""
    for entry in entries:
        for mark in workspace.registry.marks(entry.model_id):
            yield (
                f"model {entry.model_id[:12]} was trained on text that was withdrawn on "
                f"{mark.time[:10]} ({mark.reason}; record {mark.record}); its weights cannot be "
                "cleaned. Train anew with `phrasenet run`."
            )


def _tagger(settings: Settings, workspace: Workspace, maker: WordMaker) -> LineTagger:
    head = workspace.memory.head()
    return LineTagger.of(workspace, head.tables if head else (), settings.memory, maker)


def _newest(workspace: Workspace, system: str) -> ModelEntry:
    found = [entry for entry in workspace.registry.entries() if entry.system == system]
    if not found:
        raise InputError(
            f"There is no model of the system {system!r} in this workspace. Run `phrasenet "
            "retrain` "
            "first, or name another with --model; `phrasenet models list` shows them."
        )
    return found[-1]
