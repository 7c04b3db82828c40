"""Tables of values in English text and what is read."""

from fractions import Fraction

import pytest

from tasks.rules.english_values import EnglishValue, read_english
from tasks.rules.values import Clock, Date, Era

NUMBERS: list[tuple[str, object]] = [
    ("0", 0),
    ("7", 7),
    ("19", 19),
    ("345", 345),
    ("1,345", 1345),
    ("1345678", 1345678),
    ("12,345,678", 12345678),
    ("10, 000", 10000),
    ("1 000", 1000),
    ("3.5", Fraction(7, 2)),
    ("0.06", Fraction(3, 50)),
    ("1,234.50", Fraction(2469, 2)),
    ("-2.5", Fraction(-5, 2)),
    ("minus 12", -12),
    ("negative 12", -12),
    ("3 million", 3000000),
    ("3.25 million", 3250000),
    ("3.5bn", 3500000000),
    ("12 mn", 12),
    ("12mn", 12000000),
    ("40k", 40000),
    ("2 hundred", 200),
    ("100 thousand", 100000),
    ("1.2 trillion", 1200000000000),
    ("2 quadrillion", 2 * 10**15),
    ("one million three hundred thousand", 1300000),
    ("one million, three hundred thousand and five", 1300005),
    ("two hundred and five", 205),
    ("two hundred five", 205),
    ("Two Hundred And Five", 205),
    ("nine hundred ninety-nine thousand nine hundred and ninety-nine", 999999),
    ("a hundred", 100),
    ("a thousand", 1000),
    ("a million", 1000000),
    ("twelve hundred", 1200),
    ("two thousand and three", 2003),
    ("ten thousand", 10000),
    ("one hundred-and-one", 101),
    ("thirty thousands", 30000),
    ("six hundred thousands", 600000),
    ("five hundred million", 500000000),
    ("one hundred billion", 10**11),
    ("half a million", 500000),
    ("half million", 500000),
    ("one and a half million", 1500000),
    ("a million and a half", 1500000),
    ("two and a half", Fraction(5, 2)),
    ("two-and-a-half", Fraction(5, 2)),
    ("three and three quarters", Fraction(15, 4)),
    ("three and one quarter", Fraction(13, 4)),
    ("2 1/2", Fraction(5, 2)),
    ("twenty", 20),
    ("twenty-one", 21),
    ("twenty one", 21),
    ("ninety nine", 99),
    ("seventeen", 17),
    ("３００", 300),
    ("１，３４５", 1345),
    ("fourty", 40),
]
FRACTIONS: list[tuple[str, object]] = [
    ("two thirds", Fraction(2, 3)),
    ("two-thirds", Fraction(2, 3)),
    ("one third", Fraction(1, 3)),
    ("one-third", Fraction(1, 3)),
    ("three quarters", Fraction(3, 4)),
    ("one quarter", Fraction(1, 4)),
    ("one half", Fraction(1, 2)),
    ("one-half", Fraction(1, 2)),
    ("seven eighths", Fraction(7, 8)),
    ("nine tenths", Fraction(9, 10)),
    ("five twelfths", Fraction(5, 12)),
    ("1/3", Fraction(1, 3)),
    ("1 / 3", Fraction(1, 3)),
    ("11/12", Fraction(11, 12)),
    ("three hundredths", Fraction(3, 100)),
]
SHARES: list[tuple[str, str, object]] = [
    ("3.5 percent", "percent", Fraction(7, 2)),
    ("3.5%", "percent", Fraction(7, 2)),
    ("3.5 %", "percent", Fraction(7, 2)),
    ("3.5 per cent", "percent", Fraction(7, 2)),
    ("3.5 pct", "percent", Fraction(7, 2)),
    ("three percent", "percent", 3),
    ("twenty-five per cent", "percent", 25),
    ("a hundred percent", "percent", 100),
    ("minus 2 percent", "percent", -2),
    ("-2 %", "percent", -2),
    ("3 per mille", "percent", Fraction(3, 10)),
    ("3‰", "percent", Fraction(3, 10)),
    ("0.25 percentage points", "points", Fraction(1, 4)),
    ("1 percentage point", "points", 1),
    ("25 basis points", "points", Fraction(1, 4)),
    ("two and a half percent", "percent", Fraction(5, 2)),
    ("8.5-percent", "percent", Fraction(17, 2)),
]
ORDINALS: list[tuple[str, int]] = [
    ("1st", 1),
    ("22nd", 22),
    ("103rd", 103),
    ("112th", 112),
    ("1,000th", 1000),
    ("third", 3),
    ("twelfth", 12),
    ("twentieth", 20),
    ("twenty-first", 21),
    ("thirty fourth", 34),
    ("one hundred and twelfth", 112),
    ("two hundredth", 200),
    ("seventieth", 70),
]
MONEY: list[tuple[str, object, str]] = [
    ("$55", 55, "$"),
    ("$ 55 million", 55000000, "$"),
    ("$3.5bn", 3500000000, "$"),
    ("$5m", 5000000, "$"),
    ("US$ 55 million", 55000000, "美元"),
    ("US$55", 55, "美元"),
    ("HK$500", 500, "港元"),
    ("NT$60,000", 60000, "新台币"),
    ("nt $ 60,000", 60000, "新台币"),
    ("€20", 20, "欧元"),
    ("£500 million", 500000000, "英镑"),
    ("¥1,000", 1000, "日元"),
    ("RMB 11 billion", 11 * 10**9, "人民币"),
    ("TWD 15,000", 15000, "新台币"),
    ("USD 2.5 million", 2500000, "美元"),
    ("55 million us dollars", 55000000, "美元"),
    ("55 U.S. dollars", 55, "美元"),
    ("800 hong kong dollars", 800, "港元"),
    ("12,000 yuan", 12000, "元"),
    ("500,000 yen", 500000, "日元"),
    ("25 euros", 25, "欧元"),
    ("thirty thousand New Taiwan Dollars", 30000, "新台币"),
    ("one dollar", 1, "$"),
    ("twenty pounds", 20, "英镑"),
    ("10 rubles", 10, "卢布"),
    ("5-million-dollar", 5000000, "$"),
]
MEASURES: list[tuple[str, object, str]] = [
    ("150 kilometers", 150, "kilometer"),
    ("150 kilometres", 150, "kilometer"),
    ("150 km", 150, "kilometer"),
    ("20mm", 20, "millimeter"),
    ("1,000m2", 1000, "square meter"),
    ("60 square kilometers", 60, "square kilometer"),
    ("6 billion cubic metres", 6 * 10**9, "cubic meter"),
    ("8 kg", 8, "kilogram"),
    ("1.5 million tonnes", 1500000, "ton"),
    ("20 degrees celsius", 20, "degree celsius"),
    ("three months", 3, "month"),
    ("3-month", 3, "month"),
    ("five-year", 5, "year"),
    ("36-year-old", 36, "year"),
    ("two and a half years", Fraction(5, 2), "year"),
    ("two decades", 2, "decade"),
    ("half an hour", Fraction(1, 2), "hour"),
    ("half a century", Fraction(1, 2), "century"),
    ("24 hours", 24, "hour"),
    ("90 minutes", 90, "minute"),
    ("six weeks", 6, "week"),
    ("300 people", 300, "person"),
    ("half a million people", 500000, "person"),
    ("minus 3 degrees celsius", -3, "degree celsius"),
    ("500 mu", 500, "mu"),
    ("30 miles", 30, "mile"),
]
DATES: list[tuple[str, Date]] = [
    *[
        (text, Date(2003, 3, 20))
        for text in (
            "March 20, 2003", "march 20 , 2003", "20 March 2003", "20 March, 2003",
            "the 20th of March, 2003", "March 20th, 2003", "March the 20th, 2003",
            "20th March 2003", "2003-03-20", "2003/3/20", "3/20/2003", "20/3/2003", "20.3.2003",
            "2003.3.20", "Mar. 20, 2003", "20 Mar 2003", "20-Mar-2003", "MARCH 20, 2003",
            "twentieth of march, 2003", "March 20 2003",
        )
    ],
    ("March 20", Date(None, 3, 20)),
    ("20 March", Date(None, 3, 20)),
    ("the 20th of march", Date(None, 3, 20)),
    ("Sept. 5", Date(None, 9, 5)),
    ("Jan 1st", Date(None, 1, 1)),
    ("May 1", Date(None, 5, 1)),
    ("1 May 2003", Date(2003, 5, 1)),
    ("the 1st of may", Date(None, 5, 1)),
    ("March 2003", Date(2003, 3)),
    ("March of 2003", Date(2003, 3)),
    ("March, 2003", Date(2003, 3)),
    ("Dec. 1998", Date(1998, 12)),
    ("June", Date(None, 6)),
    ("2003", Date(2003)),
    ("1644", Date(1644)),
    ("nineteen ninety-eight", Date(1998)),
    ("twenty twenty-one", Date(2021)),
    ("Monday", Date(weekday="monday")),
    ("wednesdays", Date(weekday="wednesday")),
    ("Thurs", Date(weekday="thursday")),
    ("221 BC", Date(221, before_christ=True)),
    ("221 B.C.", Date(221, before_christ=True)),
    ("221 bce", Date(221, before_christ=True)),
    ("25 AD", Date(25)),
    ("february 29", Date(None, 2, 29)),
]  # fmt: skip
ERAS: list[tuple[str, Era]] = [
    ("the 1980s", Era(1980, "decade")),
    ("1980's", Era(1980, "decade")),
    ("mid-1990s", Era(1990, "decade")),
    ("the nineteen eighties", Era(1980, "decade")),
    ("21st century", Era(21, "century")),
    ("the twenty-first century", Era(21, "century")),
    ("nineteenth-century", Era(19, "century")),
    ("3rd century B.C.", Era(3, "century")),
]
TIMES: list[tuple[str, Clock]] = [
    ("9:30 a.m.", Clock(9, 30, half=True)),
    ("9:30 am", Clock(9, 30, half=True)),
    ("9:30am", Clock(9, 30, half=True)),
    ("9.30 p.m.", Clock(21, 30, half=True)),
    ("9:30 P.M.", Clock(21, 30, half=True)),
    ("9 p.m.", Clock(21, half=True)),
    ("9pm", Clock(21, half=True)),
    ("12 a.m.", Clock(0, half=True)),
    ("12:15 p.m.", Clock(12, 15, half=True)),
    ("12 noon", Clock(12, half=True)),
    ("14:00", Clock(14, 0, half=True)),
    ("14:00:05", Clock(14, 0, 5, half=True)),
    ("0:05", Clock(0, 5, half=True)),
    ("08:15", Clock(8, 15)),
    ("noon", Clock(12, half=True, named="noon")),
    ("midnight", Clock(0, half=True, named="midnight")),
    ("half past two", Clock(2, 30)),
    ("quarter to five", Clock(4, 45)),
    ("quarter past five", Clock(5, 15)),
    ("eight-thirty", Clock(8, 30)),
    ("nine o'clock", Clock(9)),
    ("3 o’clock", Clock(3)),
    ("9 in the morning", Clock(9, half=True)),
    ("three in the afternoon", Clock(15, half=True)),
    ("half past eight in the evening", Clock(20, 30, half=True)),
    ("8 at night", Clock(20, half=True)),
]


