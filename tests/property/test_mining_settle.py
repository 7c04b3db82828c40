"""Laws of settling on one translation."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from storage.records import Category, Origin
from tasks.mining.settle import Claim, settle

claims = st.lists(
    st.builds(
        Claim,
        source=st.just("甲"),
        target=st.sampled_from("abc"),
        origin=st.sampled_from(get_args(Origin)),
        category=st.sampled_from(get_args(Category)),
        name=st.sampled_from("xy"),
        count=st.integers(1, 3),
        reliability=st.sampled_from([0.5, 0.9]),
        rejects=st.booleans(),
    ),
    min_size=1,
    max_size=6,
)


@given(claims)
def test_there_is_one_active_translation_or_none(found: list[Claim]) -> None:
    states = [decision.state for decision in settle(found)]
    assert states.count("active") <= 1
    assert "active" not in states or "conflict" not in states
    assert states.count("conflict") != 1


@given(claims)
def test_the_order_of_claims_does_not_matter(found: list[Claim]) -> None:
    turned = sorted(found, key=lambda claim: (claim.target, -claim.count, claim.name), reverse=True)
    assert settle(turned) == settle(found) == settle(found[::-1])
