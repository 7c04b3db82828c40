"""Devices that settings ask for and this machine does not have."""

from collections.abc import Sequence
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
from tasks.run import Run
from tasks.step import StepCall
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
    """Refuse a run that would compute on a device that this machine does not have.

    Asked before anything is done, since a training comes last, after a refresh of hours.

    Args:
        workspace: whose results can be reused.
        settings: that name the devices.
        stages: of the flow.
        window: the wanted part of it.
        advice: what can be done without the device; `{before}` is the step before it.

    Raises:
        ConfigError: a step that is out of date needs such a device.
    """
    missing = missing_devices(settings)
    if not missing:
        return
    planned = _Planned(window)
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
    """The first call for each device that a plan would make."""

    window: StepWindow
    first: dict[str, StepCall[Any]] = field(default_factory=dict)

    def planned(self, call: StepCall[Any], reasons: Sequence[str]) -> None:
        """Keep a call that would run on a device."""
        if not reasons or self.window.is_before(call.step.name):
            return
        for value in call.arguments.values():
            for config in value if isinstance(value, tuple) else (value,):
                setting = _SETTINGS.get(type(config))
                if setting is not None:
                    self.first.setdefault(setting, call)
