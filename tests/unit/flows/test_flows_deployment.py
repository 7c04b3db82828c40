"""Deployments as they are described: settings, prefect.yaml, automations, the compose file."""

import importlib
from typing import Any
from uuid import uuid4

import pytest
import yaml
from prefect.client.schemas.responses import DeploymentResponse
from prefect.events.actions import CallWebhook, RunDeployment, SendNotification
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture
from prefect.events.schemas.events import ResourceSpecification
from prefect.utilities.callables import parameter_schema
from prefect.utilities.schema_tools.hydration import HydrationContext, hydrate

from flows.automations import PREFIX, TAG, automations_of
from flows.config_tables import config_from
from flows.deployment_config import DeploymentConfig
from flows.driver import MAX_RESTARTS, Request
from flows.events import MEMORY_CHANGED
from flows.pipeline import STEPS
from flows.prefect_history import OUR_FLOWS
from storage.errors import ConfigError, WorkspaceError
from tests.support import ROOT, block_document

DEPLOYMENTS = yaml.safe_load((ROOT / "prefect.yaml").read_text("utf-8"))["deployments"]


def flow_of(deployment: dict[str, Any]) -> Any:
    module, _, name = deployment["entrypoint"].rpartition(".")
    return getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda item: item["name"])
def test_a_deployment_is_complete_and_its_flow_takes_its_parameters(
    deployment: dict[str, Any],
) -> None:
    assert TAG in deployment["tags"]
    assert len(deployment["description"]) > 20
    assert deployment["concurrency_limit"] == {"limit": 1, "collision_strategy": "ENQUEUE"}
    assert all("timezone" in schedule for schedule in deployment["schedules"])
    is_training = "training" in deployment["tags"] or "evaluation" in deployment["tags"]
    pool = "phrasenet-training" if is_training else "phrasenet-cpu"
    assert deployment["work_pool"]["name"] == pool
    flow = flow_of(deployment)
    assert flow.name in OUR_FLOWS
    properties = parameter_schema(flow).model_dump()["properties"]
    assert set(deployment["parameters"]) <= set(properties)
    assert all(item.get("description") for item in properties.values()), "every field explained"


def test_steps_are_a_list_to_choose_from() -> None:
    properties = parameter_schema(flow_of(DEPLOYMENTS[0])).model_dump()["properties"]
    assert properties["from_step"]["anyOf"][0]["enum"] == list(STEPS)
    assert properties["as_of"]["anyOf"][0] == {"type": "string", "format": "date"}
    assert properties["accept_change"]["type"] == "boolean"


def test_a_large_change_of_the_memory_starts_a_retraining() -> None:
    [deployment] = [item for item in DEPLOYMENTS if item.get("triggers")]
    [trigger] = deployment["triggers"]
    assert (deployment["name"], trigger["expect"]) == ("weekly", [MEMORY_CHANGED])
    assert trigger["match"]["phrasenet.retrain"] == "yes"


def test_every_flow_has_a_deployment() -> None:
    deployed = {flow_of(item).name for item in DEPLOYMENTS}
    assert set(OUR_FLOWS) - deployed == {"phrasenet-run", "experiment"}


