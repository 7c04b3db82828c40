"""Approximations and halves behind a number or its unit: read whole, or not at all."""

import pytest

from tasks.rules.grammar import find

READ = [
    ("三十多次", [("三十多", "more than 30")]),
    ("一百多家企业", [("一百多家", "more than 100")]),
    ("一千余家企业", [("一千余家", "more than 1,000")]),
    ("三百来页", [("三百来", "about 300")]),
    ("五十来头牛", [("五十来", "about 50")]),
    ("三百来自各地", [("三百", "300")]),
    ("两公斤半", [("两公斤半", "2.5 kilograms")]),
    ("三米半", [("三米半", "3.5 meters")]),
    ("五公里多", [("五公里多", "more than 5 kilometers")]),
    ("两斤多苹果", [("两斤多", "more than 2 jin")]),
    ("10元多", [("10元多", "more than 10 yuan")]),
    ("五块半钱", [("五块半钱", "5.5 yuan")]),
    ("三年多来", [("三年多", "more than three years")]),
    ("三个多月", [("三个多月", "more than three months")]),
    ("两小时多", [("两小时多", "more than two hours")]),
    ("两个月半", [("两个月半", "two and a half months")]),
    ("三公里半径", [("三公里", "3 kilometers")]),
    ("三年多达十次", [("三年", "three years")]),
    ("三百元多种", [("三百元", "300 yuan")]),
    ("七成半", [("七成半", "75 percent")]),
    ("三成多", [("三成多", "more than 30 percent")]),
    ("50%多", [("50%多", "more than 50 percent")]),
    ("50%多数", [("50%", "50 percent")]),
    ("三倍多", [("三倍多", "more than three times")]),
    ("两公斤半价", [("两公斤", "2 kilograms")]),
    ("三亩多地", [("三亩多", "more than 3 mu")]),
    ("三米余长", [("三米余", "more than 3 meters")]),
    ("十年余。", [("十年余", "more than ten years")]),
    ("三元余款", [("三元", "3 yuan")]),
    ("三百元余额", [("三百元", "300 yuan")]),
    ("十年余生", [("十年", "ten years")]),
    ("三分之二强烈反对", [("三分之二", "two thirds")]),
    ("七人以上", [("七人", "seven people")]),
]
"""What is found in a text."""
LEFT_ALONE = [
    "300多样",
    "约三米多",
    "五块半",
    "一年多来",
    "一个多小时",
    "两三米半",
    "3.5公斤半",
    "五分之三强",
    "百分之三十弱",
    "七人制",
    "四人帮",
    "三个亿",
    "八千多个亿",
    "三个千亿",
    "早上六点多钟",
    "八点半多",
    "第二十多届",
    "第三十余次",
]
"""Two approximations, or words that may mean something else: no part of them is read."""


@pytest.mark.parametrize(("text", "expected"), READ)
def test_reads_the_approximation_with_its_number(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert [(match.source, match.target) for match in find(text)] == expected


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_reads_no_part_of_what_is_not_sure(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize("unit", ["公里", "米", "公斤", "斤", "升", "公顷", "元", "美元"])
@pytest.mark.parametrize("tail", ["半", "多"])
def test_no_unit_loses_what_stands_behind_it(unit: str, tail: str) -> None:
    (match,) = find(f"七{unit}{tail}")
    assert match.source == f"七{unit}{tail}"
