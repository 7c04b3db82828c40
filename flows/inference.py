"""Open what the commands `tag` and `translate` need: the memory's current snapshot and a model."""

from pathlib import Path

from flows.settings import Settings
from flows.sources import word_recipe
from flows.workspaces import open_settings
from storage.errors import InputError
from storage.registry import ModelEntry
from storage.workspace import Workspace
from tasks.lines import LineTagger
from tasks.recipe import WordRecipe


def open_tagger(settings_file: Path) -> LineTagger:
    """Return a tagger for the current snapshot of the memory."""
    settings, workspace = open_settings(settings_file)
    return _tagger(settings, workspace, word_recipe(settings))


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
    return _tagger(settings, workspace, WordRecipe.of_model(files)), files, settings


def _tagger(settings: Settings, workspace: Workspace, recipe: WordRecipe) -> LineTagger:
    head = workspace.memory.head()
    return LineTagger.of(workspace, head.phrases if head else None, settings.memory, recipe)


def _newest(workspace: Workspace, system: str) -> ModelEntry:
    found = [entry for entry in workspace.registry.entries() if entry.system == system]
    if not found:
        raise InputError(
            f"There is no model of the system {system!r} in this workspace. Run `phrasenet "
            "retrain` "
            "first, or name another with --model; `phrasenet models list` shows them."
        )
    return found[-1]
