"""What workers start runs with, by settings: Prefect's own templates, filled as a worker does.

The last two tests ask the workers' own code, where the extras `docker` and `kubernetes` are
installed; a container or a cluster is not needed for any of them.
"""

import asyncio
import json
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import prefect.server.api
import pytest
import yaml
from prefect.exceptions import ObjectNotFound
from prefect.utilities.templating import apply_values

from flows import pools
from flows.deployment_config import DeploymentConfig
from flows.pools import CPU_POOL, TRAINING_POOL, set_up_pools, with_settings
from storage.errors import ConfigError
from tests.support import ROOT

COLLECTIONS = Path(str(prefect.server.api.__file__)).parent / "collections_data" / "views"
IMAGE = "registry.example/phrasenet:1"
DOCKER = DeploymentConfig(
    pool="docker", image=IMAGE, volumes=("/srv/news:/srv/phrasenet",), training_gpus=2
)
KUBERNETES = DeploymentConfig(
    pool="kubernetes", image=IMAGE, volumes=("news:/srv/phrasenet", "texts:/srv/texts")
)
MOUNTED = [
    {"name": "phrasenet-0", "mountPath": "/srv/phrasenet"},
    {"name": "phrasenet-1", "mountPath": "/srv/texts"},
]
CLAIMED = [
    {"name": "phrasenet-0", "persistentVolumeClaim": {"claimName": "news"}},
    {"name": "phrasenet-1", "persistentVolumeClaim": {"claimName": "texts"}},
]


def job_variables() -> dict[str, Any]:
    """Return what our deployments say beside the pool's template."""
    deployments = yaml.safe_load((ROOT / "prefect.yaml").read_text("utf-8"))["deployments"]
    variables: dict[str, Any] = deployments[0]["work_pool"]["job_variables"]
    return variables


def template_of(kind: str) -> dict[str, Any]:
    """Return the template that Prefect has of a kind without that kind's package."""
    text = (COLLECTIONS / "aggregate-worker-metadata.json").read_text("utf-8")
    for collection in json.loads(text).values():
        for worker in collection.values():
            if worker.get("type") == kind:
                found: dict[str, Any] = worker["default_base_job_configuration"]
                return found
    raise AssertionError(f"no template of {kind}")


def filled(template: dict[str, Any]) -> dict[str, Any]:
    """Fill a template with its defaults and what our deployments say, as a worker does."""
    properties = template["variables"]["properties"]
    usual = {name: item["default"] for name, item in properties.items() if "default" in item}
    found: dict[str, Any] = apply_values(template["job_configuration"], usual | job_variables())
    return found


def test_a_container_has_image_folders_and_gpus() -> None:
    job = filled(with_settings(template_of("docker"), DOCKER, 2))
    assert (job["image"], job["volumes"]) == (IMAGE, ["/srv/news:/srv/phrasenet"])
    requests = job["container_create_kwargs"]["device_requests"]
    assert requests == [{"count": 2, "capabilities": [["gpu"]]}]
    assert job["env"] == job_variables()["env"]
    assert not filled(with_settings(template_of("docker"), DOCKER, 0))["container_create_kwargs"]


def test_a_job_of_a_cluster_has_image_claims_and_gpus() -> None:
    made = with_settings(template_of("kubernetes"), KUBERNETES, 1)
    pod = filled(made)["job_manifest"]["spec"]["template"]["spec"]
    [container] = pod["containers"]
    assert container["image"] == IMAGE
    assert container["env"] == job_variables()["env"]
    assert (pod["volumes"], container["volumeMounts"]) == (CLAIMED, MOUNTED)
    assert container["resources"]["limits"]["nvidia.com/gpu"] == 1
    assert pod["securityContext"] == {"fsGroup": 1000}


def test_another_deployment_takes_back_what_settings_say_no_more_and_keeps_what_people_did() -> (
    None
):
    made = with_settings(template_of("kubernetes"), KUBERNETES, 1)
    pod = made["job_configuration"]["job_manifest"]["spec"]["template"]["spec"]
    pod["volumes"].append({"name": "scratch", "emptyDir": {}})
    pod["nodeSelector"] = {"gpu": "yes"}
    kept = deepcopy(made)
    again = with_settings(made, KUBERNETES, 1)
    assert made == kept, "what was given is not changed"
    assert sorted(again["job_configuration"]) == sorted(made["job_configuration"])
    assert {item["name"] for item in _pod(again)["volumes"]} == {
        "phrasenet-0", "phrasenet-1", "scratch",
    }  # fmt: skip
    less = DeploymentConfig(pool="kubernetes", image="other")
    last = _pod(with_settings(again, less, 0))
    assert last["volumes"] == [{"name": "scratch", "emptyDir": {}}]
    assert last["nodeSelector"] == {"gpu": "yes"}
    assert last["containers"][0]["volumeMounts"] == []
    assert "nvidia.com/gpu" not in last["containers"][0]["resources"]["limits"]


