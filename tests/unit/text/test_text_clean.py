from typing import Any

import pytest

from storage.errors import ConfigError
from tasks.text.clean import why_drop, why_drop_text
from tasks.text.config import TextConfig

LIMITS = TextConfig(max_words=10, max_ratio=3.0, ratio_free_words=4, max_characters=30)


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("房子 很 贵", "the house is expensive", None),
        ("", "the house", "empty_side"),
        ("房子", "", "empty_side"),
        ("房子", "a b c d", None),
        ("房子", "a b c d e", "length_ratio"),
        ("a b c d e", "房子", "length_ratio"),
        ("房 子", "a b c d e f", None),
        ("字 " * 11, "a " * 11, "too_long"),
        ("字 " * 10, "a " * 10, None),
        ("ok 7", "ok 7", "identical_sides"),
    ],
)
def test_a_pair_of_words_has_at_most_one_reason(
    source: str, target: str, reason: str | None
) -> None:
    assert why_drop(source.split(), target.split(), LIMITS) == reason


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("房子很贵", "The house is expensive.", None),
        ("  ", "The house", "empty_side"),
        ("房子", "\t", "empty_side"),
        ("房" * 31, "a house", "too_long"),
        ("OK Computer", "ok computer", "identical_sides"),
        ("the house is", "房子很贵", "wrong_script"),
        ("房子很贵", "дом дорогой", "wrong_script"),
        ("123", "123.", None),
        ("使用 GPU", "using GPUs", "wrong_script"),
        ("〇〇", "zero", None),
    ],
)
def test_a_pair_of_raw_texts_has_at_most_one_reason(
    source: str, target: str, reason: str | None
) -> None:
    assert why_drop_text(source, target, LIMITS) == reason


def test_the_share_of_the_own_script_is_a_setting() -> None:
    loose = TextConfig(min_script_share=0.25)
    assert why_drop_text("使用 GPU", "using GPUs", loose) is None


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ({"segmenter": "words"}, "text.segmenter is 'words'"),
        ({"max_words": 0}, "text.max_words is 0"),
        ({"max_characters": -1}, "text.max_characters is -1"),
        ({"max_ratio": 0.5}, "text.max_ratio is 0.5"),
        ({"max_ratio": float("nan")}, "text.max_ratio is nan"),
        ({"ratio_free_words": -1}, "text.ratio_free_words is -1"),
        ({"min_script_share": 1.5}, "text.min_script_share is 1.5"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(setting: dict[str, Any], part: str) -> None:
    with pytest.raises(ConfigError, match=part):
        TextConfig(**setting)
