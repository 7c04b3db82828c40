"""Laws of batching and padding."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.batch_order import (
    batches_of_epoch,
    batches_of_the_papers,
    bucketed_batches,
    lengths_of,
    padding_share,
)
from model.batches import Example, SlotIds, collate_source, collate_target
from model.config import TrainingConfig
from model.training_config import BatchOrder
from model.vocabulary import EOS, UNK
from tests.reference.model_examples import example, examples


def of_lengths(lengths: list[int]) -> list[Example]:
    return [example([2], [3] * length) for length in lengths]


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 30), max_size=80),
    st.integers(1, 7),
    st.integers(1, 4),
    st.integers(0, 3),
)
def test_an_epoch_visits_every_example_once_and_always_in_the_same_order(
    lengths: list[int], batch_size: int, buffer_batches: int, epoch: int
) -> None:
    data = of_lengths(lengths)
    options: dict[str, Any] = {
        "batch_size": batch_size,
        "seed": 7,
        "epoch": epoch,
        "buffer_batches": buffer_batches,
    }
    batches = [batch.tolist() for batch in bucketed_batches(data, **options)]
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert all(len(batch) <= batch_size for batch in batches)
    assert batches == [batch.tolist() for batch in bucketed_batches(data, **options)]


@settings(deadline=None)
@given(st.lists(st.integers(0, 30), max_size=80), st.integers(1, 7), st.integers(1, 4))
def test_the_order_of_the_papers_takes_the_longest_of_each_buffer_first(
    lengths: list[int], batch_size: int, buffer_batches: int
) -> None:
    data = of_lengths(lengths)
    found = batches_of_the_papers(
        data, batch_size=batch_size, seed=7, buffer_batches=buffer_batches
    )
    batches = list(found)
    order = [index for batch in batches for index in batch]
    assert sorted(order) == list(range(len(lengths)))
    buffer = batch_size * buffer_batches
    for at in range(0, len(order), buffer):
        sizes = [lengths[index] for index in order[at : at + buffer]]
        assert sizes == sorted(sizes, reverse=True)
    assert all(len(batch) == batch_size for batch in batches[:-1])


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), max_size=60),
    st.integers(1, 5),
    st.integers(1, 3),
)
def test_the_order_of_groundhog_takes_the_shortest_of_the_longer_sides_first(
    lengths: list[tuple[int, int]], batch_size: int, buffer_batches: int
) -> None:
    data = [example([2] * source, [2] * target) for source, target in lengths]
    batches, others = (
        list(
            batches_of_the_papers(
                data,
                batch_size=batch_size,
                seed=7,
                buffer_batches=buffer_batches,
                groundhog=groundhog,
            )
        )
        for groundhog in (True, False)
    )
    order = [index for batch in batches for index in batch]
    assert sorted(order) == list(range(len(lengths)))
    buffer = batch_size * buffer_batches
    for at in range(0, len(order), buffer):
        sizes = [max(lengths[index]) for index in order[at : at + buffer]]
        assert sizes == sorted(sizes)
    # Both programs cut the same buffers from the same shuffled data.
    other = [index for batch in others for index in batch]
    for at in range(0, len(order), buffer):
        assert set(order[at : at + buffer]) == set(other[at : at + buffer])


def test_epochs_and_seeds_differ_in_order() -> None:
    data = of_lengths(list(range(40)))
    orders = {
        tuple(map(tuple, bucketed_batches(data, batch_size=4, seed=seed, epoch=epoch)))
        for seed in (1, 2)
        for epoch in (0, 1)
    }
    assert len(orders) == 4


def test_padding_stays_below_six_percent() -> None:
    rng = np.random.default_rng(0)
    data = of_lengths(np.clip(rng.normal(28, 12, 4000), 1, 50).astype(int).tolist())
    padded = real = 0
    for batch in bucketed_batches(data, batch_size=80, seed=1, epoch=0):
        target = collate_target([data[index] for index in batch], 0)
        padded += target.ids_IB.numel()
        real += target.num_words
    assert 1 - real / padded < 0.06


@settings(max_examples=40, deadline=None)
@given(st.lists(examples(), min_size=1, max_size=4))
def test_tensors_hold_the_words_the_spans_and_when_slots_are_used_up(batch: list[Example]) -> None:
    slots = 4
    source, target = collate_source(batch, slots), collate_target(batch, slots)
    alive = target.alive_IBP()
    spans = iter(
        zip(target.start_S.tolist(), target.offer_S.tolist(), target.known_S.tolist(), strict=True)
    )
    for row, pair in enumerate(batch):
        length = len(pair.source_ids) + 1
        assert source.ids_BJ[row, :length].tolist() == [*pair.source_ids.tolist(), EOS]
        assert source.mask_BJ[row].sum() == length
        length = len(pair.target_ids) + 1
        assert target.ids_IB[:length, row].tolist() == [*pair.target_ids.tolist(), EOS]
        assert target.mask_IB[:, row].sum() == length
        for number in range(slots):
            slot = pair.slots[number] if number < len(pair.slots) else None
            assert bool(source.offered_BP[row, number]) == (slot is not None)
            _check_slot(slot, alive[:, row, number].tolist())
            if slot is not None and slot.target_start >= 0:
                start, which, known = next(spans)
                assert (which, known) == (number, UNK not in slot.target_ids)
                assert target.sentence_N[start] == row
                span = target.span_N[start]
                assert (target.span_N == span).sum() == len(slot.target_ids)


def _check_slot(slot: SlotIds | None, alive: list[bool]) -> None:
    """A slot lives through the step of its last word, and is used up from step t + n on."""
    if slot is None:
        assert not any(alive)
    elif slot.target_start < 0:
        assert all(alive)
    else:
        end = slot.target_start + len(slot.target_ids)
        assert alive == [step < end for step in range(len(alive))]


@pytest.mark.parametrize(
    ("slot", "message"),
    [
        ((0, 3, (2,), -1), "source word 3"),
        ((0, 1, (2, 2), 1), "target words"),
        ((1, 1, (2,), -1), "at least one"),
    ],
)
def test_a_slot_outside_its_sentence_is_refused(
    slot: tuple[int, int, tuple[int, ...], int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        example([2, 3], [2, 2], slot)


def test_phrases_that_share_a_reference_word_are_refused() -> None:
    with pytest.raises(ValueError, match="share none"):
        example([2, 3], [4, 5, 6], (0, 1, (4, 5), 0), (1, 2, (5, 6), 1))


def test_more_phrases_than_slots_are_refused() -> None:
    pair = example([2, 3], [4], (0, 1, (4,), 0), (1, 2, (5,), -1))
    with pytest.raises(ValueError, match=r"model\.phrase_slots"):
        collate_source([pair], 1)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 30)), max_size=60),
    st.integers(1, 90),
    st.sampled_from(["shuffled", "paper"]),
    st.booleans(),
)
def test_batches_in_words_hold_every_example_once_and_no_more_places_than_allowed(
    lengths: list[tuple[int, int]], most: int, order: BatchOrder, groundhog: bool
) -> None:
    data = [example([2] * source, [2] * target) for source, target in lengths]
    config = TrainingConfig(
        batch_size=most, batch_unit="words", batch_order=order, steps=1, buffer_batches=3
    )
    batches = batches_of_epoch(data, config, 0, groundhog=groundhog)
    assert sorted(index for batch in batches for index in batch) == list(range(len(data)))
    for batch in batches:
        longest = 1 + max(max(lengths[index]) for index in batch)
        assert len(batch) == 1 or longest * len(batch) <= most


def test_padding_of_both_sides_is_measured_and_that_of_the_target_is_small() -> None:
    rng = np.random.default_rng(0)
    target = np.clip(rng.normal(28, 12, 4000), 1, 50).astype(np.int64)
    source = np.clip(target * rng.normal(0.9, 0.05, 4000), 1, 50).astype(int)
    data = [example([2] * int(s), [2] * int(t)) for s, t in zip(source, target, strict=True)]
    for unit, size in (("sentences", 80), ("words", 2400)):
        config = TrainingConfig(batch_size=size, batch_unit=unit, steps=1)  # type: ignore[arg-type]
        batches = batches_of_epoch(data, config, 0, groundhog=False)
        shares = padding_share(lengths_of(data), batches)
        # By hand: what is padded of each batch.
        padded = sum(
            (max(len(data[i].target_ids) for i in batch) - len(data[j].target_ids))
            + (max(len(data[i].source_ids) for i in batch) - len(data[j].source_ids))
            for batch in batches
            for j in batch
        )
        words = sum(len(each.source_ids) + len(each.target_ids) + 2 for each in data)
        assert shares == pytest.approx(padded / (padded + words))
        # Batches are formed by the target, where the loss and most of the time are.
        assert padding_share((target, target), batches) < 0.06