def test_a_run_that_died_again_and_again_is_not_started_again() -> None:
    Request("phrasenet.toml", restarts=MAX_RESTARTS).must_be_fresh()
    with pytest.raises(WorkspaceError, match="died 4 times in a row"):
        Request("phrasenet.toml", restarts=MAX_RESTARTS + 1).must_be_fresh()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"pool": "docker"}, "no image is named"),
        ({"pool": "vm"}, "expected one of 'process', 'docker', 'kubernetes'"),
        ({"volumes": ["/a:/b"]}, 'volumes is of pool = "docker" and "kubernetes"'),
        ({"training_gpus": 1}, 'training_gpus is of pool = "docker" and "kubernetes"'),
        ({"training_gpus": -1}, "it must be 0 or more"),
        ({"pool": "docker", "image": "i", "volumes": ["a:/b"]}, "expected ./host/folder"),
        ({"pool": "docker", "image": "i", "volumes": ["/a:/b:ro:z"]}, "expected ./host/folder"),
        ({"pool": "kubernetes", "image": "i", "volumes": ["/a:/b"]}, "expected 'claim:/container"),
        ({"settings_file": "phrasenet.toml"}, "expected an absolute path"),
        ({"timezone": "Mars/Olympus"}, "timezone is 'Mars/Olympus'"),
        ({"timezone": "../etc/passwd"}, "timezone is"),
        ({"heartbeat_seconds": 5}, "it must be 30 or more"),
        ({"cpu_runs": 0}, "it must be 1 or more"),
        ({"notify": ["oncall"]}, "expected the type and the name"),
    ],
)
def test_nonsense_is_refused_with_a_message(table: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        config_from(DeploymentConfig, table, "x.toml: [deployment]")


def test_an_address_with_a_secret_is_refused_and_not_repeated() -> None:
    address = "https://hooks.example/T000/very-secret"
    with pytest.raises(ConfigError) as caught:
        DeploymentConfig(notify=(address,))
    assert "secret: keep it in the block" in str(caught.value)
    assert "T000" not in str(caught.value)


def deployment(name: str, **parameters: Any) -> DeploymentResponse:
    schema = {"properties": {name: {"default": usual} for name, usual in parameters.items()}}
    described = {"id": uuid4(), "name": name, "flow_id": uuid4()}
    return DeploymentResponse.model_validate(described | {"parameter_openapi_schema": schema})


def trigger_of(automation: AutomationCore) -> EventTrigger:
    assert isinstance(automation.trigger, EventTrigger)
    return automation.trigger


def test_a_silent_run_is_crashed_and_a_crashed_one_started_with_its_own_parameters() -> None:
    nightly = deployment("nightly", settings_file="phrasenet.toml", until_step=None, restarts=0)
    daily = deployment("daily", settings_file="phrasenet.toml")
    made = automations_of(DeploymentConfig(), [nightly, daily], [])
    assert [item.name.removeprefix(PREFIX) for item in made] == [
        "mark runs without heartbeat as crashed",
        "start nightly again after a crash",
    ]
    silent, crashed = map(trigger_of, made)
    assert silent.posture is Posture.Proactive
    assert silent.within.total_seconds() == 90
    assert {"prefect.flow-run.heartbeat", "prefect.flow-run.Suspended"} <= silent.expect
    assert isinstance(crashed.match_related, ResourceSpecification)
    assert crashed.match_related["prefect.resource.id"] == [f"prefect.deployment.{nightly.id}"]
    [action] = made[1].actions
    assert isinstance(action, RunDeployment)
    assert rendered(action, {"until_step": "train", "restarts": 1}) == {
        "settings_file": "phrasenet.toml",
        "until_step": "train",
        "restarts": 2,
    }
    # A run knows only the parameters that it was given.
    assert rendered(action, {"settings_file": "a 'b'.toml"}) == {
        "settings_file": "a 'b'.toml",
        "until_step": None,
        "restarts": 1,
    }


def rendered(action: RunDeployment, given: dict[str, Any]) -> dict[str, Any]:
    """Fill the parameters of a new run, as the server does, from those of the old one."""
    context = {"flow_run": {"parameters": given}}
    hydrated: dict[str, Any] = hydrate(
        dict(action.parameters or {}),
        HydrationContext(raise_on_error=True, render_jinja=True, jinja_context=context),
    )
    return hydrated


def test_every_block_is_told_of_everything_that_went_wrong() -> None:
    blocks = [block_document("slack-webhook"), block_document("webhook")]
    told = automations_of(DeploymentConfig(), [], blocks)[1:]
    assert len(told) == 5
    for automation in told:
        slack, pager = automation.actions
        assert isinstance(slack, SendNotification)
        assert slack.block_document_id == blocks[0].id
        assert isinstance(pager, CallWebhook)
        assert pager.block_document_id == blocks[1].id


def test_the_compose_file_opens_nothing_to_the_network_and_holds_no_secret() -> None:
    text = (ROOT / "deploy" / "compose.yaml").read_text("utf-8")
    services = yaml.safe_load(text)["services"]
    assert {"server", "postgres", "worker-cpu", "worker-training"} <= set(services)
    ports = [port for service in services.values() for port in service.get("ports", ())]
    assert ports == ["127.0.0.1:4200:4200"]
    assert services["postgres"]["environment"]["POSTGRES_PASSWORD"].startswith(
        "${POSTGRES_PASSWORD:?"
    )
