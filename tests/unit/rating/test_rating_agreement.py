"""How raters judged, and Cohen's kappa, against hand-worked tables."""

from collections.abc import Hashable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.rating.agreement import (
    Agreement,
    Shares,
    agreement,
    rated_comparisons,
    standing_ratings,
)


def row(rater: str, number: int, adequacy: int | None, fluency: int | None = None) -> Any:
    return {
        "worksheet": "w",
        "number": number,
        "rater": rater,
        "testset": "news",
        "baseline": "b",
        "system": "s",
        "adequacy": adequacy,
        "fluency": fluency,
    }


def judgements(table: list[list[int]]) -> tuple[dict[Hashable, int], dict[Hashable, int]]:
    """Spell out a table of counts: rows are the first rater's judgements, columns the second's."""
    first: dict[Hashable, int] = {}
    second: dict[Hashable, int] = {}
    for i, counts in enumerate(table):
        for j, count in enumerate(counts):
            for _ in range(count):
                number = len(first)
                first[number], second[number] = i - 1, j - 1
    return first, second


def test_kappa_of_a_table_worked_by_hand() -> None:
    # Agreed: 20 + 10 + 15 = 45 of 60. By chance: (25*24 + 15*16 + 20*20) / 3600 = 1240 / 3600.
    first, second = judgements([[20, 3, 2], [2, 10, 3], [2, 3, 15]])
    found = agreement("adequacy", ("x", "y"), first, second)
    assert found.items == 60
    assert found.observed == pytest.approx(0.75, abs=1e-15)
    assert found.expected == pytest.approx(1240 / 3600, abs=1e-15)
    assert found.kappa == pytest.approx((0.75 - 1240 / 3600) / (1 - 1240 / 3600), abs=1e-15)


def test_two_raters_who_always_say_the_same_one_thing_have_no_kappa() -> None:
    first, second = judgements([[0, 0, 0], [0, 7, 0], [0, 0, 0]])
    assert agreement("fluency", ("x", "y"), first, second).kappa is None


def test_raters_without_a_shared_item_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="rated no item both"):
        agreement("fluency", ("x", "y"), {1: 0}, {2: 0})


@given(st.lists(st.tuples(st.sampled_from([-1, 0, 1]), st.sampled_from([-1, 0, 1])), min_size=1))
def test_kappa_is_symmetric_at_most_one_and_one_only_for_the_same(
    said: list[tuple[int, int]],
) -> None:
    first: dict[Hashable, int] = {i: a for i, (a, _) in enumerate(said)}
    second: dict[Hashable, int] = {i: b for i, (_, b) in enumerate(said)}
    found = agreement("adequacy", ("x", "y"), first, second)
    turned = agreement("adequacy", ("x", "y"), second, first)
    assert found == Agreement(**{**_fields(turned)})
    if found.kappa is not None:
        assert -1 <= found.kappa <= 1
        assert (found.kappa == 1) == (first == second)


def _fields(found: Agreement) -> dict[str, Any]:
    return {name: getattr(found, name) for name in Agreement.__slots__}


def test_shares_and_agreement_leave_out_what_was_not_rated() -> None:
    rows = [
        row("x", 1, 1, 0),
        row("x", 2, -1),
        row("x", 3, None, 1),
        row("y", 1, 1, 1),
        row("y", 2, 0),
        row("y", 9, 1),
    ]
    (found,) = rated_comparisons(rows)
    assert (found.testset, found.baseline, found.system) == ("news", "b", "s")
    assert found.shares == (
        Shares("adequacy", "x", 2, 1, 0, 1),
        Shares("adequacy", "y", 3, 0, 1, 2),
        Shares("fluency", "x", 2, 0, 1, 1),
        Shares("fluency", "y", 1, 0, 0, 1),
    )
    assert [(item.question, item.items, item.observed) for item in found.agreements] == [
        ("adequacy", 2, 0.5),
        ("fluency", 1, 0.0),
    ]


def test_the_last_rating_of_an_item_stands() -> None:
    rows = [row("x", 1, 1), row("y", 1, 0), row("x", 1, -1)]
    assert [(item["rater"], item["adequacy"]) for item in standing_ratings(rows)] == [
        ("x", -1),
        ("y", 0),
    ]
