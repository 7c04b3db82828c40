"""The phrase table against the definitions, and what is kept of it."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.compiled.arrays import spelled
from tasks.mining.extraction import LinkedPair, corpus_of
from tasks.smt import phrase_counts
from tasks.smt.discounts import discounted
from tasks.smt.language_model import FIRST_WORD
from tasks.smt.lexical_weights import log_word_weights
from tasks.smt.phrase_table import PhraseTable, build_table
from tests.reference.smt_phrases import slow_phrases, word_weights

Rows = dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[np.ndarray, np.ndarray]]


def random_pairs(random: Random, number: int) -> list[LinkedPair]:
    found: list[LinkedPair] = []
    for _ in range(number):
        source = random.choices("一二三四", k=random.randint(1, 6))
        target = random.choices("abcd", k=random.randint(1, 6))
        cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
        found.append(
            (source, target, sorted(random.sample(cells, random.randint(0, min(6, len(cells))))))
        )
    return found


def rows_of(table: PhraseTable, linked: list[LinkedPair]) -> Rows:
    corpus = corpus_of(linked)
    source, target = spelled(corpus.source.words), spelled(corpus.target.words)
    found: Rows = {}
    for phrase in range(len(table.entries) - 1):
        at = slice(table.source_starts[phrase], table.source_starts[phrase + 1])
        words = tuple(source[word] for word in table.source_words[at])
        for entry in range(table.entries[phrase], table.entries[phrase + 1]):
            at = slice(table.target_starts[entry], table.target_starts[entry + 1])
            said = tuple(target[word - FIRST_WORD] for word in table.target_words[at])
            assert (words, said) not in found
            found[words, said] = table.scores[entry], table.reordering[entry]
    return found


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 3))
def test_scores_are_those_of_the_definitions(seed: int, max_words: int, batch: int) -> None:
    linked = random_pairs(Random(seed), 7)
    expected = slow_phrases(linked, max_words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phrase_counts, "BATCH", batch)
        found = rows_of(build_table(corpus_of(linked), max_words, 10_000), linked)
    assert set(found) == set(expected)
    for (source, target), (scores, reordering) in found.items():
        pair = expected[source, target]
        of_source = sum(each.times for (s, _), each in expected.items() if s == source)
        of_target = sum(each.times for (_, t), each in expected.items() if t == target)
        shares = pair.times / of_source, pair.times / of_target
        assert np.exp(scores[:2]) == pytest.approx(shares, rel=1e-5)
        assert scores[2:] == pytest.approx((pair.target_weight, pair.source_weight), rel=1e-5)
        smooth = (np.array(pair.orientations) + 0.5) / (pair.times + 1.5)
        assert np.exp(reordering) == pytest.approx(smooth, rel=1e-5)
        assert np.exp(reordering).reshape(2, 3).sum(axis=1) == pytest.approx([1, 1], rel=1e-5)


def test_only_the_best_translations_of_a_phrase_are_kept() -> None:
    linked: list[LinkedPair] = [(["一"], [word], [(0, 0)]) for word in "aaabbcd"]
    found = rows_of(build_table(corpus_of(linked), 3, 2), linked)
    assert [target for _, target in found] == [("a",), ("b",)]
    assert np.exp(found[("一",), ("b",)][0][0]) == pytest.approx(2 / 7)


def test_a_pair_has_the_greatest_weight_of_its_places() -> None:
    """w(a given 一) = w(b given 二) = 2/3, and 1/3 the other way round, as one place has it."""
    straight: LinkedPair = (["一", "二"], ["a", "b"], [(0, 0), (1, 1)])
    crossed: LinkedPair = (["一", "二"], ["a", "b"], [(0, 1), (1, 0)])
    linked = [straight, crossed, straight]
    scores, _ = rows_of(build_table(corpus_of(linked), 3, 9), linked)[("一", "二"), ("a", "b")]
    assert np.exp(scores) == pytest.approx([1.0, 1.0, 4 / 9, 4 / 9])


def test_pairs_without_links_have_no_phrases() -> None:
    table = build_table(corpus_of([(["一"], ["a"], []), ([], [], [])]), 3, 2)
    assert len(table.scores) == 0
    assert table.entries.tolist() == [0]


def test_word_weights_by_hand() -> None:
    """一 is linked to a twice and to b once; one b stands alone."""
    linked: list[LinkedPair] = [
        (["一"], ["a", "b"], [(0, 0), (0, 1)]),
        (["一"], ["a", "b"], [(0, 0)]),
    ]
    source, target = log_word_weights(corpus_of(linked))
    assert np.exp(target) == pytest.approx([2 / 3, 1 / 3, 2 / 3, 1.0])
    assert np.exp(source) == pytest.approx([1.0, 1.0])
    assert word_weights(linked)["t", "b", None] == 1.0


def test_discounts_by_hand() -> None:
    """Six things once, two twice, one three times, one nine times: 1 is worth 2 * 2 / 6."""
    counts = np.array([1] * 6 + [2, 2, 3, 9], np.int32)
    found = discounted(counts)
    assert found.tolist() == pytest.approx([2 / 3] * 6 + [1.5, 1.5, 3, 9])


@given(st.lists(st.integers(1, 12), max_size=40))
def test_no_discount_turns_the_order_or_adds_anything(numbers: list[int]) -> None:
    counts = np.array(sorted(numbers), np.int32)
    found = discounted(counts)
    assert (found > 0).all()
    assert (found <= counts).all()
    assert (np.diff(found) >= 0).all()
    assert (found[counts > 5] == counts[counts > 5]).all()


def test_a_table_of_discounted_counts_differs_in_its_frequencies_alone() -> None:
    linked: list[LinkedPair] = [(["一"], [word], [(0, 0)]) for word in "aaabbcdef"]
    plain, found = (
        rows_of(build_table(corpus_of(linked), 3, 9, discounts=discounts), linked)
        for discounts in (False, True)
    )
    # Four were seen once, one twice, one three times: once is worth 2 * 1 / 4.
    for target, times in (("a", 3), ("b", 2), ("c", 0.5)):
        pair = ("一",), (target,)
        assert np.exp(found[pair][0][0]) == pytest.approx(times / 9)
        assert found[pair][0][2:] == pytest.approx(plain[pair][0][2:])
        assert found[pair][1] == pytest.approx(plain[pair][1])
