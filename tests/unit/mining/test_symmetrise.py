"""Symmetrisation on a worked example, and against the aligner's own."""

import random
from collections import Counter
from typing import get_args

import pytest
import thot.common

from tasks.mining.alignment_config import Heuristic
from tasks.mining.symmetrise import Link, symmetrise

FORWARD = [(0, 0), (1, 1), (1, 2), (3, 3), (5, 5)]
BACKWARD = [(0, 0), (1, 1), (2, 2), (3, 4), (4, 0)]


@pytest.mark.parametrize(
    ("heuristic", "added"),
    [
        ("intersection", []),
        ("grow-diag", [(1, 2), (2, 2)]),  # (2, 2) covers source 2, (3, 3) and (3, 4) then grow on
        ("union", [(1, 2), (2, 2), (3, 3), (3, 4), (4, 0), (5, 5)]),
    ],
)
def test_a_worked_example(heuristic: Heuristic, added: list[Link]) -> None:
    chosen = symmetrise(FORWARD, BACKWARD, heuristic)
    expected = {(0, 0), (1, 1), *added}
    if heuristic == "grow-diag":
        expected |= {(3, 3), (3, 4)}
    assert set(chosen) == expected


def test_the_final_step_adds_links_of_free_words() -> None:
    grown = set(symmetrise(FORWARD, BACKWARD, "grow-diag"))
    both_free = set(symmetrise(FORWARD, BACKWARD, "grow-diag-final-and"))
    one_free = set(symmetrise(FORWARD, BACKWARD, "grow-diag-final"))
    assert both_free - grown == {(5, 5)}
    assert one_free - grown == {(5, 5), (4, 0)}


def theirs(forward: list[Link], backward: list[Link], heuristic: Heuristic) -> set[Link]:
    """Let the aligner's own matrices do it."""
    first, second = thot.common.WordAlignmentMatrix(8, 8), thot.common.WordAlignmentMatrix(8, 8)
    for matrix, links in ((first, forward), (second, backward)):
        for s, t in links:
            matrix.set(s, t)
    name = {"intersection": "intersect"}.get(heuristic, heuristic.replace("-", "_"))
    getattr(first, name)(second)
    rows, columns = first.to_numpy().nonzero()
    return set(zip(rows.tolist(), columns.tolist(), strict=True))


def covered(links: set[Link]) -> tuple[set[int], set[int]]:
    return {s for s, _ in links}, {t for _, t in links}


def test_it_links_the_same_words_as_the_aligners_own() -> None:
    # The aligner tries the neighbours of a link in another order than Moses.
    chance = random.Random(5)
    equal: Counter[str] = Counter()
    same_words: Counter[str] = Counter()
    for _ in range(300):
        # Mostly monotone, as real links are.
        forward = [(min(7, max(0, t + chance.choice((0, 0, 0, 1, -1)))), t) for t in range(8)]
        backward = [(s, min(7, max(0, s + chance.choice((0, 0, 0, 1, -1))))) for s in range(8)]
        for heuristic in get_args(Heuristic):
            ours = set(symmetrise(forward, backward, heuristic))
            other = theirs(forward, backward, heuristic)
            equal[heuristic] += ours == other
            same_words[heuristic] += covered(ours) == covered(other)
    assert equal["intersection"] == equal["union"] == 300
    assert min(same_words.values()) >= 285, same_words
