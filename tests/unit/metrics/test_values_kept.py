"""Which values of the sources stand in the translations, by kind; the answer is golden."""

import json
from pathlib import Path

import pytest

from storage.errors import InputError
from tasks.metrics.values_kept import (
    VALUES_KEPT,
    VALUES_KEPT_BY_REFERENCE,
    KeptCount,
    count_kept,
    source_values,
    values_kept,
)
from tasks.reports.evaluation_data import EvaluationData, SystemFacts
from tasks.reports.evaluation_page import evaluation_page
from tests.conftest import Command, Golden

SOURCES = ["2005年6月7日加息百分之三。", "捐款六千万元，有四十名学生。", "旅客很满意。"]
OUTPUTS = ["On June 7, 2005 rates rose 5 percent.", "It gave 60 million yuan.", "Glad."]
REFERENCES = ["Rates rose 3 % on 7 June 2005.", "60 million yuan, forty pupils.", "Pleased."]


def test_values_are_counted_by_kind() -> None:
    assert count_kept(SOURCES, OUTPUTS) == [
        KeptCount("date", 1, 1),
        KeptCount("money", 1, 1),
        KeptCount("number", 1, 0),
        KeptCount("percent", 1, 0),
        KeptCount(None, 4, 2),
    ]
    assert values_kept(count_kept(SOURCES, OUTPUTS)).value == 50.0
    assert values_kept(count_kept(SOURCES, REFERENCES)).value == 100.0


def test_a_score_says_how_it_was_made() -> None:
    assert str(values_kept(count_kept(SOURCES, OUTPUTS))) == (
        "Values kept = 50.00 (region:unknown|guard:2)"
    )


def test_a_value_carries_its_place_and_its_english() -> None:
    value = source_values(SOURCES[0], OUTPUTS[0])[0]
    assert SOURCES[0][value.start : value.end] == value.source == "2005年6月7日"
    assert (value.target, value.kind, value.kept) == ("june 7 , 2005", "date", True)


def test_sentences_without_values_keep_all() -> None:
    assert count_kept(["好。"], ["Good."]) == [KeptCount(None, 0, 0)]
    assert values_kept(count_kept(["好。"], ["Good."])).value == 100.0


def test_unequal_numbers_of_sentences_are_refused() -> None:
    with pytest.raises(InputError, match="2 translations but 3 sources"):
        count_kept(SOURCES, OUTPUTS[:2])


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, lines in (("zh", SOURCES), ("out", OUTPUTS), ("ref", REFERENCES)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [str(tmp_path / name) for name in ("out", "ref", "zh")]


def test_the_command_counts_values(files: list[str], phrasenet: Command, golden: Golden) -> None:
    output, reference, source = files
    answer = phrasenet("score", output, "--ref", reference, "--source", source)
    assert answer.code == 0
    golden("score_with_source.txt", answer.out)


def test_json_keeps_its_fields_and_gains_values(files: list[str], phrasenet: Command) -> None:
    output, reference, source = files
    plain = json.loads(phrasenet("score", output, "--ref", reference, "--json").out)
    assert list(plain) == ["metrics", "sentences"]
    more = json.loads(
        phrasenet("score", output, "--ref", reference, "--json", "--source", source).out
    )
    assert list(more) == ["metrics", "sentences", "values"]
    assert more["metrics"][:-1] == plain["metrics"]
    assert more["metrics"][-1]["name"] == "Values kept"
    assert more["values"][-1] == {"kind": "all", "source": 4, "kept": 2, "kept_by_reference": 4}


def test_a_source_of_another_length_is_a_clear_mistake(
    files: list[str], tmp_path: Path, phrasenet: Command
) -> None:
    (tmp_path / "zh").write_text("好。\n", encoding="utf-8")
    answer = phrasenet("score", files[0], "--ref", files[1], "--source", files[2])
    assert answer.code == 2
    assert f"{files[2]} has 1 sentences" in answer.err


def test_the_report_shows_what_a_reference_keeps_below_the_systems() -> None:
    row = {"testset": "test", "subset": "all", "sentences": 3, "signature": "guard"}
    metrics = [("a system", 50.0, VALUES_KEPT), ("a system", 75.0, VALUES_KEPT_BY_REFERENCE)]
    scores = [
        row | {"system": system, "value": value, "metric": metric}
        for system, value, metric in metrics
    ]
    systems = [SystemFacts("a system", "0" * 32, 1, [], {})]
    shown = evaluation_page(EvaluationData("title", "", systems, scores))
    shown = shown[shown.index('id="scores"') :]
    assert shown.index("50.00") < shown.index("a reference") < shown.index("75.00")
    assert VALUES_KEPT_BY_REFERENCE not in shown
