"""English numbers side by side: where one ends and the next begins."""

import pytest

from tasks.rules.english_values import read_english


def amounts(text: str) -> list[object]:
    """Return the different amounts of a text, in their order."""
    return list(dict.fromkeys(each.value for each in read_english(text)))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("five thousand three thousand", [5000, 3000]),
        ("one hundred two hundred", [100, 200]),
        ("two hundred thirty hundred", [200, 3000]),
        ("two hundred and three hundred men", [200, 300]),
        ("one thousand two hundred and six thousand", [1200, 6000]),
        ("one million two hundred and three thousand", [1203000]),
        ("one thousand two hundred and six", [1206]),
        ("between two hundred and three thousand", [200, 3000]),
        ("between one thousand two hundred and six thousand", [1200, 6000]),
        ("between one hundred and five and one hundred and ten", [105, 110]),
        ("between forty and sixty", [40, 60]),
        ("between one hundred and fifty towns", [100, 50]),
        ("some two hundred and three thousand", [203000]),
    ],
)
def test_a_number_ends_where_the_scales_no_longer_fall(text: str, values: list[int]) -> None:
    assert amounts(text) == values


def test_what_ends_before_and_keeps_its_place_in_the_text() -> None:
    text = "in between two hundred and three thousand"
    found = {text[each.start : each.end] for each in read_english(text)}
    assert found == {"two hundred", "three thousand"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$ 55 k", 55_000),
        ("$ 9.6 m", 9_600_000),
        ("$ 2 b", 2 * 10**9),
        ("$ 4 bn", 4 * 10**9),
        ("$55k", 55_000),
        ("us$ 3 mn", 3_000_000),
        ("$ 3 million", 3_000_000),
    ],
)
def test_a_letter_behind_money_is_its_scale(text: str, value: int) -> None:
    found = read_english(text)
    assert [(each.kind, each.value, each.end) for each in found] == [("money", value, len(text))]


def test_a_letter_apart_is_no_scale_without_money() -> None:
    assert amounts("55 k") == [55]


@pytest.mark.parametrize("text", ["16:49:45,896", "16:49:45.896", "16:49:45"])
def test_a_time_may_end_in_milliseconds(text: str) -> None:
    [found] = read_english(text)
    assert (found.kind, found.end) == ("time", len(text))
    assert "second=45" in repr(found.value)
