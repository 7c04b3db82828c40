"""What a training leaves to read: its log, what happened to it, at which step it ended and why."""

import json
from dataclasses import dataclass, field
from typing import Any

RECORD_FILE = "training.json"
"""Name of the record among the files of a model."""


@dataclass
class TrainingRecord:
    """The record of a training so far."""

    log: list[dict[str, Any]] = field(default_factory=list)
    """Rows of a `training_log`."""
    events: list[dict[str, Any]] = field(default_factory=list)
    """What went otherwise than planned, each with its `step` and `what`."""
    continued: list[dict[str, Any]] = field(default_factory=list)
    """Checkpoints of other code, settings or data that it went on from, since a person said so."""
    ended: dict[str, Any] = field(default_factory=dict)
    """The `step` at which it ended, and `by` what."""

    device: str = "cpu"
    """Where it learned, in words."""

    @property
    def can_be_made_again(self) -> bool:
        """Say whether the same code, settings and data lead to the same model on such a machine."""
        return not self.continued and self.ended.get("by") != "minutes"

    def end(self, step: int, by: str) -> None:
        """Note the end."""
        self.ended = {"step": step, "by": by}

    def to_json(self) -> dict[str, Any]:
        """Return what a checkpoint holds of it."""
        return {"log": self.log, "events": self.events, "continued": self.continued}

    @staticmethod
    def from_json(value: dict[str, Any]) -> "TrainingRecord":
        """Read what `to_json` gave; older checkpoints know the log only."""
        return TrainingRecord(value["log"], value.get("events", []), value.get("continued", []))

    def remarks(self) -> dict[str, Any]:
        """Return what the run record says beside the facts of the call: what they do not tell."""
        said: dict[str, Any] = {"events": self.events, "continued": self.continued}
        if self.ended.get("by") == "minutes":
            said["ended"] = self.ended
        return {"device": self.device} | {name: value for name, value in said.items() if value}

    def to_bytes(self) -> bytes:
        """Return the file that travels with a model; it holds no time and no place."""
        content = {
            "device": self.device.split()[0],
            "ended": self.ended,
            "events": self.events,
            "continued": self.continued,
        }
        return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False).encode() + b"\n"