def certain(text: str) -> list[EnglishValue]:
    return [each for each in read_english(text) if each.certain]


def assert_only(text: str, value: object, kinds: set[str], unit: str | None = None) -> None:
    found = certain(text)
    assert [(each.value, each.kind in kinds) for each in found] == [(value, True)]
    if unit is not None:
        assert found[0].unit == unit


@pytest.mark.parametrize(("text", "value"), NUMBERS)
def test_numbers(text: str, value: object) -> None:
    assert_only(text, value, {"number"})


@pytest.mark.parametrize(("text", "value"), FRACTIONS)
def test_fractions(text: str, value: object) -> None:
    assert value in [each.value for each in read_english(text) if each.kind == "fraction"]


@pytest.mark.parametrize(("text", "kind", "value"), SHARES)
def test_shares(text: str, kind: str, value: object) -> None:
    assert_only(text, value, {kind})


@pytest.mark.parametrize(("text", "value"), ORDINALS)
def test_ordinals(text: str, value: int) -> None:
    assert_only(text, value, {"ordinal"})


@pytest.mark.parametrize(("text", "value", "currency"), MONEY)
def test_money(text: str, value: object, currency: str) -> None:
    assert_only(text, value, {"money"}, currency)


@pytest.mark.parametrize(("text", "value", "unit"), MEASURES)
def test_measures(text: str, value: object, unit: str) -> None:
    assert_only(text, value, {"measure"}, unit)


