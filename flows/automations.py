"""Prefect automations beside the deployments: runs whose process died, and who is told of what.

Nothing in Prefect takes up a run whose worker died: it stays Running and keeps its slot. So a run
that sends no heartbeat any more is marked Crashed, which frees the slot, and a crashed run is
started again with the same parameters. The new run reuses what the old one finished, shard by
shard, and goes on from its checkpoints. The lease of the workspace needs no help: the kernel frees
it with the process.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from prefect.client.orchestration import SyncPrefectClient
from prefect.client.schemas.objects import BlockDocument, StateType
from prefect.client.schemas.responses import DeploymentResponse
from prefect.events.actions import (
    ActionTypes,
    CallWebhook,
    ChangeFlowRunState,
    RunDeployment,
    SendNotification,
)
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture
from prefect.events.schemas.events import ResourceSpecification
from prefect.exceptions import ObjectNotFound

from flows.deployment_config import DeploymentConfig
from flows.events import MEMORY_DRIFTED, PROMOTION_REFUSED, PROMOTION_WAITS, REFRESH_REFUSED
from storage.errors import ConfigError

TAG = "phrasenet"
PREFIX = "phrasenet: "
"""Of the names of our automations, by which they are replaced."""

RESTARTS = "restarts"
"""Parameter of the flows that are started again; the others wait for their next turn."""

_HEARTBEAT = "prefect.flow-run.heartbeat"
_MISSED_HEARTBEATS = 3
_QUIET_STATES = (
    "Completed",
    "Failed",
    "Crashed",
    "Cancelled",
    "Cancelling",
    "Suspended",
    "Paused",
    "Scheduled",
    "Late",
    "AwaitingRetry",
    "AwaitingConcurrencySlot",
)
"""States without heartbeats that are no sign of death."""
_RESTART_AFTER_SECONDS = 10
_TAGGED = {"prefect.resource.id": f"prefect.tag.{TAG}", "prefect.resource.role": "tag"}
_OF_RUNS = {"prefect.resource.id": "prefect.flow-run.*"}

_RUN_BODY = """\
Flow {{ flow.name }}, run {{ flow_run.name }}, is {{ flow_run.state.name }}:
{{ flow_run.state.message }}
{{ flow_run|ui_url }}
docs/operations.md says what to do.
"""
_EVENT_BODY = """\
{{ event.resource.name }}: {{ event.payload.reason }}
docs/operations.md says what to do.
"""
_AS_HTML = '<pre style="white-space: pre-wrap">{{% filter escape %}}{}{{% endfilter %}}</pre>'
"""Lines stay lines, and what looks like markup stays text, where a block sends HTML."""


def automations_of(
    config: DeploymentConfig,
    deployments: Sequence[DeploymentResponse],
    blocks: Sequence[BlockDocument],
) -> list[AutomationCore]:
    """Return all automations that belong to deployments.

    Args:
        config: of the heartbeats.
        deployments: ours.
        blocks: that are told.
    """
    restarted = [item for item in deployments if RESTARTS in _parameters(item)]
    return [crash_the_dead(config), *map(start_again, restarted), *_notices(blocks)]


def crash_the_dead(config: DeploymentConfig) -> AutomationCore:
    """Mark a run Crashed that was not heard of for three heartbeats."""
    return AutomationCore(
        name=f"{PREFIX}mark runs without heartbeat as crashed",
        description="The process of the run or its machine died; its slot is free again.",
        trigger=EventTrigger(
            after={_HEARTBEAT},
            expect={_HEARTBEAT, *(f"prefect.flow-run.{state}" for state in _QUIET_STATES)},
            match=_matching(_OF_RUNS),
            match_related=_matching(_TAGGED),
            for_each={"prefect.resource.id"},
            posture=Posture.Proactive,
            threshold=1,
            within=timedelta(seconds=_MISSED_HEARTBEATS * config.heartbeat_seconds),
        ),
        actions=[
            ChangeFlowRunState(
                name=None,
                state=StateType.CRASHED,
                message="No heartbeat: its process or machine died.",
                force=False,
            )
        ],
    )


def start_again(deployment: DeploymentResponse) -> AutomationCore:
    """Start a crashed run of a deployment again, with its own parameters."""
    return AutomationCore(
        name=f"{PREFIX}start {deployment.name} again after a crash",
        description="The new run reuses what was finished; after three in a row it gives up.",
        trigger=EventTrigger(
            expect={"prefect.flow-run.Crashed"},
            match=_matching(_OF_RUNS),
            match_related=_matching(
                {
                    "prefect.resource.id": f"prefect.deployment.{deployment.id}",
                    "prefect.resource.role": "deployment",
                }
            ),
            posture=Posture.Reactive,
            threshold=1,
            within=timedelta(0),
        ),
        actions=[
            RunDeployment(
                source="selected",
                deployment_id=deployment.id,
                parameters={
                    name: _again(name, described)
                    for name, described in _parameters(deployment).items()
                },
                job_variables=None,
                schedule_after=timedelta(seconds=_RESTART_AFTER_SECONDS),
            )
        ],
    )


def _parameters(deployment: DeploymentResponse) -> Mapping[str, Mapping[str, Any]]:
    schema = deployment.parameter_openapi_schema or {}
    return dict(schema.get("properties", {}))


def _again(name: str, described: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the template of a parameter of the run that crashed, which knows only what was given.

    Args:
        name: of the parameter.
        described: its part of the schema, with the default.
    """
    usual = described.get("default")
    literal = "none" if usual is None else json.dumps(usual)
    value = f"flow_run.parameters.{name} | default({literal})"
    if name == RESTARTS:
        value = f"({value}) + 1"
    template = {"__prefect_kind": "jinja", "template": f"{{{{ ({value}) | tojson }}}}"}
    return {"__prefect_kind": "json", "value": template}