def _pod(template: dict[str, Any]) -> dict[str, Any]:
    pod: dict[str, Any] = template["job_configuration"]["job_manifest"]["spec"]["template"]["spec"]
    return pod


class Server:
    """The work pools of a server."""

    def __init__(self) -> None:
        self.pools: dict[str, SimpleNamespace] = {}

    def read_work_pool(self, name: str) -> SimpleNamespace:
        if name not in self.pools:
            raise ObjectNotFound(KeyError(name))
        return self.pools[name]

    def create_work_pool(self, pool: Any) -> None:
        self.pools[pool.name] = SimpleNamespace(**pool.model_dump())

    def update_work_pool(self, name: str, pool: Any) -> None:
        for key, value in pool.model_dump(exclude_unset=True).items():
            setattr(self.pools[name], key, value)


def test_only_training_asks_for_gpus_and_limits_follow_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pools, "_usual_template", template_of)
    server: Any = Server()
    for config in (KUBERNETES, DeploymentConfig(pool="kubernetes", image="i", training_gpus=4)):
        set_up_pools(server, config)
        assert server.pools[CPU_POOL].concurrency_limit == config.cpu_runs
        limits = [
            _pod(server.pools[name].base_job_template)["containers"][0]["resources"]["limits"]
            for name in (CPU_POOL, TRAINING_POOL)
        ]
        assert [item.get("nvidia.com/gpu", 0) for item in limits] == [0, config.training_gpus]
    with pytest.raises(ConfigError, match="is of the kind 'kubernetes'.*work-pool delete"):
        set_up_pools(server, DeploymentConfig())


@pytest.mark.parametrize("config", [DOCKER, KUBERNETES])
def test_a_template_without_the_parts_that_settings_fill_is_told(config: DeploymentConfig) -> None:
    template = template_of(config.pool)
    del template["variables"]["properties"]["image"]
    server: Any = Server()
    server.pools[CPU_POOL] = SimpleNamespace(
        name=CPU_POOL, type=config.pool, base_job_template=template
    )
    with pytest.raises(ConfigError, match=f"{CPU_POOL} does not have the parts .*'image'"):
        set_up_pools(server, config)


async def _configured(worker: Any, template: dict[str, Any]) -> Any:
    # There are no blocks and variables to look up, so no server is asked.
    nobody = AsyncMock()
    return await worker.job_configuration.from_template_and_values(
        template, job_variables(), client=nobody
    )


@pytest.mark.parametrize("is_own", [True, False])
def test_the_docker_worker_takes_it(is_own: bool) -> None:
    worker = pytest.importorskip("prefect_docker.worker").DockerWorker
    docker = pytest.importorskip("docker")
    usual = worker.get_default_base_job_template() if is_own else template_of("docker")
    job = asyncio.run(_configured(worker, with_settings(usual, DOCKER, 2)))
    assert (job.image, job.volumes) == (IMAGE, ["/srv/news:/srv/phrasenet"])
    host = docker.types.HostConfig(version="1.44", **job.container_create_kwargs)
    assert [item["Count"] for item in host["DeviceRequests"]] == [2]


@pytest.mark.parametrize("is_own", [True, False])
def test_the_kubernetes_worker_makes_a_valid_job(is_own: bool) -> None:
    worker = pytest.importorskip("prefect_kubernetes.worker").KubernetesWorker
    client = pytest.importorskip("kubernetes_asyncio.client")
    usual = worker.get_default_base_job_template() if is_own else template_of("kubernetes")

    async def made() -> Any:
        job = await _configured(worker, with_settings(usual, KUBERNETES, 1))
        job._populate_env_in_manifest()
        async with client.ApiClient() as api:
            answer = SimpleNamespace(data=json.dumps(job.job_manifest))
            return api.deserialize(answer, "V1Job")

    pod = asyncio.run(made()).spec.template.spec
    [container] = pod.containers
    assert container.image == IMAGE
    assert [(item.name, item.mount_path) for item in container.volume_mounts] == [
        ("phrasenet-0", "/srv/phrasenet"),
        ("phrasenet-1", "/srv/texts"),
    ]
    assert [item.persistent_volume_claim.claim_name for item in pod.volumes] == ["news", "texts"]
    assert container.resources.limits["nvidia.com/gpu"] == "1"
    assert {item.name for item in container.env} >= set(job_variables()["env"])
