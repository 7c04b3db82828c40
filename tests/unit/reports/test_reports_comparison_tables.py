"""The tables of tests against the baseline: what they say, and that they say nothing of nothing."""

from tasks.reports.comparison_tables import comparison_tables
from tests.report_data import comparison, evaluation


def test_a_row_says_difference_interval_and_all_three_tests() -> None:
    row = comparison(difference=-0.5, difference_low=-1.25, difference_high=0.25, testset="news")
    text = comparison_tables(evaluation(comparisons=[row]))
    for part in (
        "all (1,234)",
        "against rnnsearch",
        "-0.50 [-1.25, +0.25]",
        ">60</td>",
        ">40</td>",
        "&lt;0.0001",
        "0.0200",
        "0.0400",
        "0.0210",
        "31.27 [30.10, 32.40]",
    ):
        assert part in text, part
    assert "nrefs:1" in text


def test_what_is_unlikely_to_be_chance_stands_out() -> None:
    for p, stands_out in ((0.04, True), (0.06, False)):
        row = comparison(p_bootstrap_adjusted=p)
        text = comparison_tables(evaluation(comparisons=[row]))
        assert ("<strong>+0.77 [-0.25, +1.75]</strong>" in text) == stands_out


def test_without_rows_there_is_nothing_to_show() -> None:
    assert comparison_tables(evaluation(comparisons=[])) == ""
