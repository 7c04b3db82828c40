"""Results that somebody damaged: each value taken away or retyped in turn is told, or harmless."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from storage.errors import InputError
from tasks.experiments.kept_form import check_result
from tasks.experiments.own_tables import own_tables
from tasks.experiments.paper_tables import paper_tables
from tasks.experiments.results import Results
from tasks.reports.experiment_page import experiment_page
from tests.experiment_results import kept_of, planned, result_of, results_of
from tests.support import ROOT

BASE, GATE = planned("groundhog-gru"), planned("groundhog-gru+gate")
TAKEN_AWAY = object()
OTHERS: tuple[Any, ...] = (TAKEN_AWAY, None, "x", -1, 7, 0.5, True, [], {}, [7], {"x": 7}, 10**30)
SCALED = {
    "source_scale": 1, "target_scale": 0.5, "bleu_v11b": 4.0, "bleu_v13a": 4.0,
    "hypothesis_words": 9.0,
}  # fmt: skip
LENGTH = {
    "low": 0, "high": 10, "sentences": 3, "bleu_v11b": 4.0, "bleu_v13a": 4.0,
    "hypothesis_words": 9.0, "reference_words": 9.5,
}  # fmt: skip


def whole() -> dict[str, Any]:
    """Return a result with everything that a table reads, and something that none does."""
    kept = kept_of(
        [4, 8, 6], gates=[2000, 5000, 7000], source_words=[5, 40, 41],
        scaling=[SCALED], lengths=[LENGTH], more="of it",
        measures=[{"subset": "all", "metric": name, "value": 40.0, "sentences": 2}
                  for name in ("AER", "SAER")],
    )  # fmt: skip
    return copy.deepcopy(result_of({"news": kept}) | {"digest": "0", "settings_digest": "1"})


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value, inner ones too."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*path, key))


def changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    result = whole()
    inside: Any = result
    for key in path[:-1]:
        inside = inside[key]
    if value is TAKEN_AWAY:
        del inside[path[-1]]
    else:
        inside[path[-1]] = copy.deepcopy(value)
    return result


def make_everything(result: Any, *, drawn: bool = True) -> None:
    """Make all tables, and the page if `drawn`, whose figures take long."""
    found: Results = results_of({BASE: whole(), GATE: result}, out_of_domain=())
    tables = [*own_tables(found), *paper_tables(found)]
    if drawn:
        experiment_page("damaged", [found], {"all": tables}, {})


def problem_of(result: Any) -> str:
    try:
        check_result(result)
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("value", OTHERS, ids=lambda value: repr(value)[:12])
def test_every_value_that_is_damaged_is_named_or_not_needed(value: Any) -> None:
    named = 0
    for path in places(whole()):
        result = changed(path, value)
        problem = problem_of(result)
        if problem:
            named += 1
            last = [key for key in path if isinstance(key, str)][-1]
            assert last in problem or "statistics" in problem, (path, problem)
        elif value is TAKEN_AWAY or value in ("x", 7):  # the others pass where these do
            is_drawn = path in (("tests", "news"), ("tests", "news", "lengths", 0))
            make_everything(result, drawn=value is TAKEN_AWAY and is_drawn)
    assert named > 20


def test_a_whole_result_passes_and_makes_every_table() -> None:
    assert problem_of(whole()) == ""
    make_everything(whole())


@pytest.mark.parametrize(
    "path", sorted((ROOT / "docs" / "results").rglob("cells/*.json")), ids=lambda path: path.name
)
def test_results_that_come_with_the_project_are_whole(path: Path) -> None:
    assert problem_of(json.loads(path.read_bytes())) == ""


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("training", "hours"), "1", "training.hours is str '1'; expected a number."),
        (("tests", "news", "scores", 1, "value"), None,
         "tests.news.scores[1].value is nothing; expected a number."),
        (("tests", "news", "role"), "tests", "expected one of test, dev."),
        (("tests", "news", "statistics", "columns", 0), "words",
         "tests.news.statistics.columns lacks 'source words'."),
        (("tests", "news", "statistics", "data"), "AAAA", "tests.news.statistics: the statistics"),
        (("training", "dev_losses", 0), [1], "training.dev_losses[0] is list '[1]'; expected a"),
        (("tests", "news", "sentences"), -1, "expected a whole number of 0 or more."),
        (("parameters",), TAKEN_AWAY, "parameters is missing."),
    ],
)  # fmt: skip
def test_the_place_is_told(path: tuple[Any, ...], value: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_result(changed(path, value))
    assert message in str(caught.value)


def test_seeds_with_other_classes_of_length_are_joined_by_class() -> None:
    second = whole()
    second["tests"]["news"]["lengths"].append(LENGTH | {"low": 10, "high": 20, "bleu_v13a": 6.0})
    found = results_of({GATE: whole(), planned("groundhog-gru+gate", 2): second})
    table = next(t for t in paper_tables(found) if t.name == "context-gates-figure-7")
    assert [(row[1].text, row[3].text) for row in table.rows] == [
        ("0 to 9", "4.00"), ("10 to 19", "6.00"),
    ]  # fmt: skip
