"""Where a training keeps its work: its own checkpoints, and those of earlier trainings of its name
that other code, settings or data began.
"""

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from storage.checkpoints import Checkpoints
from storage.errors import ConfigError
from tasks.history import why_changed
from tasks.step import CurrentCall

if TYPE_CHECKING:
    from model.fit import StepReport

log = logging.getLogger(__name__)

_SESSION = "session.json"


@dataclass
class Progressed:
    """What is known of a training beside the network and the optimizer."""

    seconds: float = 0.0
    """Time used, in this process and those before."""
    pending: "StepReport | None" = None
    """The step whose measurement was broken off, since it was asked to stop."""


@dataclass(frozen=True, slots=True)
class Found:
    """A checkpoint that was found."""

    files: Mapping[str, bytes]
    session: Mapping[str, Any]
    continued: Mapping[str, Any] | None = None
    """What it differs in, if it is one of another call that a person allowed."""

    @property
    def progressed(self) -> Progressed:
        """Return what the session knew; the checkpoints of older versions know less."""
        from model.fit import StepReport

        pending = self.session.get("pending")
        return Progressed(
            self.session.get("seconds", 0.0), None if pending is None else StepReport(**pending)
        )


class TrainingStore:
    """The checkpoints of one training."""

    def __init__(
        self,
        checkpoints: Checkpoints,
        call: CurrentCall,
        *,
        network: Mapping[str, Any] | None = None,
        keep: int = 1,
    ) -> None:
        """Name the training.

        Args:
            checkpoints: of the workspace.
            call: the call of the step that trains.
            network: what a training must have in common with one that goes on from it, such as the
                network's settings and words, as plain JSON.
            keep: most checkpoints of it.
        """
        self._checkpoints, self._call, self._keep = checkpoints, call, keep
        self._network = json.loads(json.dumps(network or {}))

    def find(self) -> Found | None:
        """Return the checkpoint to go on from.

        That is the newest of the same code, settings and data. One of another call of the same name
        is only taken if a person allowed it and it is further; else it is told about.

        Raises:
            ConfigError: a person allowed it, but it is of another network.
        """
        other = self._furthest_other()
        own_step = self._checkpoints.all_about().get(self._call.key, {}).get("step", 0)
        if other is not None and other[1]["step"] > own_step:
            if self._call.allow_changed:
                return self._changed(*other) or self._read(self._call.key)
            if not own_step:
                self._tell_about(other[1])
        return self._read(self._call.key)

    def put(
        self, files: Mapping[str, bytes], step: int, progressed: Progressed, more: Mapping[str, Any]
    ) -> None:
        """Keep a checkpoint.

        Args:
            files: of the network, the optimizer and the best network.
            step: steps done.
            progressed: what is known beside them.
            more: plain facts.
        """
        session = {**asdict(progressed), **more}
        self._checkpoints.put(
            self._call.key,
            {**files, _SESSION: json.dumps(session).encode()},
            about={
                "label": self._call.label,
                "facts": self._call.facts,
                "network": self._network,
                "step": step,
            },
            keep=self._keep,
        )

    def _read(self, key: str, continued: Mapping[str, Any] | None = None) -> Found | None:
        files = self._checkpoints.get(key)
        if files is None:
            return None
        session = json.loads(files[_SESSION])
        return Found({n: d for n, d in files.items() if n != _SESSION}, session, continued)

    def _others(self) -> dict[str, Mapping[str, Any]]:
        """Return what is known of the checkpoints of other calls of the same name."""
        name = self._call.label
        return {
            key: about
            for key, about in self._checkpoints.all_about().items()
            if name and about.get("label") == name and key != self._call.key
        }

    def _furthest_other(self) -> tuple[str, Mapping[str, Any]] | None:
        return max(self._others().items(), key=lambda item: item[1]["step"], default=None)

    def _changed(self, key: str, about: Mapping[str, Any]) -> Found | None:
        network = self._network_differences(about)
        if network:
            raise ConfigError(
                f"--allow-changed: {self._call.label} cannot go on from the checkpoint at step "
                f"{about['step']}, which is of another network: {'; '.join(network)}. Undo that "
                "change, or run without --allow-changed to begin anew."
            )
        differences = self._differences(about)
        log.warning(
            "%s goes on from a checkpoint at step %d (--allow-changed), although %s",
            self._call.label,
            about["step"],
            "; ".join(differences),
        )
        return self._read(key, {"key": key, "step": about["step"], "differences": differences})

    def _tell_about(self, about: Mapping[str, Any]) -> None:
        if self._network_differences(about):
            return
        log.warning(
            "%s begins anew: there is a checkpoint at step %d, but %s. To go on from it all the "
            "same, stop this run and add --allow-changed.",
            self._call.label,
            about["step"],
            "; ".join(self._differences(about)),
        )

    def _differences(self, about: Mapping[str, Any]) -> list[str]:
        return why_changed(about["facts"], self._call.facts, {}, {})

    def _network_differences(self, about: Mapping[str, Any]) -> list[str]:
        before = about.get("network", {})
        return [
            f"{name} was {before.get(name)!r}, is {value!r}"
            for name, value in self._network.items()
            if before.get(name) != value
        ]
