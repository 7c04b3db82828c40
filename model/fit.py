"""The training loop: it changes a network and yields a report after each step.

It knows no clock, folder or logger: the caller decides what to keep, when to evaluate and when to
stop.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch.optim import Adadelta, Adam, Optimizer

from model.batch_order import batches_of_the_papers, bucketed_batches
from model.batches import Example
from model.config import Precision, TrainingConfig
from model.noise import Noise
from model.translator import Translator


@dataclass(frozen=True, slots=True)
class StepReport:
    """What one optimizer step did."""

    step: int
    """Steps done, this one included."""
    epoch: int
    """0-based pass over the data."""
    loss: float
    """Mean negative log-likelihood per target word of the batch, in nats."""
    gradient_norm: float
    """Norm of the gradient of the batch's loss (`TrainingConfig.batch_loss`), before clipping."""
    target_words: int
    """Target words seen so far, end marks included."""


@dataclass(slots=True)
class FitState:
    """Where a training stands; `fit` updates it in place, `checkpoint.save` turns it into bytes."""

    optimizer: Optimizer
    stream: torch.Generator
    """Random numbers of dropout and noise."""
    step: int = 0
    epoch: int = 0
    position: int = 0
    """Batches of the current epoch that are done."""
    target_words: int = 0
    num_examples: int = 0
    """Size of the data, so that a resume on other data is refused."""


def start(translator: Translator, config: TrainingConfig) -> FitState:
    """Return the state of a training that has not begun."""
    return FitState(make_optimizer(translator, config), torch.Generator().manual_seed(config.seed))


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
) -> Iterator[StepReport]:
    """Train a network in place, yielding one report after each optimizer step, until a budget is
    used up.

    Args:
        translator: the network; its weights are changed.
        examples: training pairs with references.
        config: how to train.
        state: where to go on; None begins anew. After each report it describes the training so far.

    Raises:
        ValueError: there are no examples, or not those that `state` was made with.
        FloatingPointError: the loss or the gradient is not finite; the weights are those before
        that step.
    """
    state = state if state is not None else start(translator, config)
    _check_examples(examples, state)
    translator.train()
    while not _spent(config, state):
        groundhog = translator.config.switches.is_groundhog
        batches = list(_epoch(examples, config, state.epoch, groundhog=groundhog))
        while state.position < len(batches) and not _spent(config, state):
            batch = [examples[index] for index in batches[state.position]]
            _set_learning_rate(config, state, len(batches))
            report = _step(translator, batch, config, state)
            state.position += 1
            yield report
        if state.position == len(batches):
            state.epoch, state.position = state.epoch + 1, 0


@torch.no_grad()
def evaluate_loss(
    translator: Translator,
    examples: Sequence[Example],
    batch_size: int,
    precision: Precision = "float32",
) -> float:
    """Return the mean negative log-likelihood per target word, in nats."""
    translator.eval()
    total, words = 0.0, 0
    order = sorted(range(len(examples)), key=lambda index: len(examples[index].target_ids))
    for first in range(0, len(order), batch_size):
        batch = [examples[index] for index in order[first : first + batch_size]]
        source, target = translator.collate(batch)
        log_B = translator.log_likelihood(source, target, precision=precision)
        total -= log_B.sum().item()
        words += target.num_words
    return total / max(words, 1)


def _step(
    translator: Translator, batch: Sequence[Example], config: TrainingConfig, state: FitState
) -> StepReport:
    source, target = translator.collate(batch)
    log_B = translator.log_likelihood(
        source,
        target,
        noise=Noise(state.stream, config.dropout),
        label_smoothing=config.label_smoothing,
        precision=config.precision,
    )
    loss = -log_B.sum() if config.batch_loss == "sum" else -log_B.mean()
    state.optimizer.zero_grad(set_to_none=True)
    loss.backward()
    limit = config.clip_norm or math.inf
    norm = torch.nn.utils.clip_grad_norm_(translator.parameters(), limit).item()
    value = loss.item()
    if not (math.isfinite(value) and math.isfinite(norm)):
        raise FloatingPointError(
            f"training step {state.step + 1} (epoch {state.epoch}, batch {state.position}): "
            f"the loss is {value} and the norm of its gradient {norm}; both must be finite. "
            f"Lower training.learning_rate."
        )
    state.optimizer.step()
    state.step += 1
    state.target_words += target.num_words
    return StepReport(
        step=state.step,
        epoch=state.epoch,
        loss=value * (1 if config.batch_loss == "sum" else len(batch)) / target.num_words,
        gradient_norm=norm,
        target_words=state.target_words,
    )


def _epoch(
    examples: Sequence[Example], config: TrainingConfig, epoch: int, *, groundhog: bool
) -> Iterator[list[int]]:
    if config.batch_order == "paper":
        return batches_of_the_papers(
            examples,
            batch_size=config.batch_size,
            seed=config.seed,
            buffer_batches=config.buffer_batches,
            groundhog=groundhog,
        )
    return bucketed_batches(
        examples,
        batch_size=config.batch_size,
        seed=config.seed,
        epoch=epoch,
        buffer_batches=config.buffer_batches,
    )


def _check_examples(examples: Sequence[Example], state: FitState) -> None:
    if not examples:
        raise ValueError("there are no training examples: give at least one pair.")
    if state.num_examples not in (0, len(examples)):
        raise ValueError(
            f"the training to resume had {state.num_examples} examples, "
            f"but {len(examples)} were given: resume with the same data, or start anew."
        )
    state.num_examples = len(examples)


def _progress(config: TrainingConfig, state: FitState, num_batches: int) -> float:
    """Return the share of the nearest budget that is used, between 0 and 1."""
    shares = [0.0]
    if config.steps:
        shares.append(state.step / config.steps)
    if config.target_words:
        shares.append(state.target_words / config.target_words)
    if config.epochs:
        shares.append((state.epoch + state.position / num_batches) / config.epochs)
    return min(1.0, max(shares))


def _spent(config: TrainingConfig, state: FitState) -> bool:
    return (
        bool(config.steps and state.step >= config.steps)
        or bool(config.target_words and state.target_words >= config.target_words)
        or bool(config.epochs and state.epoch >= config.epochs)
    )


def _set_learning_rate(config: TrainingConfig, state: FitState, num_batches: int) -> None:
    if config.optimizer != "adam":
        return
    rate = step_size(config, state.step + 1, _progress(config, state, num_batches))
    for group in state.optimizer.param_groups:
        group["lr"] = rate


def step_size(config: TrainingConfig, step: int, progress: float) -> float:
    """Return the step size of Adam.

    Args:
        config: `learning_rate` is the highest, reached after the warm-up.
        step: 1 for the first step.
        progress: share of the budget that is used, between 0 and 1.
    """
    rate, warm = config.learning_rate, config.warmup_steps
    if config.final_learning_rate:
        rate += progress * (config.final_learning_rate - rate)
    if step < warm:
        return rate * step / warm
    return rate * math.sqrt(warm / step) if config.decay == "inverse-root" else rate
