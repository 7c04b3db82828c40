"""Phrases that a training keeps back: which, how often, and that nothing else counts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model import checkpoint, fit
from model.batches import Example, slots_of
from model.config import TrainingConfig
from model.translator import Translator, build_translator
from model.withholding import taught, with_some_withheld
from tests.reference.model_examples import example, examples, toy_config

shares = st.floats(0, 1)
places = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 2**63 - 1),
        "epoch": st.integers(0, 99),
        "number": st.integers(0, 10**9),
    }
)


def pairs(number: int) -> list[Example]:
    """Make pairs with two phrases each, one of which is in the reference."""
    rng = np.random.default_rng(0)
    made = []
    for _ in range(number):
        words = [int(word) for word in rng.integers(2, 20, rng.integers(4, 8))]
        target = [21 - word for word in words]
        made.append(example(words, target, (0, 1, (target[0],), 0), (2, 4, (3, 5), -1)))
    return made


PAIRS = pairs(30)
CONFIG = TrainingConfig(batch_size=8, steps=10, dropout=0.1, phrase_dropout=0.4)


def trained(
    config: TrainingConfig, taken: list[Example] = PAIRS, system: str = "phrasenet-gate"
) -> tuple[Translator, list[float]]:
    translator = build_translator(toy_config(system), 22, 22, seed=1)
    return translator, [report.loss for report in fit.fit(translator, taken, config)]


def without_offers(taken: list[Example]) -> list[Example]:
    return [replace(each, slots=()) for each in taken]


@given(examples(candidates=3), shares, places)
def test_what_is_left_are_whole_source_phrases_and_the_same_words(
    pair: Example, share: float, place: dict[str, int]
) -> None:
    left = with_some_withheld(pair, share, **place)
    assert left.source_ids is pair.source_ids
    assert left.target_ids is pair.target_ids
    kept = {(slot.source_start, slot.source_end) for slot in left.slots}
    assert left.slots == tuple(
        slot for slot in pair.slots if (slot.source_start, slot.source_end) in kept
    )


@given(examples(candidates=3), shares, shares, places)
def test_a_larger_share_keeps_back_what_a_smaller_one_does(
    pair: Example, one: float, other: float, place: dict[str, int]
) -> None:
    less, more = (with_some_withheld(pair, s, **place).slots for s in sorted((one, other)))
    assert set(more) <= set(less)


@given(examples(candidates=3), places)
def test_nothing_or_everything_is_kept_back_at_the_ends(
    pair: Example, place: dict[str, int]
) -> None:
    assert with_some_withheld(pair, 0.0, **place) is pair
    assert with_some_withheld(pair, 1.0, **place).slots == ()


@pytest.mark.parametrize("share", [0.05, 0.2, 0.7])
def test_so_many_phrases_are_kept_back_as_was_asked_for(share: float) -> None:
    pair, passes = PAIRS[0], 20_000
    left = [with_some_withheld(pair, share, seed=1, epoch=e, number=7) for e in range(passes)]
    deviation = (share * (1 - share) / passes) ** 0.5
    for phrase in pair.slots:
        found = sum(phrase not in each.slots for each in left) / passes
        assert found == pytest.approx(share, abs=4 * deviation)
    both = sum(not each.slots for each in left) / passes
    assert both == pytest.approx(share**2, abs=4 * deviation), "phrases are drawn apart"


@pytest.mark.parametrize("other", ["seed", "epoch", "number"])
def test_passes_pairs_and_seeds_draw_apart(other: str) -> None:
    def drawn(value: int) -> list[int]:
        place = {"seed": 1, "epoch": 2, "number": 3} | {other: value}
        left = (with_some_withheld(pair, 0.5, **(place | {"number": place["number"] + 1000 * n}))
                for n, pair in enumerate(PAIRS))  # fmt: skip
        return [len(slots_of(each.slots)) for each in left]

    assert drawn(5) == drawn(5)
    assert drawn(5) != drawn(6)


@given(st.integers(1, 4), st.integers(0, 5))
def test_processes_keep_back_together_what_one_does(processes: int, epoch: int) -> None:
    numbers = np.arange(len(PAIRS))
    whole = [each.slots for each in taught(PAIRS, CONFIG, epoch, numbers)]
    for rank in range(processes):
        share = taught(PAIRS, CONFIG, epoch, numbers[rank::processes])
        assert [each.slots for each in share] == whole[rank::processes]


def test_a_share_of_0_trains_as_before_and_a_share_of_1_as_without_offers() -> None:
    everything = replace(CONFIG, phrase_dropout=1.0)
    usual = replace(CONFIG, phrase_dropout=0.0)
    assert TrainingConfig(epochs=1).phrase_dropout == 0
    assert trained(everything)[1] == trained(usual, without_offers(PAIRS))[1]
    found = {name: trained(replace(CONFIG, phrase_dropout=name))[1] for name in (0.0, 0.4, 1.0)}
    assert found[0.0] != found[0.4] != found[1.0] != found[0.0]


def test_a_system_without_phrases_does_not_notice() -> None:
    usual = replace(CONFIG, phrase_dropout=0.0)
    assert trained(CONFIG, system="rnnsearch")[1] == trained(usual, system="rnnsearch")[1]


@pytest.mark.parametrize("threads", [0, 3])
def test_the_threads_that_pad_do_not_count(threads: int) -> None:
    assert trained(replace(CONFIG, loader_threads=threads))[1] == trained(CONFIG)[1]


@pytest.mark.parametrize("done", [2, 4, 7])
def test_a_resumed_training_keeps_back_the_same(done: int) -> None:
    whole, expected = trained(CONFIG)
    first = build_translator(toy_config("phrasenet-gate"), 22, 22, seed=1)
    state = fit.start(first, CONFIG)
    reports = fit.fit(first, PAIRS, CONFIG, state=state)
    found = [next(reports).loss for _ in range(done)]
    again = checkpoint.load(checkpoint.save(first, CONFIG, state))
    found += [r.loss for r in fit.fit(again.translator, PAIRS, CONFIG, state=again.state)]
    assert found == expected
    for name, tensor in whole.state_dict().items():
        assert again.translator.state_dict()[name].equal(tensor), name


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match=r"training\.phrase_dropout is .*between 0 and 1"):
        TrainingConfig(epochs=1, phrase_dropout=share)
