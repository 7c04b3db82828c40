"""Which part of a flow is wanted: `--from` and `--until`."""

from dataclasses import dataclass


class UntilReached(Exception):  # noqa: N818 - it ends a flow early and is no error
    """The flow has done the step after which it was asked to stop."""


@dataclass(frozen=True, slots=True)
class StepWindow:
    """Which part of a flow is wanted: steps before `first` are taken as they last were."""

    order: tuple[str, ...]
    """All steps of the project in the order in which flows call them."""
    first: str | None = None
    last: str | None = None

    def is_before(self, step: str) -> bool:
        """Say whether a step comes before the window."""
        return self.first is not None and self._place(step) < self._place(self.first)

    def is_after(self, step: str) -> bool:
        """Say whether a step comes after the window."""
        return self.last is not None and self._place(step) > self._place(self.last)

    def _place(self, step: str) -> int:
        return self.order.index(step)
