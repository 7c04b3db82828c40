"""Laws of term extraction, held to the slow reference."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.mining.boundary_entropy import entropy
from tasks.mining.likelihood_ratio import CLOSED, log_likelihood_ratio, units
from tasks.mining.single_terms import keyness
from tasks.mining.term_contexts import PhraseFinder
from tasks.mining.word_arrays import WordArrays, sequences
from tests.nestings import nestings
from tests.reference.mining_terms import c_value_plainly, places_plainly, units_plainly

WORDS = st.sampled_from(["法", "法院", "院", "长", "a", "中国"])
SENTENCES = st.lists(st.lists(WORDS, max_size=8), max_size=6)
COUNTS = st.integers(0, 10_000)


@settings(max_examples=40)
@given(st.dictionaries(st.lists(WORDS, min_size=1, max_size=5).map(tuple), st.integers(1, 50)))
def test_c_value_is_what_the_definition_says(frequencies: dict[tuple[str, ...], int]) -> None:
    for words, nesting in nestings(frequencies).items():
        expected = c_value_plainly(words, frequencies)
        assert abs(nesting.c_value(len(words)) - expected) < 1e-6


@given(st.lists(st.integers(0, 5), max_size=12), st.integers(0, 3), st.integers(2, 14))
def test_units_are_what_merging_one_by_one_forms(
    scores: list[int], least: int, max_words: int
) -> None:
    borders = [float(score) for score in scores] + [CLOSED]
    starts, ends = units(np.asarray(borders), least=float(least), max_words=max_words)
    fast = list(zip(starts.tolist(), ends.tolist(), strict=True))
    plain = units_plainly(borders, float(least))
    assert len(fast) == len(set(fast))
    assert set(fast) == {unit for unit in plain if unit[1] - unit[0] <= max_words}


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_attraction_is_never_negative_and_the_same_from_both_sides(
    a: int, b: int, c: int, d: int
) -> None:
    total = a + b + c + d
    both, first, second = (np.asarray([number]) for number in (a, a + b, a + c))
    score = float(log_likelihood_ratio(both, first, second, total)[0])
    turned = float(log_likelihood_ratio(both, second, first, total)[0])
    assert score >= 0
    assert abs(score - turned) <= 1e-6 * max(1.0, score)


@given(SENTENCES, st.lists(st.lists(WORDS, min_size=1, max_size=4).map("".join), unique=True))
def test_phrases_are_found_wherever_words_spell_them(
    sentences: list[list[str]], texts: list[str]
) -> None:
    arrays = WordArrays.of((words, ()) for words in sentences)
    places = PhraseFinder.of(texts).find(arrays, max_words=3)
    found = sorted(
        zip(places.phrase.tolist(), places.start.tolist(), places.end.tolist(), strict=True)
    )
    assert found == places_plainly(sentences, texts, 3)


@given(SENTENCES, st.integers(1, 4))
def test_equal_sequences_are_counted_together(sentences: list[list[str]], length: int) -> None:
    arrays = WordArrays.of((words, ()) for words in sentences)
    starts = np.arange(max(len(arrays.ids) - length + 1, 0))
    counted = list(sequences(arrays, starts, np.full(len(starts), length)))
    flat = [word for words in sentences for word in words]
    runs = [tuple(flat[start : start + length]) for start in starts]
    assert dict(counted) == {run: runs.count(run) for run in runs}
    assert len(counted) == len(dict(counted))


@given(st.lists(st.integers(1, 1000)), st.integers(0, 1000), st.randoms())
def test_entropy_is_between_none_and_all_different(
    counts: list[int], borders: int, random: object
) -> None:
    total = sum(counts) + borders
    bits = entropy(counts, borders)
    assert 0 <= bits <= (np.log2(total) + 1e-9 if total else 0)
    assert bits == entropy(sorted(counts, reverse=True), borders)


@settings(max_examples=50)
@given(st.integers(0, 500), st.integers(1, 1000), st.integers(0, 500), st.integers(1, 1000))
def test_a_word_is_key_only_where_it_is_more_frequent(
    count: int, total: int, reference: int, reference_total: int
) -> None:
    total, reference_total = total + count, reference_total + reference
    score = keyness(count, total, reference, reference_total)
    assert score >= 0
    assert (score == 0) == (count * reference_total <= reference * total) or score < 1e-9
