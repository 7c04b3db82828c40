"""Walk a flow without running it: which calls are up to date, which would run, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from flows.driver import Stages, step_window
from flows.opening import open_settings
from flows.pipeline import STEPS
from flows.settings import Settings
from flows.stages import evaluate_all
from storage.datasets import ArtifactRef
from storage.errors import ConfigError, MissingArtifact
from storage.workspace import Workspace
from tasks.observer import Silent
from tasks.run import Pending, Run
from tasks.step import StepCall


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """One call of a step as a plan found it."""

    step: str
    label: str
    reasons: tuple[str, ...]
    """Why it would run; empty if it is up to date."""
    accepted: Mapping[str, Any] | None = None
    """Who accepted that its code changed, why, when and in which record; None if nobody did."""


@dataclass
class _Collector(Silent):
    calls: list[PlannedCall] = field(default_factory=list)

    def planned(self, call: StepCall[Any], reasons: Any) -> None:
        self.calls.append(PlannedCall(call.step.name, call.label, tuple(reasons)))


def plan(settings_file: Path, stages: Stages, step: str | None = None) -> list[PlannedCall]:
    """Return all calls that the stages would make, or those of one step.

    Raises:
        ConfigError: there is no step of that name.
    """
    if step is not None and step not in STEPS:
        raise ConfigError(f"--why {step}: no such step. Steps: {', '.join(STEPS)}.")
    settings, workspace = open_settings(settings_file)
    collector = _Collector()
    run = Run(workspace, step_window(None, None), mode="plan", observer=collector)
    stages(run, settings)
    return [
        replace(call, accepted=_acceptance(run, call))
        for call in collector.calls
        if step in (None, call.step)
    ]


def _acceptance(run: Run, call: PlannedCall) -> Mapping[str, Any] | None:
    """Return the decision by which an earlier result counts for a call."""
    known = run.history.last_by_label.get(call.label, {})
    found: Mapping[str, Any] | None = None if call.reasons else known.get("accepted")
    return found


def current_evaluation(
    workspace: Workspace, settings: Settings
) -> Mapping[str, Mapping[str, Mapping[str, ArtifactRef]]]:
    """Return the translations and scores that are up to date, by test set and system.

    Raises:
        MissingArtifact: something would have to be computed first.
    """
    evaluated = evaluate_all(Run(workspace, step_window(None, None), mode="plan"), settings)
    results = [refs for systems in evaluated.results.values() for refs in systems.values()]
    if any(isinstance(ref, Pending) for refs in results for ref in refs.values()):
        raise MissingArtifact(
            f"The evaluation is not up to date with {settings.file}. Run `phrasenet run` first."
        )
    return evaluated.results
