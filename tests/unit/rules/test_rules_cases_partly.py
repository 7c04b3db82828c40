"""Values that a rule once read in part: they are read whole, or not at all."""

import pytest

from tasks.rules.grammar import find

READ = [
    ("民国九十九年至一百零一年", "2010 to 2012"),
    ("民国99-101年", "2010 to 2012"),
    ("民國九十九年一月一日至三月三十一日", "january 1 to march 31 , 2010"),
    ("民国九十九年一月至一百零一年三月", "january 2010 to march 2012"),
    ("民国九十九年到民国一百零一年", "2010 to 2012"),
    ("昭和五十年至五十二年", "1975 to 1977"),
    ("十七、八世纪", "the 17th and 18th centuries"),
    ("17、18世纪", "the 17th and 18th centuries"),
    ("旧历八月十五", "the 15th day of the eighth lunar month"),
    ("一块二毛", "1.2 yuan"),
    ("两块两毛五", "2.25 yuan"),
    ("五块三毛钱", "5.3 yuan"),
    ("十块五毛六分", "10.56 yuan"),
    ("两元两角五", "2.25 yuan"),
    ("五毛钱", "0.5 yuan"),
    ("三毛五钱", "0.35 yuan"),
    ("十块钱", "10 yuan"),
    ("五百块", "500 yuan"),
    ("三块九毛九", "3.99 yuan"),
]
LEFT_ALONE = [
    "民国九十九、一百年",
    "民国九十九或一百年",
    "民国二十几年",
    "光绪二十年至二十四年",
    "公元200年至300年",
    "在五、六月。",
    "于十七、四世纪",
    "农历闰四月初八",
    "闰四月",
    "三十七度二",
    "9秒58",
    "上午九点过五分",
    "八点欠一刻",
    "第二天",
    "一成不变",
    "两块石头",
    "两三块",
    "二百块砖",
    "五块电池",
    "一毛不拔",
    "昭和五十年代末",
    "平成10年代",
    "公元前50年代",
    "公元1990年代",
    "给我两块",
    "两块一组",
    "五块一个人。",
    "卖了两块。",
    "便宜两块石头",
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_reads_the_whole_value(text: str, expected: str) -> None:
    assert [(match.source, match.target) for match in find(text)] == [(text, expected)]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_reads_no_part_of_it(text: str) -> None:
    assert find(text) == []


def test_tells_the_price_from_the_pieces_that_it_buys() -> None:
    assert [match.source for match in find("一百块钱买了三块五花肉")] == ["一百块钱"]
    assert [match.source for match in find("我有五百块。")] == ["五百块"]


def test_the_number_of_an_item_is_no_month() -> None:
    assert [match.target for match in find("一、五月一日起")] == ["may 1"]


PRICES = [
    ("苹果五块一斤", "五块", "5 yuan"),
    ("门票三十块一张", "三十块", "30 yuan"),
    ("五块一个", "五块", "5 yuan"),
    ("三块两毛五一斤", "三块两毛五", "3.25 yuan"),
    ("三块九毛九一件", "三块九毛九", "3.99 yuan"),
    ("他花了五块。", "五块", "5 yuan"),
    ("付了三块，", "三块", "3 yuan"),
    ("票价五块", "五块", "5 yuan"),
    ("便宜两块", "两块", "2 yuan"),
    ("一百块够吗", "一百块", "100 yuan"),
    ("九块九包邮", "九块九", "9.9 yuan"),
]


@pytest.mark.parametrize(("text", "source", "target"), PRICES)
def test_reads_a_price_behind_or_before_words_that_make_it_one(
    text: str, source: str, target: str
) -> None:
    found = [(match.source, match.target) for match in find(text)]
    assert [pair for pair in found if "斤" not in pair[0]] == [(source, target)]
