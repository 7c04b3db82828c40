"""Rules for years of eras, centuries, decades, the lunar calendar and days that name an event."""

import re

from tasks.rules.calendar_parts import DIGIT, NEXT, SMALL, is_possible, read_small, read_year
from tasks.rules.dates import PARTS_OF_YEAR, YEAR_PART
from tasks.rules.numbers import CHINESE, read_amount, read_integer
from tasks.rules.reigns import ANY_YEAR, ERAS, REIGNS, era_year
from tasks.rules.rendering import MONTHS, ordinal, ordinal_word
from tasks.rules.rule import Reading, abstain, rule
from tasks.rules.style import RuleStyle
from tasks.rules.values import ABSTAIN, Date, Era, Ordinal, Wording

_AGES = {"初": "early", "早": "early", "前": "early", "中": "mid-", "末": "late", "后": "late"} | {
    "晚": "late"
}
_CENTURY_PARTS = {"初": "the beginning of", "末": "the end of", "中叶": "the middle of", None: ""}
_EVENTS = {"运动": "movement", "事变": "incident", "事件": "incident", "惨案": "massacre"}
_LUNAR_MONTHS = {"正": 1, "冬": 11, "腊": 12}


def _read_era_year(found: re.Match[str], style: RuleStyle) -> Reading:
    year = era_year(found["era"], read_year(found["y"]))
    return ABSTAIN if year is None else Date(year, part=PARTS_OF_YEAR[found["part"]])


