"""What kind of thing a mined phrase names: both sides have to agree."""

import pytest

from storage.records import Category
from tasks.mining.categories import category_of
from tasks.mining.english_shape import as_name, looks_nominal, looks_verbal
from tasks.mining.part_of_speech import Tagger
from tasks.mining.term_facts import TermFacts
from tasks.rules.style import RuleStyle


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger()


def _facts(words: str, **values: dict[str, int]) -> TermFacts:
    return TermFacts(words=tuple(words.split()), occurrences=10, values=values)


@pytest.mark.parametrize(
    ("words", "target", "named", "expected"),
    [
        ("公平交易 委员会", "fair trade commission", 10, "organization"),
        ("公平交易委員會", "fair trade commission", 10, "organization"),
        ("审查 委员会", "review committee", 0, "term"),
        ("国库 署", "national treasury administration", 10, "organization"),
        ("國庫 署", "national treasury administration", 10, "organization"),
        ("交通 部", "ministry of transport", 9, "organization"),
        ("交通 部", "transport", 9, "term"),
        ("柳阳市", "liuyang city", 9, "location"),
        ("柳陽縣", "liuyang county", 9, "location"),
        ("绿林 溪", "green creek", 9, "term"),
        ("契约", "contract", 1, "term"),
        ("所得税 法", "income tax act", 10, "term"),
        ("所得稅 條例", "income tax regulations", 10, "term"),
        ("陈明德", "chen mingde", 10, "person"),
        ("陳明德", "chen mingde", 10, "person"),
        ("陈明德", "chen mingde", 3, "term"),
        ("河 道", "river channel", 0, "term"),
    ],
)
def test_names_end_as_their_kind_does_and_are_capitalised(
    tagger: Tagger, words: str, target: str, named: int, expected: Category
) -> None:
    facts = _facts(words, named={target: named})
    known = tagger, RuleStyle()
    assert category_of(words.replace(" ", ""), target, facts, {}, known) == expected


def test_rules_and_dictionaries_come_first(tagger: Tagger) -> None:
    known = tagger, RuleStyle()
    dated = _facts("五月 三日", rule={"date": 6})
    assert category_of("五月三日", "may 3", dated, {"五月三日": "person"}, known) == "date"
    seldom = _facts("五月 三日", rule={"date": 4})
    assert category_of("五月三日", "may 3", seldom, {"五月三日": "person"}, known) == "person"
    assert category_of("五月三日", "may 3", seldom, {"五月三日": "term"}, known) == "term"


def test_the_gazetteer_knows_places_by_both_names(tagger: Tagger) -> None:
    known = tagger, RuleStyle()
    assert category_of("上海", "shanghai", _facts("上海"), {}, known) == "location"
    assert category_of("上海", "port", _facts("上海"), {}, known) == "term"


@pytest.mark.parametrize(
    ("target", "nominal", "verbal"),
    [
        ("registration", True, False),
        ("applications", True, False),
        ("death penalty", True, False),
        ("covers", False, False),
        ("appointed", False, True),
        ("specify", False, True),
        ("company invited", False, True),
        ("environmental protection", True, False),
    ],
)
def test_the_shape_of_english_words(target: str, nominal: bool, verbal: bool) -> None:
    assert (looks_nominal(target), looks_verbal(target)) == (nominal, verbal)


def test_names_are_written_with_capitals_but_for_small_words() -> None:
    assert as_name("ministry of the interior") == "Ministry of the Interior"
    assert as_name("the hague") == "The Hague"
