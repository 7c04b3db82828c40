"""Points between Chinese digits, and numerals that belong to another word."""

import pytest

from tasks.rules.grammar import find


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("不得少于百分之七．五", "7.5 percent"),
        ("达百分之九十九‧九九以上", "99.99 percent"),
        ("百分之十二.五", "12.5 percent"),
        ("长度二．五公里以上", "2.5 kilometers"),
        ("不得小于○．四公分", "0.4 centimeters"),
        ("增长十二·五亿元", "1.25 billion yuan"),
        ("今天早上一点", "1 a.m."),
        ("早一点钟", "1 a.m."),
        ("四月大会", "april"),
    ],
)
def test_it_is_read_whole(text: str, english: str) -> None:
    assert [found.target for found in find(text)] == [english]


@pytest.mark.parametrize(
    "text",
    ["二.五公里", "一.三年以下", "三·一五", "十二·五规划", "早一点", "早一点来", "晚一点再说",
     "四月身孕", "四月的身孕", "3 十字路口", "第3十字街", "三十字架"],
)  # fmt: skip
def test_a_doubtful_reading_abstains(text: str) -> None:
    assert find(text) == []
