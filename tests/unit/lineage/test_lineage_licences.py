"""Which licences go together, and what they ask for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.lineage.licences import Condition, choices, judge


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("CC0-1.0", [set()]),
        ("Apache-2.0 AND CC-BY-SA-4.0", [{"attribution", "share-alike"}]),
        ("MIT OR CC-BY-NC-4.0", [{"attribution"}, {"attribution", "non-commercial"}]),
        ("CC0-1.0 AND (MIT OR CC0-1.0)", [{"attribution"}, set()]),
        ("GPL-2.0-only WITH Classpath-exception-2.0", [{"attribution", "copyleft"}]),
    ],
)
def test_expressions_are_read(expression: str, found: list[set[Condition]]) -> None:
    assert choices(expression) == [frozenset(item) for item in found]


@pytest.mark.parametrize(
    "expression", ["", "unknown", "MIT AND", "AND MIT", "(MIT", "MIT)", "MIT MIT", "Mine OR MIT"]
)
def test_what_is_not_known_is_no_expression(expression: str) -> None:
    assert choices(expression) is None


@pytest.mark.parametrize(
    ("licences", "together", "said"),
    [
        (["Apache-2.0", "CC-BY-4.0"], True, ""),
        (["OGDL-Taiwan-1.0", "CC-BY-SA-4.0 AND Unicode-3.0"], True, ""),
        (["CC-BY-NC-4.0", "MIT"], True, ""),
        (["CC-BY-NC-4.0", "CC-BY-SA-4.0"], False, "forbids commercial use"),
        (["CC-BY-NC-4.0", "GPL-3.0-only"], False, "forbids commercial use"),
        (["CC-BY-SA-4.0", "GPL-3.0-only"], False, "their own terms"),
        (["CC-BY-ND-4.0"], False, "does not allow"),
        (["MIT", "our own terms"], None, ""),
        (["CC-BY-ND-4.0", "our own terms"], False, "does not allow"),
        (["CC-BY-NC-4.0 OR MIT", "CC-BY-SA-4.0"], True, ""),
        ([], True, ""),
    ],
)
def test_sets_of_licences_are_judged(licences: list[str], together: bool | None, said: str) -> None:
    verdict = judge(licences)
    assert verdict.go_together is together
    assert all(said in conflict for conflict in verdict.conflicts)
    assert bool(verdict.conflicts) == (together is False)


def test_the_conditions_of_all_are_kept() -> None:
    verdict = judge(["CC-BY-SA-4.0", "CC0-1.0", "MIT OR GPL-3.0-only"])
    assert verdict.conditions == ("attribution", "share-alike")
    assert judge(["home-made"]).unknown == ("home-made",)


KNOWN = ["CC0-1.0", "MIT", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "GPL-3.0-only", "CC-BY-ND-4.0"]


@given(st.lists(st.sampled_from(KNOWN)), st.sampled_from(KNOWN))
def test_one_more_licence_never_mends_a_conflict(licences: list[str], more: str) -> None:
    before, after = judge(licences), judge([*licences, more])
    assert set(before.conflicts) <= set(after.conflicts)
    assert judge(reversed(licences)) == before
