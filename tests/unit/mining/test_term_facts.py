"""What follows from the counts of all shards, by hand."""

import pytest

from tasks.mining.term_facts import TermFacts


@pytest.mark.parametrize(
    ("behind_target", "behind_source", "going_on"),
    [
        ({"spring": 6, "springs": 2}, {"": 8}, 0.8),
        ({"spring": 8}, {"": 4, "旅馆": 4}, 0.3),
        ({"device": 8}, {"器材": 8}, -0.2),
        ({"": 4, "of": 4}, {"的": 8}, 0.0),
        ({"meter": 1}, {"": 1}, 1 / 3),
        ({}, {}, 0.0),
    ],
)
def test_a_target_goes_on_where_its_source_does_not(
    behind_target: dict[str, int], behind_source: dict[str, int], going_on: float
) -> None:
    facts = TermFacts(values={"after": behind_target, "right": behind_source})
    assert facts.going_on() == pytest.approx(going_on)
