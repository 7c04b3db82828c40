"""Laws of scores and tests on whatever Hypothesis invents, held to plain second writings."""

from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from tasks.metrics.mteval import bleu_of_sums, count_corpus
from tasks.metrics.ngram_counts import Counts
from tasks.metrics.significance import Values, binomial_p, compare, holm, sign_test
from tests.reference import metrics_mteval

TEXT = st.lists(st.sampled_from(["a", "b", "c", "1.5", "x-y", "3-4", "no.", "(", "D"]), max_size=9)
LINE = TEXT.map(" ".join)
ROW = st.tuples(LINE, LINE.filter(bool), LINE)


def v13a(sums: Counts) -> Values:
    return bleu_of_sums(sums, "v13a")


@given(st.lists(ROW, min_size=1, max_size=6))
@settings(deadline=None)
def test_bleu_agrees_with_sacrebleu_and_the_plain_script(rows: list[tuple[str, str, str]]) -> None:
    outputs, first, second = (list(column) for column in zip(*rows, strict=True))
    references = [first, second]
    present = [[text or None for text in stream] for stream in references]
    theirs = BLEU(lowercase=True).corpus_score(outputs, present).score  # type: ignore[arg-type]
    ours = count_corpus([outputs], references).scores()[0].value
    assert ours == pytest.approx(theirs, abs=1e-9)
    by_sentence = [[text for text in texts if text] for texts in zip(first, second, strict=True)]
    expected, _ = metrics_mteval.v11b(outputs, by_sentence)
    plain = count_corpus([outputs], references, flavour="v11b").scores()[0].value
    assert plain == pytest.approx(expected, abs=1e-9)


@given(st.lists(ROW, min_size=1, max_size=6))
@settings(deadline=None)
def test_systems_are_counted_alone_as_together(rows: list[tuple[str, str, str]]) -> None:
    first, reference, second = (list(column) for column in zip(*rows, strict=True))
    together = count_corpus([first, second], [reference]).counts
    alone = [count_corpus([outputs], [reference]).counts[0] for outputs in (first, second)]
    assert np.array_equal(together, np.stack(alone))


@given(st.lists(ROW, min_size=1, max_size=8))
@settings(deadline=None)
def test_the_sign_test_agrees_with_replacing_one_output_at_a_time(
    rows: list[tuple[str, str, str]],
) -> None:
    baseline, reference, system = (list(column) for column in zip(*rows, strict=True))
    counts = count_corpus([baseline, system], [reference]).counts
    found = sign_test(counts[0], counts[1], v13a)
    unchanged = v13a(counts[0].sum(axis=0))
    better = worse = 0
    for index in range(len(rows)):
        mixed = [*baseline[:index], system[index], *baseline[index + 1 :]]
        score = count_corpus([mixed], [reference]).scores()[0].value
        better += int(score > unchanged + 1e-9)
        worse += int(score < unchanged - 1e-9)
    assert (found.better, found.worse) == (better, worse)


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_binomial_p_value_is_exact(better: int, worse: int) -> None:
    number = better + worse
    tail = sum(comb(number, k) for k in range(max(better, worse), number + 1))
    assert binomial_p(better, worse) == pytest.approx(
        min(1.0, float(Fraction(2 * tail, 2**number)))
    )


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_adjusted_p_values_only_grow_and_keep_their_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(before <= after <= 1 for before, after in zip(p_values, adjusted, strict=True))
    by_p = [after for _, after in sorted(zip(p_values, adjusted, strict=True))]
    assert all(first <= second for first, second in pairwise(by_p))
    assert min(adjusted) == pytest.approx(min(1.0, len(p_values) * min(p_values)))


@given(st.lists(ROW, min_size=1, max_size=8), st.integers(0, 5))
@settings(deadline=None, max_examples=30)
def test_a_comparison_repeats_and_mirrors(rows: list[tuple[str, str, str]], seed: int) -> None:
    baseline, reference, system = (list(column) for column in zip(*rows, strict=True))
    counts = count_corpus([baseline, system], [reference]).counts
    _, there = compare(counts, v13a, trials=50, seed=seed)
    assert compare(counts, v13a, trials=50, seed=seed)[1] == there
    _, back = compare(counts[::-1], v13a, trials=50, seed=seed)
    assert back[0].difference.value == pytest.approx(-there[0].difference.value)
    assert back[0].bootstrap.p_value == there[0].bootstrap.p_value
    assert back[0].randomisation.p_value == there[0].randomisation.p_value
