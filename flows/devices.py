"""Devices that settings ask for and this machine does not have."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flows.pipeline import STEPS
from flows.settings import Settings
from model.config import DecodingConfig, TrainingConfig
from model.device_names import kind_of
from storage.errors import ConfigError
from storage.workspace import Workspace
from tasks.observer import Silent
from tasks.record import Feeding
from tasks.run import Run, pending_in
from tasks.step import StepCall, may_be_reused
from tasks.window import StepWindow, UntilReached

if TYPE_CHECKING:
    from flows.driver import Stages

_TRAINING, _DECODING = "training.device", "decoding.device"
_SETTINGS = {TrainingConfig: _TRAINING, DecodingConfig: _DECODING, Feeding: _DECODING}
"""What names the device of a step, by the kind of the configuration that it is given."""


def missing_devices(settings: Settings) -> dict[str, str]:
    """Say which devices are missing, by the setting that names them.

    Results that were computed elsewhere can be used all the same, so this is no error before
    something has to be computed.
    """
    training, decoding = settings.training, settings.decoding
    wanted = (
        (training.device, _TRAINING, training.processes // training.nodes),
        (decoding.device, _DECODING, 1),
    )
    if all(kind_of(name) == "cpu" for name, _, _ in wanted):
        return {}
    from model.machine import NoDevice, device_of

    found = {}
    for name, setting, processes in wanted:
        try:
            device_of(name, setting, processes=processes)
        except NoDevice as error:
            found[setting] = f"{settings.file}: {error}"
    return found


def must_have_devices(
    workspace: Workspace,
    settings: Settings,
    stages: "Stages",
    window: StepWindow,
    *,
    advice: str = "`--until {before}` does what comes before it.",
) -> None:
    """Refuse a run that is certain to compute on a device that this machine does not have.

    Asked before anything is done, since a training comes last, after a refresh of hours. A call
    that waits for others is certain if no result that is there could be the one it asks for. Else
    its inputs may come out as they were, and the run begins; should it be needed after all, it
    fails when it is reached.

    Args:
        workspace: whose results can be reused.
        settings: that name the devices.
        stages: of the flow.
        window: the wanted part of it.
        advice: what can be done without the device; `{before}` is the step before it.

    Raises:
        ConfigError: a step that has to be computed needs such a device.
    """
    missing = missing_devices(settings)
    if not missing:
        return
    planned = _Planned(workspace, window)
    with suppress(UntilReached):
        stages(Run(workspace, window, mode="plan", observer=planned), settings)
    for setting, call in planned.first.items():
        if setting in missing:
            before = STEPS[STEPS.index(call.step.name) - 1]
            raise ConfigError(
                f"{missing[setting]} Nothing was begun, since {call.label!r} has to be computed "
                f"there; {advice.format(before=before)}"
            )


@dataclass
class _Planned(Silent):
    """The first call for each device that a run is certain to make."""

    workspace: Workspace
    window: StepWindow
    first: dict[str, StepCall[Any]] = field(default_factory=dict)
    _trainings: set[str] = field(default_factory=set)
    """Labels of the trainings among the calls that are certain: they make models that are new."""

    def planned(self, call: StepCall[Any], reasons: Sequence[str]) -> None:
        """Keep a call that will run on a device."""
        if not reasons or self.window.is_before(call.step.name):
            return
        settings = set(_settings_of(call))
        if settings and self._is_certain(call):
            if _TRAINING in settings:
                self._trainings.add(call.label)
            for setting in settings:
                self.first.setdefault(setting, call)

    def _is_certain(self, call: StepCall[Any]) -> bool:
        waiting = {name: list(pending_in(value)) for name, value in call.arguments.items()}
        unknown = tuple(name for name, found in waiting.items() if found)
        makers = {pending.call for found in waiting.values() for pending in found}
        return (
            not unknown
            or not makers.isdisjoint(self._trainings)
            or not may_be_reused(self.workspace, call, unknown)
        )


def _settings_of(call: StepCall[Any]) -> Iterator[str]:
    """Yield the settings that name the devices of a call."""
    for value in call.arguments.values():
        for config in value if isinstance(value, tuple) else (value,):
            setting = _SETTINGS.get(type(config))
            if setting is not None:
                yield setting
