"""Alignment error rate on hand-worked links."""

import pytest

from storage.errors import InputError
from tasks.metrics.alignment_error import GoldLinks, alignment_scores, parse_gold_links

GOLD = GoldLinks(sure=frozenset({(0, 0), (1, 1)}), possible=frozenset({(1, 2), (2, 2)}))


def test_a_hand_worked_example() -> None:
    # A = 4 links, of which 1 is sure and 2 more are possible; S = 2.
    scores = alignment_scores([[(0, 0), (1, 2), (2, 2), (2, 0)]], [GOLD])
    assert scores.precision == pytest.approx(3 / 4)
    assert scores.recall == pytest.approx(1 / 2)
    assert scores.error_rate == pytest.approx(1 - (1 + 3) / (4 + 2))
    assert (scores.num_found, scores.num_sure) == (4, 2)


def test_sentences_are_scored_together_and_not_averaged() -> None:
    other = GoldLinks(sure=frozenset({(0, 0)}), possible=frozenset())
    scores = alignment_scores([[(0, 0), (1, 1)], [(0, 1)]], [GOLD, other])
    assert scores.precision == pytest.approx(2 / 3)
    assert scores.error_rate == pytest.approx(1 - (2 + 2) / (3 + 3))


def test_finding_all_sure_and_only_possible_links_is_no_error() -> None:
    found = [(0, 0), (1, 1), (2, 2), (2, 2)]
    assert alignment_scores([found], [GOLD]).error_rate == pytest.approx(0)
    nothing = GoldLinks(frozenset(), frozenset())
    assert alignment_scores([[]], [nothing]).error_rate == 0
    assert alignment_scores([[]], [GOLD]).error_rate == 1


def test_gold_links_are_read_with_their_kind() -> None:
    assert parse_gold_links("0-0 1-p-2  1-1 2-p-2\n", "gold", 1) == GOLD
    assert parse_gold_links("", "gold", 1) == GoldLinks(frozenset(), frozenset())


@pytest.mark.parametrize("item", ["0:1", "0-", "a-b", "0-q-1", "0-1-2"])
def test_what_is_no_link_is_refused(item: str) -> None:
    with pytest.raises(InputError, match=f"^gold, line 3: expected links such as .*'{item}'"):
        parse_gold_links(f"0-0 {item}", "gold", 3)


def test_links_for_other_sentences_are_refused() -> None:
    with pytest.raises(InputError, match="links for 1 sentence pairs but gold links for 2"):
        alignment_scores([[]], [GOLD, GOLD])
