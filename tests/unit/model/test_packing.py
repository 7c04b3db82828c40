"""What is read at which step, and where sentences and their words lie, on random lengths."""

from contextlib import nullcontext

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from model.encoder import Encoder
from model.noise import SILENT
from model.packing import all_places, packing, with_carry
from model.places import places_of
from tests.reference.model_examples import toy_config

LENGTHS = st.lists(st.integers(1, 7), min_size=1, max_size=8)


def mask(lengths: list[int], *, spare: int = 0) -> Tensor:
    """Return mask_BT, with so many places more than the longest sentence needs."""
    places = torch.arange(max(lengths) + spare)
    return places < torch.tensor(lengths)[:, None]


@given(lengths=LENGTHS, spare=st.integers(0, 2))
def test_each_real_word_is_read_once_in_its_order(lengths: list[int], spare: int) -> None:
    mask_TB = mask(lengths, spare=spare).T
    plan = packing(mask_TB, (False, True))
    number_TB1 = torch.arange(mask_TB.numel()).view(*mask_TB.shape, 1)
    assert sum(plan.sizes) == sum(lengths)
    assert list(plan.sizes) == sorted(plan.sizes, reverse=True)
    for direction, backwards in enumerate(plan.backwards):
        rows = plan.take(number_TB1, direction)
        read: dict[int, list[int]] = {}
        for step in plan.steps():
            for place in rows[step, 0].tolist():
                read.setdefault(place % len(lengths), []).append(place // len(lengths))
        for sentence, length in enumerate(lengths):
            words = list(range(length))
            assert read[sentence] == (words[::-1] if backwards else words)
        back = plan.put(rows, direction, *mask_TB.shape)
        assert torch.equal(back, number_TB1 * mask_TB.unsqueeze(-1))


@given(lengths=st.lists(st.integers(0, 4), min_size=1, max_size=6).filter(any))
def test_the_last_state_of_a_sentence_is_that_of_its_last_word(lengths: list[int]) -> None:
    mask_TB = mask(lengths).T
    plan = packing(mask_TB, (True,))
    rows = plan.take(torch.arange(mask_TB.numel()).add(1).view(*mask_TB.shape, 1), 0)
    found = plan.last(rows, len(lengths)).squeeze(1).tolist()
    # Read backwards, the last word is the first of the sentence; without words there is no state.
    assert found == [sentence + 1 if length else 0 for sentence, length in enumerate(lengths)]


def test_the_gradient_of_the_next_step_reaches_the_sentences_that_went_on() -> None:
    total = with_carry(torch.ones(2, 3, 1), torch.full((2, 2, 1), 4.0))
    assert total.tolist() == [[[5], [5], [1]]] * 2


@pytest.mark.parametrize("system", ["rnnsearch", "groundhog-gru"])
@given(lengths=LENGTHS)
def test_the_encoder_finds_the_same_with_all_places(system: str, lengths: list[int]) -> None:
    config = toy_config(system, encoder_layers=2)
    torch.manual_seed(1)
    encoder = Encoder(config, 9).double()
    for parameter in encoder.parameters():
        torch.nn.init.normal_(parameter)
    mask_BJ = mask(lengths, spare=1)
    ids_BJ = torch.randint(0, 9, mask_BJ.shape)

    def outcome() -> list[Tensor]:
        found = encoder(ids_BJ, mask_BJ, SILENT, torch.float64)[mask_BJ]
        weights = torch.linspace(-1, 1, found.numel(), dtype=torch.float64).view_as(found)
        return [found, *torch.autograd.grad((found * weights).sum(), list(encoder.parameters()))]

    with all_places():
        expected = outcome()
    for packed, padded in zip(outcome(), expected, strict=True):
        assert torch.allclose(packed, padded, rtol=1e-10, atol=1e-11)


@given(
    pairs=st.lists(st.tuples(st.integers(1, 7), st.integers(1, 7)), min_size=1, max_size=8),
    spare=st.sampled_from([1, 4, 16]),
)
def test_places_hold_each_source_word_once_and_little_padding(
    pairs: list[tuple[int, int]], spare: int
) -> None:
    sources, targets = ([pair[side] for pair in pairs] for side in (0, 1))
    mask_BJ, mask_IB = mask(sources), mask(targets).T
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("model.places.SPARE", spare)
        places = places_of(mask_BJ, mask_IB, 4, torch.zeros(0))
    real = places.penalty_X == 0
    numbers = places.words(torch.arange(mask_BJ.numel()).view(*mask_BJ.shape))
    assert sorted(numbers[real].tolist()) == mask_BJ.flatten().nonzero().flatten().tolist()
    assert int((~real).sum()) * spare <= len(real)
    of_rows = places.sentences(torch.arange(len(pairs)))
    assert torch.equal(numbers // mask_BJ.shape[1], of_rows[places.sentence_X])


@given(pairs=st.lists(st.tuples(st.integers(1, 7), st.integers(1, 7)), min_size=1, max_size=8))
def test_seats_are_the_rows_sentence_by_sentence(pairs: list[tuple[int, int]]) -> None:
    sources, targets = ([pair[side] for pair in pairs] for side in (0, 1))
    mask_BJ, mask_IB = mask(sources), mask(targets).T
    row_N = mask_IB.flatten().nonzero().flatten()
    for manner in (nullcontext(), all_places()):
        with manner:
            places = places_of(mask_BJ, mask_IB, 4, torch.zeros(0))
        number_R1 = places.plan.take(
            torch.arange(1.0, mask_IB.numel() + 1).view(*mask_IB.shape, 1), 0
        )
        seated = places.seated(number_R1).squeeze(1)
        assert torch.equal(seated[places.seats_of(row_N)], row_N + 1.0)
        assert torch.equal(number_R1[places.rows_of(row_N)].squeeze(1), row_N + 1.0)
        for block, steps, part in zip(
            places.blocks, places.steps, seated.split(places.seats), strict=True
        ):
            found = part.view(block.shape[0], steps)
            of_row = places.sentences(torch.arange(len(pairs)))[block.rows]
            there = found.gt(0)
            assert torch.equal(
                (found - 1)[there],
                (torch.arange(steps) * len(pairs) + of_row[:, None])[there].float(),
            )
