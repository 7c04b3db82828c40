"""Tables of an experiment from hand-made results: means, marks, what was not run, all forms."""

import csv
import io
import json
from typing import Any

import pytest

from tasks.experiments.own_tables import claims, cost, kinds, significance
from tasks.experiments.paper_tables import paper_tables
from tasks.experiments.results import POOL, Results
from tasks.experiments.table import Entry, Table, as_csv, as_json, as_latex, as_markdown
from tests.experiment_results import kept_of, planned, result_of, results_of

LOW, HIGH = [4] * 40, [8] * 40
BASE, GATE_1, GATE_2 = planned("rnnsearch"), planned("phrasenet-gate"), planned("phrasenet-gate", 2)
BASE_2 = planned("rnnsearch", 2)


def two_seeds(second: list[int] = HIGH, **options: Any) -> Results:
    """Return a baseline and a system with two seeds, of which the second can be chosen."""
    return results_of(
        {
            BASE: result_of({"news": kept_of(LOW)}),
            GATE_1: result_of({"news": kept_of(HIGH)}, parameters=1200),
            BASE_2: result_of({"news": kept_of(LOW)}),
            GATE_2: result_of({"news": kept_of(second)}),
        },
        **options,
    )


def row_of(table: Table, name: str) -> dict[str, Entry]:
    """Return the row of a name by its columns."""
    (row,) = [row for row in table.rows if row[0].text == name]
    return dict(zip(table.header, row, strict=True))


def named(results: Results, name: str) -> Table:
    return next(table for table in paper_tables(results) if table.name == name)


def test_a_score_is_the_mean_over_the_seeds_and_is_marked_when_every_seed_is_better() -> None:
    results = two_seeds()
    row = row_of(named(results, "phrasenet-1"), "phrasenet-gate")
    # 8 of 10 words, 8 of 9, 8 of 8 and 7 of 7 n-grams of each sentence are right.
    expected = 100 * (8 / 10 * 8 / 9 * 1 * 1) ** 0.25
    assert row["news"].value == pytest.approx(expected)
    assert row["news"].is_certain
    assert row["difference"].is_certain
    assert row["seeds"].text == "1, 2"
    assert row["parameters"].text == "1,200"
    assert row["words/s"].text == "400"
    assert row["baseline"].text == "rnnsearch"
    assert row["ledger"].text == "0123456789ab"


def test_seeds_that_differ_give_their_mean() -> None:
    results = two_seeds(LOW)
    ours = [results.score(item.cell, "news") or 0.0 for item in (GATE_1, GATE_2)]
    row = row_of(named(results, "phrasenet-1"), "phrasenet-gate")
    assert row["news"].value == pytest.approx(sum(ours) / 2)
    assert row["difference"].value == pytest.approx((ours[0] - ours[1]) / 2)


@pytest.mark.parametrize("second", [LOW, [2] * 40])
def test_one_seed_that_is_not_better_takes_the_mark(second: list[int]) -> None:
    row = row_of(named(two_seeds(second), "phrasenet-1"), "phrasenet-gate")
    assert not row["news"].is_certain
    assert not row["difference"].is_certain


def test_what_was_not_run_says_so_and_what_failed_says_why() -> None:
    softmax, other = planned("phrasenet-softmax"), planned("transformer")
    results = results_of(
        {BASE: result_of({"news": kept_of(LOW)})}, softmax, other,
        failed={"all/transformer/1": "the loss is not finite"},
    )  # fmt: skip
    table = named(results, "phrasenet-1")
    assert {entry.text for entry in list(row_of(table, "phrasenet-softmax").values())[1:]} == {
        "not run"
    }
    assert row_of(table, "transformer")["news"].text == "failed: the loss is not finite"
    # A row of the paper that the matrix does not have is not left out either.
    assert row_of(table, "phrasenet-gate")["news"].text == "not run"
    assert row_of(cost(results), "transformer, 1")["hours"].text.startswith("failed")
    assert "context-gates-2" not in {made.name for made in paper_tables(results)}


def test_test_sets_of_another_domain_and_dev_sets_stay_out_of_the_average() -> None:
    tests = {"dev": kept_of(HIGH, role="dev"), "far": kept_of(HIGH), "near": kept_of(LOW)}
    results = results_of({BASE: result_of(tests)}, out_of_domain=["far"])
    table = named(results, "phrasenet-1")
    row = row_of(table, "rnnsearch")
    assert row["average"].value == row["near"].value != row["far"].value
    assert list(table.header)[4:7] == ["near", "far", "dev"]


