"""Open what the commands `tag` and `translate` need: the memory's current snapshot and a model."""

from pathlib import Path

from flows.driver import step_window
from flows.settings import Settings
from flows.sources import read_dictionaries, read_lexicon, word_recipe
from flows.workspaces import open_settings
from storage.datasets import ArtifactRef
from storage.errors import InputError, MissingArtifact
from storage.registry import ModelEntry
from storage.workspace import Workspace
from tasks.lines import LineTagger
from tasks.recipe import WordRecipe
from tasks.run import Run
from tasks.text.lexicon import Lexicon
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


def open_translator(
    settings_file: Path, model: str | None
) -> tuple[LineTagger, dict[str, bytes], Settings]:
    """Return a tagger that makes words as the model knows them, its files, and the settings.

    Args:
        settings_file: the settings file.
        model: beginning of a model's id; None for the newest of the system in the settings.
    """
    settings, workspace = open_settings(settings_file)
    entry = workspace.registry.find(model) if model else _newest(workspace, settings.model.system)
    files = workspace.read_bundle(entry.ref)
    maker = WordMaker(WordRecipe.of_model(files), Lexicon.of_files(files))
    return _tagger(settings, workspace, maker), files, settings


def _tagger(settings: Settings, workspace: Workspace, maker: WordMaker) -> LineTagger:
    head = workspace.memory.head()
    return LineTagger.of(workspace, head.phrases if head else None, settings.memory, maker)


def _newest(workspace: Workspace, system: str) -> ModelEntry:
    found = [entry for entry in workspace.registry.entries() if entry.system == system]
    if not found:
        raise InputError(
            f"There is no model of the system {system!r} in this workspace. Run `phrasenet "
            "retrain` "
            "first, or name another with --model; `phrasenet models list` shows them."
        )
    return found[-1]
