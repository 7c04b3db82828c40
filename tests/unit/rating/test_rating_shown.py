"""Ratings in a report: only those of the translations shown, and how gates go with them."""

from typing import Any

import pytest

from tasks.rating.shown import EarlierRatings, ShownOutputs, shown_ratings


def row(rater: str, number: int, adequacy: int | None, system_outputs: str = "d2") -> Any:
    return {
        "worksheet": "w",
        "number": number,
        "rater": rater,
        "sentence_id": f"news:{number}",
        "testset": "news",
        "baseline": "b",
        "system": "s",
        "baseline_outputs": "d1",
        "system_outputs": system_outputs,
        "adequacy": adequacy,
        "fluency": None,
    }


def outputs(**gates: tuple[float | None, int]) -> Any:
    """Return what is shown; gates and source lengths by `n` and the number of the sentence."""
    measures = {
        f"news:{name[1:]}": {"gate": gate, "source_length": length}
        for name, (gate, length) in gates.items()
    }
    return {("news", "b"): ShownOutputs("d1"), ("news", "s"): ShownOutputs("d2", measures)}


@pytest.mark.parametrize("shown", [{}, {("news", "b"): ShownOutputs("d1")}])
def test_ratings_of_what_is_not_shown_are_earlier(shown: Any) -> None:
    found = shown_ratings([row("x", 1, 1), row("y", 1, 0)], shown)
    assert not found.comparisons
    assert not found.gates
    assert found.earlier == [EarlierRatings("news", "b", "s", 2)]


def test_ratings_of_earlier_outputs_are_counted_apart() -> None:
    rows = [row("x", 1, 1), row("x", 2, -1), row("x", 3, 1, system_outputs="old")]
    found = shown_ratings(rows, outputs())
    (comparison,) = found.comparisons
    assert [share.items for share in comparison.shares] == [2]
    assert found.earlier == [EarlierRatings("news", "b", "s", 1)]


def test_correlations_are_averaged_over_raters_in_short_and_long_sentences() -> None:
    shown = outputs(n1=(0.1, 5), n2=(0.2, 30), n3=(0.3, 31), n4=(0.9, 40), n5=(None, 40))
    rows = [
        # On 1 and 2, x rises with the gate and y falls: +1 and -1. On 3 and 4 both rise, but z has
        # no correlation anywhere: always the same answer. Sentence 5 has no gate.
        *(row("x", number, said) for number, said in enumerate((0, 1, 0, 1, -1), start=1)),
        *(row("y", number, said) for number, said in enumerate((1, 0, -1, 1, 1), start=1)),
        *(row("z", number, 0) for number in (1, 2, 3, 4)),
    ]
    found = {
        item.subset: (item.question, item.raters, item.sentences, pytest.approx(item.value))
        for item in shown_ratings(rows, shown).gates
    }
    # All four of x: gates 0.1 0.2 0.3 0.9, mean 0.375; judgements 0 1 0 1, mean 0.5.
    # Products 0.1375 - 0.0875 + 0.0375 + 0.2625 = 0.35; spreads sqrt(0.3875) and 1.
    # Of y: judgements 1 0 -1 1, mean 0.25: -0.20625 + 0.04375 + 0.09375 + 0.39375 = 0.325;
    # spreads sqrt(0.3875) and sqrt(2.75).
    x, y = 0.35 / 0.3875**0.5, 0.325 / (0.3875 * 2.75) ** 0.5
    assert found == {
        "all": ("adequacy", 2, 4, (x + y) / 2),
        "up to 30 words": ("adequacy", 2, 2, 0),
        "over 30 words": ("adequacy", 2, 2, 1),
    }


def test_a_system_without_a_gate_has_no_correlation() -> None:
    rows = [row("x", 1, 0), row("x", 2, 1)]
    assert not shown_ratings(rows, outputs(n1=(None, 5), n2=(None, 6))).gates
