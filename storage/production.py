"""Which model is in production: a history of which the last entry speaks.

The folder `models/production` holds one small file for each change, written at once and never
rewritten. Whoever changes it holds the lease of the workspace and has recorded the decision in the
ledger first.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from storage.errors import InputError, WorkspaceError
from storage.files import write_bytes
from storage.ledger import canonical_json
from storage.moments import this_moment
from storage.plain_json import UNREADABLE, plain_record

Change = Literal["promote", "rollback", "demote"]


@dataclass(frozen=True, slots=True)
class ProductionEntry:
    """One change of the model in production."""

    sequence: int
    """0-based, without gaps."""
    change: Change
    model_id: str
    """The model from then on; empty after a model lost production and none took its place."""
    record: int
    """Of the ledger: the decision."""
    time: str
    """ISO 8601 in UTC."""
    reason: str


class Production:
    """The folder `models/production` of a workspace."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "models" / "production"

    def current(self) -> str | None:
        """Return the id of the model in production, or None if there is none.

        Raises:
            WorkspaceError: the last entry is damaged.
        """
        paths = self._paths()
        return _read(paths[-1]).model_id or None if paths else None

    def promote(self, model_id: str, reason: str, record: int) -> ProductionEntry:
        """Put a model into production."""
        return self._change("promote", model_id, reason, record)

    def rollback(self, model_id: str, reason: str, record: int) -> ProductionEntry:
        """Put an earlier model back into production; see `previous`."""
        return self._change("rollback", model_id, reason, record)

    def demote(self, reason: str, record: int) -> ProductionEntry | None:
        """Take production from the model that has it, so that none has it; None if none had it.

        The model cannot be rolled back to either; a person may still promote it again.

        Args:
            reason: why, such as what was withdrawn.
            record: number of the ledger's record of the decision, appended before.
        """
        return None if self.current() is None else self._change("demote", "", reason, record)

    def previous(self) -> str:
        """Return the model that was in production before the one of now, for a rollback.

        Rollbacks go back step by step: what was rolled back from, or lost production, is passed
        over.

        Raises:
            InputError: there was none.
        """
        stack = _stack(self.history())
        below = stack[:-1] if stack and stack[-1] == self.current() else stack
        if not below:
            now = self.current()
            raise InputError(
                f"No model was in production{f' before {now[:12]}' if now else ''}, so there is "
                "nothing to roll back to; what was rolled back from does not count. "
                "`phrasenet models list` shows the models, `phrasenet models promote` chooses one."
            )
        return below[-1]

    def rolled_back(self) -> set[str]:
        """Return the models that were rolled back from or lost production, and not promoted since.

        No gate may put one of them back; a person may.
        """
        rejected: set[str] = set()
        now = ""
        for entry in self.history():
            if entry.change != "promote" and now:
                rejected.add(now)
            rejected.discard(entry.model_id)
            now = entry.model_id
        return rejected

    def history(self) -> list[ProductionEntry]:
        """Return all changes, oldest first.

        Raises:
            WorkspaceError: an entry is damaged.
        """
        return [_read(path) for path in self._paths()]

    def _paths(self) -> list[Path]:
        return sorted(self._folder.glob("[0-9]*.json"))

    def _change(self, change: Change, model_id: str, reason: str, record: int) -> ProductionEntry:
        entry = ProductionEntry(
            sequence=len(self._paths()),
            change=change,
            model_id=model_id,
            record=record,
            time=this_moment(),
            reason=reason,
        )
        write_bytes(self._folder / f"{entry.sequence:08d}.json", canonical_json(asdict(entry)))
        return entry


def _read(path: Path) -> ProductionEntry:
    try:
        value = json.loads(path.read_bytes())
        known = {name: value[name] for name in ProductionEntry.__slots__}
        return plain_record(ProductionEntry, known)
    except UNREADABLE as error:
        raise WorkspaceError(
            f"{path} is damaged, so nobody can say which model is in production. Restore the file "
            "from a backup; `phrasenet audit verify` names all that was changed."
        ) from error


def _stack(history: list[ProductionEntry]) -> list[str]:
    """Return the models that a rollback may reach, the one of now last."""
    stack: list[str] = []
    for entry in history:
        if entry.change == "promote":
            stack = [model_id for model_id in stack if model_id != entry.model_id]
            stack.append(entry.model_id)
        elif entry.change == "rollback":
            place = stack.index(entry.model_id) if entry.model_id in stack else -1
            stack = stack[: place + 1] or [entry.model_id]
        else:
            stack = stack[:-1]
    return stack
