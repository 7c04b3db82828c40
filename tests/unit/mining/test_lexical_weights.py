"""Lexical weights and significance against answers worked out by hand."""

from math import comb, exp, isclose, log

import pytest

from tasks.mining.association import SentenceCounts, significance
from tasks.mining.lexical_weights import WordLink, lexical_weights, word_pairs
from tasks.mining.link_counts import NULL

LINKS = {
    ("中央", "central"): WordLink(6, 8, 9),
    ("银行", "bank"): WordLink(9, 12, 10),
    ("银行", "banks"): WordLink(2, 12, 2),
    ("中央", "bank"): WordLink(1, 8, 10),
    (NULL, "the"): WordLink(15, 30, 20),
    ("的", NULL): WordLink(40, 50, 100),
}


def test_each_word_linked_once() -> None:
    weights = lexical_weights(["中央", "银行"], ["central", "bank"], [(0, 0), (1, 1)], LINKS)
    assert isclose(weights.forward, 6 / 8 * 9 / 12)
    assert isclose(weights.inverse, 6 / 9 * 9 / 10)


def test_a_word_with_two_links_has_their_mean() -> None:
    weights = lexical_weights(["中央", "银行"], ["bank"], [(1, 0), (0, 0)], LINKS)
    assert isclose(weights.forward, (1 / 8 + 9 / 12) / 2)
    assert isclose(weights.inverse, 1 / 10 * 9 / 10)


def test_words_without_links_are_linked_to_the_empty_word() -> None:
    weights = lexical_weights(["的", "银行"], ["the", "banks"], [(1, 1)], LINKS)
    assert isclose(weights.forward, 15 / 30 * 2 / 12)
    assert isclose(weights.inverse, 40 / 100 * 2 / 2)


def test_what_was_never_linked_weighs_nothing() -> None:
    weights = lexical_weights(["药"], ["drug"], [(0, 0)], LINKS)
    assert (weights.forward, weights.inverse) == (0.0, 0.0)


def test_the_word_pairs_of_a_phrase_are_those_that_its_weights_need() -> None:
    row = {"source_words": "的 银行", "target_words": "the banks", "links": "1-1"}
    assert word_pairs(row) == {("银行", "banks"), ("的", NULL), (NULL, "the")}


@pytest.mark.parametrize(
    ("both", "source", "target", "total", "expected"),
    [
        (1, 1, 1, 1_000, log(1_000)),  # Johnson et al. (2007), section 3.2
        (2, 2, 2, 10, log(comb(10, 2))),
        (1, 2, 2, 4, -log(1 - 1 / 6)),  # all but "none of the two" of 6 ways
        (0, 5, 5, 10, 0.0),  # something always happens
        (3, 3, 3, 3, 0.0),  # in every sentence: no surprise
    ],
)
def test_significance_by_hand(
    both: int, source: int, target: int, total: int, expected: float
) -> None:
    found = significance(SentenceCounts(both, source, target, total))
    assert isclose(found, expected, abs_tol=1e-9)


def test_significance_of_millions_is_finite_and_grows_with_the_evidence() -> None:
    texts = [SentenceCounts(n, 1_000, 1_000, 5_000_000) for n in (1, 10, 100, 1_000)]
    found = [significance(counts) for counts in texts]
    assert found == sorted(found)
    assert isclose(found[0], -log(1 - exp(-0.2)), rel_tol=1e-3)  # nearly Poisson, mean 0.2
    assert 6_000 < found[-1] < 10_000
    assert significance(SentenceCounts(10, 2_000_000, 2_000_000, 5_000_000)) == 0.0


@pytest.mark.parametrize("both", [-1, 4])
def test_impossible_counts_are_refused(both: int) -> None:
    with pytest.raises(ValueError, match="no text is like that"):
        SentenceCounts(both, 3, 5, 10)
