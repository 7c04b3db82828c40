"""Names in running text: which are found, and what must not be taken for one."""

import pytest

from tasks.rules.grammar import find
from tasks.rules.style import Region, RuleStyle

FOUND = [
    ("外交部部长王毅表示，双方将合作。", "王毅", "wang yi"),
    ("。杨立云表示，结果很好。", "杨立云", "yang liyun"),
    ("主持人采访了教授周建安。", "周建安", "zhou jian'an"),
    ("李小梅女士来了。", "李小梅", "li xiaomei"),
    ("欧阳自远说，月球很远。", "欧阳自远", "ouyang ziyuan"),
]
NOT_FOUND = [
    "法国呢？",
    "智能的能力",
    "他高兴地说，好。",
    "新闻发言人曾说过，没有。",
    "韩国部长金明博表示，同意。",
    "总统马克龙表示，同意。",
    "部长安全意识强。",
    "王先生说，好。",
    "于执行长准用之。",
]


def _names(text: str, region: Region, *, asked: bool = True) -> list[tuple[str, str]]:
    style = RuleStyle(region=region, person_names=asked)
    return [(m.source, m.target) for m in find(text, style) if m.category == "person"]


@pytest.mark.parametrize(("text", "source", "english"), FOUND)
def test_a_name_between_cues_is_found(text: str, source: str, english: str) -> None:
    assert _names(text, "mainland") == [(source, english)]


@pytest.mark.parametrize("text", NOT_FOUND)
def test_what_is_no_sure_name_is_left_alone(text: str) -> None:
    assert _names(text, "mainland") == []


@pytest.mark.parametrize(("text", "source", "english"), FOUND)
def test_names_need_the_switch_and_a_region(text: str, source: str, english: str) -> None:
    assert _names(text, "mainland", asked=False) == _names(text, "unknown") == []


def test_a_hong_kong_text_has_hong_kong_spelling() -> None:
    text = "香港議員陳志明表示，同意。"
    assert _names("局長陳志明表示，同意。", "hongkong") == [("陳志明", "chan chi-ming")]
    assert _names("，陳志明先生同意。", "hongkong") == [("陳志明", "chan chi-ming")]
    assert _names(text, "mainland") == []
