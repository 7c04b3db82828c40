"""Set up a Prefect server for a project: work pools, deployments, automations."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.actions import WorkPoolCreate, WorkPoolUpdate
from prefect.client.schemas.filters import DeploymentFilter, DeploymentFilterTags
from prefect.client.schemas.objects import WorkPool
from prefect.client.schemas.responses import DeploymentResponse
from prefect.exceptions import ObjectNotFound
from prefect.utilities.asyncutils import run_coro_as_sync
from prefect.workers.utilities import get_default_base_job_template_for_infrastructure_type

from flows.automations import TAG, automations_of, blocks_of, replace_automations
from flows.deployment_config import DeploymentConfig
from flows.settings import Settings
from storage.errors import ConfigError, WorkspaceError

CPU_POOL, TRAINING_POOL = "phrasenet-cpu", "phrasenet-training"


def deploy(settings: Settings, prefect_file: Path) -> dict[str, Any]:
    """Set everything up, replacing what an earlier call set up; returns what there is now.

    Raises:
        ConfigError: `[deployment]` names a block that is not there, or a work pool is of another
            kind.
        WorkspaceError: Prefect refused the deployments.
    """
    config = settings.deployment
    with get_client(sync_client=True) as client:
        blocks = blocks_of(client, config.notify)
        for name, limit in ((CPU_POOL, config.cpu_runs), (TRAINING_POOL, config.training_runs)):
            _set_up_pool(client, name, limit, config)
        _run_prefect_deploy(prefect_file, variables_of(settings))
        deployments = _ours(client)
        automations = automations_of(config, deployments, blocks)
        replace_automations(client, automations)
    return {
        "pools": [CPU_POOL, TRAINING_POOL],
        "deployments": [item.name for item in deployments],
        "automations": [item.name for item in automations],
        "notified": list(config.notify),
    }


def variables_of(settings: Settings) -> dict[str, str]:
    """Return the variables of prefect.yaml."""
    config = settings.deployment
    return {
        "PHRASENET_SETTINGS": config.settings_file or str(settings.file),
        "PHRASENET_TIMEZONE": config.timezone,
        "PHRASENET_HEARTBEAT_SECONDS": str(config.heartbeat_seconds),
    }


def _set_up_pool(
    client: SyncPrefectClient, name: str, limit: int, config: DeploymentConfig
) -> None:
    template = _template(config)
    try:
        pool: WorkPool = client.read_work_pool(name)
    except ObjectNotFound:
        client.create_work_pool(
            WorkPoolCreate(
                name=name, type=config.pool, base_job_template=template, concurrency_limit=limit
            )
        )
        return
    if pool.type != config.pool:
        raise ConfigError(
            f"The work pool {name} is of the kind {pool.type!r}, and [deployment] says "
            f'"{config.pool}". Remove it with `prefect work-pool delete {name}` and deploy again, '
            "or correct the setting."
        )
    update = WorkPoolUpdate(base_job_template=template, concurrency_limit=limit)
    client.update_work_pool(name, update)


def _template(config: DeploymentConfig) -> dict[str, Any]:
    """Return what runs of a pool are started with: Prefect's own template, with our defaults."""
    found = run_coro_as_sync(get_default_base_job_template_for_infrastructure_type(config.pool))
    if found is None:
        raise ConfigError(
            f'Prefect knows no work pool of the kind "{config.pool}" here. Install it: '
            f"`pip install 'phrasenet[{config.pool}]'`."
        )
    known = found["variables"]["properties"]
    for name, value in (("image", config.image), ("volumes", list(config.volumes))):
        if value:
            known[name]["default"] = value
    return dict(found)


def _run_prefect_deploy(prefect_file: Path, variables: Mapping[str, str]) -> None:
    command = ["-m", "prefect", "--no-prompt", "deploy", "--all", "--prefect-file"]
    done = subprocess.run(
        [sys.executable, *command, str(prefect_file)],
        env=os.environ | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stdout + done.stderr).strip().splitlines()[-12:]
        raise WorkspaceError(
            f"`prefect deploy` did not take {prefect_file}. It said:\n" + "\n".join(last)
        )


def _ours(client: SyncPrefectClient) -> list[DeploymentResponse]:
    tagged = DeploymentFilter(tags=DeploymentFilterTags(all_=[TAG]))
    found: list[DeploymentResponse] = client.read_deployments(deployment_filter=tagged)
    return sorted(found, key=lambda item: item.name)
