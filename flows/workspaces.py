"""Open what a command needs: the workspace of a settings file, and what is current in it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from flows.cleaning import clean_pairs, link_pairs
from flows.driver import step_window
from flows.settings import Settings, load_settings
from flows.sources import other_sources
from storage.datasets import ArtifactRef
from storage.errors import InputError, MissingArtifact
from storage.memory import Snapshot
from storage.workspace import Workspace, existing_workspace
from tasks.corpus_queries import CorpusTables
from tasks.run import Run


def open_settings(settings_file: Path) -> tuple[Settings, Workspace]:
    """Read a settings file and open its workspace, which must be there.

    Raises:
        ConfigError: the settings make no sense.
        WorkspaceError: there is no workspace yet.
    """
    settings = load_settings(settings_file)
    return settings, existing_workspace(settings.workspace_path, settings.execution.engine)


def workspace_of(settings_file: Path) -> Workspace:
    """Open the workspace of a settings file."""
    return open_settings(settings_file)[1]


def snapshot_of(workspace: Workspace, as_of: str | None) -> Snapshot:
    """Return the current snapshot, or that of a date or of the beginning of an id.

    Raises:
        InputError: nothing was published yet, or there is no such snapshot.
    """
    if as_of is not None:
        return workspace.memory.as_of(as_of)
    head = workspace.memory.head()
    if head is None:
        raise InputError("The phrase memory is empty. Run `phrasenet refresh` first.")
    return head


def current_held_out(settings_file: Path) -> tuple[Workspace, list[ArtifactRef]]:
    """Return the workspace and the words of the dev and test sets that were read."""
    settings, workspace = open_settings(settings_file)
    planned = clean_pairs(Run(workspace, step_window(None, None), mode="plan"), settings)
    found = [item.words for item in planned.testsets if isinstance(item.words, ArtifactRef)]
    return workspace, found


def current_testset(settings_file: Path, name: str) -> tuple[Workspace, Settings, ArtifactRef]:
    """Return the workspace, the settings and the words of one dev or test set.

    Raises:
        InputError: the settings name no such test set.
        MissingArtifact: it was not read yet.
    """
    settings, workspace = open_settings(settings_file)
    planned = clean_pairs(Run(workspace, step_window(None, None), mode="plan"), settings)
    found = [item.words for item in planned.testsets if item.name == name]
    if not found:
        known = ", ".join(config.name for config in settings.testsets) or "none"
        raise InputError(f"{settings_file} names no test set {name!r}; it names: {known}.")
    if not isinstance(found[0], ArtifactRef):
        raise MissingArtifact(
            f"The test set {name!r} was not read with these settings yet. Run "
            f"`phrasenet refresh -c {settings_file}` first."
        )
    return workspace, settings, found[0]


def current_pairs(settings_file: Path) -> tuple[Workspace, CorpusTables]:
    """Return the workspace and what became of the pairs with these settings.

    What the aligner has not seen yet counts as kept.

    Raises:
        MissingArtifact: the sources were not read and cleaned with these settings yet.
    """
    settings, workspace = open_settings(settings_file)
    run = Run(workspace, step_window(None, None), mode="plan")
    cleaned = clean_pairs(run, settings)
    if not _all_there(cleaned.pairs):
        raise MissingArtifact(
            f"The workspace {workspace.root} is not up to date with {settings_file}. Run "
            f"`phrasenet refresh -c {settings_file}` first; `phrasenet status` says what changed."
        )
    linked = link_pairs(run, settings, cleaned)
    last = linked if _all_there(linked.pairs) else cleaned
    others = other_sources(run, settings)
    return workspace, CorpusTables(cleaned.raw, cleaned.aside, last.pairs, last.dropped, others)


def _all_there(refs: Iterable[Any]) -> bool:
    return all(isinstance(ref, ArtifactRef) for ref in refs)
