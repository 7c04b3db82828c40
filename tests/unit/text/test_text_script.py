import pytest

from storage.records import Span
from tasks.text.script import normalise, normalise_with_offsets


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


def test_offsets_lead_back_to_the_original_characters() -> None:
    mapped = normalise_with_offsets("\ufeff 于　　２０１２年  ")
    assert mapped.text == "于 2012年"
    assert mapped.original(Span(2, 7)) == Span(5, 10)
    assert mapped.original(Span(1, 2)) == Span(3, 5)


def test_one_character_that_becomes_two_maps_both_to_its_place() -> None:
    mapped = normalise_with_offsets("5㎡")
    assert mapped.text == "5m2"
    assert mapped.original(Span(1, 2)) == mapped.original(Span(2, 3)) == Span(1, 2)


def test_an_empty_span_stays_empty() -> None:
    mapped = normalise_with_offsets(" 年")
    assert mapped.original(Span(0, 0)) == Span(1, 1)
    assert mapped.original(Span(1, 1)) == Span(2, 2)
    assert normalise_with_offsets("").original(Span(0, 0)) == Span(0, 0)
