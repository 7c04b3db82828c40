"""The work pools of the deployments: what a worker starts a run with, by the settings alone.

Prefect's own template of a kind is the base. What a person changed in the template of a pool that
is there already stays, but for what `[deployment]` says.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from prefect.client.orchestration import SyncPrefectClient
from prefect.client.schemas.actions import WorkPoolCreate, WorkPoolUpdate
from prefect.client.schemas.objects import WorkPool
from prefect.exceptions import ObjectNotFound
from prefect.utilities.asyncutils import run_coro_as_sync
from prefect.workers.utilities import get_default_base_job_template_for_infrastructure_type

from flows.deployment_config import DeploymentConfig
from storage.errors import ConfigError

CPU_POOL, TRAINING_POOL = "phrasenet-cpu", "phrasenet-training"

_OURS = "phrasenet-"
"""Beginning of the names of volumes that settings mount in a cluster."""
_GROUP = 1000
"""Of the user of `deploy/Dockerfile`, who has to write to what is mounted."""
_GPUS = "nvidia.com/gpu"
"""As the plugin of NVIDIA for Kubernetes names them."""


def set_up_pools(client: SyncPrefectClient, config: DeploymentConfig) -> None:
    """Make the work pools, or bring those that are there up to date.

    Raises:
        ConfigError: a pool is of another kind than the settings say, or Prefect does not know the
            kind.
    """
    for name, limit in ((CPU_POOL, config.cpu_runs), (TRAINING_POOL, config.training_runs)):
        gpus = config.training_gpus if name == TRAINING_POOL else 0
        try:
            pool: WorkPool = client.read_work_pool(name)
        except ObjectNotFound:
            template = with_settings(_usual_template(config.pool), config, gpus)
            new = WorkPoolCreate(
                name=name, type=config.pool, base_job_template=template, concurrency_limit=limit
            )
            client.create_work_pool(new)
            continue
        _must_be_of_kind(pool, config.pool)
        template = _with_settings_of(pool, config, gpus)
        update = WorkPoolUpdate(base_job_template=template, concurrency_limit=limit)
        client.update_work_pool(name, update)


def _must_be_of_kind(pool: WorkPool, kind: str) -> None:
    if pool.type != kind:
        raise ConfigError(
            f"The work pool {pool.name} is of the kind {pool.type!r}, and [deployment] says "
            f'"{kind}". Remove it with `prefect work-pool delete {pool.name}` and deploy again, '
            "or correct the setting."
        )


def _with_settings_of(pool: WorkPool, config: DeploymentConfig, gpus: int) -> dict[str, Any]:
    """Return the template of a pool that is there with what the settings say.

    Raises:
        ConfigError: somebody took out of it what the settings fill in.
    """
    try:
        return with_settings(pool.base_job_template, config, gpus)
    except (AttributeError, LookupError, TypeError) as error:
        raise ConfigError(
            f"The job template of the work pool {pool.name} does not have the parts any more into "
            f"which image, volumes and GPUs of [deployment] go ({type(error).__name__}: {error}). "
            "Put them back as Prefect's own template has them, or remove the pool with "
            f"`prefect work-pool delete {pool.name}` and deploy again."
        ) from error


def _usual_template(kind: str) -> dict[str, Any]:
    found = run_coro_as_sync(get_default_base_job_template_for_infrastructure_type(kind))
    if found is None:
        raise ConfigError(
            f'Prefect knows no work pool of the kind "{kind}" here. Install it: '
            f"`pip install 'phrasenet[{kind}]'`."
        )
    return dict(found)


def with_settings(
    template: Mapping[str, Any], config: DeploymentConfig, gpus: int
) -> dict[str, Any]:
    """Return the template of a pool with what the settings say.

    Args:
        template: Prefect's, or that of the pool as it is.
        config: image, volumes and kind.
        gpus: that a run of this pool asks for.
    """
    made = deepcopy(dict(template))
    job, known = made["job_configuration"], made["variables"]["properties"]
    if config.pool == "process":
        return made
    known["image"]["default"] = config.image
    if config.pool == "docker":
        known["volumes"]["default"] = list(config.volumes)
        _ask_docker_for_gpus(job, known, gpus)
    else:
        _mount(job["job_manifest"]["spec"]["template"]["spec"], config.volumes, gpus)
    return made


def _ask_docker_for_gpus(job: dict[str, Any], known: dict[str, Any], gpus: int) -> None:
    name = "container_create_kwargs"
    asked = {"device_requests": [{"count": gpus, "capabilities": [["gpu"]]}]} if gpus else {}
    # An older template of Prefect does not have it as a variable.
    variable = known.setdefault(name, {"title": "Container Configuration", "type": "object"})
    others = dict(variable.get("default") or {})
    others.pop("device_requests", None)
    variable["default"] = {**others, **asked} or None
    job[name] = f"{{{{ {name} }}}}"


def _mount(pod: dict[str, Any], volumes: Sequence[str], gpus: int) -> None:
    """Give the job of a cluster its claims and GPUs.

    Args:
        pod: the `spec` of its pod in the manifest.
        volumes: claims with the folder where each is seen.
        gpus: that it asks for.
    """
    container = pod["containers"][0]
    claims, mounts = [], []
    for number, text in enumerate(volumes):
        claim, _, path = text.partition(":")
        name = f"{_OURS}{number}"
        claims.append({"name": name, "persistentVolumeClaim": {"claimName": claim}})
        mounts.append({"name": name, "mountPath": path})
    _replace_ours(pod, "volumes", claims)
    _replace_ours(container, "volumeMounts", mounts)
    if volumes:
        pod.setdefault("securityContext", {"fsGroup": _GROUP})
    limits = container.setdefault("resources", {}).setdefault("limits", {})
    limits.pop(_GPUS, None)
    if gpus:
        limits[_GPUS] = gpus


def _replace_ours(holder: dict[str, Any], name: str, ours: Sequence[Mapping[str, Any]]) -> None:
    """Put what settings name into a list of a manifest, beside what a person put there."""
    others = [item for item in holder.get(name, ()) if not item["name"].startswith(_OURS)]
    holder[name] = [*others, *ours]
