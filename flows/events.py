"""Events that flows tell Prefect, for automations: a memory that changed or drifted, what was
refused.

They hold ids, counts and the texts of messages, never a word of the data.
"""

import uuid
from collections.abc import Mapping
from typing import Any

from storage.workspace import Workspace
from tasks.checks.verdicts import MemoryChange

MEMORY_CHANGED = "phrasenet.memory.changed"
MEMORY_DRIFTED = "phrasenet.memory.drifted"
REFRESH_REFUSED = "phrasenet.refresh.refused"
PROMOTION_REFUSED = "phrasenet.promotion.refused"
PROMOTION_WAITS = "phrasenet.promotion.waits"


def tell_memory_changed(
    workspace: Workspace, settings_file: str, change: MemoryChange, *, retrain: bool
) -> None:
    """Say that another snapshot is current.

    Args:
        workspace: whose memory it is.
        settings_file: as the deployment names it, so that a trigger can tell projects apart.
        change: how it differs from the one before.
        retrain: whether it differs enough to train models again.
    """
    from prefect.events import emit_event

    resource = _resource(workspace, settings_file) | {
        "phrasenet.share": f"{change.share:.4f}",
        "phrasenet.retrain": "yes" if retrain else "no",
    }
    payload = {
        "share": round(change.share, 4),
        "changed": change.changed,
        "phrases_before": change.before,
        "phrases_after": change.after,
        "retrain": retrain,
    }
    emit_event(MEMORY_CHANGED, resource, payload=payload)


def tell_drift(
    workspace: Workspace,
    settings_file: str,
    told: Mapping[str, Any],
    *,
    event_id: uuid.UUID | None = None,
) -> None:
    """Say that a memory was published that differs much from the one before, and in what.

    Args:
        workspace: whose memory it is.
        settings_file: as the deployment names it.
        told: the drift, as `flows.checking` records it.
        event_id: an event of this id is taken once, however often it is sent.
    """
    from prefect.events import emit_event

    how = "A person accepted that" if told["accepted"] else "It was published all the same"
    facts = "\n".join(found["fact"] for found in told["findings"])
    compared = f" `phrasenet memory diff {told['before'][:12]}` shows the phrases."
    reason = f"{facts}\n{how}.{compared if told['before'] else ''}"
    emit_event(
        MEMORY_DRIFTED,
        _resource(workspace, settings_file),
        payload={**told, "reason": reason},
        id=event_id,
    )


def tell_refused(workspace: Workspace, settings_file: str, reason: str) -> None:
    """Say that a refresh breached a data check, so that the memory stayed."""
    from prefect.events import emit_event

    emit_event(REFRESH_REFUSED, _resource(workspace, settings_file), payload={"reason": reason})


def tell_promotion(workspace: Workspace, settings_file: str, told: Mapping[str, Any]) -> None:
    """Say that a new model was refused, or waits for a person; what is as usual is not told."""
    from prefect.events import emit_event

    names = {"refused": PROMOTION_REFUSED, "waits for approval": PROMOTION_WAITS}
    name = names.get(told["outcome"])
    if name is not None:
        reason = "; ".join(told["reasons"]) or told["outcome"]
        payload = {"model": told["model"], "reason": f"model {told['model'][:12]}: {reason}"}
        emit_event(name, _resource(workspace, settings_file), payload=payload)


def _resource(workspace: Workspace, settings_file: str) -> dict[str, str]:
    return {
        "prefect.resource.id": f"phrasenet.memory.{workspace.identity}",
        "prefect.resource.name": f"phrase memory of {workspace.root.name}",
        "phrasenet.settings": settings_file,
    }
