"""Who is told what a run does, such as the terminal."""

from collections.abc import Sequence
from typing import Any, Protocol

from storage.memory import Snapshot
from tasks.progress import Progress
from tasks.step import Outcome, StepCall


class Observer(Protocol):
    """Someone who is told what happens, such as the terminal."""

    def started(self, call: StepCall[Any]) -> None:
        """A call is handed out."""

    def finished(self, call: StepCall[Any], outcome: Outcome[Any]) -> None:
        """A call has its result."""

    def progress(self, progress: Progress) -> None:
        """A long call has come this far."""

    def said(self, text: str) -> None:
        """Something longer than a call came to its end, such as a cell of an experiment."""

    def planned(self, call: StepCall[Any], reasons: Sequence[str]) -> None:
        """A plan found a call that would run (with reasons) or is up to date (without)."""

    def held(self, rejected: Snapshot, kept: Snapshot) -> None:
        """A snapshot was not published, since a person rolled away from it."""

    def taken(self, call: StepCall[Any], changed: Sequence[str]) -> None:
        """A step before `--from` was taken as it last was, though these things changed since."""

    def note(self, text: str) -> None:
        """Something came up that a person should know."""


class Silent:
    """An observer that says nothing."""

    def started(self, call: StepCall[Any]) -> None:
        """Say nothing."""

    def finished(self, call: StepCall[Any], outcome: Outcome[Any]) -> None:
        """Say nothing."""

    def progress(self, progress: Progress) -> None:
        """Say nothing."""

    def said(self, text: str) -> None:
        """Say nothing."""

    def planned(self, call: StepCall[Any], reasons: Sequence[str]) -> None:
        """Say nothing."""

    def held(self, rejected: Snapshot, kept: Snapshot) -> None:
        """Say nothing."""

    def taken(self, call: StepCall[Any], changed: Sequence[str]) -> None:
        """Say nothing."""

    def note(self, text: str) -> None:
        """Say nothing."""
