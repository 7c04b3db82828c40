"""Open what the commands `tag` and `translate` need: the memory's current snapshot and a model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from flows.config_tables import config_from
from flows.driver import step_window
from flows.opening import open_settings
from flows.settings import Settings
from flows.sources import read_dictionaries, read_lexicon, word_recipe
from model.config import DecodingConfig
from storage.datasets import ArtifactRef
from storage.errors import ConfigError, InputError, MissingArtifact
from storage.exported import MARKER, only_exports, read_export
from storage.registry import ModelEntry
from storage.workspace import Workspace
from tasks.decoding import Models, open_models
from tasks.lines import LineTagger, casing_of
from tasks.mining.config import MemoryConfig
from tasks.phrasebook import MemoryTables
from tasks.recipe import RECIPE_FILE, WordRecipe
from tasks.recorded import Asked
from tasks.run import Run
from tasks.short_list import WordTable, word_table
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
    warnings: tuple[str, ...]
    """What a person should know of the models."""
    casing: Casing | None
    """How words are written; None if the models make them in their case."""
    models_at: tuple[tuple[Workspace, ArtifactRef], ...]
    """Where another process finds the models."""
    workspace: Workspace
    asked: Asked | None
    """What a record of translations says of what made them; None for exported models."""
    records: bool
    """Whether the settings ask for such records."""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Models and what they translate with: those of a workspace, or of exported folders."""

    bundles: Sequence[Mapping[str, bytes]]
    workspace: Workspace
    """Where the tables of the memory are."""
    tables: MemoryTables
    memory: MemoryConfig
    decoding: DecodingConfig
    models_at: tuple[tuple[Workspace, ArtifactRef], ...]
    warnings: tuple[str, ...] = ()
    entries: tuple[ArtifactRef, ...] = ()
    """The models, where they are those of a workspace."""
    records: bool = False
    """Whether the settings ask for a record of what is translated."""
    word_links: ArtifactRef | None = None
    """How often words of the memory are linked, where that was counted."""


def open_translator(
    settings_file: Path,
    names: Sequence[str],
    change: Callable[[DecodingConfig], DecodingConfig],
    *,
    averaged: bool = False,
) -> OpenTranslator:
    """Return a tagger that makes words as the models know them, and the models.

    Args:
        settings_file: the settings file; exported models need none.
        names: beginnings of models' ids, or folders of exported models; none means the model in
            production, or else the newest of the system in the settings.
        change: what the command line changes of the settings of decoding.
        averaged: whether the models' weights are averaged instead of letting them decide together.

    Raises:
        ConfigError: a changed setting makes no sense.
        InputError: there is no such model, one is damaged, or they do not go together.
    """
    chosen = _of_folders(names) if only_exports(names) else _of_workspace(settings_file, names)
    try:
        decoding = change(chosen.decoding)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    bundles = chosen.bundles
    try:
        recipes = [WordRecipe.of_model(files) for files in bundles]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"A model cannot be read: {RECIPE_FILE}: {error!r}") from error
    if any(recipe != recipes[0] for recipe in recipes):
        raise InputError(
            "The models were trained on words that were cut differently. Models that translate "
            "together must come from the same settings under [text]."
        )
    maker = WordMaker(recipes[0], Lexicon.of_files(bundles[0]))
    tagger = LineTagger.of(chosen.workspace, chosen.tables, chosen.memory, maker)
    lexicon = lexicon_of(tagger.book.phrases)
    table = _word_table(chosen, tagger) if decoding.short_list else {}
    models = open_models(bundles, decoding, lexicon, averaged=averaged, table=table)
    asked = Asked(chosen.entries, chosen.tables, decoding, averaged) if chosen.entries else None
    return OpenTranslator(
        tagger,
        models,
        chosen.warnings,
        casing_of(bundles[0]),
        chosen.models_at,
        chosen.workspace,
        asked,
        chosen.records,
    )


def _word_table(chosen: _Chosen, tagger: LineTagger) -> WordTable:
    """Return the translations of words that the memory knows."""
    links = chosen.word_links
    counted = chosen.workspace.read_rows(links) if links is not None else ()
    return word_table(tagger.book.phrases, counted)


def _of_workspace(settings_file: Path, names: Sequence[str]) -> _Chosen:
    settings, workspace = open_settings(settings_file)
    entries = [workspace.registry.find(name) for name in names] or [
        _usual(workspace, settings.model.system)
    ]
    head = workspace.memory.head()
    return _Chosen(
        [workspace.read_bundle(entry.ref) for entry in entries],
        workspace,
        head.tables if head else (),
        settings.memory,
        settings.decoding,
        tuple((workspace, entry.ref) for entry in entries),
        tuple(_withdrawn(workspace, entries)),
        tuple(entry.ref for entry in entries),
        settings.workspace.record_translations,
        _held(workspace, head.word_links if head else None),
    )


def _held(workspace: Workspace, ref: ArtifactRef | None) -> ArtifactRef | None:
    return ref if ref is not None and workspace.holds(ref) else None


def _of_folders(names: Sequence[str]) -> _Chosen:
    """Open exported models; the first one's memory and settings speak for all."""
    folders = [Path(name) for name in names]
    exported = [read_export(folder) for folder in folders]
    first, where = exported[0], f"{folders[0] / MARKER}:"
    return _Chosen(
        [
            Workspace(folder).read_bundle(item.model)
            for folder, item in zip(folders, exported, strict=True)
        ],
        Workspace(folders[0]),
        first.memory,
        config_from(MemoryConfig, first.settings.get("memory", {}), f"{where} memory"),
        config_from(DecodingConfig, first.settings.get("decoding", {}), f"{where} decoding"),
        tuple(
            (Workspace(folder), item.model) for folder, item in zip(folders, exported, strict=True)
        ),
    )


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


def _usual(workspace: Workspace, system: str) -> ModelEntry:
    """Return the model in production; where there is none, the newest of a system."""
    production = workspace.production.current()
    if production is not None:
        return workspace.registry.find(production)
    found = [entry for entry in workspace.registry.entries() if entry.system == system]
    if not found:
        raise InputError(
            f"There is no model of the system {system!r} in this workspace. Run `phrasenet "
            "retrain` "
            "first, or name another with --model; `phrasenet models list` shows them."
        )
    return found[-1]
