"""A moving mean of the weights of a training (Polyak and Juditsky 1992), kept beside them."""

import torch
from torch import Tensor

from model.translator import Translator

_WARM_STEPS = 10


def first_mean(translator: Translator) -> dict[str, Tensor]:
    """Return the mean before the first step, by the names of the parameters: the weights."""
    return {name: each.detach().clone() for name, each in translator.named_parameters()}


@torch.no_grad()
def update_mean(mean: dict[str, Tensor], translator: Translator, decay: float, step: int) -> None:
    """Take the weights after a step into the mean, in place.

    The decay rises to its value over the first steps, min(decay, (1 + step) / (10 + step)), so that
    the first values of the weights do not linger.

    Args:
        mean: as `first_mean` made it.
        translator: the network after the step.
        decay: share of the mean that stays, between 0 and 1.
        step: steps done, this one included.
    """
    share = 1 - min(decay, (1 + step) / (_WARM_STEPS + step))
    weights = [each.detach() for _, each in translator.named_parameters()]
    torch._foreach_lerp_(list(mean.values()), weights, share)


def with_mean(translator: Translator, mean: dict[str, Tensor]) -> Translator:
    """Return a network like the given one with the mean as its weights."""
    made = Translator(translator.config, translator.source_size, translator.target_size)
    made.to(translator.readout.output_bias_V)
    made.load_state_dict({**translator.state_dict(), **mean})
    return made
