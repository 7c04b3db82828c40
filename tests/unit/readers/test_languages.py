"""Language tags compare without case, spelling and what they leave open."""

import pytest

from tasks.readers.languages import is_language


@pytest.mark.parametrize("tag", ["zh", "ZH-cn", "zh_CN", "zh-Hans", "zh-Hant-HK", "zho", "cmn-TW"])
def test_bare_chinese_takes_every_chinese(tag: str) -> None:
    assert is_language(tag, "zh")


@pytest.mark.parametrize(
    ("tag", "wanted", "expected"),
    [
        ("zh_CN.UTF-8", "zh-CN", True),
        ("zh-Hans", "zh-CN", True),
        ("zh", "zh-Hans", True),
        ("zh-CHS", "zh-Hans", True),
        ("zh-TW", "zh-CN", False),
        ("zh-SG", "zh-CN", False),
        ("zh-SG", "zh-Hans", True),
        ("zh", "zh-TW", False),
        ("zh-Hant", "zh-TW", True),
        ("zh-HK", "zh-TW", False),
        ("zh-Hant-TW", "zh-TW", True),
        ("en_US", "en", True),
        ("en", "en-GB", True),
        ("en-US", "en-GB", False),
        ("ENG", "en", True),
        ("ja", "zh", False),
        ("", "zh", False),
        ("zha", "zh", False),
    ],
)
def test_a_tag_is_of_a_language_as_far_as_it_says(tag: str, wanted: str, expected: bool) -> None:
    assert is_language(tag, wanted) is expected
