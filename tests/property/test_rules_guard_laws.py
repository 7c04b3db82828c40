"""Laws of the guard: what is written in English is read back, and what we render agrees."""

import datetime
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tasks.rules.agreement import english_side, holds
from tasks.rules.english_values import read_english
from tasks.rules.grammar import find, find_values
from tasks.rules.guard import compare, disagree
from tasks.rules.judged import judged
from tasks.rules.possible import with_all_digits
from tasks.rules.rendering import render
from tasks.rules.style import RuleStyle
from tasks.rules.values import (
    Amount,
    Bound,
    Clock,
    ClockRange,
    Date,
    DateRange,
    Era,
    Measure,
    Moment,
    Money,
    Ordinal,
    Share,
    Value,
)
from tasks.rules.values import Fraction as Parts
from tests.reference.rules_english_numerals import in_english, ordinal_in_english
from tests.reference.rules_numerals import in_chinese

WHOLE = st.one_of(
    st.integers(0, 10**15 - 1),
    st.integers(1, 15).flatmap(lambda digits: st.integers(0, 10**digits - 1)),
    st.builds(lambda head, zeros: head * 10**zeros, st.integers(1, 999), st.integers(0, 12)),
)
STYLES = st.builds(
    RuleStyle,
    day_first=st.booleans(),
    percent_sign=st.booleans(),
    money_symbols=st.booleans(),
    spell_ordinals=st.booleans(),
    hyphenate_fractions=st.booleans(),
    spell_up_to=st.integers(0, 20),
    region=st.sampled_from(["unknown", "mainland", "hongkong", "taiwan"]),
)
POSITIVE = st.one_of(
    st.integers(1, 10**13).map(Decimal),
    st.builds(
        lambda n, places: Decimal(n).scaleb(-places), st.integers(1, 10**6), st.integers(1, 4)
    ),
)


@st.composite
def amounts(draw: st.DrawFn) -> Amount:
    low = draw(POSITIVE)
    high = low + draw(POSITIVE) if draw(st.booleans()) else None
    bounds: list[Bound] = ["exact", "more", "about", "nearly", "less", "least", "most"]
    bound = "exact" if high else draw(st.sampled_from(bounds))
    return Amount(low, high, bound, digits=draw(st.booleans()))


DAYS = st.dates(datetime.date(1000, 1, 1), datetime.date(2199, 12, 31)).map(
    lambda day: Date(day.year, day.month, day.day)
)
DATES = st.one_of(
    DAYS,
    DAYS.map(lambda day: Date(None, day.month, day.day)),
    DAYS.map(lambda day: Date(day.year, day.month)),
    DAYS.map(lambda day: Date(day.year)),
    st.sampled_from([Date(weekday="monday"), Date(2003, 3, 20, weekday="thursday")]),
    DAYS.map(lambda day: Date(day.year, part="the end of")),
    st.integers(1, 999).map(lambda year: Date(year, before_christ=True)),
)
CLOCKS = st.builds(
    Clock, st.integers(1, 12), st.one_of(st.none(), st.integers(0, 59)), half=st.just(True)
) | st.builds(Clock, st.integers(1, 12), st.integers(0, 59))
VALUES: st.SearchStrategy[Value] = st.one_of(
    amounts(),
    st.builds(Money, amounts(), st.sampled_from(["元", "美元", "港元", "新台币", "欧元", "$"])),
    st.builds(
        Measure, amounts(), st.sampled_from(["个月", "年", "公里", "人", "个", "岁", "平方米", "℃"])
    ),
    st.builds(Share, amounts(), st.sampled_from(["percent", "percentage points"])),
    st.integers(2, 99).flatmap(lambda n: st.builds(Parts, st.integers(1, n - 1), st.just(n))),
    st.builds(Ordinal, st.integers(1, 999)),
    st.builds(Ordinal, st.integers(1, 999), noun=st.sampled_from(["article", "page", "no."])),
    DATES,
    st.tuples(DAYS, DAYS)
    .filter(lambda pair: pair[0] != pair[1])
    .map(lambda pair: DateRange(*pair)),
    st.builds(Era, st.integers(100, 202).map(lambda n: 10 * n), st.just("decade")),
    st.builds(Era, st.integers(1, 22), st.just("century")),
    CLOCKS,
    st.builds(ClockRange, CLOCKS, CLOCKS),
    st.builds(Moment, DAYS, CLOCKS),
)


