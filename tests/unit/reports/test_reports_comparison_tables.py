"""The tables of tests against the baseline: what they say, and that they say nothing of nothing."""

from tasks.reports.comparison_tables import comparison_tables

ROW = {
    "testset": "news <2>",
    "baseline": "rnnsearch",
    "system": "phrasenet-gate",
    "subset": "with phrases",
    "metric": "BLEU-v13a",
    "sentences": 1234,
    "value": 31.266,
    "low": 30.1,
    "high": 32.4,
    "difference": -0.5,
    "difference_low": -1.25,
    "difference_high": 0.25,
    "wins": 0.2,
    "better": 40,
    "worse": 60,
    "p_sign": 0.00001,
    "p_bootstrap": 0.2,
    "p_bootstrap_adjusted": 0.4,
    "p_randomisation": 0.21,
    "signature": "nrefs:1",
}


def test_a_row_says_difference_interval_and_all_three_tests() -> None:
    text = comparison_tables([ROW])
    for part in (
        "with phrases (1,234)",
        "against rnnsearch",
        "-0.50 [-1.25, +0.25]",
        "40 up, 60 down, p &lt; 0.0001",
        "p = 0.2000, adjusted = 0.4000",
        "news &lt;2&gt;, BLEU-v13a",
    ):
        assert part in text
    assert "nrefs:1" in text


def test_without_rows_there_is_nothing_to_show() -> None:
    assert comparison_tables([]) == ""
