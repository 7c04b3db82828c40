"""What people said, in a report and in a model card; and what both say where nobody was asked."""

from tasks.reports.evaluation_page import evaluation_page
from tasks.reports.model_card import model_card
from tests.report_data import RATED, SYSTEMS, evaluation, rated, ratings_shown
from tests.unit.reports.test_reports_evaluation_page import Tables

LEFT_OUT = f"Ratings of earlier outputs of {SYSTEMS[1]} and {SYSTEMS[0]} on news are left out (1)"


def test_each_rater_and_each_pair_of_raters_has_a_row() -> None:
    page = evaluation_page(evaluation(ratings=RATED))
    _, *shares = Tables(page).of("Which translation is better, in percent of the sentences rated")
    assert shares[0] == ["adequacy", "Ito", "2", "0.0 % (0)", "50.0 % (1)", "50.0 % (1)"]
    assert shares[1] == ["adequacy", "Lin", "2", "50.0 % (1)", "0.0 % (0)", "50.0 % (1)"]
    _, *pairs = Tables(page).of("How far raters agree")
    # Lin says -1 and 1, Ito 0 and 1: agreed on 1 of 2, by chance (1 * 1) / 4.
    assert pairs[0] == ["adequacy", "Ito and Lin", "2", "50.0 %", "25.0 %", "0.333"]
    assert pairs[1][-1] == "not defined"
    _, *gates = Tables(page).of("Context gate and judgement")
    assert gates[0][-4:] == ["all", "2", "2", "-1.00"]
    assert LEFT_OUT in page


def test_one_rater_alone_has_no_agreement() -> None:
    page = evaluation_page(evaluation(ratings=ratings_shown([rated()])))
    assert "No sentence was rated by two people" in page
    assert "How far raters agree" not in page


def test_nobody_asked_is_said_and_no_figure_stands_there() -> None:
    page = evaluation_page(evaluation())
    assert "Nobody has rated these translations" in page
    only_earlier = evaluation(ratings=ratings_shown([rated(baseline_outputs="old")]))
    page = evaluation_page(only_earlier)
    assert "Nobody has rated these translations" in page
    assert LEFT_OUT in page
    card = model_card(only_earlier.systems[1], only_earlier, ())
    assert "- Adequacy and fluency: nobody has rated these translations." in card
    assert f"- {LEFT_OUT}" in card


def test_the_card_holds_the_ratings_of_its_system() -> None:
    data = evaluation(ratings=RATED)
    card = model_card(data.systems[1], data, ())
    assert "| adequacy | Ito | 2 | 0.0 % (0) | 50.0 % (1) | 50.0 % (1) |" in card
    assert "| adequacy | Ito and Lin | 2 | 50.0 % | 25.0 % | 0.333 |" in card
    assert "nobody has rated" not in card
