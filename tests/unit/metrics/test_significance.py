"""Tests of significance: hand-worked counts, and what chance and a real difference give."""

import random

import numpy as np
import pytest

from tasks.metrics.mteval import bleu_of_sums, count_corpus
from tasks.metrics.ngram_counts import Counts
from tasks.metrics.significance import (
    Values,
    binomial_p,
    compare,
    holm,
    randomisation_test,
    sign_test,
)


def total(sums: Counts) -> Values:
    """Score by the plain sum of the only column."""
    return np.asarray(sums[..., 0], dtype=float)


def column(*values: int) -> Counts:
    return np.array(values, dtype=np.int64)[:, None]


def test_the_sign_test_counts_better_and_worse_and_drops_ties() -> None:
    found = sign_test(column(3, 3, 3, 3, 3, 3), column(4, 5, 9, 2, 3, 3), total)
    assert (found.better, found.worse) == (3, 1)
    # Of the 16 outcomes of four fair coins, 5 have three or more heads; two-sided, so twice that.
    assert found.p_value == pytest.approx(2 * 5 / 16)


@pytest.mark.parametrize(
    ("better", "worse", "expected"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 2 / 32), (9, 1, 2 * 11 / 1024), (5, 5, 1.0)],
)
def test_binomial_p_by_hand(better: int, worse: int, expected: float) -> None:
    assert binomial_p(better, worse) == pytest.approx(expected)
    assert binomial_p(worse, better) == pytest.approx(expected)


def test_many_sentences_do_not_overflow() -> None:
    assert 0 < binomial_p(50_400, 49_600) < 0.05 < binomial_p(50_100, 49_900) < 1


def test_randomisation_of_three_sentences_comes_near_the_exact_share() -> None:
    # Differences 1, 2 and 4: only +++ and --- of the eight exchanges reach 7.
    found = randomisation_test(column(0, 0, 0), column(1, 2, 4), total, trials=4000, seed=3)
    assert found.p_value == pytest.approx(2 / 8, abs=0.02)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def outputs(texts: list[str], share: float, seed: int) -> list[str]:
    """Lose a share of the words."""
    chance = random.Random(seed)
    return [" ".join(word for word in text.split() if chance.random() > share) for text in texts]


def test_a_real_difference_is_found_and_chance_is_not() -> None:
    chance = random.Random(5)
    texts = [" ".join(chance.choices("abcdefghijklmnop", k=12)) for _ in range(300)]
    systems = [outputs(texts, share, seed) for seed, share in enumerate((0.3, 0.2, 0.3))]
    counts = count_corpus(systems, [texts]).counts
    baseline, (better, same) = compare(counts, lambda sums: bleu_of_sums(sums, "v13a"), trials=400)
    assert baseline.low < baseline.value < baseline.high
    assert better.difference.low > 0
    assert better.wins == 1
    for test in (better.sign, better.bootstrap, better.randomisation):
        assert test.p_value < 0.01
    assert same.difference.low < 0 < same.difference.high
    for test in (same.sign, same.bootstrap, same.randomisation):
        assert test.p_value > 0.05


def test_chance_is_called_significant_about_as_often_as_the_level_says() -> None:
    chance = random.Random(11)
    found = {"bootstrap": 0, "randomisation": 0}
    for trial in range(120):
        texts = [" ".join(chance.choices("abcdefgh", k=8)) for _ in range(40)]
        systems = [outputs(texts, 0.3, 2 * trial), outputs(texts, 0.3, 2 * trial + 1)]
        counts = count_corpus(systems, [texts]).counts
        _, (only,) = compare(counts, lambda sums: bleu_of_sums(sums, "v13a"), trials=100)
        found["bootstrap"] += only.bootstrap.p_value < 0.1
        found["randomisation"] += only.randomisation.p_value < 0.1
    # 10 percent of 120 are 12; 24 or more would happen by chance once in a thousand times.
    assert all(2 <= times < 24 for times in found.values()), found


def test_an_empty_corpus_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no sentences"):
        compare(np.zeros((2, 0, 1), dtype=np.int64), total)
