"""A person approves a promotion in Prefect: the flow run waits, without the lease, for an answer.

The run of a deployment is suspended: its process ends, and when somebody resumes it, a worker
starts it again, which reuses all results and finds the answer. A run without a deployment keeps its
process and waits. A command holds the lease and may have a server of its own that ends with it, so
nobody is asked there; the model waits for `phrasenet models promote`.
"""

from collections.abc import Mapping
from typing import Any

from prefect.flow_runs import pause_flow_run, suspend_flow_run
from prefect.input import RunInput
from prefect.runtime import deployment

from flows.settings import Settings
from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.workspace import Workspace
from tasks.promote_decide import Judged, promote, refuse

WAITS = "waits for approval"
_POLL_SECONDS = 5


class Approval(RunInput):
    """What a person answers."""

    approve: bool
    name: str
    reason: str


def with_approval(
    settings: Settings, workspace: Workspace, summary: Mapping[str, Any]
) -> dict[str, Any]:
    """Ask a person about the model that waits, if one does; returns the summary with the outcome.

    The caller does not hold the lease.
    """
    told = summary.get("promotion", {})
    if told.get("outcome") != WAITS:
        return dict(summary)
    answer = _ask(told, settings.promotion.approval_hours)
    with workspace.lease(wait_seconds=settings.execution.wait_seconds):
        outcome = _obey(workspace, told, answer)
    return {**summary, "promotion": {**told, "outcome": outcome}}


def _ask(told: Mapping[str, Any], hours: float) -> Approval:
    before = f"`{told['from'][:12]}`" if told["from"] else "none"
    question = Approval.with_initial_data(
        description=(
            f"Model `{told['model'][:12]}` is fit for production by all rules; the one in "
            f"production is {before}. Say yes or no, who you are, and why."
        )
    )
    key, seconds = f"promotion-{told['model'][:12]}", round(hours * 3600)
    if deployment.id:
        found: Approval = suspend_flow_run(wait_for_input=question, timeout=seconds, key=key)
    else:
        found = pause_flow_run(
            wait_for_input=question, timeout=seconds, poll_interval=_POLL_SECONDS, key=key
        )
    return found


def _obey(workspace: Workspace, told: Mapping[str, Any], answer: Approval) -> str:
    """Promote or refuse as the person said, if things still stand as they were judged."""
    judged = _still_judged(workspace, told)
    if answer.approve:
        promote(workspace, judged, answer.reason, answer.name, approved=True)
        return "promoted"
    refuse(workspace, judged, answer.reason, answer.name)
    return "refused"


def _still_judged(workspace: Workspace, told: Mapping[str, Any]) -> Judged:
    if workspace.production.current() != told["from"]:
        raise InputError(
            f"Another model went into production while {told['model'][:12]} waited for approval; "
            "it was judged against the one before. The next run judges it anew."
        )
    entry = workspace.registry.find(told["model"])
    return Judged.of(workspace, entry, told["from"], ArtifactRef.from_json(told["findings"]))