def test_cells_that_translated_other_sentences_are_not_compared() -> None:
    other = result_of({"news": kept_of(HIGH, lines="other lines")})
    results = results_of({BASE: result_of({"news": kept_of(LOW)}), GATE_1: other})
    assert significance(results).rows == ()
    assert not row_of(named(results, "phrasenet-1"), "phrasenet-gate")["news"].is_certain


def test_cells_with_another_memory_than_the_rest_are_named_below_the_claims() -> None:
    tests = {"news": kept_of(LOW)}
    cells = {BASE: result_of(tests), GATE_1: result_of(tests), BASE_2: result_of(tests)}
    assert "memory" not in claims(results_of(cells)).note
    mixed = {**cells, GATE_2: result_of(tests, memory="older")}
    assert claims(results_of(mixed, planned("smt"))).note.endswith(
        "another phrase memory than the rest, so that differences from the rest are not of the "
        "systems alone: phrasenet-gate, 2."
    )
    assert claims(results_of({}, BASE)).note == claims(results_of(cells)).note


def test_a_baseline_that_is_no_network_stands_for_every_seed() -> None:
    smt = planned("smt")
    results = two_seeds()
    found = {**results.found, smt.cell: result_of({"news": kept_of(LOW)})}
    with_smt = Results("all", [*results.planned, smt], found, "BLEU-v13a")
    assert [seed for seed, _ in with_smt.comparisons("phrasenet-gate", "smt", "news")] == [1, 2]
    assert [seed for seed, _ in with_smt.comparisons("smt", "phrasenet-gate", "news")] == [1]


def test_the_tests_of_significance_stand_for_each_seed() -> None:
    table = significance(two_seeds(LOW))
    first = row_of(table, "phrasenet-gate, 1")
    assert first["up"].text == "40"
    assert first["down"].text == "0"
    assert first["p sign test"].value == pytest.approx(2 / 2**40)
    assert row_of(table, "phrasenet-gate, 2")["difference"].text == "+0.00"
    assert not row_of(table, "phrasenet-gate, 2")["difference"].is_certain


def test_claims_hold_only_with_every_seed() -> None:
    name = "PhraseNet: gate above RNNsearch"
    assert row_of(claims(two_seeds()), name)["holds"].text == "yes"
    assert row_of(claims(two_seeds(LOW)), name)["holds"].text == "undecided"
    worse = results_of(
        {BASE: result_of({"news": kept_of(HIGH)}), GATE_1: result_of({"news": kept_of(LOW)})}
    )
    assert row_of(claims(worse), name)["holds"].text == "no, the opposite"
    assert row_of(claims(worse), "PhraseNet: softmax above RNNsearch")["holds"].text == "not run"


def test_a_claim_of_nearness_fails_on_a_difference() -> None:
    tanh, gru = planned("groundhog-vanilla+gate"), planned("groundhog-gru")
    name = "Context Gates: tanh with gate near GRU"
    for right, verdict in ((LOW, "no difference found"), (HIGH, "no")):
        found = {tanh: result_of({"n": kept_of(right)}), gru: result_of({"n": kept_of(LOW)})}
        assert row_of(claims(results_of(found)), name)["holds"].text == verdict


def test_a_larger_vocabulary_is_a_variant() -> None:
    large = planned("rnnsearch-16k", system="rnnsearch")
    results = results_of(
        {BASE: result_of({"news": kept_of(LOW)}), large: result_of({"news": kept_of(HIGH)})}
    )
    row = row_of(claims(results), "PhraseNet: larger vocabulary above the smaller")
    assert row["systems"].text == "rnnsearch-16k − rnnsearch"
    assert row["holds"].text == "yes"
    names = [row[0].text for row in named(results, "phrasenet-1").rows]
    assert names.index("rnnsearch-16k") == names.index("rnnsearch") + 1


def test_gains_stand_apart_for_long_sentences() -> None:
    lengths = [8] * 20 + [40] * 20
    base = kept_of(LOW, source_words=lengths)
    gain = kept_of([4] * 20 + [9] * 20, source_words=lengths)
    results = results_of({BASE: result_of({"news": base}), GATE_1: result_of({"news": gain})})
    row = row_of(kinds(results), "phrasenet-gate")
    assert row["up to 30 words"].value == 0.0
    assert row["over 30 words"].is_certain
    assert row["with phrases"].text == "–"
    assert results.compare(GATE_1.cell, BASE.cell, POOL) is not None


