"""Phrase mode: one step's distribution, noise of the gate, first values."""

import math
from collections.abc import Callable

import pytest
import torch

from model.batches import collate_source
from model.noise import SILENT, Noise
from model.offered import Open, everywhere, open_only
from model.phrase_mode import GateMode, NoisyTanh, Request
from model.readout import Reading
from tests.reference.model_examples import example, toy_config, toy_translator


@pytest.mark.parametrize("find", [open_only, everywhere])
@pytest.mark.parametrize("system", ["phrasenet-gate", "phrasenet-softmax"])
def test_words_and_live_phrases_share_one_and_used_slots_get_nothing(
    system: str, find: Callable[[torch.Tensor], Open]
) -> None:
    translator = toy_translator(toy_config(system))
    generator = torch.Generator().manual_seed(0)

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    alive = torch.tensor([[True, False, True, False], [False] * 4, [True] * 4])
    reading = Reading(draw(3, 4), draw(3, 8), draw(3, 4), draw(3, 5))
    mode = translator.phrase_mode
    assert mode is not None
    offered = [(at, at + 1, words, -1) for at, words in enumerate([(2, 3), (4,), (5,), (6, 1)])]
    source = collate_source([example([2, 3, 4, 5], None, *offered)], 4)
    phrases = mode.encode(source, translator.decoder.embedding_VE, torch.float64)
    logits = translator.readout.logits(
        translator.readout.hidden(reading, torch.float64), torch.float64
    )
    log_sum = logits.logsumexp(-1)
    rows = torch.arange(3)
    request = Request(
        reading,
        alive,
        find(alive),
        rows,
        log_sum,
        torch.zeros(3, dtype=torch.int64),
        phrases,
        torch.float64,
    )
    offset, scores = mode(request, SILENT)
    words = (logits - log_sum[:, None] + offset[:, None]).exp()
    total = words.sum(-1) + scores.exp().sum(-1)
    assert total.tolist() == pytest.approx([1.0] * 3, abs=1e-12)
    assert (scores.exp() > 0).equal(alive)
    assert offset[1] == 0


def test_the_gate_expects_few_phrases_at_first() -> None:
    from model.translator import build_translator

    mode = build_translator(toy_config("phrasenet-gate"), 9, 9, seed=1).phrase_mode
    assert isinstance(mode, GateMode)
    reading = Reading(torch.zeros(2, 4), torch.zeros(2, 8), None, torch.zeros(2, 5))
    odds = mode.gate(reading, SILENT, torch.float32)
    assert odds.tolist() == pytest.approx([-2.0, -2.0], abs=1e-3)


@pytest.mark.parametrize("half_normal", [False, True])
def test_the_noisy_tanh_is_noisy_beyond_one_only_and_silent_at_its_mean(half_normal: bool) -> None:
    phi = NoisyTanh(4, half_normal=half_normal)
    torch.nn.init.ones_(phi.width_W)
    x = torch.tensor([[-3.0, -0.5, 0.5, 3.0]]).expand(20_000, 4)
    noisy = phi(x, Noise(torch.Generator().manual_seed(0)))
    silent = phi(x, SILENT)[0]
    spread = noisy.std(0)
    assert spread[1:3].tolist() == [0, 0]
    assert bool((spread[[0, 3]] > 0.01).all())
    assert torch.allclose(noisy.mean(0), silent, atol=4 * spread.max().item() / math.sqrt(20_000))
    assert silent[1:3].tolist() == [-0.5, 0.5]
    assert silent[3] == -silent[0]


def test_the_noisy_tanh_follows_its_equation() -> None:
    phi = NoisyTanh(1, half_normal=False)
    torch.nn.init.constant_(phi.width_W, 0.7)
    x, stream = torch.tensor([[2.5]]), torch.Generator().manual_seed(4)
    eps = torch.randn((1, 1), generator=torch.Generator().manual_seed(4)).item()
    scale = 0.5 * (1 / (1 + math.exp(-0.7 * (1 - 2.5))) - 0.5) ** 2
    expected = 1.15 * 1 - 0.15 * 2.5 + scale * eps
    assert phi(x, Noise(stream)).item() == pytest.approx(expected, abs=1e-6)
