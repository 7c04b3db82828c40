"""The limits of the guard's two readers: the last value that is read or judged, and the next."""

import pytest

from tasks.rules.english_numbers import MAX_DIGITS
from tasks.rules.english_values import read_english
from tasks.rules.grammar import find_values
from tasks.rules.guard import disagree, kept_values
from tasks.rules.possible import possible_values
from tasks.rules.values import Clock, Date, Era


def certain(text: str) -> list[object]:
    """Return what is read as certain."""
    return [each.value for each in read_english(text) if each.certain]


def years(text: str) -> list[int | None]:
    return [each.value.year for each in read_english(text) if isinstance(each.value, Date)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5 1/16", ["81/16"]),
        ("5 1/20", ["5", "1/20"]),
        ("three and three halves", ["3", "3"]),
        ("one and one quarter", ["5/4"]),
        ("one million, two hundred people", ["1000200"]),
        ("one million, one hundred people", ["1000100"]),
        ("one million, fifty people", ["1000000", "50"]),
        ("mid-30 percent", ["30"]),
        ("$ 3 million m", ["3000000"]),
        ("$3bn b", ["3000000000"]),
        ("1" * MAX_DIGITS, ["1" * MAX_DIGITS]),
        ("1" * (MAX_DIGITS + 1), []),
    ],
)
def test_certain_numbers(text: str, values: list[str]) -> None:
    assert [str(value) for value in certain(text)] == values


@pytest.mark.parametrize(
    ("text", "year"),
    [("999", None), ("1000", 1000), ("2199", 2199), ("2200", None), ("in '49", 2049),
     ("in '50", 1950), ("in '55", 1955)],
)  # fmt: skip
def test_years(text: str, year: int | None) -> None:
    assert years(text) == ([] if year is None else [year])


@pytest.mark.parametrize(
    ("text", "sure"), [("fifteen fifty", False), ("sixteen fifty", True), ("twenty fifty", True)]
)
def test_a_spelled_year_is_certain_where_years_are_usual(text: str, sure: bool) -> None:
    assert len(years(text)) == 1
    assert any(isinstance(value, Date) for value in certain(text)) == sure


def test_many_days_may_share_a_month_behind_them() -> None:
    text = "21st , 22nd , 23rd , 24th , 25th , 26th , 27th and 28th of march"
    assert [each.day for each in certain(text) if isinstance(each, Date)] == list(range(21, 29))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("29 past 3", Clock(3, 29)),
        ("30 past 3", None),
        ("45 past 3", None),
        ("at 13 o'clock", Clock(13)),
        ("at 24 o'clock", Clock(24)),
        ("at 25 o'clock", None),
    ],
)
def test_hours_and_minutes(text: str, wanted: Clock | None) -> None:
    times = [each.value for each in read_english(text) if each.kind == "time"]
    assert times == ([] if wanted is None else [wanted])


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("3, 4, 5 and 6 million yuan", {3, 3_000_000, 4, 4_000_000, 5, 5_000_000, 6_000_000}),
        ("5 to 5 million yuan", {5, 5_000_000}),
        ("two in five hundred", {2, 500, "1/250"}),
        ("two in five thousand", {2, 5000}),
    ],
)
def test_all_readings(text: str, amounts: set[object]) -> None:
    assert {str(each.value) for each in read_english(text)} == set(map(str, amounts))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("十名学生", None),
        ("十一名学生", "number"),
        ("总共十一", None),
        ("两年", None),
        ("三年", "measure"),
        ("0.5米", "measure"),
        ("约十个", None),
        ("约11个", "number"),
        ("十五六个人", None),
        ("第三次", None),
        ("第四次", "ordinal"),
        ("第一条", None),
        ("第二条", "ordinal"),
        ("百分之一", "percent"),
        ("一美元", "money"),
        ("三四十人", None),
        ("走了三十里", None),
    ],
)
def test_what_has_to_be_kept(text: str, kind: str | None) -> None:
    assert [each.kind for each, _ in kept_values(text, "")] == ([] if kind is None else [kind])


def test_eras_keep_their_kind() -> None:
    assert certain("in the 1980s and the 20th century") == [Era(1980, "decade"), Era(20, "century")]


@pytest.mark.parametrize(
    ("chinese", "english", "kept"),
    [
        ("十四天", "a fortnight", True),
        ("十五天", "a fortnight", False),
        ("下午四点半", "4:30 p.m.", True),
        ("下午四点半", "4:30 a.m.", False),
        ("亏损-30万元", "a loss of 300,000 yuan", True),
        ("第三十条第二款", "Article 30 (2)", True),
        ("第三十条之一", "Article 30", False),
        ("第三十条之一", "Article 30-1", True),
        ("20世纪", "the 1900s", True),
        ("20世纪", "the 2000s", False),
        ("共有363个", "three and sixty-three", False),
        ("共有400个", "three 100", False),
    ],
)
def test_what_is_kept(chinese: str, english: str, kept: bool) -> None:
    values = kept_values(chinese, english)
    assert values
    assert all(each for _, each in values) == kept


@pytest.mark.parametrize(
    ("chinese", "english", "explained"),
    [
        ("四点三刻", "4:45", True),
        ("四点", "4:50", False),
        ("一年六个月", "18 months", True),
        ("一年十二个月", "24 months", False),
        ("两小时半", "2.5 hours", True),
        ("两小时", "2.5 hours", False),
        ("打八折", "20 percent", True),
        ("打八折", "30 percent", False),
        ("减少30", "70 percent", True),
        ("共30", "70 percent", False),
    ],
)
def test_what_a_text_could_say(chinese: str, english: str, explained: bool) -> None:
    possible = possible_values(chinese, find_values(chinese))
    assert [possible.explains(each) for each in read_english(english)] == [explained]


@pytest.mark.parametrize(
    ("count", "seen"), [("ten", False), ("G20", False), ("eleven", True), ("10", True)]
)
def test_a_small_count_in_words_contradicts_nothing(count: str, seen: bool) -> None:
    assert disagree("有四十名学生。", f"There are {count} students.") == seen
