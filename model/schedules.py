"""How far a training has come, and the step size that follows from it."""

import math

from model.training_config import TrainingConfig


def budget_used(config: TrainingConfig, step: int, target_words: int, epochs: float) -> float:
    """Return the share of the nearest budget that is used, 0 or more; 1 ends the training.

    The time budget is left out: with it, two machines would not go the same way.

    Args:
        config: the budgets; 0 is none.
        step: optimizer steps done.
        target_words: target words seen.
        epochs: passes over the data, the current one as a fraction.
    """
    done = ((config.steps, step), (config.target_words, target_words), (config.epochs, epochs))
    return max((used / most for most, used in done if most), default=0.0)


def step_size(config: TrainingConfig, step: int, progress: float) -> float:
    """Return the step size of Adam; that of Adadelta is always 1.

    Args:
        config: `learning_rate` is the highest, reached after the warm-up.
        step: 1 for the first step.
        progress: share of the budget that is used, between 0 and 1.
    """
    if config.optimizer == "adadelta":
        return 1.0
    rate, warm = config.learning_rate, config.warmup_steps
    if config.final_learning_rate:
        rate += progress * (config.final_learning_rate - rate)
    if step < warm:
        return rate * step / warm
    return rate * math.sqrt(warm / step) if config.decay == "inverse-root" else rate
