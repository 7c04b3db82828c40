"""Helping with trainings that another machine leads: `training.nodes` above 1."""

import logging
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flows.driver import step_window
from flows.opening import open_settings
from flows.settings import load_settings
from flows.stages import retrain_stages
from storage.errors import ConfigError, InputError, WorkspaceError
from storage.workspace import Workspace
from tasks.observer import Silent
from tasks.own_process import LostProcess, in_own_process
from tasks.run import Run
from tasks.step import CurrentCall, StepCall, key_of
from tasks.train import help_train, train
from tasks.training_data import TrainingData

log = logging.getLogger(__name__)

POLL_SECONDS = 5.0


@dataclass
class _Trainings(Silent):
    """The trainings of a plan that are not done."""

    workspace: Workspace | None = None
    calls: list[StepCall[Any]] = field(default_factory=list)
    waiting: str = ""
    """What a training waits for."""
    rendezvous: str = ""
    """Where the machines meet."""

    @property
    def ready(self) -> list[tuple[Workspace, StepCall[Any]]]:
        """Return the trainings whose inputs are there."""
        return [] if self.workspace is None else [(self.workspace, call) for call in self.calls]

    def planned(self, call: StepCall[Any], reasons: Any) -> None:
        if call.step.name != train.name or not reasons:
            return
        if reasons[0].startswith("it waits for"):
            self.waiting = reasons[0]
        else:
            self.calls.append(call)


def join(settings_file: Path, *, wait_seconds: float) -> Iterator[str]:
    """Help with one training after the other; yields the label of each that is done.

    It ends when the plan of the settings has none left.

    Args:
        settings_file: with the same settings as on the machine that leads; the workspace is the
            same folder, or the same place in a bucket.
        wait_seconds: how long to wait until there is something to train.

    Raises:
        ConfigError: the settings name no other machine.
        InputError: there was nothing to train for so long.
    """
    since = time.monotonic()
    while True:
        found = _plan(settings_file)
        if not found.ready and not found.waiting:
            return
        if found.ready and _is_led(found.rendezvous) and _helped(*found.ready[0]):
            yield found.ready[0][1].label
            since = time.monotonic()
            continue
        if time.monotonic() - since > wait_seconds:
            why = found.waiting or f"no machine leads at {found.rendezvous}"
            raise InputError(
                f"There was nothing to train for {wait_seconds:.0f} s ({why}). "
                "Start `phrasenet retrain` on the machine that leads, or give --wait more seconds."
            )
        time.sleep(POLL_SECONDS)


def _is_led(rendezvous: str) -> bool:
    """Say whether somebody answers where the machines meet: torch would try for a minute and more,
    and print its own stack."""
    host, _, port = rendezvous.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=POLL_SECONDS).close()
    except socket.gaierror:
        return True  # no such machine: told where the training begins
    except OSError:
        return False
    return True


def _helped(workspace: Workspace, call: StepCall[Any]) -> bool:
    """Do this machine's share of a training; False if the one that leads is not there."""
    try:
        in_own_process(call.label, help_train, *_work_of(workspace, call), has_children=True)
    except LostProcess as error:
        log.info("%s: %s", call.label, error)
        return False
    return True


def _plan(settings_file: Path) -> _Trainings:
    settings = load_settings(settings_file)
    if settings.training.nodes == 1:
        raise ConfigError(
            f"{settings.file}: training.nodes is 1, so no training is spread over machines. Set "
            "training.nodes and training.rendezvous as on the machine that leads (docs/scale.md)."
        )
    try:
        _, workspace = open_settings(settings_file)
    except WorkspaceError as error:
        return _Trainings(waiting=str(error))  # the machine that leads may make it yet
    found = _Trainings(workspace, rendezvous=settings.training.rendezvous)
    retrain_stages(Run(workspace, step_window(None, None), mode="plan", observer=found), settings)
    return found


def _work_of(
    workspace: Workspace, call: StepCall[Any]
) -> tuple[Workspace, CurrentCall, TrainingData, Any]:
    """Return what `help_train` is given for a call of `train`."""
    facts, given = call.facts(), call.arguments
    current = CurrentCall(key_of(call.step.name, facts), call.label, facts, call.allow_changed)
    dev = given["dev"]
    data = TrainingData(
        given["tagged"], dev["tagged"], dev["texts"], given["words"], given["recipe"]
    )
    return workspace, current, data, given["configs"]
