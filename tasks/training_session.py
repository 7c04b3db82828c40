"""One training with what surrounds the loop: checkpoints, measurements on dev, a log, and what is
done when something goes wrong.

The loop itself is `model/fit.py`; it knows no folder and no clock.
"""

import logging
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from model.config import ModelConfig, TrainingConfig
from tasks.progress import track
from tasks.training_best import Best
from tasks.training_dev import Dev, Measured
from tasks.training_record import TrainingRecord
from tasks.training_store import Progressed, TrainingStore
from tasks.training_trackers import NO_TRACKERS, Trackers

if TYPE_CHECKING:
    import torch

    from model.batches import Example
    from model.fit import FitState, StepReport
    from model.group import Group
    from model.translator import Translator

log = logging.getLogger(__name__)

LOG_EVERY_STEPS = 20
SMALLER_STEPS = 0.5
"""What step sizes are multiplied by after a loss that was not finite."""
GO_ON, PATIENCE, MINUTES, ASKED = 0, 1, 2, 3
"""What ends a training; the largest wins where processes differ. A budget is `GO_ON`."""


class Stopped(Exception):
    """A person or the system asked the training to stop; a checkpoint is kept."""


@dataclass
class Surroundings:
    """What is around a training: who may stop it, who trains with it, who is told."""

    stopped: Callable[[], bool] = lambda: False
    """Says whether a person or the system asked this process to stop."""
    group: "Group | None" = None
    """The processes that train together."""
    trackers: Trackers = NO_TRACKERS
    device: "torch.device | None" = None
    """Where the network learns; None is the processor."""
    clock: Callable[[], float] = field(default=time.monotonic)


