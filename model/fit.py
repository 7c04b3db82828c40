"""The training loop: it changes a network and yields a report after each step.

It knows no clock, folder or logger: the caller decides what to keep, when to evaluate and when to
stop.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.optim import Adadelta, Adam, Optimizer

from model.batch_order import Numbers, batches_of_epoch, lengths_of
from model.batches import Example
from model.config import Precision, TrainingConfig
from model.ema import first_mean, update_mean
from model.gradients import NO_LIMIT, Share, add_up_gradient, padded_share
from model.graphs import Recorder, graphs_of
from model.group import Group
from model.loader import made_ahead
from model.noise import new_stream, set_stream
from model.schedules import budget_used, step_size
from model.translator import Translator
from model.withholding import taught

READ_STEPS = 20
"""Steps after which the figures of a training on a GPU are read."""
FORGIVEN_AFTER_STEPS = 1000
"""Good steps after which a loss that was not finite is a thing of the past."""
_STREAMS_APART = 1_000_003
SKIPPED, ROLLED_BACK = 1, 2
"""What was done last about a loss that was not finite."""


@dataclass(frozen=True, slots=True)
class StepReport:
    """What one optimizer step did."""

    step: int
    """Steps done, this one included."""
    epoch: int
    """0-based pass over the data."""
    loss: float
    """Mean negative log-likelihood per target word of the batch, in nats; NaN where nobody waited
    for it.
    """
    gradient_norm: float
    """Norm of the gradient of the batch's loss (`TrainingConfig.batch_loss`), before clipping;
    likewise.
    """
    target_words: int
    """Target words seen so far, end marks included."""
    learning_rate: float = 0.0
    """Step size of this step."""
    ends_epoch: bool = False
    """Whether the pass over the data is complete."""
    micro_batch: int = 0
    """Pairs whose gradient was computed at once."""
    skipped: str = ""
    """Why a step was left out, if one was: its loss or gradient was not finite. On a GPU it may be
    an earlier one.
    """
    taken: bool = True
    """Whether this step counts; False if it was left out before anybody counted it."""


@dataclass(slots=True)
class FitState:
    """Where a training stands; `fit` updates it in place, `checkpoint.save` turns it into bytes."""

    optimizer: Optimizer
    stream: torch.Generator
    """Random numbers of dropout and noise in this process."""
    mean: dict[str, Tensor] | None = None
    """Moving mean of the weights, if there is to be one."""
    step: int = 0
    epoch: int = 0
    position: int = 0
    """Batches of the current epoch that are done."""
    target_words: int = 0
    num_examples: int = 0
    """Size of the data, so that a resume on other data is refused."""
    micro_batch: int = 0
    """Pairs whose gradient is computed at once, since more did not fit; 0 is no such limit."""
    step_scale: float = 1.0
    """What step sizes are multiplied by; smaller after a loss that was not finite."""
    trouble: int = 0
    """What was done last about a loss that was not finite: 0, `SKIPPED` or `ROLLED_BACK`."""
    trouble_step: int = 0
    """The step at which that was done."""
    other_streams: tuple[Tensor, ...] = ()
    """Random states of the other processes of the training, as they last told them."""


def start(translator: Translator, config: TrainingConfig) -> FitState:
    """Return the state of a training that has not begun."""
    return FitState(
        make_optimizer(translator, config),
        new_stream(config.seed, translator.device),
        first_mean(translator) if config.ema else None,
    )


def own_stream(state: FitState, seed: int, rank: int) -> None:
    """Give a process of a training its own random numbers, those it had if the state knows them.

    Args:
        state: of the process that leads, or as a checkpoint keeps it; changed in place.
        seed: of the training.
        rank: number of the process; the leading one, 0, stays as it is.
    """
    if not rank:
        return
    own_seed = (seed * _STREAMS_APART + rank) % 2**63
    if rank <= len(state.other_streams):
        set_stream(state.stream, state.other_streams[rank - 1], own_seed)
    else:
        state.stream.manual_seed(own_seed)


def use_threads(threads: int) -> None:
    """Let torch use so many processor threads in this process from now on; 0 leaves its choice."""
    if threads:
        torch.set_num_threads(threads)


def make_optimizer(translator: Translator, config: TrainingConfig) -> Optimizer:
    """Return the optimizer of a training, without history."""
    if config.optimizer == "adam":
        return Adam(translator.parameters(), lr=config.learning_rate, fused=True)
    return Adadelta(translator.parameters(), lr=1.0, rho=0.95, eps=1e-6)


def fit(
    translator: Translator,
    examples: Sequence[Example],
    config: TrainingConfig,
    *,
    state: FitState | None = None,
    group: Group | None = None,
    recorder: Recorder | None = None,
) -> Iterator[StepReport]:
    """Train a network in place, yielding one report after each optimizer step, until a budget is
    used up. The time budget is the caller's.

    A first loss or gradient that is not finite is reported and its batch skipped. On a GPU nobody
    waits for the figures of each step: they are read every `READ_STEPS` and where somebody needs
    them. Until then a step that is not finite leaves the weights as they are, and counts.

    Args:
        translator: the network; its weights are changed.
        examples: training pairs with references.
        config: how to train.
        state: where to go on; None begins anew. After each report it describes the training so far.
        group: the processes that train together, each with the same arguments; None is this one.
        recorder: what makes graphs of steps; None is CUDA, where the network is on a GPU.

    Raises:
        ValueError: there are no examples, or not those that `state` was made with.
        FloatingPointError: the loss or the gradient is not finite again soon after; the weights are
            those before that step.
        OutOfMemory: not even one pair fits into memory.
        StalledLoader: the next batch did not come in time.
    """
    state = state if state is not None else start(translator, config)
    group = group if group is not None else Group()
    _check_examples(examples, state)
    translator.train()
    target_lengths, _ = lengths_of(examples)
    loop = _Loop(translator, config, state, group, target_lengths, recorder)
    while not loop.is_spent():
        batches = batches_of_epoch(
            examples, config, state.epoch, groundhog=translator.config.switches.is_groundhog
        )
        loop.num_batches = len(batches)
        shares = made_ahead(
            lambda batch, epoch=state.epoch: padded_share(  # type: ignore[misc]
                translator,
                taught(examples, config, epoch, group.share(batch)),
                state.micro_batch or config.micro_batch,
                wide=loop.graphs is not None,
            ),
            batches[state.position :],
            threads=config.loader_threads,
            patience_seconds=60 * config.stall_minutes,
        )
        while state.position < len(batches) and not loop.is_spent():
            yield loop.step(next(shares), batches[state.position])
        if state.position == len(batches):
            state.epoch, state.position = state.epoch + 1, 0


def evaluate_loss(
    translator: Translator,
    examples: Sequence[Example],
    batch_size: int,
    precision: Precision = "float32",
) -> float:
    """Return the mean negative log-likelihood per target word, in nats."""
    found = list(losses_of_batches(translator, examples, batch_size, precision))
    return sum(loss for loss, _ in found) / max(sum(words for _, words in found), 1)


@torch.no_grad()
def losses_of_batches(
    translator: Translator,
    examples: Sequence[Example],
    batch_size: int,
    precision: Precision = "float32",
) -> Iterator[tuple[float, int]]:
    """Yield the negative log-likelihood of each batch in nats, and its target words."""
    order = np.argsort(lengths_of(examples)[0], kind="stable")
    for first in range(0, len(order), batch_size):
        translator.eval()
        batch = [examples[index] for index in order[first : first + batch_size]]
        source, target = translator.collate(batch)
        log_B = translator.log_likelihood(source, target, precision=precision)
        yield -log_B.sum().item(), target.num_words


@dataclass(frozen=True, slots=True)
class _Figures:
    """What a step found, still on the device."""

    step: int
    epoch: int
    position: int
    total: Tensor
    norm: Tensor


class _Loop:
    """One step after the other."""

    def __init__(
        self,
        translator: Translator,
        config: TrainingConfig,
        state: FitState,
        group: Group,
        target_lengths: Numbers,
        recorder: Recorder | None = None,
    ) -> None:
        self._translator, self._config, self._state = translator, config, state
        self._group, self._target_lengths = group, target_lengths
        self._parameters = list(translator.parameters())
        self._waits = translator.device.type == "cpu" or not state.optimizer.defaults.get("fused")
        self._unread: list[_Figures] = []
        self.graphs = graphs_of(translator, state.stream, config, recorder)
        self.num_batches = 1

    def is_spent(self) -> bool:
        """Say whether a budget is used up."""
        state = self._state
        return budget_used(self._config, state.step, state.target_words, state.epoch) >= 1

    def step(self, share: Share, batch: Numbers) -> StepReport:
        """Learn from one batch."""
        config, state = self._config, self._state
        rate = self._set_step_size()
        total = self._add_up_gradient(share, len(batch) if config.batch_loss == "mean" else 1)
        words = int(self._target_lengths[batch].sum()) + len(batch)
        norm = torch.nn.utils.clip_grad_norm_(self._parameters, config.clip_norm or math.inf)
        self._unread.append(_Figures(state.step + 1, state.epoch, state.position, total, norm))
        if self._waits:
            (loss, size), skipped = self._read()
            if not skipped:
                self._take_step(words)
        else:
            self._take_guarded_step(words, total, norm)
            (loss, size), skipped = self._read() if self._is_read() else ((math.nan,) * 2, "")
        state.position += 1
        return StepReport(
            step=state.step,
            epoch=state.epoch,
            loss=loss / words,
            gradient_norm=size,
            target_words=state.target_words,
            learning_rate=rate,
            ends_epoch=state.position == self.num_batches,
            micro_batch=state.micro_batch or config.micro_batch or len(batch),
            skipped=skipped,
            taken=not (self._waits and skipped),
        )

    def _is_read(self) -> bool:
        """Say whether somebody needs the figures of the step that was just made."""
        config, state = self._config, self._state
        every = (READ_STEPS, config.checkpoint_steps, config.validation_steps)
        ends_epoch = state.position + 1 == self.num_batches
        return ends_epoch or self.is_spent() or any(n and state.step % n == 0 for n in every)

    def _read(self) -> tuple[tuple[float, float], str]:
        """Wait for the figures of the steps since the last time; returns those of the last one, and
        what to say about the first that is not finite.
        """
        pairs = torch.stack([torch.stack([f.total, f.norm.double()]) for f in self._unread])
        read = list(zip(self._unread, pairs.tolist(), strict=True))
        self._unread, said = [], ""
        for figures, (total, norm) in read:
            if not (math.isfinite(total) and math.isfinite(norm)):
                found = self._trouble(figures, total, norm)
                said = said or found
        total, norm = read[-1][1]
        return (total, norm), said

    def _take_guarded_step(self, words: int, total: Tensor, norm: Tensor) -> None:
        """Take a step that the optimizer leaves out on the device if something is not finite."""
        finite = torch.isfinite(total) & torch.isfinite(norm)
        optimizer: Any = self._state.optimizer
        optimizer.grad_scale, optimizer.found_inf = None, (~finite).float()
        self._take_step(words)

    def _add_up_gradient(self, share: Share, divisor: int) -> Tensor:
        """Put the gradient of the whole batch into the parameters; returns the sum of losses."""
        state, group = self._state, self._group
        if state.micro_batch and share.micro_batch > state.micro_batch:
            share = padded_share(
                self._translator, share.examples, state.micro_batch, wide=self.graphs is not None
            )
        total, limit = add_up_gradient(
            self._translator, share, state.stream, self._config, divisor, self.graphs
        )
        limit = group.smallest(limit)
        if limit < NO_LIMIT:
            state.micro_batch = limit
        group.add_gradients(self._parameters)
        return group.total(total)

    def _set_step_size(self) -> float:
        config, state = self._config, self._state
        epochs = state.epoch + state.position / self.num_batches
        used = min(1.0, budget_used(config, state.step, state.target_words, epochs))
        rate = step_size(config, state.step + 1, used) * state.step_scale
        for group in state.optimizer.param_groups:
            group["lr"] = rate
        return rate

    def _take_step(self, words: int) -> None:
        state = self._state
        state.optimizer.step()
        state.step += 1
        state.target_words += words
        if state.mean is not None:
            update_mean(state.mean, self._translator, self._config.ema, state.step)
        if state.trouble and state.step - state.trouble_step >= FORGIVEN_AFTER_STEPS:
            state.trouble = 0

    def _trouble(self, figures: "_Figures", total: float, norm: float) -> str:
        """Note that a loss or gradient was not finite; returns what to say about it.

        Raises:
            FloatingPointError: it is not the first time.
        """
        state = self._state
        found = (
            f"training step {figures.step} (epoch {figures.epoch}, batch {figures.position}): "
            f"the loss is {total} and the norm of its gradient {norm}; both must be finite."
        )
        if state.trouble:
            raise FloatingPointError(f"{found} Lower training.learning_rate.")
        state.trouble, state.trouble_step = SKIPPED, state.step
        return found


def _check_examples(examples: Sequence[Example], state: FitState) -> None:
    if not examples:
        raise ValueError("there are no training examples: give at least one pair.")
    if state.num_examples not in (0, len(examples)):
        raise ValueError(
            f"the training to resume had {state.num_examples} examples, "
            f"but {len(examples)} were given: resume with the same data, or start anew."
        )
    state.num_examples = len(examples)
