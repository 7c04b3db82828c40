"""The rules, the segmenter and the conversion together, as training and users get them."""

import pytest

from tasks.recipe import RECIPE_FILE, WordRecipe
from tasks.text.lexicon import Lexicon
from tasks.word_maker import WordMaker

PLAIN = WordMaker(WordRecipe(), Lexicon())


def spans(text: str, maker: WordMaker = PLAIN) -> list[tuple[str, str]]:
    """Return the words of each span of a rule, with the rule's category."""
    made = maker.chinese(text)
    return [
        (" ".join(made.words[rule["start"] : rule["end"]]), rule["category"]) for rule in made.rules
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("会议定于2019年7月4日或09:15开始", [("2019 年 7 月 4 日", "date"), ("09 : 15", "time")]),
        ("于2017-12-15修订", [("2017 - 12 - 15", "date")]),
        ("占12.4%的份额", [("12.4 %", "quantity")]),
        ("２０１５年", [("2015 年", "date")]),
        ("第２４届大会", [("第 24 届", "number")]),
    ],
)
def test_the_words_of_a_span_are_its_digits_and_units(
    text: str, expected: list[tuple[str, str]]
) -> None:
    found = spans(text)
    assert [words for words, _ in found] == [words for words, _ in expected]


@pytest.mark.parametrize(
    ("one", "two"),
    [("2018年1月12日", "2018年3月27日"), ("2021-03-04", "1999-12-31"), ("8月5日", "11月30日")],
)
def test_dates_of_one_shape_have_one_pattern_of_words(one: str, two: str) -> None:
    patterns = [
        ["0" if word.isdecimal() else word for word in PLAIN.chinese(text).words]
        for text in (one, two)
    ]
    assert patterns[0] == patterns[1]
    assert len(PLAIN.chinese(one).rules) == 1


@pytest.mark.parametrize(
    "text", ["共有12,608名职工", "网址http://example.net/c3d4", "变量own_name"]
)
def test_grouped_numbers_addresses_and_identifiers_stay_whole(text: str) -> None:
    whole = text.lstrip("共有网址变量").removesuffix("名职工")
    made = PLAIN.chinese(text)
    assert whole in made.words
    assert "".join(made.words) == text


def test_a_recipe_converts_before_the_rules_look_and_says_so() -> None:
    maker = WordMaker(WordRecipe(script="simplified", protected_names=("葉乾",)), Lexicon())
    made = maker.chinese("葉乾於２０１５年３月來到圖書館")
    assert made.text == "叶乾于2015年3月来到图书馆"
    assert (made.script, made.converter.split()[-1]) == ("traditional", "t2s")
    assert [rule["target"] for rule in made.rules] == ["march 2015"]
    assert "".join(made.words) == made.text


def test_a_recipe_travels_with_its_model() -> None:
    recipe = WordRecipe(segmenter="jieba", script="simplified", protected_names=("葉乾",))
    assert WordRecipe.of_model({RECIPE_FILE: recipe.to_bytes()}) == recipe


def test_a_lexicon_keeps_words_whole() -> None:
    text = "网易杭研大厦项目组"
    taught = WordMaker(WordRecipe(), Lexicon(words=("杭研大厦项目组",)))
    assert "杭研大厦项目组" in taught.chinese(text).words
    assert "杭研大厦项目组" not in PLAIN.chinese(text).words