class TrainingSession:
    """Trains a network, or goes on where an interrupted training of the same call stopped."""

    def __init__(
        self,
        store: TrainingStore,
        configs: tuple[ModelConfig, TrainingConfig],
        sizes: tuple[int, int],
        around: Surroundings | None = None,
    ) -> None:
        """Load the checkpoint of the store, or begin anew.

        Args:
            store: where work in progress is kept.
            configs: the network and how it is trained.
            sizes: words of the source and of the target vocabulary.
            around: what is around the training.
        """
        from torch import device

        from model.group import Group

        self._store, self._sizes = store, sizes
        self._model, self._config = configs
        self._around = around or Surroundings()
        self._group = self._around.group or Group()
        self._device = self._around.device or device("cpu")
        self._began = self._around.clock()
        self._progressed = Progressed()
        self._measured_step = -1
        self.best, self.record = Best(self._config), TrainingRecord()
        self._translator, self._state = self._loaded() or self._fresh()
        self._limit_told = self._state.micro_batch
        self._noted = self._began, self._state.target_words

    def train(self, examples: "Sequence[Example]", dev: Dev) -> None:
        """Train until a budget is used up or patience runs out, keeping the best weights.

        Raises:
            Stopped: it was asked to stop; a checkpoint is kept.
            FloatingPointError: the loss is not finite, not even with smaller steps.
            OutOfMemory: not even one pair fits into memory.
        """
        end = self._trained_somehow(examples, dev)
        if end == ASKED:
            self._keep()
            raise Stopped
        self.record.end(self._state.step, self._reason(end))
        self._measure_last(dev)

    def _trained_somehow(self, examples: "Sequence[Example]", dev: Dev) -> int:
        """Train, with smaller steps if need be; returns what ended it."""
        while True:
            try:
                return self._trained(examples, dev)
            except FloatingPointError as error:
                self._roll_back(error)

    def _trained(self, examples: "Sequence[Example]", dev: Dev) -> int:
        """Train until something ends it; returns what."""
        if self._progressed.pending is not None:
            self._finish(self._progressed.pending, dev)
        end = self._end()
        if end:
            return end
        for report, _ in track(
            self._reports(examples),
            total=self._words_planned(examples) - self._state.target_words,
            unit="target words",
            size=lambda item: item[1],
            note=lambda item: self._loss_noted(item[0]),
        ):
            self._finish(report, dev)
            end = self._end()
            if end:
                return end
            if report.step % self._config.checkpoint_steps == 0 and report.taken:
                self._keep()
        return GO_ON

    def _loss_noted(self, report: "StepReport") -> str:
        """Say the loss, where it is known."""
        return "" if math.isnan(report.loss) else f"loss {report.loss:.2f}"

    def _reports(self, examples: "Sequence[Example]") -> "Iterator[tuple[StepReport, int]]":
        """Yield each report with the target words of its step."""
        from model.fit import fit

        before = self._state.target_words
        for report in fit(
            self._translator, examples, self._config, state=self._state, group=self._group
        ):
            yield report, report.target_words - before
            before = report.target_words

    def _finish(self, report: "StepReport", dev: Dev) -> None:
        """Do what is due after a step: tell what went wrong, measure, log."""
        self._progressed.pending = None
        if report.skipped:
            self._happened(f"a batch was skipped: {report.skipped}")
        if not report.taken:
            return
        if self._state.micro_batch != self._limit_told:
            self._limit_told = self._state.micro_batch
            self._happened(
                "memory ran out: the gradient of a batch is added up from pieces of "
                f"{self._limit_told} pairs from now on."
            )
        due = self._is_measured(report)
        measured = self._measure(self._network(), dev) if due else Measured()
        if measured is None:
            self._progressed.pending = report
        elif due or report.step % LOG_EVERY_STEPS == 0:
            self._note(report, measured)

    def _is_measured(self, report: "StepReport") -> bool:
        every = self._config.validation_steps
        return report.step % every == 0 if every else report.ends_epoch

    def _network(self) -> "Translator":
        """Return the network whose weights are measured and kept."""
        from model.ema import with_mean

        mean = self._state.mean
        return self._translator if mean is None else with_mean(self._translator, mean)

    def _measure(self, network: "Translator", dev: Dev) -> Measured | None:
        """Measure the weights on dev and keep them if they are the best; without dev, the newest.

        Returns:
            None if it was asked to stop meanwhile. Only the process that leads measures.
        """
        if not self._group.leads:
            return Measured()
        measured = dev.measure(network, self._config, self._around.stopped)
        self._translator.train()
        if measured is not None:
            self.best.judge(network, measured)
            self.best.remember(network, self._state.step)
            self._measured_step = self._state.step
        return measured

    def _measure_last(self, dev: Dev) -> None:
        """Measure the weights at the end, and the mean of the newest.

        Raises:
            Stopped: it was asked to stop meanwhile; a checkpoint is kept.
        """
        measured: Measured | None = Measured()
        if self._measured_step != self._state.step:
            measured = self._measure(self._network(), dev)
        mean = self.best.mean()
        mean = mean if mean is None else mean.to(self._translator.device)
        if measured is not None and mean is not None:
            measured = dev.measure(mean, self._config, self._around.stopped)
            if measured is not None:
                self.best.judge_mean(mean, measured)
        if self._group.any_of(measured is None):
            self._keep()
            raise Stopped

    def _end(self) -> int:
        """Return what ends the training now, the same in all processes."""
        if self._around.stopped():
            found = ASKED
        elif self._group.leads and self._seconds() >= 60 * self._config.minutes > 0:
            found = MINUTES
        elif self._group.leads and self.best.is_hopeless:
            found = PATIENCE
        else:
            found = GO_ON
        return self._group.largest(found)

    def _seconds(self) -> float:
        """Return the time used, in this process and those before."""
        return self._progressed.seconds + self._around.clock() - self._began

    def _reason(self, end: int) -> str:
        """Name the setting that ended the training."""
        if end != GO_ON:
            return "patience" if end == PATIENCE else "minutes"
        config, state = self._config, self._state
        budgets = {
            "steps": (config.steps, state.step),
            "target_words": (config.target_words, state.target_words),
            "epochs": (config.epochs, state.epoch),
        }
        return next((name for name, (most, done) in budgets.items() if done >= most > 0), "")

    def _words_planned(self, examples: "Sequence[Example]") -> float:
        """Return the target words after which the first budget is used up; 0 if nobody knows."""
        from model.batch_order import batches_of_epoch, lengths_of

        config, groundhog = self._config, self._model.switches.is_groundhog
        epoch = int(lengths_of(examples)[0].sum()) + len(examples)
        per_step = epoch / len(batches_of_epoch(examples, config, 0, groundhog=groundhog))
        budgets = (config.epochs * epoch, config.steps * per_step, config.target_words)
        return min((float(budget) for budget in budgets if budget), default=0.0)

    def _note(self, report: "StepReport", measured: Measured) -> None:
        figures = {
            "loss": report.loss,
            "gradient_norm": report.gradient_norm,
            "learning_rate": report.learning_rate,
            "dev_loss": measured.loss,
            "dev_bleu": measured.bleu,
        }
        known = {name: None if math.isnan(value) else value for name, value in figures.items()}
        place = {name: getattr(report, name) for name in ("step", "epoch", "target_words")}
        self.record.log.append({**place, **known})
        told = {name: value for name, value in known.items() if value is not None}
        self._around.trackers.add(report.step, {**told, "words_per_second": self._rate(report)})

    def _rate(self, report: "StepReport") -> float:
        """Return the target words a second since the last time it was asked."""
        now, before = self._around.clock(), self._noted
        self._noted = now, report.target_words
        return (report.target_words - before[1]) / max(now - before[0], 1e-9)

    def _happened(self, what: str) -> None:
        """Note and tell that something went otherwise than planned."""
        self.record.events.append({"step": self._state.step, "what": what})
        if self._group.leads:
            log.warning("training step %d: %s", self._state.step, what)

    def _roll_back(self, error: FloatingPointError) -> None:
        """Go back to the last checkpoint with smaller steps.

        Raises:
            FloatingPointError: that was done before, and did not help.
        """
        from model.fit import ROLLED_BACK

        if self._state.trouble == ROLLED_BACK:
            raise FloatingPointError(
                f"{error} Before that, a batch was skipped, and the training went back to step "
                f"{self._state.trouble_step} with smaller steps."
            ) from error
        events, scale = self.record.events, self._state.step_scale * SMALLER_STEPS
        self._progressed.seconds, self._began = self._seconds(), self._around.clock()
        seconds = self._progressed.seconds
        self._translator, self._state = self._loaded() or self._fresh()
        self._progressed.seconds, self.record.events = seconds, events
        self._state.step_scale = scale
        self._state.trouble, self._state.trouble_step = ROLLED_BACK, self._state.step
        self._happened(f"went back to this step, with {scale:g} times the step size: {error}")

    def _keep(self) -> None:
        from model.checkpoint import save

        streams = self._group.collected(self._state.stream.get_state())
        self._state.other_streams = tuple(streams[1:])
        if not self._group.leads:
            return
        files, best = self.best.to_files()
        files |= save(self._translator, self._config, self._state)
        progressed = replace(self._progressed, seconds=self._seconds())
        self._store.put(
            files, self._state.step, progressed, {"best": best, **self.record.to_json()}
        )

    def _loaded(self) -> "tuple[Translator, FitState] | None":
        from model.checkpoint import load
        from model.fit import own_stream

        # Checkpoints may be on the leading machine only.
        found = self._group.told(self._store.find() if self._group.leads else None)
        if found is None:
            return None
        self._progressed = found.progressed
        self.record = TrainingRecord.from_json(dict(found.session))
        files = self.best.restore(found.files, found.session["best"])
        loaded = load(files, self._config, self._device)
        state = loaded.state
        assert state is not None, "a checkpoint of a training holds its state"
        if found.continued is not None:
            self.record.continued.append(dict(found.continued))
            # The data may be others, and so may be their order: this pass begins anew.
            state.num_examples = state.position = 0
        own_stream(state, self._config.seed, self._group.rank)
        return loaded.translator, state

    def _fresh(self) -> "tuple[Translator, FitState]":
        from model.fit import own_stream, start
        from model.translator import build_translator

        self.best, self.record = Best(self._config), TrainingRecord()
        translator = build_translator(self._model, *self._sizes, self._config.seed)
        translator.to(self._device)
        state = start(translator, self._config)
        own_stream(state, self._config.seed, self._group.rank)
        return translator, state
