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
    ("三米来高", [("三米来", "about 3 meters")]),
    ("两公里来长", [("两公里来", "about 2 kilometers")]),
    ("五斤来重", [("五斤来", "about 5 jin")]),
    ("三米来自各地", [("三米", "3 meters")]),
    ("三年来", [("三年", "three years")]),
    ("一百来人", [("一百来人", "about 100 people")]),
    ("一米七多", [("一米七多", "more than 1.7 meters")]),
    ("1米75左右", [("1米75左右", "about 1.75 meters")]),
    ("约一米七", [("约一米七", "about 1.7 meters")]),
    ("一块五多钱", [("一块五多", "more than 1.5 yuan")]),
    ("一米七多数", [("一米七", "1.7 meters")]),
    ("三千元出头", [("三千元出头", "more than 3,000 yuan")]),
    ("五公里出头", [("五公里出头", "more than 5 kilometers")]),
    ("三成出头", [("三成出头", "more than 30 percent")]),
    ("百分之三十出头", [("百分之三十出头", "more than 30 percent")]),
    ("三人出头露面", [("三人", "three people")]),
    ("三元出头天", [("三元", "3 yuan")]),
    ("下午三时许", [("下午三时许", "about 3 p.m.")]),
    ("15时许，", [("15时许", "about 3 p.m.")]),
    ("上午十点左右", [("上午十点左右", "about 10 a.m.")]),
    ("大约上午十点半", [("大约上午十点半", "about 10:30 a.m.")]),
    ("昨晚八点前后", [("昨晚八点前后", "about 8 p.m. last night")]),
    ("中午十二时左右", [("中午十二时左右", "about noon")]),
    ("下午4:30左右", [("下午4:30左右", "about 4:30 p.m.")]),
    ("10:30许", [("10:30许", "about 10:30")]),
    ("8月7日15时许", [("8月7日15时许", "about 3 p.m. on august 7")]),
    ("下午三时许可", [("下午三时", "3 p.m.")]),
    ("下午三时许多人", [("下午三时", "3 p.m.")]),
    ("约下午三时见面", [("下午三时", "3 p.m.")]),
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
    "约三米来高",
    "一米七几",
    "约一米七多",
    "三十出头",
    "三十岁出头",
    "三百人出头",
    "三千出头",
    "三四米出头",
    "大约上午十点左右",
    "十时许",
    "晚一点左右",
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
