from dataclasses import replace
from typing import Any

import pytest

from storage.errors import ConfigError
from tasks.text.clean import detail_of, why_drop
from tasks.text.config import TextConfig
from tasks.text.english import tokenise
from tasks.text.overlap import HeldOutIndex, HeldOutText
from tasks.text.quality import measure
from tasks.text.script import normalise
from tasks.text.segment import segment

LIMITS = TextConfig(max_words=10, max_ratio=3.0, ratio_free_words=4, max_characters=60)
NOTHING = HeldOutIndex((), 13)


def measured(source: str, target: str, held_out: HeldOutIndex = NOTHING) -> dict[str, Any]:
    texts = normalise(source), normalise(target)
    words = [word.text for word in segment(texts[0])], tokenise(texts[1])
    return measure((source, target), texts, words, held_out)


def reason(source: str, target: str, config: TextConfig = LIMITS) -> str | None:
    return why_drop(measured(source, target), config)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("房子很贵", "The house is expensive.", None),
        ("", "The house", "empty_side"),
        ("  \u3000", "The house", "empty_side"),
        ("房子", "\t", "empty_side"),
        ("房子", "\u200b", "empty_side"),
        ("房" * 61, "a house", "too_long"),
        ("房子很贵", "a b c d e f g h i j k", "too_long"),
        ("房子", "one two three four five six seven", "length_ratio"),
        ("房子", "a b c d", None),
        ("他来到北京 大学看书学习", "Yes", "length_ratio"),
        ("会议在三月五日开始", "It begins on March 6", "numbers_disagree"),
        ("会议在三月五日开始", "It begins on March 5", None),
        ("会议在三月五日开始", "The meeting begins", None),
        ("增长百分之三", "growth of 4 percent", "numbers_disagree"),
        ("约三百人", "About 300 people", None),
        ("OK Computer", "ok  computer", "identical_sides"),
        ("ＯＫ！", "ok.", "identical_sides"),
        ("。。。", "。。。", "identical_sides"),
        ("123", "123.", "identical_sides"),
        ("the house is", "房子很贵", "wrong_script"),
        ("房子很贵", "дом дорогой", "wrong_script"),
        ("안녕하세요 여러분", "Hello everyone", "wrong_script"),
        ("家はとても高いです", "The house is expensive", "wrong_script"),
        ("日本国民の象徴", "the symbol of the nation", "wrong_language"),
        ("使用 GPU", "using GPUs", None),
        ("Tom帮Mary买了果汁", "Tom bought Mary juice", None),
        ("〇〇", "zero", None),
        ("房子很贵", "Das Haus ist leider ziemlich teuer geworden", "wrong_language"),
        ("房子很贵", "La maison est devenue beaucoup trop chère", "wrong_language"),
        ("房子", "Haus", None),
        ("房子→→→→→", "the house", "symbols"),
        ("房子", "house ========", "symbols"),
        ("房子<br/>", "the house", "markup"),
        ("房子", "the &amp; house", "markup"),
        ("房子很贵", "a < b > c", None),
        ("房子", "R&D; more", None),
        ("房\ufffd子", "the house", "broken_encoding"),
        ("房子", "the\x07 house", "broken_encoding"),
        ("房子", "It\u00e2\u20ac\u2122s a house", "broken_encoding"),
        ("鎴垮瓙寰堣吹", "the house", "broken_encoding"),
    ],
)
def test_a_pair_has_at_most_one_reason(source: str, target: str, expected: str | None) -> None:
    assert reason(source, target) == expected


@pytest.mark.parametrize(
    ("source", "target", "setting"),
    [
        ("房子很贵", "Das Haus ist leider ziemlich teuer geworden", {"min_english": 0.0}),
        ("房子→→→→→", "the house", {"max_symbol_share": 1.0}),
        ("房子<br/>", "the house", {"max_tags": 1}),
        ("the house is", "房子很贵", {"min_script_share": 0.0}),
        ("房子", "one two three four five six seven", {"ratio_free_words": 7}),
        ("家はとても高いです", "The house is", {"min_script_share": 0.0, "max_kana_share": 1.0}),
    ],
)
def test_every_limit_is_a_setting(source: str, target: str, setting: dict[str, Any]) -> None:
    assert reason(source, target, TextConfig()) is not None
    assert reason(source, target, TextConfig(**setting)) is None


