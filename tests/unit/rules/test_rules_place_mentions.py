"""Places in running text: whole names only, and only where English has one name for them."""

import pytest

from tasks.rules.grammar import find
from tasks.rules.place_mentions import find_places
from tasks.rules.style import Region, RuleStyle

FOUND = [
    ("他昨天从昆明飞往广州。", "mainland", ["kunming", "guangzhou"]),
    ("会议将在河北举行，随后在上海结束", "mainland", ["hebei", "shanghai"]),
    ("他们来自尼日利亚、埃及、斐济。", "mainland", ["nigeria", "egypt", "fiji"]),
    ("會議在瀋陽舉行", "mainland", ["shenyang"]),
    ("代表 团 抵达 日内瓦 。", "unknown", ["geneva"]),
    ("成都的夏天很热", "mainland", ["chengdu"]),
    ("北京\udfff", "mainland", ["beijing"]),
]
NOT_FOUND = [
    ("瑞安·罗切特赢了", "mainland", "a foreign name"),
    ("俄罗斯官员表示", "mainland", "an adjective"),
    ("他去了英国。", "mainland", "Britain or the United Kingdom"),
    ("他住在澳门", "mainland", "Macao or Macau"),
    ("北京时间八点", "mainland", "Beijing time"),
    ("他在北京大学读书", "mainland", "inside of an organisation"),
    ("南京路上的好八连", "mainland", "a road"),
    ("长沙市的人口", "mainland", "the city of Changsha"),
    ("上海话很难懂", "mainland", "a word"),
    ("他在马鞍山住", "unknown", "differs by region"),
    ("船在北海沉没", "mainland", "the North Sea or Beihai"),
    ("中卫踢了一脚", "mainland", "a word"),
    ("明天津贴就会发放", "mainland", "across two words"),
    ("没有地名的句子", "mainland", "nothing"),
    ("", "mainland", "nothing"),
]


@pytest.mark.parametrize(("text", "region", "english"), FOUND)
def test_a_whole_name_is_found(text: str, region: Region, english: list[str]) -> None:
    hits = list(find_places(text, RuleStyle(region=region, place_names=True)))
    assert [hit.target for hit in hits] == english
    assert all(hit.category == "location" for hit in hits)


@pytest.mark.parametrize(("text", "region", "reason"), NOT_FOUND)
def test_a_part_or_an_unsure_name_is_not_found(text: str, region: Region, reason: str) -> None:
    assert not list(find_places(text, RuleStyle(region=region, place_names=True))), reason


def test_places_are_found_only_where_they_are_asked_for() -> None:
    text = "2003年3月20日在昆明"
    assert [match.category for match in find(text)] == ["date"]
    asked = find(text, RuleStyle(region="mainland", place_names=True))
    assert [(match.source, match.target) for match in asked][1:] == [("昆明", "kunming")]


def test_offsets_are_characters_of_the_text() -> None:
    text = "😀他从昆明来"
    (hit,) = find_places(text, RuleStyle(region="mainland", place_names=True))
    assert text[hit.start : hit.end] == "昆明"