def test_the_gate_is_correlated_with_the_gain_over_the_baseline() -> None:
    base, gated = planned("groundhog-gru"), planned("groundhog-gru+gate")
    gates = [1000 * number for number in range(1, 9)]
    results = results_of(
        {
            base: result_of({"news": kept_of([3] * 8)}),
            gated: result_of({"news": kept_of([2, 3, 4, 5, 6, 7, 8, 9], gates=gates)}),
        }
    )
    row = row_of(named(results, "context-gates-6"), "groundhog-gru+gate, up to 30 words")
    assert row["news, BLEU"].value is not None
    assert row["news, BLEU"].value > 0.9
    assert row["adequacy"].text == "not rated"
    long = row_of(named(results, "context-gates-6"), "groundhog-gru+gate, over 30 words")
    assert long["news, BLEU"].text == "–"


def test_alignment_scaling_and_lengths_are_taken_from_the_results() -> None:
    measures = [
        {"metric": "AER", "subset": "all", "value": 50.0, "sentences": 60},
        {"metric": "SAER", "subset": "all", "value": 60.0, "sentences": 60},
    ]
    scaling = [
        {"source_scale": a, "target_scale": b, "bleu_v11b": 1.0, "bleu_v13a": a + b,
         "hypothesis_words": 9.0}
        for a, b in ((0.5, 1.0), (1.0, 0.5), (1.0, 1.0), (0.8, 1.0))
    ]  # fmt: skip
    lengths = [
        {"low": 0, "high": 10, "sentences": 5, "bleu_v11b": 1.0, "bleu_v13a": 20.0,
         "hypothesis_words": 7.0, "reference_words": 8.0},
        {"low": 60, "high": -1, "sentences": 2, "bleu_v11b": 1.0, "bleu_v13a": 10.0,
         "hypothesis_words": 50.0, "reference_words": 70.0},
    ]  # fmt: skip
    test = kept_of(LOW, measures=measures, scaling=scaling, lengths=lengths)
    results = results_of({planned("groundhog-gru"): result_of({"news": test})})
    assert row_of(named(results, "context-gates-4"), "groundhog-gru")["news, AER"].text == "50.00"
    assert "Sentences with gold links: 60 of news." in named(results, "context-gates-4").note
    assert row_of(named(results, "context-gates-4"), "groundhog-coverage")["news, AER"].text == (
        "not run"
    )
    figure_2 = named(results, "context-gates-figure-2")
    assert [row[1].text for row in figure_2.rows] == [
        "a = 0.5, b = 1", "a = 1, b = 0.5", "a = 1, b = 1", "a = 0.8, b = 1"
    ]  # fmt: skip
    assert len(named(results, "context-gates-1").rows) == 3
    figure_7 = named(results, "context-gates-figure-7")
    assert [row[1].text for row in figure_7.rows] == ["0 to 9", "60 and more"]


def test_speed_and_size_of_the_smaller_decoder_are_beside_the_claims() -> None:
    tanh, gru = planned("groundhog-vanilla+gate"), planned("groundhog-gru")
    tests = {"news": kept_of(LOW)}
    results = results_of({tanh: result_of(tests, decoder=200), gru: result_of(tests)})
    row = row_of(claims(results), "Context Gates: decoder of tanh with gate, parameters")
    assert row["here"].value == 0.5
    assert row["with each seed"].text == "200 : 400"


def table_of(text: str) -> Table:
    rows = ((Entry(text), Entry("+1.00", 1.0, True)),)
    return Table("a-table", "A title", ("system", "gain"), rows, "A note of 5 %.")


def test_every_form_holds_the_same_figures() -> None:
    made = table_of("gru+gate[t,s] | a_b")
    assert "| gru+gate\\[t,s\\] \\| a_b | +1.00† |" in as_markdown(made)
    latex = as_latex(made)
    assert r"gru+gate{[}t,s{]} | a\_b & +1.00\textsuperscript{\dag} \\" in latex
    assert r"A note of 5 \%." in latex
    rows = list(csv.DictReader(io.StringIO(as_csv([("laws", made)]))))
    assert rows == [
        {"data": "laws", "table": "a-table", "row": "gru+gate[t,s] | a_b", "column": "gain",
         "text": "+1.00", "value": "1.0", "certain": "yes"}
    ]  # fmt: skip
    cells = json.loads(json.dumps(as_json(made)))["rows"][0]
    assert cells["gain"] == {"text": "+1.00", "value": 1.0, "certain": True}