@given(WHOLE)
def test_every_number_is_read_back_from_words_and_digits(value: int) -> None:
    for text in (in_english(value), in_english(value, joint="and "), str(value), f"{value:,}"):
        found = read_english(text)
        numbers = [
            each.value.year if isinstance(each.value, Date) else each.value for each in found
        ]
        assert value in numbers
        assert any((each.start, each.end) == (0, len(text)) for each in found)


@given(st.integers(1, 10**6))
def test_every_ordinal_is_read_back_from_words(value: int) -> None:
    text = ordinal_in_english(value)
    assert (value, "ordinal") in [(each.value, each.kind) for each in read_english(text)]


@given(VALUES, STYLES)
def test_what_the_rules_render_is_read_as_the_same_value(value: Value, style: RuleStyle) -> None:
    assert holds(english_side(read_english(render(value, style))), value)


@given(VALUES, STYLES)
def test_a_rendered_value_is_read_the_same_in_capitals(value: Value, style: RuleStyle) -> None:
    assert holds(english_side(read_english(render(value, style).upper())), value)


@given(st.integers(11, 10**9), st.integers(11, 10**9))
def test_two_numbers_agree_only_if_they_are_equal(first: int, second: int) -> None:
    chinese, english = f"约{in_chinese(first)}吨", f"about {second:,} tons"
    assert disagree(chinese, english) == (first != second)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_compared(chinese: str, english: str) -> None:
    verdict = compare(chinese, english)
    assert not (verdict.lost and verdict.kept) or not set(verdict.lost) & set(verdict.kept)
    assert all(0 <= each.start < each.end <= len(english) for each in read_english(english))


PIECES = st.sampled_from(
    ["1", "12", "2003", "1,345", "3.5", "half", "a", "and", "hundred", "million", "twenty", "-",
     "one", "th", "st", "s", "%", "percent", "$", "us", "march", "may", "monday", "to", "of", "the",
     "a.m.", "p", ".", "m", ":", "/", "'", "past", "quarter", "century", "bc", "years", ",",
     "third", "½", "１", "\ud800", "point", "dozen", "k", "bn", "(", ")", "thirds", "in", "out"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=14), st.sampled_from(["", " "]))
def test_certain_values_never_overlap(pieces: list[str], blank: str) -> None:
    text = blank.join(pieces)
    found = sorted((each.start, each.end) for each in read_english(text) if each.certain)
    assert all(0 <= start < end <= len(text) for start, end in found)


@given(st.lists(st.sampled_from("三五百千万亿年月日第条元%5约1.2，的 "), max_size=14).map("".join))
def test_values_and_renderings_are_found_at_the_same_places(text: str) -> None:
    values = [(each.start, each.end, render(each.value, RuleStyle())) for each in find_values(text)]
    assert values == [(each.start, each.end, each.target) for each in find(text)]


@given(st.fractions(min_value=0, max_value=1000, max_denominator=1000))
def test_values_are_exact(value: Fraction) -> None:
    text = f"{Decimal(value.numerator):f}.{value.denominator:04d}"
    assert all(isinstance(each.value, int | Fraction | Date) for each in read_english(text))


PARTS = st.sampled_from(
    [
        "3月5日",
        "四十名",
        "3.5亿元",
        "百分之十",
        "第五条",
        "民国95年",
        "下午四点半",
        "八十年代",
        "，",
    ]
)
ANSWERS = st.sampled_from(
    ["March", "5", "40", "forty", "350 million", "0.35", "10", "ten", "percent", "article", "V",
     "2006", "4:30", "1980s", "11,000", "5 MHz", "item E", "6 x 10^2", "."]
)  # fmt: skip


@given(st.lists(PARTS, max_size=4).map("".join), st.lists(ANSWERS, max_size=6).map(" ".join))
def test_what_is_kept_is_what_any_reading_of_the_english_holds(chinese: str, english: str) -> None:
    side = with_all_digits(english_side(read_english(english)), english)
    wanted = [each for match in find_values(chinese) if (each := judged(match)) is not None]
    assert list(compare(chinese, english).kept) == [
        each for each in wanted if holds(side, each.value)
    ]
