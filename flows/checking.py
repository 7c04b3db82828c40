"""The data checks of a refresh: what it counted must hold before `HEAD` moves."""

import logging
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from flows.cleaning import LinkedPairs
from flows.settings import Settings
from storage.datasets import ArtifactRef
from storage.memory import Snapshot
from tasks.check import ChecksFailed, check, drift_of, must_pass, must_resemble
from tasks.checks.verdicts import Breach
from tasks.run import Pending, Run

log = logging.getLogger(__name__)

accept_change: ContextVar[bool] = ContextVar("accept_change", default=False)
"""Whether a person said that the memory may differ from the current one as much as it does."""

DRIFT = "drift"
"""What a run tells of a memory that was published and differs much from the one before."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A refresh that was looked at."""

    run: Run
    settings: Settings
    snapshot: Snapshot
    table: ArtifactRef | None
    """What was counted; None in a plan that has not counted yet."""

    def guard(self, head: Snapshot | None) -> dict[str, Any]:
        """Refuse to put the snapshot in the place of one that it does not resemble.

        Returns:
            What the record of the publication says: how much it drifted, if it did.

        Raises:
            ChecksFailed: it differs more than `[checks]` allows, and nobody accepted that.
        """
        assert self.table is not None, "a snapshot is published after it was checked"
        config, workspace = self.settings.checks, self.run.workspace
        found = drift_of(workspace, self.table, head, self.snapshot, config)
        is_accepted = False
        try:
            must_resemble(found)
        except ChecksFailed as error:
            if not accept_change.get():
                raise
            is_accepted = True
            log.warning("accepted by a person: %s", error)
        if not found:
            return {}
        self.run.told[DRIFT] = {
            "accepted": is_accepted,
            "before": head.snapshot_id if head else None,
            "findings": [_as_json(item) for item in found],
        }
        return {DRIFT: self.run.told[DRIFT]}


def _as_json(found: Breach) -> dict[str, Any]:
    """Return a finding for automations and `--json`."""
    return {
        "check": found.check,
        "subject": found.subject,
        "value": round(found.value, 4),
        "limit": found.limit,
        "fact": found.fact,
    }


def check_data(
    run: Run,
    settings: Settings,
    raw: tuple[ArtifactRef, ...],
    linked: LinkedPairs,
    snapshot: Snapshot,
) -> Checked:
    """Count what a refresh made, and refuse it if a limit is breached.

    Raises:
        ChecksFailed: `[checks]` does not allow it; the current memory stays.
    """
    table = run.one(
        check,
        "",
        raw=tuple(dict.fromkeys(raw)),
        pairs=linked.pairs,
        links=linked.links,
        phrases=snapshot.phrases,
        evidence=snapshot.evidence,
    )
    if isinstance(table, Pending):
        return Checked(run, settings, snapshot, None)
    if run.mode != "plan":
        must_pass(run.workspace, table, settings.checks)
    return Checked(run, settings, snapshot, table)