def _read_christian_year(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 公元前二二一年 and 公元25年."""
    year = read_year(found["y"])
    if not year:
        return ABSTAIN
    if found["bc"]:
        return Date(year, before_christ=True)
    return Date(year) if year >= 1000 else Wording(f"{year} ad")


def _read_decade(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 上世纪八十年代, 20世纪80年代, 1980年代 and 八十年代."""
    text, century = found["n"], found["century"]
    decade = int(text) if text.isascii() else read_integer(text)
    if decade is None or decade % 10:
        return _read_two_decades(text, century)
    part = _AGES[found["part"][0]] if found["part"] else ""
    if decade >= 1000:
        return Era(decade, "decade", part)
    number = _century(century)
    if number is None or decade >= 100 or (century is None and decade < 30):
        return ABSTAIN
    return Era(100 * (number - 1) + decade, "decade", part)


def _read_two_decades(text: str, century: str | None) -> Reading:
    """Read 六七十年代: two decades that follow each other."""
    decades = read_amount(text)
    number = _century(century)
    if decades is None or decades.high is None or not decades.alternative or number is None:
        return ABSTAIN
    first, last = (100 * (number - 1) + int(value) for value in (decades.low, decades.high))
    return Wording(f"the {first}s and {last}s")


def _century(text: str | None) -> int | None:
    """Say which century is meant; a bare decade is of the twentieth."""
    if text is None or text.startswith("上"):
        return 20
    return 21 if text == "本" else read_small(text)


def _read_century(found: re.Match[str], style: RuleStyle) -> Reading:
    number = read_small(found["n"])
    if not number or number > 30:
        return ABSTAIN
    if found["bc"]:
        return Ordinal(number, noun="century bc", after=True)
    return Era(number, "century", _CENTURY_PARTS[found["part"]])


def _read_two_centuries(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 十七、八世纪 and 17、18世纪; others may count something else (一、八世纪的诗)."""
    first, last = read_small(found["n"]), read_small(found["m"])
    if first and last and first > 10 > last:
        last += first // 10 * 10
    if not first or not last or last != first + 1 or last > 30:
        return ABSTAIN
    return Wording(f"the {_day(first)} and {_day(last)} centuries")


def _read_relative_century(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 上世纪末 as words: which century it is depends on when it is read."""
    name = "this century" if found["which"] == "本" else "last century"
    return Wording(f"{_CENTURY_PARTS[found['part']]} {name}".strip())


def _read_lunar(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 农历八月十五, which is never turned into a date of our calendar."""
    month = _LUNAR_MONTHS.get(found["m"]) or read_small(found["m"])
    day = read_small(found["d"].removeprefix("初").removesuffix("日")) if found["d"] else None
    if not month or month > 12 or (found["d"] and not (day and day <= 30)):
        return ABSTAIN
    name = f"the {ordinal_word(month)} lunar month"
    return Wording(name if day is None else f"the {_day(day)} day of {name}")


def _day(number: int) -> str:
    return ordinal_word(number) if number <= 10 else ordinal(number)


def _read_event(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 一二·九运动: the digits before the dot are a month, those behind it a day."""
    month, day = (_digits(text) for text in found.group("m", "d"))
    if not is_possible(None, month, day):
        return ABSTAIN
    return Wording(f"{MONTHS[month - 1]} {day} {_EVENTS[found['thing']]}")


def _digits(text: str) -> int:
    return int("".join(str(DIGIT.index(mark) - 1) for mark in text))


_ERA = "|".join(sorted(ERAS, key=len, reverse=True))
_EVENT_DAY = "[一二三四五六七八九]{1,2}"
_BEFORE = rf"(?<![{CHINESE}0-9A-Za-z几数第])(?<![0-9][.,:/-])"
_AGE = "(?:初期|中期|后期|末期|前期|早期|晚期|初|末|中)"

RULES = (
    rule(
        "date.era_year/2",
        "date",
        rf"(?P<era>{_ERA})(?P<y>{ANY_YEAR})年{YEAR_PART}(?![代级度]){NEXT}",
        _read_era_year,
        needs="年",
    ),
    rule(
        "date.christian_year/2",
        "date",
        rf"(?:公元|西元)(?P<bc>前)?(?P<y>{ANY_YEAR})年{NEXT}",
        _read_christian_year,
        needs="元",
    ),
    rule(
        "date.decade/1",
        "date",
        rf"""(?:{_BEFORE}(?P<century>上个?|本|{SMALL})世纪)?{_BEFORE}
        (?P<n>[0-9]{{2,4}}|[一二三四五六七八九]{{0,2}}十|[零〇一二三四五六七八九]{{4}})年代
        (?P<part>{_AGE})?(?!表)""",
        _read_decade,
        needs="代",
    ),
    # 昭和五十年代 are years of an era, not the 1950s.
    rule(
        "date.era_decade/1",
        "date",
        rf"(?:{_ERA}|{'|'.join(REIGNS)}|(?:公元|西元)前?){ANY_YEAR}年代{_AGE}?",
        abstain,
        needs="代",
    ),
    rule(
        "date.century/1",
        "date",
        rf"{_BEFORE}(?P<bc>公元前)?{_BEFORE}(?P<n>{SMALL})世纪(?P<part>初|末|中叶)?{NEXT}",
        _read_century,
        needs="世",
    ),
    rule(
        "date.relative_century/1",
        "date",
        rf"(?P<which>[上本])个?世纪(?P<part>初|末|中叶)?{NEXT}(?!之?交)",
        _read_relative_century,
        needs="世",
    ),
    rule(
        "date.lunar/3",
        "date",
        rf"(?:农历|阴历|旧历|夏历)(?P<m>[正腊冬]|{SMALL})月(?P<d>初?{SMALL}日?)?{NEXT}",
        _read_lunar,
        needs="历",
    ),
    # The fourth month of a leap year's second run is no April.
    rule(
        "date.leap_month/1",
        "date",
        rf"(?:农历|阴历|旧历|夏历)?闰{SMALL}月(?:初?{SMALL}日?)?",
        abstain,
        needs="闰",
    ),
    rule(
        "date.two_centuries/1",
        "date",
        rf"{_BEFORE}(?P<n>{SMALL})、(?P<m>{SMALL})世纪{NEXT}",
        _read_two_centuries,
        needs="世",
    ),
    rule(
        "date.event/1",
        "term",
        rf"(?P<m>{_EVENT_DAY})·(?P<d>{_EVENT_DAY})(?P<thing>{'|'.join(_EVENTS)})",
        _read_event,
        needs="·",
    ),
)
