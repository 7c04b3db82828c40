"""The best network of a training so far, the newest ones, and whether patience has run out."""

import logging
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from model.config import TrainingConfig
from tasks.training_dev import Measured

if TYPE_CHECKING:
    from model.translator import Translator

log = logging.getLogger(__name__)

_BEST, _RECENT = "best-", "recent-"


class Best:
    """Keeps the files of the best network, and of the newest where a mean of them is wanted."""

    def __init__(self, config: TrainingConfig) -> None:
        self._config = config
        self.files: dict[str, bytes] = {}
        self._value = math.inf
        """The loss of the best one, or its BLEU below zero: smaller is better."""
        self.in_vain = 0
        """Measurements since the best one."""
        self._recent: dict[int, dict[str, bytes]] = {}

    @property
    def is_hopeless(self) -> bool:
        """Say whether so many measurements brought nothing better that the training may end."""
        return 0 < self._config.patience <= self.in_vain

    def judge(self, translator: "Translator", measured: Measured) -> None:
        """Keep a network if it is the best so far; without a dev set, the newest is."""
        from model.checkpoint import save

        value = self._value_of(measured)
        self.in_vain += 1
        if math.isnan(value) or value < self._value:
            self._value, self.in_vain = value, 0
            self.files = save(translator, self._config)

    def remember(self, translator: "Translator", step: int) -> None:
        """Take a network among the newest, of which there may be a mean."""
        from model.checkpoint import save

        most = self._config.average_checkpoints
        if most > 1:
            self._recent[step] = save(translator, self._config)
            self._recent = dict(sorted(self._recent.items())[-most:])

    def mean(self) -> "Translator | None":
        """Return the mean of the newest networks, or None if there are no two."""
        from model.averaging import average
        from model.checkpoint import load

        if len(self._recent) < 2:
            return None
        return average([load(files).translator for files in self._recent.values()])

    def judge_mean(self, mean: "Translator", measured: Measured) -> None:
        """Judge the mean of the newest networks like any other."""
        single = self._value
        self.judge(mean, measured)
        log.info(
            "the mean of the last %d networks has %s %.4f on dev, the best single one %.4f",
            len(self._recent),
            self._config.best_by,
            abs(self._value_of(measured)),
            abs(single),
        )

    def to_files(self) -> tuple[dict[str, bytes], dict[str, Any]]:
        """Return what a checkpoint holds of it: files, and facts as plain JSON."""
        files = {f"{_BEST}{name}": data for name, data in self.files.items()}
        for step, recent in self._recent.items():
            files |= {f"{_RECENT}{step}-{name}": data for name, data in recent.items()}
        return files, {"value": self._value, "in_vain": self.in_vain}

    def restore(self, files: Mapping[str, bytes], facts: Mapping[str, Any]) -> dict[str, bytes]:
        """Take over what `to_files` gave, and return the other files."""
        rest: dict[str, bytes] = {}
        self.files, self._recent = {}, {}
        self._value, self.in_vain = facts["value"], facts["in_vain"]
        for name in sorted(files):
            if name.startswith(_BEST):
                self.files[name.removeprefix(_BEST)] = files[name]
            elif name.startswith(_RECENT):
                step, _, own = name.removeprefix(_RECENT).partition("-")
                self._recent.setdefault(int(step), {})[own] = files[name]
            else:
                rest[name] = files[name]
        self._recent = dict(sorted(self._recent.items()))
        return rest

    def _value_of(self, measured: Measured) -> float:
        return -measured.bleu if self._config.best_by == "bleu" else measured.loss
