"""Odd and hostile text: no exception, and time that grows with the length only."""

import time

import pytest

from tasks.rules.grammar import find

MEGABYTE = 1_000_000
SECONDS = 2.0


@pytest.mark.parametrize(
    "piece",
    [
        "一",
        "1",
        "年",
        "零",
        "一、",
        "3月",
        "一 ",
        "1,",
        "第一",
        "百分之",
        "3月5日至",
        "约一",
        "(",
        "兆",
    ],
)
def test_a_line_of_a_million_characters_is_read_within_two_seconds(piece: str) -> None:
    text = piece * (MEGABYTE // len(piece))
    start = time.process_time()
    find(text)
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\ud800三百人\udfff",
        "٣٤٥ ๒๕ ४५ 𝟓𝟔",
        "((((((((((三百))))))))))",
        "【《「（三百人",
        "））））五万元（（（",
        "\x00三百\x00人",
        "二〇〇三年" * 2000,
        "三百人" * 3333,
        "一" * 10_000 + "三百人",
        "²³½ⅧⅫ㊿㈠",
    ],
)
def test_odd_text_is_read_without_an_exception(text: str) -> None:
    for match in find(text):
        assert text[match.start : match.end] == match.source


def test_many_values_in_one_long_run_are_all_found() -> None:
    assert len(find("三百人" * 3000)) == 3000


def test_a_value_behind_a_long_run_of_numerals_is_found() -> None:
    text = "七" * 60 + "，共三百人"
    assert [match.source for match in find(text)] == ["三百人"]


@pytest.mark.parametrize("place", range(80, 110))
def test_a_window_never_reads_a_part_of_what_abstains_as_a_whole(place: int) -> None:
    assert not find("元" * place + "2003年2月30日" + "元" * 200)


@pytest.mark.parametrize("length", [60, 150, 201, 299, 1001])
def test_no_part_of_a_long_run_of_numerals_is_a_number(length: int) -> None:
    run = ("三百二十五万零六" * length)[:length]
    assert not find(run)
    assert not find("五" + "万亿七" * length)
