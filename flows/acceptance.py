"""Accept changes of code as unimportant: find the calls that would run, check some, record it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flows.driver import step_window
from flows.opening import open_settings
from flows.pipeline import STEPS
from flows.settings import Settings
from flows.stages import evaluate_stages
from storage.errors import ConfigError, InputError
from storage.workspace import Workspace
from tasks.acceptance import Claim, check, claim_of, record, sample
from tasks.observer import Silent
from tasks.run import Run
from tasks.step import StepCall, read_code


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of one step."""

    step: str
    calls: tuple[str, ...]
    """Labels of the calls whose earlier results count again."""
    checked: tuple[str, ...]
    """Those that were computed again, with the same content."""


@dataclass
class _Waiting(Silent):
    """Collects the calls of a step that would run, and what holds up the others."""

    step: str
    calls: list[StepCall[Any]] = field(default_factory=list)
    held_up: list[str] = field(default_factory=list)

    def planned(self, call: StepCall[Any], reasons: Sequence[str]) -> None:
        if call.step.name != self.step or not reasons:
            return
        if reasons[0].startswith("it waits for "):
            self.held_up.append(reasons[0].removeprefix("it waits for "))
        else:
            self.calls.append(call)


def accept(
    settings_file: Path, steps: Sequence[str], asked: tuple[str, str], checks: int
) -> list[Accepted]:
    """Accept the changed code of steps, one after the other.

    Args:
        settings_file: the settings.
        steps: their names, in the order of the flow.
        asked: who claims it, and why.
        checks: how many calls of each step are computed again.

    Raises:
        ConfigError: there is no such step.
        InputError: nothing would run, more than code changed, or a check gave something else; the
            steps before that are accepted.
    """
    for name in steps:
        if name not in STEPS:
            raise ConfigError(f"{name}: no such step. Steps: {', '.join(STEPS)}.")
    read_code()
    settings, workspace = open_settings(settings_file)
    with workspace.lease():
        return [
            _accepted(settings, workspace, name, asked, checks)
            for name in sorted(dict.fromkeys(steps), key=STEPS.index)
        ]


def _accepted(
    settings: Settings, workspace: Workspace, step: str, asked: tuple[str, str], checks: int
) -> Accepted:
    claims = _claims(settings, workspace, step)
    checked = sample(claims, checks)
    for claim in checked:
        check(workspace, claim)
    record(workspace, claims, checked, asked)
    return Accepted(step, _labels(claims), _labels(checked))


def _labels(claims: Sequence[Claim]) -> tuple[str, ...]:
    return tuple(claim.call.label for claim in claims)


def _claims(settings: Settings, workspace: Workspace, step: str) -> list[Claim]:
    """Return a claim for every call of a step that would run, and whose inputs are known."""
    waiting = _Waiting(step)
    run = Run(workspace, step_window(None, None), mode="plan", observer=waiting)
    evaluate_stages(run, settings)
    if waiting.held_up:
        raise InputError(
            f"{step} waits for {waiting.held_up[0]}, which is not up to date itself. Run or accept "
            "that first."
        )
    if not waiting.calls:
        raise InputError(
            f"{step} is up to date, or is not part of these settings; there is nothing to accept. "
            "`phrasenet status` lists what would run."
        )
    return [claim_of(workspace, run.history, call) for call in waiting.calls]
