"""One translation or abstain: who is believed, and what is kept as a conflict."""

from typing import Any

from tasks.mining.settle import Claim, Decision, settle, settle_all


def claim(target: str, origin: str = "mined", **more: Any) -> Claim:
    return Claim(
        **{
            "source": "甲",
            "target": target,
            "origin": origin,
            "category": "term",
            "name": "n",
            **more,
        }
    )


def outcome(*claims: Claim) -> list[tuple[str, str, str]]:
    return [(d.target, d.state, d.origin) for d in settle(claims)]


def test_the_highest_rank_decides() -> None:
    ranks = [
        claim("d", "mined"),
        claim("c", "dictionary"),
        claim("b", "rule"),
        claim("a", "review"),
    ]
    assert outcome(*ranks) == [("a", "active", "review")]
    assert outcome(*ranks[:3]) == [("b", "active", "rule")]
    assert outcome(*ranks[:2]) == [("c", "active", "dictionary")]
    assert outcome(*ranks[:1]) == [("d", "active", "mined")]


def test_two_targets_of_one_rank_are_a_conflict() -> None:
    assert outcome(claim("b", "dictionary"), claim("a", "dictionary", name="m")) == [
        ("a", "conflict", "dictionary"),
        ("b", "conflict", "dictionary"),
    ]


def test_a_lower_rank_may_tell_two_targets_apart_but_not_add_a_third() -> None:
    listed = [claim("a", "dictionary"), claim("b", "dictionary", name="m")]
    assert outcome(*listed, claim("b", "mined")) == [("b", "active", "dictionary")]
    assert [state for _, state, _ in outcome(*listed, claim("c", "mined"))] == ["conflict"] * 2


def test_a_rejected_target_is_taken_away_from_every_rank() -> None:
    no = claim("a", "review", rejects=True)
    assert outcome(no, claim("a", "dictionary"), claim("b", "mined")) == [
        ("a", "rejected", "review"),
        ("b", "active", "mined"),
    ]
    assert outcome(no, claim("a", "mined")) == [("a", "rejected", "review")]


def test_a_decision_keeps_every_claim_and_the_category_that_says_most() -> None:
    claims = [
        claim("a", "mined", count=12, reliability=0.93),
        claim("a", "dictionary", category="term", name="x"),
        claim("a", "dictionary", category="location", name="y"),
    ]
    assert settle(claims) == [
        Decision(
            source="甲",
            target="a",
            state="active",
            origin="dictionary",
            category="location",
            count=1,
            reliability=1.0,
            claims=(claims[1], claims[2], claims[0]),
        )
    ]


def test_mined_counts_and_reliability_travel_along() -> None:
    (decision,) = settle([claim("a", count=12, reliability=0.93)])
    assert (decision.count, decision.reliability, decision.category) == (12, 0.93, "term")


def test_sources_are_settled_one_by_one_in_order() -> None:
    claims = [claim("b", source="乙"), claim("a", source="丙"), claim("c", source="乙")]
    assert [(d.source, d.target, d.state) for d in settle_all(claims)] == [
        ("丙", "a", "active"),
        ("乙", "b", "conflict"),
        ("乙", "c", "conflict"),
    ]
