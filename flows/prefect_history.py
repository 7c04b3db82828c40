"""Prefect's own record of our flow runs, which grows for ever unless somebody removes old ones.

Nothing lives only there: the ledger keeps every run of a step. Runs of other people's flows on the
same server are left alone.
"""

import contextlib
import datetime
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    FlowFilter,
    FlowFilterName,
    FlowRunFilter,
    FlowRunFilterEndTime,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import TERMINAL_STATES
from prefect.exceptions import ObjectNotFound

OUR_FLOWS = (
    "phrasenet-run",
    "refresh-phrase-memory",
    "retrain",
    "evaluate",
    "experiment",
    "audit-lineage",
    "maintain",
)
_PAGE = 200


def old_runs(before: datetime.datetime) -> list[UUID]:
    """Return the runs of our flows that ended before a time."""
    found: list[UUID] = []
    with get_client(sync_client=True) as client:
        while True:
            page = client.read_flow_runs(
                flow_filter=FlowFilter(name=FlowFilterName(any_=list(OUR_FLOWS))),
                flow_run_filter=FlowRunFilter(
                    end_time=FlowRunFilterEndTime.model_validate({"before_": before}),
                    state=FlowRunFilterState(
                        type=FlowRunFilterStateType(any_=sorted(TERMINAL_STATES))
                    ),
                ),
                limit=_PAGE,
                offset=len(found),
            )
            found += [run.id for run in page]
            if len(page) < _PAGE:
                return found


def remove_runs(runs: Sequence[UUID]) -> None:
    """Remove flow runs with their task runs and logs."""
    with get_client(sync_client=True) as client:
        for identity in runs:
            with contextlib.suppress(ObjectNotFound):  # another maintenance was faster
                client.delete_flow_run(identity)


def shrink_private_database(home: Path) -> None:
    """Give the space of removed runs back to the disk; the private server must have stopped.

    A database in use, or a full disk, leaves it as it is: nothing depends on its size.
    """
    path = home / "prefect.db"
    if path.exists():
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as base:
            base.execute("VACUUM")
