"""The settings of deployments: where runs are executed, when, and who is told."""

import re
import zoneinfo
from dataclasses import dataclass
from typing import Literal

from storage.errors import ConfigError

MIN_HEARTBEAT_SECONDS = 30
"""Prefect sends no heartbeats more often."""

_VOLUMES = {
    "docker": (re.compile(r"/[^:]*:/[^:]+(:[^:]+)?"), "/host/folder:/container/folder"),
    "kubernetes": (re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?:/[^:]+"), "claim:/container/folder"),
}
"""What a volume looks like, and an example."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeploymentConfig:
    """What `phrasenet deploy` sets up on a Prefect server."""

    pool: Literal["process", "docker", "kubernetes"] = "process"
    """What the workers start for a run: a process, a container or a job of a cluster."""
    cpu_runs: int = 2
    """Runs without training that may be executed at the same time."""
    training_runs: int = 1
    """Runs with training that may be executed at the same time."""
    image: str = ""
    """Image with phrasenet that `docker` and `kubernetes` start; `deploy/Dockerfile` makes it."""
    volumes: tuple[str, ...] = ()
    """What runs see of the workspace and the sources: folders of the host for `docker`, as
    "/host/folder:/container/folder"; claims (PersistentVolumeClaim) for `kubernetes`, as
    "claim:/container/folder"."""
    training_gpus: int = 0
    """GPUs that the container or job of a run with training asks for; a process has those of its
    machine."""
    settings_file: str = ""
    """Absolute path of this file as runs see it, where that is not its path here."""
    timezone: str = "Asia/Shanghai"
    """Time zone of the schedules, a name of the IANA database."""
    heartbeat_seconds: int = MIN_HEARTBEAT_SECONDS
    """A run that was not heard of for three times so long counts as crashed and is started
    again."""
    notify: tuple[str, ...] = ()
    """Prefect blocks, as "type/name", that are told of failures, drift, refused refreshes and
    refused models: "slack-webhook/oncall", "sendgrid-email/team", "webhook/pager"; the block holds
    the secret."""

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        for name in ("cpu_runs", "training_runs"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be 1 or more.")
        if self.heartbeat_seconds < MIN_HEARTBEAT_SECONDS:
            raise ConfigError(
                f"heartbeat_seconds is {self.heartbeat_seconds}; it must be "
                f"{MIN_HEARTBEAT_SECONDS} or more."
            )
        if self.training_gpus < 0:
            raise ConfigError(f"training_gpus is {self.training_gpus}; it must be 0 or more.")
        self._check_pool()
        self._check_names()

    def _check_pool(self) -> None:
        if self.pool != "process" and not self.image:
            raise ConfigError(
                f'pool is "{self.pool}", and no image is named. Add `image = "..."`; '
                "deploy/Dockerfile makes one."
            )
        for name in ("volumes", "training_gpus"):
            if getattr(self, name) and self.pool == "process":
                raise ConfigError(
                    f'{name} is of pool = "docker" and "kubernetes"; the pool is "process".'
                )
        form, example = _VOLUMES.get(self.pool, _VOLUMES["docker"])
        for volume in self.volumes:
            if form.fullmatch(volume) is None:
                raise ConfigError(f"volumes names {volume!r}; expected {example!r}.")
        if self.settings_file and not self.settings_file.startswith("/"):
            raise ConfigError(
                f"settings_file is {self.settings_file!r}; expected an absolute path."
            )

    def _check_names(self) -> None:
        for name in self.notify:
            kind, _, own = name.partition("/")
            if not kind or not own or "/" in own or "://" in name:
                raise ConfigError(
                    f"notify names {name.partition(':')[0]!r}; expected the type and the name of a "
                    'block, such as "slack-webhook/oncall". An address is a secret: keep it in the '
                    "block."
                )
        try:
            zoneinfo.ZoneInfo(self.timezone)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            raise ConfigError(
                f'timezone is {self.timezone!r}; expected a name such as "Asia/Shanghai" or "UTC".'
            ) from None
