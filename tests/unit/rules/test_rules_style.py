from typing import Any

import pytest

from storage.errors import ConfigError
from tasks.rules.grammar import find
from tasks.rules.style import RuleStyle


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ({"region": "china"}, "rules.region is 'china'"),
        ({"umlaut": "uu"}, "rules.umlaut is 'uu'"),
        ({"spell_up_to": 21}, "rules.spell_up_to is 21"),
        ({"spell_up_to": -1}, "rules.spell_up_to is -1"),
    ],
)
def test_a_style_that_makes_no_sense_is_refused(setting: dict[str, Any], part: str) -> None:
    with pytest.raises(ConfigError, match=part):
        RuleStyle(**setting)


@pytest.mark.parametrize(
    ("text", "style", "english"),
    [
        ("第六十九届", RuleStyle(spell_ordinals=True), "sixty-ninth"),
        ("第二十届", RuleStyle(spell_ordinals=True), "twentieth"),
        ("第十二届", RuleStyle(spell_ordinals=True), "twelfth"),
        ("第四十届", RuleStyle(spell_ordinals=True), "fortieth"),
        ("第一百零一届", RuleStyle(spell_ordinals=True), "101st"),
        ("三分之二", RuleStyle(hyphenate_fractions=True), "two-thirds"),
        ("二分之一", RuleStyle(hyphenate_fractions=True), "one-half"),
        ("二又四分之三", RuleStyle(hyphenate_fractions=True), "two and three-quarters"),
        ("5兆元", RuleStyle(region="taiwan"), "5 trillion new taiwan dollars"),
        ("￥500元", RuleStyle(region="taiwan"), "500 yuan"),
    ],
)
def test_a_style_changes_how_a_value_is_written(text: str, style: RuleStyle, english: str) -> None:
    assert [match.target for match in find(text, style)] == [english]


def test_a_yen_sign_is_not_guessed_where_both_currencies_are_meant() -> None:
    assert not find("￥500", RuleStyle(region="taiwan"))
