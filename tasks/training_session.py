"""One training with what surrounds the loop: checkpoints, dev loss, the best weights, a log.

The loop itself is `model/fit.py`; it knows no folder and no clock.
"""

import json
import logging
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from model.config import ModelConfig, TrainingConfig
from storage.checkpoints import Checkpoints
from tasks.progress import track

if TYPE_CHECKING:
    from model.batches import Example
    from model.fit import FitState, StepReport
    from model.translator import Translator

log = logging.getLogger(__name__)

CHECKPOINT_EVERY_STEPS = 200
LOG_EVERY_STEPS = 20
_BEST, _RECENT = "best-", "recent-"
_SESSION = "session.json"


class TrainingSession:
    """Trains a network, or goes on where an interrupted training of the same call stopped."""

    def __init__(
        self,
        checkpoints: Checkpoints,
        key: str,
        configs: tuple[ModelConfig, TrainingConfig],
        sizes: tuple[int, int],
    ) -> None:
        """Load the checkpoint of `key`, or begin anew.

        Args:
            checkpoints: where work in progress is kept.
            key: names the training; the same key means the same code, data and settings.
            configs: the network and how it is trained.
            sizes: words of the source and of the target vocabulary.
        """
        self._checkpoints, self._key = checkpoints, key
        self._model, self._training = configs
        self._best: dict[str, bytes] = {}
        self._best_loss = math.inf
        self._recent: dict[int, dict[str, bytes]] = {}
        """Files of the network after the newest passes, by their step, where a mean is wanted."""
        self.log: list[dict[str, Any]] = []
        self._translator, self._state = self._loaded() or self._fresh(sizes)

    def train(self, examples: "Sequence[Example]", dev: "Sequence[Example]") -> None:
        """Train until the budget is used up, keeping the weights with the smallest loss on dev.

        Raises:
            FloatingPointError: the loss is not finite.
        """
        steps_per_epoch = math.ceil(len(examples) / self._training.batch_size)
        for report, words in track(
            self._reports(examples),
            total=self._words_planned(examples) - self._state.target_words,
            unit="target words",
            size=lambda item: item[1],
            note=lambda item: f"loss {item[0].loss:.2f}",
        ):
            del words
            validated = report.step % steps_per_epoch == 0
            if validated or report.step % LOG_EVERY_STEPS == 0:
                self._note(report, self._validate(dev) if validated else math.nan)
            if report.step % CHECKPOINT_EVERY_STEPS == 0:
                self._keep()
        self._validate(dev)
        if len(self._recent) > 1:
            self._validate_mean(dev)

    def best_files(self) -> dict[str, bytes]:
        """Return the files of the best model so far."""
        return dict(self._best)

    def forget(self) -> None:
        """Remove the checkpoint; the result is in place."""
        self._checkpoints.drop(self._key)

    def _reports(self, examples: "Sequence[Example]") -> "Iterator[tuple[StepReport, int]]":
        """Yield each report with the target words of its step."""
        from model.fit import fit

        before = self._state.target_words
        for report in fit(self._translator, examples, self._training, state=self._state):
            yield report, report.target_words - before
            before = report.target_words

    def _words_planned(self, examples: "Sequence[Example]") -> float:
        """Return the target words after which the first budget is used up."""
        config = self._training
        epoch = sum(len(example.target_ids) + 1 for example in examples)
        per_step = epoch / math.ceil(len(examples) / config.batch_size)
        budgets = (config.epochs * epoch, config.steps * per_step, float(config.target_words))
        return min(budget for budget in budgets if budget)

    def _validate(self, dev: "Sequence[Example]") -> float:
        """Measure the loss on dev and keep the weights if they are the best; without dev, the
        newest.
        """
        from model.checkpoint import save

        loss = self._measure(self._translator, dev)
        self._translator.train()
        most = self._training.average_checkpoints
        if most > 1:
            self._recent[self._state.step] = save(self._translator, self._training)
            self._recent = dict(sorted(self._recent.items())[-most:])
        return loss

    def _validate_mean(self, dev: "Sequence[Example]") -> None:
        """Measure the mean of the newest weights like any other."""
        from model.averaging import average
        from model.checkpoint import load

        mean = average([load(files).translator for files in self._recent.values()])
        single = self._best_loss
        loss = self._measure(mean, dev)
        log.info(
            "the mean of the last %d passes has the loss %.4f on dev, the best single one %.4f",
            len(self._recent),
            loss,
            single,
        )

    def _measure(self, translator: "Translator", dev: "Sequence[Example]") -> float:
        """Return the loss on dev, and keep the network if it is the best so far."""
        from model.checkpoint import save
        from model.fit import evaluate_loss

        size, precision = self._training.batch_size, self._training.precision
        loss = evaluate_loss(translator, dev, size, precision) if dev else math.nan
        if not dev or loss < self._best_loss:
            self._best_loss = loss
            self._best = save(translator, self._training)
        return loss

    def _note(self, report: "StepReport", dev_loss: float) -> None:
        self.log.append(
            {
                "step": report.step,
                "epoch": report.epoch,
                "loss": report.loss,
                "gradient_norm": report.gradient_norm,
                "target_words": report.target_words,
                "dev_loss": None if math.isnan(dev_loss) else dev_loss,
            }
        )

    def _keep(self) -> None:
        from model.checkpoint import save

        session = {"best_loss": self._best_loss, "log": self.log}
        self._checkpoints.put(
            self._key,
            {
                **save(self._translator, self._training, self._state),
                **{f"{_BEST}{name}": data for name, data in self._best.items()},
                **{
                    f"{_RECENT}{step}-{name}": data
                    for step, files in self._recent.items()
                    for name, data in files.items()
                },
                _SESSION: json.dumps(session).encode(),
            },
        )

    def _loaded(self) -> "tuple[Translator, FitState] | None":
        from model.checkpoint import load

        files = self._checkpoints.get(self._key)
        if files is None:
            return None
        session = json.loads(files[_SESSION])
        self._best_loss, self.log = session["best_loss"], session["log"]
        self._best = {
            name.removeprefix(_BEST): data for name, data in files.items() if name.startswith(_BEST)
        }
        for name in sorted(name for name in files if name.startswith(_RECENT)):
            step, _, own = name.removeprefix(_RECENT).partition("-")
            self._recent.setdefault(int(step), {})[own] = files[name]
        loaded = load({n: data for n, data in files.items() if not n.startswith((_BEST, _RECENT))})
        assert loaded.state is not None, "a checkpoint of a training holds its state"
        return loaded.translator, loaded.state

    def _fresh(self, sizes: tuple[int, int]) -> "tuple[Translator, FitState]":
        from model.fit import start
        from model.translator import build_translator

        translator = build_translator(self._model, *sizes, self._training.seed)
        return translator, start(translator, self._training)
