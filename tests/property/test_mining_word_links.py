"""The compiled link probabilities are those of going through all alignments one by one."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.compiled.word_links import (
    UNSEEN,
    Counts,
    Lexicon,
    Order,
    Pairs,
    expect,
    find_entry,
    link_probabilities,
)
from tests.reference.mining_word_links import link_probabilities_plainly

REACH = 2
NOTHING_KNOWN = np.zeros((0, 2), np.int64)
chances = st.floats(0.01, 1.0)


@st.composite
def models(draw: st.DrawFn) -> tuple[Lexicon, Order, np.ndarray]:
    """A lexicon of three words a side in which some pairs are missing, the order of words, and how
    far each entry counts alone."""
    present = draw(st.lists(st.booleans(), min_size=9, max_size=9))
    rows = [[t for t in range(3) if present[3 * s + t]] for s in range(3)]
    number = sum(map(len, rows))

    def numbers(size: int) -> np.ndarray:
        return np.array(draw(st.lists(chances, min_size=size, max_size=size)), np.float64)

    lexicon = Lexicon(
        np.cumsum([0, *map(len, rows)]),
        np.array([t for row in rows for t in row], np.int32),
        numbers(number), numbers(number), numbers(3), numbers(3),
    )  # fmt: skip
    jumps = 2 * REACH + 1
    order = Order(draw(st.floats(0.05, 0.95)), numbers(jumps), numbers(jumps))
    return lexicon, order, numbers(number)


def pair_of(source: list[int], target: list[int]) -> Pairs:
    return Pairs(
        np.array(source, np.int32), np.array([0, len(source)], np.int64),
        np.array(target, np.int32), np.array([0, len(target)], np.int64),
    )  # fmt: skip


words = st.lists(st.integers(0, 2), min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(models(), words, words)
def test_both_directions_are_as_the_plain_reference(
    model: tuple[Lexicon, Order, np.ndarray], source: list[int], target: list[int]
) -> None:
    lexicon, order, alone = model
    pairs = pair_of(source, target)
    forward, backward = link_probabilities(pairs, 0, lexicon, order, NOTHING_KNOWN)
    entries = [[find_entry(lexicon, s, t) for t in target] for s in source]

    def emitted(values: np.ndarray, entry: int) -> float:
        return float(values[entry]) if entry >= 0 else UNSEEN

    across = range(len(source)), range(len(target))
    plain, jumps = link_probabilities_plainly(
        [[emitted(lexicon.forward, entries[i][j]) for i in across[0]] for j in across[1]],
        [lexicon.empty_forward[t] for t in target],
        order.empty,
        list(order.forward_K),
    )
    np.testing.assert_allclose(forward, plain.T, rtol=1e-9, atol=1e-12)
    plain_back, jumps_back = link_probabilities_plainly(
        [[emitted(lexicon.backward, entries[i][j]) for j in across[1]] for i in across[0]],
        [lexicon.empty_backward[s] for s in source],
        order.empty,
        list(order.backward_K),
    )
    np.testing.assert_allclose(backward, plain_back, rtol=1e-9, atol=1e-12)
    if min(entries[i][j] for i in across[0] for j in across[1]) >= 0:
        counts = Counts(
            np.zeros(len(lexicon.targets)), np.zeros(len(lexicon.targets)),
            np.zeros(3), np.zeros(3),
            np.zeros(len(jumps)), np.zeros(len(jumps)),
        )  # fmt: skip
        expect(pairs, lexicon, order, alone, counts, True)
        free = np.maximum(1 - backward.sum(axis=0), 0)
        free_back = np.maximum(1 - forward.sum(axis=1), 0)
        share = alone[np.array(entries)]
        expected = (
            forward * (backward + share * free),
            backward * (forward + share * free_back[:, None]),
        )
        for found, wanted in zip((counts.forward, counts.backward), expected, strict=True):
            by_entry = np.bincount(np.ravel(entries), np.ravel(wanted), len(lexicon.targets))
            np.testing.assert_allclose(found, by_entry, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(counts.forward_K, jumps, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(counts.backward_K, jumps_back, rtol=1e-9, atol=1e-12)
        free = np.maximum(1 - forward.sum(axis=0), 0)
        wanted = np.bincount(target, free, 3)
        np.testing.assert_allclose(counts.empty_forward, wanted, rtol=1e-9, atol=1e-12)


def test_what_is_known_may_be_linked_though_no_training_pair_holds_it() -> None:
    lexicon = Lexicon(
        np.array([0, 1, 1]), np.array([0], np.int32), np.array([0.9]), np.array([0.9]),
        np.array([0.5, 0.5]), np.array([0.5, 0.5]),
    )  # fmt: skip
    order = Order(0.2, np.ones(5), np.ones(5))
    pairs = pair_of([0, 1], [0, -1])
    without, _ = link_probabilities(pairs, 0, lexicon, order, NOTHING_KNOWN)
    known, _ = link_probabilities(pairs, 0, lexicon, order, np.array([[1, 1]], np.int64))
    assert known[1, 1] > 0.75 > 0.5 > without[1, 1]
