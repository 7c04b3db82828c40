"""Sources as they were read by a date: what a backfill starts from.

The files of that day are gone or changed, but what was read of them is in the workspace, as far as
`[maintenance]` keeps it and no withdrawal took it out.
"""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from storage.errors import InputError, MissingArtifact
from storage.memory import moment_of
from storage.step_cache import StepCache
from storage.workspace import Workspace
from tasks.arguments import references, result_from_json
from tasks.history import History
from tasks.step import StepCall

R = TypeVar("R")

READERS = frozenset({"ingest", "dictionary", "testset"})
"""Steps that read sources."""


def moment_of_past(text: str) -> datetime.datetime:
    """Read a date, which stands for its end, or a time.

    Raises:
        InputError: it is none, or lies in the future.
    """
    moment = moment_of(text)
    if moment is None:
        raise InputError(f"{text!r} is no date; expected one such as 2026-03-01.")
    return moment


@dataclass(frozen=True, slots=True)
class Past:
    """The state of the sources at a moment."""

    moment: datetime.datetime
    history: History
    """What the ledger knew then."""

    @staticmethod
    def of(workspace: Workspace, text: str) -> "Past":
        """Return the state at a date (its end counts) or time.

        Raises:
            InputError: it is no date of the past, or nothing had been recorded by then.
        """
        moment = moment_of_past(text)
        return Past(moment, History.of(workspace.ledger, until=moment))

    def taken(self, workspace: Workspace, call: StepCall[R]) -> R:
        """Return what a reading gave when it was last made by that moment.

        Raises:
            MissingArtifact: nothing was read by then, in another form, or it is not kept any more.
        """
        before = self.history.last_by_label.get(call.label)
        if before is None:
            raise MissingArtifact(
                f"Nothing was read of {call.label!r} by {self.moment:%Y-%m-%d}. Choose a later "
                "date, or take the source out of the settings of the backfill."
            )
        _must_be_of_the_same_form(call, before)
        entry = StepCache(workspace.root).get(call.step.name, before["key"])
        result: R | None = None if entry is None else result_from_json(entry.result)
        broken = entry is None or any(map(workspace.why_broken, references(result)))
        if broken or result is None:
            raise MissingArtifact(
                f"What was read of {call.label!r} by {self.moment:%Y-%m-%d} is not kept any more: "
                "it was withdrawn, or is older than maintenance.artifact_days. Choose a later date."
            )
        return result


def _must_be_of_the_same_form(call: StepCall[Any], before: Mapping[str, Any]) -> None:
    now = call.facts()["settings"]
    if before["settings"] != now:
        names = [name for name in now if before["settings"].get(name) != now[name]]
        raise MissingArtifact(
            f"{call.label!r} was then read with another {' and '.join(names)}. Backfill with the "
            "settings of then for that source (execution.shards, too)."
        )
