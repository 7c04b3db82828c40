"""Phrases that a training keeps back now and then, so that their words are learned as words too.

A network that is offered every phrase of its training text in phrase mode seldom has to say such
words itself, and says them badly where nothing is offered. What is kept back is drawn for each
offered source phrase and pass from the numbers of both alone: it does not depend on which process
or thread asks, on what was asked before, or on where a training was taken up again.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from model.batch_order import Numbers
from model.batches import Example, slots_of
from model.training_config import TrainingConfig

_DRAWS = 0x7068726173
"""Sets these draws apart from those of the order of a pass, which have the same seed."""


def taught(
    examples: Sequence[Example], config: TrainingConfig, epoch: int, numbers: Numbers
) -> list[Example]:
    """Return some examples as a pass teaches them: without the phrases that it keeps back.

    Args:
        examples: all training pairs, with everything that is offered to them.
        config: how to train; `phrase_dropout` and `seed` count.
        epoch: 0-based pass over the data.
        numbers: which examples.
    """
    share, seed = config.phrase_dropout, config.seed
    return [
        with_some_withheld(examples[number], share, seed=seed, epoch=epoch, number=int(number))
        for number in numbers
    ]


def with_some_withheld(
    example: Example, share: float, *, seed: int, epoch: int, number: int
) -> Example:
    """Return an example without some of the source phrases that it offers.

    The words of a phrase that is kept back are words like others, in the source as in the
    reference. Candidate translations of one source phrase are kept back together. What a smaller
    share keeps back, a larger one does too.

    Args:
        example: a training pair with everything that is offered to it.
        share: probability with which each source phrase is kept back, between 0 and 1.
        seed: of the training.
        epoch: 0-based pass over the data.
        number: of the example among all.
    """
    if not share or not example.slots:
        return example
    numbers = slots_of(example.slots)
    draws = np.random.default_rng((_DRAWS, seed, epoch, number)).random(max(numbers) + 1)
    kept = tuple(
        slot for slot, place in zip(example.slots, numbers, strict=True) if draws[place] >= share
    )
    return replace(example, slots=kept)
