"""Attention against gold links: SAER, hard links, gold files, and gold links on other words."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import InputError
from tasks.metrics.alignment_error import GoldLinks, alignment_scores, read_gold_links
from tasks.metrics.attention_table import attention_of, merged, packed, side_by_side
from tasks.metrics.gold_projection import lengths_of, project
from tasks.metrics.soft_alignment import hard_links, soft_error_rate

GOLD = GoldLinks(sure=frozenset({(0, 0), (1, 1)}), possible=frozenset({(1, 2)}))


def test_a_hand_worked_soft_error_rate() -> None:
    # Rows are target words. Sure mass 0.5 + 0.6, possible mass 1.1 + 0.3, attention 2.6, 2 sure.
    attention_IJ = np.array([[0.5, 0.5], [0.2, 0.6], [0.5, 0.3]])
    found = soft_error_rate([attention_IJ], [GOLD])
    assert found == pytest.approx(1 - (1.1 + 1.4) / (2.6 + 2))


PAIR = st.integers(1, 5).flatmap(
    lambda source: st.tuples(
        st.lists(st.integers(0, source - 1), min_size=1, max_size=5), st.just(source)
    )
)


@given(st.lists(PAIR, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_hard_links_as_soft_ones_give_the_alignment_error_rate(
    sentences: list[tuple[list[int], int]], chance: Random
) -> None:
    attention, gold = [], []
    for chosen, num_source in sentences:
        rows_IJ = np.zeros((len(chosen), num_source + 1))
        rows_IJ[np.arange(len(chosen)), chosen] = 1
        attention.append(rows_IJ)
        cells = [(i, j) for i in range(num_source) for j in range(len(chosen))]
        sure = frozenset(cell for cell in cells if chance.random() < 0.4)
        possible = frozenset(cell for cell in cells if chance.random() < 0.3)
        gold.append(GoldLinks(sure, possible))
    hard = alignment_scores([hard_links(rows_IJ) for rows_IJ in attention], gold)
    soft = soft_error_rate([rows_IJ[:, :-1] for rows_IJ in attention], gold)
    assert soft == pytest.approx(hard.error_rate, abs=1e-12)


def test_a_word_that_looks_at_the_end_of_the_source_has_no_link() -> None:
    rows_IJ = np.array([[0.1, 0.2, 0.7], [0.6, 0.3, 0.1]])
    assert hard_links(rows_IJ) == [(0, 1)]
    assert hard_links(np.zeros((0, 3))) == []
    assert hard_links(np.ones((2, 1))) == []


def test_attention_for_other_sentences_is_refused() -> None:
    with pytest.raises(InputError, match="attention of 0 sentences but gold links for 1"):
        soft_error_rate([], [GOLD])


@pytest.mark.parametrize(
    ("lines", "sure", "possible"),
    [
        (["0-0 1-p-2"], {(0, 0)}, {(1, 2)}),
        (["1:1/1 2:3/0"], {(0, 0)}, {(1, 2)}),
        (["0:0/1 1:2/0"], {(0, 0)}, {(1, 2)}),
        (["1-2 2:3/1"], {(1, 2)}, set()),
    ],
)
def test_forms_of_gold_links(
    lines: list[str], sure: set[tuple[int, int]], possible: set[tuple[int, int]]
) -> None:
    (found,) = read_gold_links(enumerate(lines, start=1), "gold")
    assert (set(found.sure), set(found.possible)) == (sure, possible)


def test_a_file_counts_from_zero_if_any_of_its_links_does() -> None:
    first, second = read_gold_links([(1, "1:1/1"), (2, "0:1/1")], "gold")
    assert (set(first.sure), set(second.sure)) == ({(1, 1)}, {(0, 1)})


def test_gold_links_move_to_words_that_share_characters() -> None:
    gold = GoldLinks(frozenset({(0, 0), (1, 1)}), frozenset({(1, 0)}))
    seen = (["中央银行", "说"], ["bank", "said"])
    before = (lengths_of(seen[0]), lengths_of(seen[1]))
    after = (["中央", "银行", "说"], ["bank", "sa", "id"])
    moved = project(gold, before, after)
    assert moved.sure == {(0, 0), (1, 0), (2, 1), (2, 2)}
    assert moved.possible == {(2, 0)}
    assert project(gold, before, seen) == gold
    merged_words = (["中央银行说"], ["banksaid"])
    both = project(gold, before, merged_words)
    assert (set(both.sure), set(both.possible)) == ({(0, 0)}, set())
    with pytest.raises(ValueError, match="have 5 characters and the sentence has 6"):
        project(gold, before, (["中央银行", "说了"], ["bank", "said"]))


def test_units_are_brought_together_to_words() -> None:
    # Target units 0 and 1 are one word; source units 1 and 2 are one word.
    units = np.array([[0.4, 0.2, 0.2, 0.2], [0.0, 0.5, 0.5, 0.0], [0.1, 0.1, 0.1, 0.7]])
    words = merged(units, [0], [0, 1])
    assert words == pytest.approx(np.array([[0.2, 0.7, 0.1], [0.1, 0.2, 0.7]]))
    assert merged(units, [0, 1], [0, 1, 2]) == pytest.approx(units)


def test_a_row_of_records_gives_its_matrix_back() -> None:
    rows_IJ = np.array([[0.25, 0.75], [0.5, 0.5]])
    row = {
        "sentence_id": "a", "side": "reference", "source_words": ["行"], "words": ["bank"],
        "attention": packed(rows_IJ),
    }  # fmt: skip
    found = side_by_side({"one": [row], "none": [{**row, "attention": []}]}, "a", "reference")
    assert list(found) == ["one"]
    assert found["one"].rows_IJ == pytest.approx(rows_IJ, abs=1e-4)
    assert found["one"].inner_IJ.shape == (1, 1)
    assert attention_of({**row, "attention": []}) is None
    assert side_by_side({"one": [row]}, "a", "translation") == {}
