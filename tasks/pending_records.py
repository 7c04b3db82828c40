"""What commands that only read have to say to the ledger: now if nobody holds it, else later."""

import contextlib
from collections.abc import Mapping
from typing import Any

from storage.datasets import ArtifactRef
from storage.errors import WorkspaceBusy
from storage.workspace import Workspace

PATIENCE_SECONDS = 0.5
TRANSLATED = "translated"
"""Mark of the record of translations that a user asked for."""


def say(workspace: Workspace, kind: str, body: Mapping[str, Any]) -> bool:
    """Append a record, at once or as soon as somebody holds the lease; says whether it was at once.

    The caller does not hold the lease.
    """
    workspace.pending.add(kind, body)
    with contextlib.suppress(WorkspaceBusy), workspace.lease(wait_seconds=PATIENCE_SECONDS):
        adopt(workspace)
        return True
    return False


def adopt(workspace: Workspace) -> None:
    """Take the records that wait into the ledger; the caller holds the lease."""
    for record in workspace.pending.taken():
        workspace.ledger.append(record.kind, record.body)
        if record.body.get(TRANSLATED):
            table = ArtifactRef.from_json(record.body["outputs"][0])
            if table not in workspace.translations.tables():
                workspace.translations.append(table)