def _matching(labels: Mapping[str, str]) -> ResourceSpecification:
    return ResourceSpecification(dict(labels))


def _notices(blocks: Sequence[BlockDocument]) -> Iterator[AutomationCore]:
    """Yield who is told of what; nobody without blocks."""
    if not blocks:
        return
    ended = {"prefect.flow-run.Failed", "prefect.flow-run.Crashed"}
    yield _notice("a run failed", ended, _RUN_BODY, blocks, of_runs=True)
    for what, event in (
        ("a refresh was refused", REFRESH_REFUSED),
        ("the memory drifted", MEMORY_DRIFTED),
        ("a model was refused", PROMOTION_REFUSED),
        ("a model waits for approval", PROMOTION_WAITS),
    ):
        yield _notice(what, {event}, _EVENT_BODY, blocks, of_runs=False)


def _notice(
    what: str, events: set[str], body: str, blocks: Iterable[BlockDocument], *, of_runs: bool
) -> AutomationCore:
    about = _OF_RUNS if of_runs else {"prefect.resource.id": "phrasenet.*"}
    return AutomationCore(
        name=f"{PREFIX}tell that {what}",
        description=f"Tells the blocks of [deployment] notify that {what}.",
        trigger=EventTrigger(
            expect=events,
            match=_matching(about),
            match_related=_matching(_TAGGED if of_runs else {}),
            posture=Posture.Reactive,
            threshold=1,
            within=timedelta(0),
        ),
        actions=[_telling(block, f"phrasenet: {what}", body) for block in blocks],
    )


def _telling(block: BlockDocument, subject: str, body: str) -> ActionTypes:
    kind = block.block_type.slug if block.block_type is not None else ""
    if kind == "webhook":
        return CallWebhook(block_document_id=_id(block), payload=f"{subject}\n{body}")
    if kind == "sendgrid-email":
        body = _AS_HTML.format(body)
    return SendNotification(block_document_id=_id(block), subject=subject, body=body)


def _id(block: BlockDocument) -> UUID:
    assert block.id is not None, "a block that was read has an id"
    return block.id


def blocks_of(client: SyncPrefectClient, names: Sequence[str]) -> list[BlockDocument]:
    """Return the blocks of `notify`, without their secrets.

    Raises:
        ConfigError: the server has no such block.
    """
    return [_block(client, name) for name in names]


def _block(client: SyncPrefectClient, name: str) -> BlockDocument:
    kind, _, own = name.partition("/")
    try:
        return client.read_block_document_by_name(own, kind, include_secrets=False)
    except ObjectNotFound:
        raise ConfigError(
            f"[deployment] notify names the block {name!r}, which the Prefect server does not "
            "have. Make it in the UI (Blocks), or correct the name."
        ) from None


def replace_automations(client: SyncPrefectClient, wanted: Sequence[AutomationCore]) -> None:
    """Put automations in the place of those that an earlier deployment made."""
    while olds := [item for item in client.read_automations() if item.name.startswith(PREFIX)]:
        for old in olds:
            client.delete_automation(old.id)
    for automation in wanted:
        client.create_automation(automation)
