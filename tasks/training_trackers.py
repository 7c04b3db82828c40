"""Figures of a training for TensorBoard and MLflow, beside the log that the workspace keeps.

Both are optional packages. What they write stays on this machine, in the folder `tracking` of the
workspace, unless an MLflow server is named. No result depends on them, and no training ends because
one of them fails.
"""

import importlib
import logging
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from storage.errors import ConfigError

log = logging.getLogger(__name__)

EXPERIMENT = "phrasenet"
_QUIET = {"MLFLOW_DISABLE_TELEMETRY": "true", "DO_NOT_TRACK": "true"}
"""Environment in which MLflow tells nobody that it is used."""


class Tracker(Protocol):
    """Takes figures."""

    def add(self, step: int, figures: Mapping[str, float]) -> None:
        """Take the figures of a step."""
        ...

    def close(self) -> None:
        """Write what is still waiting."""
        ...


class Trackers:
    """The trackers of a training."""

    def __init__(self, members: Mapping[str, Tracker]) -> None:
        self._members = dict(members)

    def add(self, step: int, figures: Mapping[str, float]) -> None:
        """Give the figures of a step to each; one that fails is told and left out from then on."""
        for name, tracker in list(self._members.items()):
            try:
                tracker.add(step, figures)
            except Exception as error:
                log.warning("%s takes no more figures of this training: %s", name, error)
                del self._members[name]

    def close(self) -> None:
        """Close each."""
        for name, tracker in self._members.items():
            try:
                tracker.close()
            except Exception as error:
                log.warning("the last figures for %s may be lost: %s", name, error)


NO_TRACKERS = Trackers({})


def open_trackers(
    names: tuple[str, ...], folder: Path, run: str, settings: Mapping[str, Any], uri: str = ""
) -> Trackers:
    """Open the trackers that are asked for.

    Args:
        names: "tensorboard", "mlflow".
        folder: where they may write.
        run: what the training is called; a training that goes on has the name it had.
        settings: of the training, to be shown beside its figures.
        uri: an MLflow server, if one is to be told.

    Raises:
        ConfigError: a package is not installed, or the server does not answer.
    """
    os.environ.update({name: value for name, value in _QUIET.items() if name not in os.environ})
    made: dict[str, Tracker] = {}
    for name in names:
        _must_be_installed(name)
        folder.mkdir(parents=True, exist_ok=True)
        if name == "tensorboard":
            made[name] = _TensorBoard(folder / name / run)
        else:
            made[name] = _opened_mlflow(uri or f"sqlite:///{folder / 'mlflow.db'}", run, settings)
    return Trackers(made)


def _must_be_installed(name: str) -> None:
    try:
        importlib.import_module(name)
    except ImportError as error:
        raise ConfigError(
            f"[training] track names {name!r}, which is not installed ({error}). Run "
            f'`pip install "phrasenet[{name}]"`, or remove it from training.track.'
        ) from error


class _TensorBoard:
    def __init__(self, folder: Path) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self._writer: Any = SummaryWriter(str(folder))

    def add(self, step: int, figures: Mapping[str, float]) -> None:
        for name, value in figures.items():
            self._writer.add_scalar(name, value, step)

    def close(self) -> None:
        self._writer.close()


def _opened_mlflow(uri: str, run: str, settings: Mapping[str, Any]) -> "_MLflow":
    from mlflow.exceptions import MlflowException

    try:
        return _MLflow(uri, run, settings)
    except MlflowException as error:
        raise ConfigError(
            f"[training] mlflow_uri: MLflow cannot write to {uri}: {error}. Correct the address, "
            'or remove "mlflow" from training.track.'
        ) from error


class _MLflow:
    def __init__(self, uri: str, run: str, settings: Mapping[str, Any]) -> None:
        from mlflow import MlflowClient

        self._client: Any = MlflowClient(tracking_uri=uri)
        found = self._client.get_experiment_by_name(EXPERIMENT)
        home = found.experiment_id if found else self._client.create_experiment(EXPERIMENT)
        before = self._client.search_runs([home], f"attributes.run_name = '{run}'", max_results=1)
        if before:
            self._run = before[0].info.run_id
            self._client.update_run(self._run, status="RUNNING")
            return
        self._run = self._client.create_run(home, run_name=run).info.run_id
        for name, value in settings.items():
            self._client.log_param(self._run, name, value)

    def add(self, step: int, figures: Mapping[str, float]) -> None:
        from mlflow.entities import Metric

        now = int(time.time() * 1000)
        found = [Metric(name, value, now, step) for name, value in figures.items()]
        self._client.log_batch(self._run, metrics=found)

    def close(self) -> None:
        self._client.set_terminated(self._run)
