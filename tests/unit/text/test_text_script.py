import pytest

from tasks.text.script import normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("２０１２年", "2012年"),
        ("  前后　都有\t空白 \r\n", "前后 都有 空白"),
        ("ＡＢＣ，１．５％", "ABC,1.5%"),
        ("零\u200b宽\ufeff字\x00符\u00ad", "零宽字符"),
        ("国家國家", "国家國家"),
        ("〇○", "〇○"),
        ("㎡", "m2"),
        ("a\u2028b\x85c\x0bd", "a b c d"),
        ("", ""),
        ("　", ""),
        ("\ud800孤", "\ud800孤"),
    ],
)
def test_width_blanks_and_invisible_characters_come_to_one_form(text: str, expected: str) -> None:
    assert normalise(text) == expected
