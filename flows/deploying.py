"""Set up a Prefect server for a project: work pools, deployments, automations."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import DeploymentFilter, DeploymentFilterTags
from prefect.client.schemas.responses import DeploymentResponse

from flows.automations import TAG, automations_of, blocks_of, replace_automations
from flows.pools import CPU_POOL, TRAINING_POOL, set_up_pools
from flows.settings import Settings
from storage.errors import WorkspaceError


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
        set_up_pools(client, config)
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
