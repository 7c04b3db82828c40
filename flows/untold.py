"""Drift that was published and not told yet, so that a crash in between loses no notice.

The record of a publication holds the drift before `HEAD` moves, and a record `told` follows once
the event was handed to Prefect. Between the two a run may train for hours, or die. Prefect sends
from a queue in memory: an event that it was handed and did not send is lost with the process.
"""

import uuid
from collections.abc import Sequence

from flows.checking import DRIFT
from flows.events import tell_drift
from storage.ledger import LedgerRecord
from storage.workspace import Workspace

_TOLD = "told"


def tell_untold(workspace: Workspace, settings_file: str) -> None:
    """Tell the drift of the last publication if nobody did; the caller holds the lease.

    The event has an id of its own, so that Prefect takes it once, even if this process dies before
    it can record that it was told.
    """
    records, told = _last_publication(workspace)
    if told or not records or not _is_current(workspace, records[0].body["snapshot"]):
        return
    # Repeated after a crash before HEAD moved, it was compared with itself: the first one counts.
    drifted = [record for record in records if DRIFT in record.body]
    if drifted:
        number = drifted[-1].sequence
        name = f"{workspace.identity}/publish/{number}"
        event_id = uuid.uuid5(uuid.NAMESPACE_URL, name)
        tell_drift(workspace, settings_file, drifted[-1].body[DRIFT], event_id=event_id)
        workspace.ledger.append(_TOLD, {"what": DRIFT, "publish": number})


def _last_publication(workspace: Workspace) -> tuple[Sequence[LedgerRecord], bool]:
    """Return the records of the last publication, newest first, and whether its drift was told."""
    records: list[LedgerRecord] = []
    told = False
    for record in workspace.ledger.newest_first():
        if record.kind == "publish":
            if records and records[0].body["snapshot"] != record.body["snapshot"]:
                break
            records.append(record)
        elif record.kind == _TOLD and not records:
            told = True
    return records, told


def _is_current(workspace: Workspace, snapshot_id: str) -> bool:
    """Say whether the publication came to its end; a person may have rolled it back since."""
    history = [entry.snapshot_id for entry in workspace.memory.history()]
    head = workspace.memory.head()
    return snapshot_id in history[:-1] or (head is not None and head.snapshot_id == snapshot_id)
