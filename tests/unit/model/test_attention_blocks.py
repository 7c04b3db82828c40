"""Attention is the same however many sentences are worked on at a time."""

import pytest
import torch
from torch import Tensor

from model.attention import AttentionGradients, attend
from model.places import even_blocks

BATCH, WORDS, SIZE, FEATURES = 5, 4, 6, 3


def drawn(*shape: int) -> Tensor:
    """Return the same random numbers for the same shape."""
    generator = torch.Generator().manual_seed(len(shape) + sum(shape))
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def all_results(*, features: bool) -> list[Tensor]:
    """Go forward and back through one step; return all that it gives."""
    keys, query, score = drawn(BATCH, WORDS, SIZE), drawn(BATCH, SIZE), drawn(SIZE)
    given = (drawn(BATCH, WORDS, FEATURES), drawn(FEATURES, SIZE)) if features else None
    hidden, weights = attend(keys, query, score, torch.zeros(BATCH, WORDS).double(), given)
    results: list[Tensor | None] = [hidden.clone(), weights]
    gradients = AttentionGradients(keys.flatten(0, 1), score, given[1] if given else None)
    results += gradients.step(
        drawn(BATCH, WORDS).flatten(),
        weights.flatten(),
        hidden.flatten(0, 1),
        given[0].flatten(0, 1) if given else None,
        even_blocks(keys),
    )
    results += gradients.totals()
    return [result for result in results if result is not None]


@pytest.mark.parametrize("features", [False, True])
@pytest.mark.parametrize("sentences", [1, 2, 3])
def test_blocks_change_nothing(
    *, sentences: int, features: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = all_results(features=features)
    monkeypatch.setattr("model.places.CACHED", sentences * WORDS * SIZE)
    assert len(even_blocks(drawn(BATCH, WORDS, SIZE))) == -(-BATCH // sentences)
    for one, other in zip(whole, all_results(features=features), strict=True):
        assert torch.allclose(one, other, rtol=0, atol=1e-12)


def test_a_sentence_too_large_for_the_cache_is_a_block_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("model.places.CACHED", 1)
    assert [block.rows for block in even_blocks(drawn(2, WORDS, SIZE))] == [
        slice(0, 1),
        slice(1, 2),
    ]


def test_nothing_has_no_blocks() -> None:
    assert even_blocks(drawn(0, WORDS, SIZE)) == []
