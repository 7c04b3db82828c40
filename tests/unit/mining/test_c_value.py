"""C-value and NC-value against the figures of the specification and hand-worked ones."""

import json
from collections.abc import Mapping
from pathlib import Path

import duckdb
import pytest

from tasks.mining.c_value import Nesting, nc_value
from tasks.mining.term_totals import context_weights_query, num_best
from tests.nestings import nestings

CASES = Path(__file__).parents[4] / "shared" / "cases" / "terms_cvalue.jsonl"
CARCINOMA = {
    "adenoid cystic basal cell carcinoma": 5,
    "cystic basal cell carcinoma": 11,
    "ulcerated basal cell carcinoma": 7,
    "recurrent basal cell carcinoma": 5,
    "circumscribed basal cell carcinoma": 3,
    "basal cell carcinoma": 984,
}


def _c_values(frequencies: Mapping[str, int]) -> dict[str, float]:
    found = nestings({tuple(text.split()): count for text, count in frequencies.items()})
    return {" ".join(words): nesting.c_value(len(words)) for words, nesting in found.items()}


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("basal cell carcinoma", 1551.361),
        ("ulcerated basal cell carcinoma", 14.0),
        ("cystic basal cell carcinoma", 12.0),
        ("adenoid cystic basal cell carcinoma", 11.610),
    ],
)
def test_the_example_of_the_paper(term: str, expected: float) -> None:
    assert _c_values(CARCINOMA)[term] == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(
    ("frequencies", "term", "expected"),
    [
        ({"a b c": 10, "a b c d": 4, "e a b c": 2}, "a b c", 11.0947),
        ({"a b": 5}, "a b", 5.0),
        ({"a b c": 8}, "a b c", 12.6797),
        ({"a": 50}, "a", 0.0),
        ({"a b c d e": 3, "a b c d": 5, "b c d": 9}, "b c d", 10.3023),
        ({"中国 人民 银行": 4, "人民 银行": 4, "银行": 6}, "人民 银行", 0.0),
        ({"a a": 2, "a a a": 2}, "a a", 0.0),
        ({"a a": 5, "a a a": 2, "a a b": 1}, "a a", 3.5),
    ],
)
def test_nested_candidates(frequencies: dict[str, int], term: str, expected: float) -> None:
    assert _c_values(frequencies)[term] == pytest.approx(expected, abs=5e-5)


@pytest.mark.data
@pytest.mark.skipif(not CASES.exists(), reason="needs the shared cases")
def test_the_given_cases() -> None:
    checks = [json.loads(line).get("check") for line in CASES.read_text().splitlines()]
    for num_words, frequency, longer, expected in (check["cv"] for check in checks if check):
        nesting = Nesting(frequency, sum(longer), len(longer))
        assert nesting.c_value(num_words) == pytest.approx(expected, abs=5e-5)


def test_the_best_terms_alone_teach_which_words_stand_beside_terms() -> None:
    nestings = {"b a": (6, 2, 2), "c d": (6, 0, 0), "a b c": (3, 0, 0), "e": (99, 0, 0)}
    beside = [("ba", "left", "far"), ("cd", "left", "big"), ("cd", "right", "shows")]
    beside += [("abc", "right", "shows"), ("abc", "left", ""), ("abc", "before", "odd")]
    with duckdb.connect() as connection:
        connection.execute(
            'CREATE TABLE nestings(source TEXT, words TEXT, "count" BIGINT, nested BIGINT,'
            " holders BIGINT);"
            "CREATE TABLE term_contexts(source TEXT, fact TEXT, value TEXT)"
        )
        for words, numbers in nestings.items():
            row = [words.replace(" ", ""), words, *numbers]
            connection.execute("INSERT INTO nestings VALUES (?, ?, ?, ?, ?)", row)
        connection.executemany("INSERT INTO term_contexts VALUES (?, ?, ?)", beside)
        found = {
            best: connection.execute(context_weights_query(3), {"best": best}).fetchall()
            for best in (1, 2, 3)
        }
    # C-values: c d 6, b a 5, a b c 4.75.
    assert found[1] == [("big", 1), ("shows", 1)]
    assert found[2] == [("big", 1), ("far", 1), ("shows", 1)]
    assert found[3] == [("big", 1), ("far", 1), ("shows", 2)]


@pytest.mark.parametrize(("number", "best"), [(0, 0), (1, 1), (7, 1), (8, 2), (100, 20)])
def test_a_fifth_of_the_candidates_is_best(number: int, best: int) -> None:
    assert num_best(number) == best


def test_a_word_counts_by_the_share_of_terms_beside_which_it_stands() -> None:
    weights = {"shows": 1.0, "big": 0.5}
    beside = {"shows": 3, "big": 1}
    assert nc_value(10.0, beside, weights) == pytest.approx(0.8 * 10 + 0.2 * 3.5)
    assert nc_value(10.0, {"odd": 9}, weights) == pytest.approx(8.0)
    assert nc_value(5.0, {}, {}) == pytest.approx(4.0)
