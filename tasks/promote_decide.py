"""Decisions about the model in production: recorded in the ledger first, then done."""

import getpass
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.registry import ModelEntry
from storage.workspace import Workspace
from tasks.promotion.finding import failed, reasons

_REFUSE = "refuse-promotion"
GATE = "promotion gate"
"""Who decides where no person does."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate and what the gate found."""

    candidate: ModelEntry
    production: str | None
    """Id of the model in production while it was judged."""
    table: ArtifactRef
    findings: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    """Rows of the table."""

    @staticmethod
    def of(
        workspace: Workspace, candidate: ModelEntry, production: str | None, table: ArtifactRef
    ) -> "Judged":
        """Read the findings of a table."""
        return Judged(candidate, production, table, list(workspace.read_rows(table)))

    @property
    def reasons(self) -> list[str]:
        """Return which rules speak against the candidate; empty if none does."""
        return reasons(self.findings)

    @property
    def rules(self) -> list[str]:
        """Return the names of the rules that speak against it."""
        return sorted({row["rule"] for row in failed(self.findings)})


def last_judged(workspace: Workspace, entry: ModelEntry) -> Judged | None:
    """Return what the gate found when it was last asked about a model; None if that is not kept."""
    for body in _decisions_about_models(workspace):
        if body["model"] == entry.model_id and "findings" in body:
            table = ArtifactRef.from_json(body["findings"])
            if workspace.holds(table):
                return Judged.of(workspace, entry, body["from"] or None, table)
    return None


def decision_in_force(workspace: Workspace) -> Mapping[str, Any] | None:
    """Return the decision that put the model of now into production; None if none is there."""
    current = workspace.production.current()
    if current is None:
        return None
    puts = ("promote", "rollback-model")
    return next(
        (
            body
            for body in _decisions_about_models(workspace)
            if body["model"] == current and body["decision"] in puts
        ),
        None,
    )


def was_declined(workspace: Workspace, judged: Judged) -> bool:
    """Say whether a person declined this candidate after the same findings: nobody asks twice."""
    for body in _decisions_about_models(workspace):
        if body["model"] == judged.candidate.model_id:
            same = body.get("findings") == judged.table.to_json()
            return same and body["decision"] == _REFUSE and not body["rules"]
    return False


def _decisions_about_models(workspace: Workspace) -> Iterator[Mapping[str, Any]]:
    """Yield the decisions about models, newest first."""
    for record in workspace.ledger.newest_first():
        if record.kind == "decision" and "model" in record.body:
            yield record.body


def promote(
    workspace: Workspace, judged: Judged, reason: str, author: str, *, approved: bool = False
) -> None:
    """Put a candidate into production, whatever the gate found; the caller holds the lease.

    Args:
        workspace: the workspace.
        judged: the candidate.
        reason: why, for the record.
        author: who decided.
        approved: whether a person was asked and agreed.
    """
    body = _about(judged, "promote", reason, author) | {
        "forced": bool(judged.rules),
        "approved": approved,
    }
    record = workspace.ledger.append("decision", body)
    workspace.production.promote(judged.candidate.model_id, reason, record.sequence)


def refuse(workspace: Workspace, judged: Judged, reason: str, author: str) -> None:
    """Record that a candidate stays out of production; the same is not recorded twice in a row."""
    body = _about(judged, _REFUSE, reason, author)
    last = next(_decisions_about_models(workspace), None)
    if last != body:
        workspace.ledger.append("decision", body)


def _about(judged: Judged, decision: str, reason: str, author: str) -> dict[str, Any]:
    return {
        "decision": decision,
        "model": judged.candidate.model_id,
        "from": judged.production or "",
        "findings": judged.table.to_json(),
        "rules": judged.rules,
        "author": author,
        "reason": reason,
    }


def roll_back(workspace: Workspace, reason: str) -> tuple[str, str]:
    """Put the model back into production that was there before; returns the ids of both.

    Raises:
        InputError: there was none, or its files are gone.
    """
    with workspace.lease():
        production = workspace.production
        now, before = production.current() or "", production.previous()
        entry = workspace.registry.find(before)
        if not workspace.holds(entry.ref):
            raise InputError(
                f"Model {before[:12]} cannot be in production again: its files were withdrawn or "
                "lost. `phrasenet models list` shows the others, `phrasenet models promote` "
                "chooses one."
            )
        body = {
            "decision": "rollback-model",
            "model": before,
            "from": now,
            "author": getpass.getuser(),
            "reason": reason,
        }
        record = workspace.ledger.append("decision", body)
        production.rollback(before, reason, record.sequence)
    return now, before


def must_be_whole(workspace: Workspace, entries: Iterable[ModelEntry]) -> None:
    """Check every byte of models before they are judged.

    Raises:
        InputError: names the one that is damaged or gone.
    """
    for entry in entries:
        broken = workspace.why_broken(entry.ref)
        if broken is not None:
            raise InputError(
                f"Model {entry.model_id[:12]} cannot be judged: {broken}. Restore it from a "
                "backup, or choose another; `phrasenet models rollback` leaves the one in "
                "production."
            )
