"""Which decisions stand when people decide again, held to a plain second writing."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.mining.decisions import ReviewDecision, Verdict, standing


def decision(source: str, target: str, verdict: Verdict, author: str = "a") -> ReviewDecision:
    return ReviewDecision(source, target, verdict, "term", author, "2026-01-01", "")


def stands(*decisions: ReviewDecision) -> list[tuple[str, str, Verdict]]:
    return [(item.source, item.target, item.verdict) for item in standing(decisions)]


def test_the_last_word_about_a_phrase_stands() -> None:
    yes, no = (
        decision("利率", "interest rate", "accept"),
        decision("利率", "interest rate", "reject"),
    )
    assert stands(yes, no) == [("利率", "interest rate", "reject")]
    assert stands(no, yes) == [("利率", "interest rate", "accept")]


def test_accepting_another_translation_replaces_the_first_without_rejecting_it() -> None:
    found = stands(decision("利率", "rate", "accept"), decision("利率", "interest rate", "accept"))
    assert found == [("利率", "interest rate", "accept")]


def test_how_english_is_cut_and_cased_makes_no_new_phrase() -> None:
    found = stands(decision("中国", "U.S.", "accept"), decision("中国", "u. s.", "reject"))
    assert found == [("中国", "u. s.", "reject")]


SOURCES, TARGETS = st.sampled_from("ab"), st.sampled_from("xyz")
VERDICTS: st.SearchStrategy[Verdict] = st.sampled_from(["accept", "reject"])


@given(st.lists(st.builds(decision, SOURCES, TARGETS, VERDICTS), max_size=12))
def test_standing_decisions_are_what_the_last_words_say(made: list[ReviewDecision]) -> None:
    expected = set()
    for source in "ab":
        own = [item for item in made if item.source == source]
        accepted = [item.target for item in own if item.verdict == "accept"]
        for target in "xyz":
            last = [item.verdict for item in own if item.target == target][-1:]
            if last == ["reject"]:
                expected.add((source, target, "reject"))
        if accepted and not _rejected_after(own, accepted[-1]):
            expected.add((source, accepted[-1], "accept"))
    assert set(stands(*made)) == expected


def _rejected_after(made: list[ReviewDecision], target: str) -> bool:
    last = max(
        i for i, item in enumerate(made) if (item.target, item.verdict) == (target, "accept")
    )
    return any((item.target, item.verdict) == (target, "reject") for item in made[last:])
