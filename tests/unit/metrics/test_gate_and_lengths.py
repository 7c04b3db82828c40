"""Gates by class, correlation, buckets of length, sentence BLEU, over- and under-translation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.metrics.adequacy import SourceCoverage, repeated_pairs, source_coverage
from tasks.metrics.attention_table import AttentionMatrix
from tasks.metrics.gate_analysis import GateClass, gates_by_class, mean_gate, pearson
from tasks.metrics.length_buckets import LengthBucket, length_buckets
from tasks.metrics.mteval import count_corpus
from tasks.metrics.sentence_bleu import sentence_bleu
from tasks.metrics.word_classes import classes_of

NUMBERS = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=9)


@given(NUMBERS)
def test_pearson_agrees_with_numpy_and_has_no_direction(pairs: list[tuple[int, int]]) -> None:
    first, second = (list(map(float, column)) for column in zip(*pairs, strict=True))
    found = pearson(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
        return
    assert found == pytest.approx(np.corrcoef(first, second)[0, 1], abs=1e-9)
    assert pearson(second, first) == pytest.approx(found)
    assert pearson(first[::-1], second[::-1]) == pytest.approx(found)


def test_gates_by_class_leave_out_words_without_a_gate() -> None:
    found = gates_by_class([([None, 0.2, 0.4], ["name", "function"]), ([0.6, 0.8], ["function"])])
    assert [(row.word_class, row.words) for row in found] == [
        ("function", 2), ("end mark", 2), ("all", 4),
    ]  # fmt: skip
    assert found[0].mean == pytest.approx(0.4)
    assert found[0].deviation == pytest.approx(0.2)
    assert found[-1].mean == pytest.approx(0.5)
    assert gates_by_class([]) == []
    assert isinstance(found[0], GateClass)
    (closed, _, _) = gates_by_class([([0.0, 1.0], ["name"])])
    assert (closed.words, closed.mean) == (1, 0)
    assert mean_gate([None, 0.25, 0.75]) == 0.5
    assert mean_gate([None]) is None


def test_classes_of_words() -> None:
    words = ["the", "xyzzy", "wang", "wei", "paid", "$", "60", "million", "."]
    known = [True, False, True, False, True, True, True, True, True]
    spans = [(2, 4, "person"), (5, 8, "quantity")]
    assert classes_of(words, known, spans) == [  # type: ignore[arg-type]
        "function", "unknown", "name", "unknown", "content", "punctuation", "number", "number",
        "punctuation",
    ]  # fmt: skip


OUTPUTS = ["a b c d", "a b", "x y z w v"]
REFERENCES = [["a b c d", "a b c", "x y z w"]]


def test_one_bucket_has_the_score_of_the_corpus() -> None:
    corpora = [count_corpus([OUTPUTS], REFERENCES, flavour=name) for name in ("v11b", "v13a")]
    (bucket,) = length_buckets([4, 3, 9], corpora, borders=(0,))
    assert bucket.bleu == pytest.approx([corpus.scores()[0].value for corpus in corpora])
    assert (bucket.low, bucket.high, bucket.sentences) == (0, -1, 3)
    assert bucket.hypothesis_words == pytest.approx(11 / 3)
    assert bucket.source_words == pytest.approx(16 / 3)


def test_borders_belong_to_the_bucket_above() -> None:
    corpora = [count_corpus([OUTPUTS], REFERENCES)]
    found = length_buckets([9, 10, 60], corpora)
    assert [(b.low, b.high, b.sentences) for b in found] == [(0, 10, 1), (10, 20, 1), (60, -1, 1)]
    assert found[0].bleu[0] == pytest.approx(100)
    assert isinstance(found[0], LengthBucket)


def test_smoothed_sentence_bleu_by_hand() -> None:
    counts = count_corpus([["a b x", "", "x", "a b c d"]], [["a b c", "a", "a", "a b c d"]]).counts
    # 2 of 3 words, (1 + 1) / (2 + 1) pairs, (0 + 1) / (1 + 1) triples, (0 + 1) / (0 + 1).
    expected = 100 * (2 / 3 * 2 / 3 * 1 / 2 * 1) ** 0.25
    assert sentence_bleu(counts[0]).tolist() == pytest.approx([expected, 0, 0, 100])
    (short,) = sentence_bleu(count_corpus([["a"]], [["a b c"]]).counts[0]).tolist()
    assert short == pytest.approx(100 * math.exp(1 - 3))


def matrix(rows: list[list[float]]) -> AttentionMatrix:
    inner = np.array(rows)
    return AttentionMatrix(("源",) * (inner.shape[1] - 1), ("w",) * (len(inner) - 1), inner)


def test_source_words_are_left_out_or_said_twice() -> None:
    end = [0.0, 0.0, 0.0, 1.0]
    reference = matrix([[1, 0, 0, 0], [0, 0.9, 0.1, 0], [0, 0.1, 0.8, 0.1], end])
    translation = matrix([[1, 0, 0, 0], [1, 0, 0, 0], [0, 0.2, 0.8, 0], end])
    assert source_coverage(reference, translation) == SourceCoverage(
        expected=3, left_out=1, source_words=3, said_twice=1
    )
    assert source_coverage(reference, reference).left_out == 0
    assert source_coverage(reference, reference).said_twice == 0


@pytest.mark.parametrize(
    ("output", "references", "count"),
    [
        ("a b a b a b", ["a b"], 3),  # ab three times, ba twice; each may stand once
        ("a b a b", ["a b c a b"], 0),
        ("a b a b", ["a b"], 1),
        ("a", ["a"], 0),
        ("", [], 0),
    ],
)
def test_pairs_that_are_said_again(output: str, references: list[str], count: int) -> None:
    assert repeated_pairs(output.split(), [text.split() for text in references]) == count