@pytest.mark.parametrize(("text", "value"), DATES)
def test_dates(text: str, value: Date) -> None:
    assert_only(text, value, {"date"})


@pytest.mark.parametrize(("text", "value"), ERAS)
def test_decades_and_centuries(text: str, value: Era) -> None:
    assert_only(text, value, {"era"})


@pytest.mark.parametrize(("text", "value"), TIMES)
def test_times(text: str, value: Clock) -> None:
    assert_only(text, value, {"time"})


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("from March 5 to April 8", [Date(None, 3, 5), Date(None, 4, 8)]),
        ("march 5 to 8 , 2003", [Date(2003, 3, 5), Date(2003, 3, 8)]),
        ("March 5-8, 2003", [Date(2003, 3, 5), Date(2003, 3, 8)]),
        ("5-8 March 2003", [Date(2003, 3, 5), Date(2003, 3, 8)]),
        ("5 to 8 june", [Date(None, 6, 5), Date(None, 6, 8)]),
        ("on 5, 6 and 7 March 2003", [Date(2003, 3, 5), Date(2003, 3, 6), Date(2003, 3, 7)]),
        ("March 5, 20 people", [Date(None, 3, 5), 20]),
        ("3 to 5 percent", [3, 5]),
        ("3-5 percent", [3, 5]),
        ("3 % to 5 %", [3, 5]),
        ("3 to 5 million", [3000000, 5000000]),
        ("$3 to $5 million", [3000000, 5000000]),
        ("300 to 500 kilometers", [300, 500]),
        ("1998 to 2000", [Date(1998), Date(2000)]),
        ("the 1960s and 1970s", [Era(1960, "decade"), Era(1970, "decade")]),
        ("10:20 on august 9 , 2014", [Clock(10, 20), Date(2014, 8, 9)]),
        ("Resolution 1701 (2006)", [Date(1701), Date(2006)]),
    ],
)
def test_several_values_in_a_row(text: str, values: list[object]) -> None:
    assert [each.value for each in certain(text)] == values


