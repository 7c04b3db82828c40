"""What the last evaluation left, for commands that look at it."""

from dataclasses import dataclass
from pathlib import Path

from flows.cleaning import clean_pairs
from flows.driver import step_window
from flows.opening import open_settings
from flows.planning import current_evaluation
from flows.settings import Settings
from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.workspace import Workspace
from tasks.run import Run


@dataclass(frozen=True, slots=True)
class Outputs:
    """The translations of one test set by all systems that were evaluated."""

    workspace: Workspace
    settings: Settings
    testset: str
    lines: ArtifactRef
    translations: dict[str, ArtifactRef]
    """By system, in the order of the settings: baselines first."""


def current_outputs(settings_file: Path, testset: str | None = None) -> Outputs:
    """Return the translations of a test set that are up to date with a settings file.

    Args:
        settings_file: the settings.
        testset: its name; None for the first with the role of a test.

    Raises:
        InputError: the settings name no such test set.
        MissingArtifact: the evaluation is not up to date with these settings.
    """
    settings, workspace = open_settings(settings_file)
    name = _testset(settings, testset)
    results = current_evaluation(workspace, settings)[name]
    planned = clean_pairs(Run(workspace, step_window(None, None), mode="plan"), settings)
    lines = next(item.lines for item in planned.testsets if item.name == name)
    translations = {system: refs["translations"] for system, refs in results.items()}
    return Outputs(workspace, settings, name, lines, translations)


def _testset(settings: Settings, wanted: str | None) -> str:
    names = [config.name for config in settings.testsets]
    tests = [config.name for config in settings.testsets if config.role == "test"]
    if wanted is None and names:
        return (tests or names)[0]
    if wanted not in names:
        known = ", ".join(names) or "none"
        raise InputError(f"{settings.file} names no test set {wanted!r}; it names: {known}.")
    return str(wanted)