def held_out(*texts: str) -> HeldOutIndex:
    return HeldOutIndex(
        (
            HeldOutText("news", f"news:{at:04d}", "reference 1", text, tokenise(text))
            for at, text in enumerate(texts)
        ),
        4,
    )


@pytest.mark.parametrize(
    ("target", "decontaminate", "expected"),
    [
        ("He went to the old market.", "run", "in_test_set"),
        ("HE WENT to the old market", "whole", "in_test_set"),
        ("Then he went, to the shop.", "run", "in_test_set"),
        ("Then he went to the shop.", "whole", None),
        ("Then he went to the shop.", "off", None),
        ("Then he goes to the shop.", "run", None),
    ],
)
def test_a_pair_that_shares_a_text_or_a_run_with_a_test_set_is_held_out(
    target: str, decontaminate: Any, expected: str | None
) -> None:
    index = held_out("Unlike all others.", "He went to the old market.")
    found = measured("他去了旧市场", target, index)
    why = why_drop(found, TextConfig(decontaminate=decontaminate))
    assert why == expected
    if why:
        assert found["overlap_testset"] == "news"
        shared = f"{found['overlap_kind']} {found['overlap_digest']}"
        assert detail_of(found, why) == f"{shared} in the reference 1 of news:0001"


def test_being_held_out_comes_before_every_other_reason() -> None:
    index = held_out("He went to the old market.")
    assert why_drop(measured("", "He went to the old market.", index), LIMITS) == "in_test_set"


def test_a_reason_comes_with_its_measurement() -> None:
    found = measured("房子", "one two three four five six seven")
    assert detail_of(found, "length_ratio") == "1 and 7 words"
    assert detail_of(found, "identical_sides") == ""
    clashing = measured("会议在三月五日开始", "It begins on March 6")
    assert detail_of(clashing, "numbers_disagree") == "三月五日 against March 6"


def test_numbers_that_disagree_are_kept_on_request() -> None:
    config = replace(LIMITS, check_numbers=False)
    assert reason("会议在三月五日开始", "It begins on March 6", config) is None


def test_copies_have_equal_keys() -> None:
    one, two = measured("房子很贵。", "It is DEAR."), measured("房子 很贵", "it is dear!")
    assert one["exact_key"] != two["exact_key"]
    assert one["normalised_key"] == two["normalised_key"]
    assert (
        measured("3.5米", "3.5 m")["normalised_key"] != measured("4.5米", "4.5 m")["normalised_key"]
    )


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ({"segmenter": "words"}, "text.segmenter is 'words'"),
        ({"duplicates": "all"}, "text.duplicates is 'all'; expected one of keep, exact"),
        ({"decontaminate": "yes"}, "text.decontaminate is 'yes'"),
        ({"max_words": 0}, "text.max_words is 0"),
        ({"max_characters": -1}, "text.max_characters is -1"),
        ({"max_ratio": 0.5}, "text.max_ratio is 0.5"),
        ({"max_ratio": float("nan")}, "text.max_ratio is nan"),
        ({"ratio_free_words": -1}, "text.ratio_free_words is -1"),
        ({"overlap_words": 1}, "text.overlap_words is 1; it must be 2 or more"),
        ({"min_script_share": 1.5}, "text.min_script_share is 1.5"),
        ({"min_english": -0.1}, "text.min_english is -0.1"),
        ({"min_linked_share": 2}, "text.min_linked_share is 2"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(setting: dict[str, Any], part: str) -> None:
    with pytest.raises(ConfigError, match=part):
        TextConfig(**setting)
