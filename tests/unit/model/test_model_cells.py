"""Hand-written backward passes of single steps and sequences have the slopes of their forward
passes.
"""

import torch
from torch import Tensor

from model.deferred import Deferred
from model.encoder import EarlyResetSequence
from model.gru_step import early_reset_step, gru_step
from model.packing import Packing


def draw(*shape: int) -> Tensor:
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()


def test_single_steps_have_the_slopes_of_their_equations() -> None:
    assert torch.autograd.gradcheck(gru_step, (draw(2, 9), draw(3, 9)[:2], draw(2, 3)))
    assert torch.autograd.gradcheck(early_reset_step, (draw(2, 9), draw(2, 3), draw(3, 9)))


def test_a_kept_state_hands_its_gradient_to_the_step_before() -> None:
    keep = torch.tensor([[[False, False], [True, False], [False, True]]]).expand(2, 3, 2)
    order = Packing((False, True), (2, 2, 2), None, keep, None)

    def run(inputs: Tensor, weight: Tensor) -> Tensor:
        states: Tensor = EarlyResetSequence.apply(inputs, weight, order, torch.float64)
        return states

    assert torch.autograd.gradcheck(run, (draw(2, 6, 6), draw(2, 2, 6)))


def test_a_deferred_weight_has_the_gradient_of_all_its_uses() -> None:
    def twice(x: Tensor, weight: Tensor) -> Tensor:
        times = Deferred(weight, torch.float64)
        return times(torch.tanh(times(x)))

    assert torch.autograd.gradcheck(twice, (draw(2, 3), draw(3, 3)))
