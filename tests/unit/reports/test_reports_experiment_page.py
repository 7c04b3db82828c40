"""The page of an experiment: one file with its tables and figures, which names what is missing."""

import re

from tasks.experiments.own_tables import own_tables
from tasks.experiments.paper_tables import paper_tables
from tasks.experiments.results import Results
from tasks.reports.experiment_page import experiment_page
from tests.experiment_results import kept_of, planned, result_of, results_of

LENGTHS = [
    {"low": low, "high": low + 10, "sentences": 20, "bleu_v11b": 1.0, "bleu_v13a": 20.0 + low,
     "hypothesis_words": 7.0, "reference_words": 8.0}
    for low in (0, 10)
]  # fmt: skip


def page_of(*results: Results) -> str:
    tables = {each.data: [*own_tables(each), *paper_tables(each)] for each in results}
    return experiment_page("an <experiment>", results, tables, {})


def two_systems() -> Results:
    base, gate = planned("rnnsearch"), planned("phrasenet-gate")
    return results_of(
        {
            base: result_of({"news": kept_of([4] * 40, lengths=LENGTHS)}),
            gate: result_of({"news": kept_of([8] * 40, lengths=LENGTHS)}),
        },
        planned("phrasenet-softmax"),
    )


def test_the_page_holds_tables_and_figures_and_fetches_nothing() -> None:
    page = page_of(two_systems())
    assert page.startswith("<!doctype html>")
    assert "an &lt;experiment&gt;" in page
    # Gains, losses on dev, BLEU and length of output by length of source.
    assert page.count("<svg") == 4
    assert not re.search(r'(src|href)="(?!#)', page)
    assert "<strong>" in page
    assert "not run" in page
    assert "Loss on dev" in page


def test_a_page_without_results_says_so() -> None:
    page = page_of(results_of({}, planned("rnnsearch")))
    assert "No cell of these texts has a result yet." in page


def test_each_set_of_texts_has_a_section() -> None:
    other = results_of({}, planned("rnnsearch"))
    other.data = "more"
    page = page_of(two_systems(), other)
    assert "Trained on all" in page
    assert "Trained on more" in page
