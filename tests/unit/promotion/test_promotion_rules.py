"""The rules of the gate on hand-worked cases: what speaks against a candidate, what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import ConfigError
from tasks.lineage.licences import judge
from tasks.metrics.significance import Comparison, Interval, ResamplingTest, SignTest
from tasks.promotion.config import GateLimits, PromotionConfig
from tasks.promotion.finding import Finding
from tasks.promotion.rules import (
    judge_held_out,
    judge_licences,
    judge_marks,
    judge_phrases,
    judge_test_set,
    judge_values,
)

LIMITS = GateLimits()


def compared(before: float, now: float, p_bootstrap: float, p_randomisation: float) -> Finding:
    score = Interval(now, now - 1, now + 1)
    difference = Interval(now - before, now - before - 1, now - before + 1)
    tests = ResamplingTest(p_bootstrap, 1000, 1), ResamplingTest(p_randomisation, 1000, 1)
    found = Comparison(score, difference, 0.5, SignTest(1, 1, 1.0), *tests)
    return judge_test_set("news", Interval(before, before, before), found, 100, LIMITS)


@pytest.mark.parametrize(
    ("before", "now", "p_bootstrap", "p_randomisation", "verdict"),
    [
        (30.0, 28.0, 0.01, 0.01, "failed"),
        (30.0, 28.0, 0.01, 0.30, "failed"),  # one of the tests is enough
        (30.0, 28.0, 0.30, 0.01, "failed"),
        (30.0, 28.0, 0.05, 0.05, "passed"),  # not below the significance
        (30.0, 29.9, 0.60, 0.60, "passed"),
        (30.0, 33.0, 0.001, 0.001, "passed"),  # better beyond chance
        (30.0, 30.0, 1.0, 1.0, "passed"),
    ],
)
def test_a_test_set_got_worse_where_a_fall_is_beyond_chance(
    before: float, now: float, p_bootstrap: float, p_randomisation: float, verdict: str
) -> None:
    found = compared(before, now, p_bootstrap, p_randomisation)
    assert found.verdict == verdict
    assert f"from {before:.2f} to {now:.2f}" in found.detail


@pytest.mark.parametrize(
    ("before", "now", "verdict"),
    [
        ((90, 100), (88, 100), "passed"),  # just the fall that is allowed
        ((90, 100), (87, 100), "failed"),
        ((90, 100), (95, 100), "passed"),
        ((29, 29), (0, 29), "not judged"),  # too few to say
        ((30, 30), (0, 30), "failed"),
        ((0, 0), (0, 50), "not judged"),
        ((50, 50), (0, 0), "not judged"),
    ],
)
def test_a_share_may_fall_by_a_few_points(
    before: tuple[int, int], now: tuple[int, int], verdict: str
) -> None:
    for judged in (judge_phrases, judge_values):
        (found,) = judged("news", {"date": before}, {"date": now}, LIMITS)
        assert (found.subject, found.verdict) == ("date", verdict)
        assert ("asks for 30; a larger test set" in found.detail) == (verdict == "not judged")


def test_what_is_not_judged_says_why_and_what_would_help() -> None:
    (found,) = judge_values("news", {"all": (9, 12)}, {"all": (1, 12)}, LIMITS)
    assert found.detail == (
        "news has 12 numbers and dates that count for both models, and promotion.min_values asks "
        "for 30; a larger test set, or a smaller promotion.min_values, would tell"
    )


shares = st.dictionaries(
    st.sampled_from(["all", "date", "number", "person"]),
    st.integers(0, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
)


@given(shares)
def test_no_rule_speaks_against_a_model_that_is_the_same(
    counts: dict[str, tuple[int, int]],
) -> None:
    for judged in (judge_phrases, judge_values):
        found = list(judged("news", counts, counts, LIMITS))
        assert {item.subject for item in found} == set(counts)
        assert all(item.verdict != "failed" for item in found)


@given(shares, shares)
def test_every_subject_of_either_model_is_told_once(
    before: dict[str, tuple[int, int]], now: dict[str, tuple[int, int]]
) -> None:
    subjects = [item.subject for item in judge_phrases("news", before, now, LIMITS)]
    assert sorted(subjects) == sorted(before.keys() | now.keys())


def licences(
    *names: str, accepted: tuple[str, ...] = (), refused: tuple[str, ...] = ()
) -> set[str]:
    found = judge_licences(judge(names), accepted, refused)
    return {item.subject for item in found if item.verdict == "failed"}


def test_licences_speak_where_they_clash_are_unknown_or_ask_for_what_is_barred() -> None:
    assert licences("CC-BY-4.0", "Apache-2.0") == set()
    assert licences("a contract") == {"a contract"}
    assert licences("a contract", accepted=("a contract",)) == set()
    assert licences("CC-BY-NC-4.0", refused=("non-commercial",)) == {"non-commercial"}
    assert any("CC-BY-NC-SA-4.0" in name for name in licences("CC-BY-NC-SA-4.0", "CC-BY-SA-4.0"))


def test_no_test_set_is_no_proof() -> None:
    assert [item.verdict for item in judge_held_out({})] == ["failed"]
    found = list(judge_held_out({"a": "", "b": "nobody looked"}))
    assert [(item.testset, item.verdict) for item in found] == [("a", "passed"), ("b", "failed")]
    assert found[1].detail == "nobody looked"


def test_what_people_took_back_does_not_come_again_by_itself() -> None:
    assert list(judge_marks([], is_rejected=False)) == []
    found = list(judge_marks(["the owner asked", "again"], is_rejected=True))
    assert [item.rule for item in found] == ["withdrawn text", "withdrawn text", "rolled back"]
    assert {item.verdict for item in found} == {"failed"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"significance": 0.0}, "significance is 0.0"),
        ({"significance": 1.0}, "significance is 1.0"),
        ({"max_phrase_fall": -1.0}, "max_phrase_fall is -1.0"),
        ({"max_values_fall": 101.0}, "max_values_fall is 101.0"),
        ({"min_phrases": 0}, "min_phrases is 0"),
        ({"min_values": 0}, "min_values is 0"),
        ({"approval_hours": 0.0}, "approval_hours is 0.0"),
        ({"refuse_conditions": ("comercial",)}, "refuse_conditions names 'comercial'"),
    ],
)
def test_nonsense_is_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        PromotionConfig(**values)  # type: ignore[arg-type]