@pytest.mark.parametrize(
    "text",
    [
        "", "no value at all", "one", "G20", "F-16", "COVID-19", "may", "march on", "a second",
        "section 5 may be amended", "several hundred", "hundreds of thousands", "a few thousand",
        "twice as many", "(11) the licence", "3. The licence", "the eighties", "a quarter",
        "a decade ago", "1,000-1", "hundred", "dozens", "someone", "tenor",
        "monthly", "in May", "a dozen",
    ],
)  # fmt: skip
def test_nothing_is_certain(text: str) -> None:
    assert certain(text) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("section 5 may be amended", {5, Date(None, 5, 5), Date(None, 5)}),
        ("3/4/2003", {Date(2003, 3, 4), Date(2003, 4, 3)}),
        ("between 3 and 5 million", {3, 3000000, 5000000}),
        ("five to eight", {5, 8, Clock(7, 55)}),
        ("a third of them", {3, Fraction(1, 3)}),
        ("two out of three", {2, 3, Fraction(2, 3)}),
        ("'98", {Date(1998), 98}),
        ("in his twenties", {20}),
    ],
)
def test_two_readings_are_both_given(text: str, values: set[object]) -> None:
    assert {each.value for each in read_english(text)} >= values


def test_spans_are_places_in_the_text() -> None:
    text = "On “March 20, 2003” some ３００ people paid US$ 5 million"
    assert [text[each.start : each.end] for each in read_english(text)] == [
        "March 20, 2003",
        "３００ people",
        "5 million",
    ]
