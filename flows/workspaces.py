"""What is current in the workspace of a settings file."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from flows.cleaning import clean_pairs, link_pairs
from flows.driver import step_window
from flows.opening import open_settings
from flows.settings import Settings
from flows.sources import other_sources
from storage.datasets import ArtifactRef
from storage.errors import InputError, MissingArtifact
from storage.workspace import Workspace
from tasks.corpus_queries import CorpusTables
from tasks.run import Run
from tasks.withdraw_plan import SOURCE_KINDS


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
    is_linked = _all_there((*linked.pairs, *linked.links))
    last = linked if is_linked else cleaned
    tables = CorpusTables(
        cleaned.raw,
        cleaned.aside,
        last.pairs,
        last.dropped,
        other_sources(run, settings),
        linked.links if is_linked else (),
    )
    return workspace, tables


def last_read(run: Run, settings: Settings) -> tuple[ArtifactRef, ...]:
    """Return the tables that hold what was last read of each source."""
    labels = [f"ingest {config.name}" for config in settings.corpora]
    labels += [f"dictionary {config.name}" for config in settings.dictionaries]
    labels += [f"testset {config.name}" for config in settings.testsets]
    records = (run.history.last_by_label.get(label) for label in labels)
    refs = [
        ArtifactRef.from_json(value) for record in records if record for value in record["outputs"]
    ]
    return tuple(
        ref for ref in dict.fromkeys(refs) if ref.kind in SOURCE_KINDS and run.workspace.holds(ref)
    )


def _all_there(refs: Iterable[Any]) -> bool:
    return all(isinstance(ref, ArtifactRef) for ref in refs)
