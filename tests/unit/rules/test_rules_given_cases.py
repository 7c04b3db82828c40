"""The hard cases beside the project, where they are: asked of the whole grammar."""

import json
import re
from collections.abc import Iterator

import pytest

from tasks.rules.grammar import find
from tests.support import ROOT

CASES = ROOT.parent / "shared" / "cases"
THEMES = (
    "numbers", "percent_fraction_ordinal", "approx_range", "dates", "time_of_day", "money_units",
    "ambiguity_abstain", "script_width",
)  # fmt: skip


def cases() -> Iterator[tuple[str, str, list[str] | str]]:
    """Yield the name, input and accepted English of each case that has a value."""
    for theme in THEMES:
        path = CASES / f"{theme}.jsonl"
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            case = json.loads(line)
            if case["kind"] == "value":
                yield case["id"], case["input"], case["expect"]


def plain(english: str) -> str:
    """Write English so that different spacing and signs of one text are equal."""
    text = re.sub(r"\s*([.,:;%$/()'-])\s*", r"\1", english.lower())
    return re.sub(r"\s+", " ", text.replace("%", " percent").replace("per cent", "percent")).strip()


@pytest.mark.data
@pytest.mark.skipif(not CASES.exists(), reason="the hard cases are not beside the project")
def test_the_hard_cases_have_their_english() -> None:
    asked = list(cases())
    assert len(asked) > 100
    wrong = []
    for name, text, expected in asked:
        found = [match.target for match in find(text) if match.source == text]
        accepted = [] if expected == "abstain" else [plain(each) for each in expected]
        right = not found if expected == "abstain" else any(plain(e) in accepted for e in found)
        if not right:
            wrong.append((name, text, found))
    assert not wrong


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("三萬兩千人", "三万两千人"),
        ("二○○五年九月", "二〇〇五年九月"),
        ("約五億元", "约五亿元"),
        ("週五", "周五"),
        ("三個鐘頭", "三个钟头"),
        ("五點鐘", "五点钟"),
        ("陸拾伍萬圓", "陆拾伍万元"),
        ("光緒三年", "光绪三年"),
        ("四百餘噸", "四百余吨"),
        ("１２：３０", "12:30"),
        ("農曆八月十五", "农历八月十五"),
        ("百分之三點五", "百分之三点五"),
        ("五十擔", "五十担"),
    ],
)
def test_both_scripts_and_widths_have_one_english(traditional: str, simplified: str) -> None:
    english = [match.target for match in find(simplified)]
    assert len(english) == 1
    assert [match.target for match in find(traditional)] == english


@pytest.mark.parametrize("zero", "〇○零0０")
def test_every_zero_is_one_inside_a_year(zero: str) -> None:
    assert [match.target for match in find(f"二{zero}{zero}八年")] == ["2008"]


@pytest.mark.parametrize(
    "text", ["乾陵", "皇后", "太后", "著名", "走着", "○ 要点", "单一零件", "○○公司"]
)
def test_characters_that_only_look_like_numerals_hold_no_value(text: str) -> None:
    assert not find(text)
