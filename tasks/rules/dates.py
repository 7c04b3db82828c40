"""Rules for dates of our calendar: full, partial and ranges. Impossible dates abstain.

Eras, centuries, decades and the lunar calendar are in `eras.py`.
"""

import re

from tasks.rules.calendar_parts import (
    DIGIT,
    NEXT,
    NO_YEAR_BEFORE,
    SMALL,
    START,
    WEEKDAY,
    WEEKDAYS,
    is_possible,
    read_small,
    read_year,
)
from tasks.rules.numbers import CHINESE
from tasks.rules.reigns import ANY_YEAR, ERAS, REIGNS, era_year
from tasks.rules.rule import TO, Reading, abstain, rule
from tasks.rules.style import RuleStyle
from tasks.rules.values import ABSTAIN, Abstain, Date, DateRange, Wording

YEAR = r"(?:[0-9]{4}|[一二][零〇0一二三四五六七八九]{3})"
PARTS_OF_YEAR = {
    "初": "early", "底": "the end of", "末": "the end of", "上半年": "the first half of",
    "下半年": "the second half of", "中": "mid-", None: "",
}  # fmt: skip
YEAR_PART = "(?:年?(?P<part>初(?![级中等])|底|末|(?<=年年)中|上半年|下半年))?"
_PARTS_OF_MONTH = {
    "初": "early", "上旬": "early", "中旬": "mid-", "下旬": "late", "底": "the end of",
    "末": "the end of", None: "",
}  # fmt: skip
_QUARTERS = {"一": "first", "二": "second", "三": "third", "四": "fourth"} | {
    "1": "first", "2": "second", "3": "third", "4": "fourth",
}  # fmt: skip
_LUNAR_DAYS = ("八月十五", "七月十五")
"""Days that, written without 日, are those of the lunar calendar."""


def _date(
    year: int | None, month: int | None, day: int | None, weekday: str = "", part: str = ""
) -> Date | Abstain:
    if not is_possible(year, month, day) or year == 0:
        return ABSTAIN
    return Date(year, month, day, weekday=weekday, part=part)


def _read_date(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read a full date, or a month with a year or a day or alone."""
    groups = found.groupdict()
    year = None
    if groups.get("y"):
        year = _gregorian(groups["y"], groups["era"], style)
        if year is None:
            return ABSTAIN
    if groups.get("within"):
        return ABSTAIN
    weekday = WEEKDAYS.get(groups.get("w") or "", "")
    month, day = read_small(groups["m"]), read_small(groups.get("d"))
    if month is None or (groups.get("d") and day is None) or found[0] in _LUNAR_DAYS:
        return ABSTAIN
    return _date(year, month, day, weekday, _PARTS_OF_MONTH[groups.get("part")])


def _gregorian(text: str, era: str | None, style: RuleStyle) -> int | None:
    """Read a year of an era as one of our calendar; without an era two digits are not guessed."""
    year = read_year(text)
    if year is None or era in ("公元", "西元"):
        return year
    if era:
        return era_year(era, year)
    if year >= 1000:
        return year
    if style.region == "taiwan" and year < 300 and text[0] not in "0零〇":
        return era_year("民国", year)
    return None


def _read_year(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read a year and the part of it that is meant."""
    year = read_year(found["y"])
    if not year:
        return ABSTAIN
    if found["quarter"]:
        return Date(year, part=f"the {_QUARTERS[found['quarter']]} quarter of")
    return Date(year, part=PARTS_OF_YEAR[found["part"]])


def _read_short_year(found: re.Match[str], style: RuleStyle) -> Reading:
    return Date(2000 + int(found["y"]))


def _read_range(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read a range of dates; the end inherits what only the beginning says."""
    era = found.groupdict().get("era")
    years = [_gregorian(text, era, style) if text else None for text in found.group("y1", "y2")]
    first = [years[0], read_small(found["m1"]), read_small(found["d1"])]
    last = [years[1], read_small(found["m2"]), read_small(found["d2"])]
    if (first[2] is None) != (last[2] is None) or (first[1] is None and last[1] is not None):
        return ABSTAIN
    for place in (0, 1):
        if last[place] is None and any(last[place + 1 :]):
            last[place] = first[place]
    if (last[1] is None) != (first[1] is None) or (last[2] is not None and last[1] is None):
        return ABSTAIN
    if _unread(found, first, last):
        return ABSTAIN
    start, end = _date(first[0], first[1], first[2]), _date(last[0], last[1], last[2])
    if isinstance(start, Abstain) or isinstance(end, Abstain) or not _rises(first, last):
        return ABSTAIN
    return DateRange(start, end)


def _unread(found: re.Match[str], first: list[int | None], last: list[int | None]) -> bool:
    """Say whether a part was written that is no number below 100."""
    written = found.group("y1", "m1", "d1", "y2", "m2", "d2")
    return any(text and value is None for text, value in zip(written, first + last, strict=True))


def _rises(first: list[int | None], last: list[int | None]) -> bool:
    """Say whether a range rises; without years it may run over the turn of the year."""
    if first[0] is None and first[1] != last[1]:
        return True
    pairs = [(a, b) for a, b in zip(first, last, strict=True) if a is not None and b is not None]
    return [a for a, _ in pairs] < [b for _, b in pairs]


def _read_numeric(found: re.Match[str], style: RuleStyle) -> Reading:
    return _date(int(found["y"]), int(found["m"]), int(found["d"]))


def _read_business_year(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 2010-11年度, a year that begins in one year of the calendar and ends in the next."""
    first, text = read_year(found["y"]), found["z"]
    last = int("".join(str(_VALUES.get(mark, mark)) for mark in text))
    if first is None or (last - first) % 100 != 1 or (len(text) == 4 and last != first + 1):
        return ABSTAIN
    return Wording(f"{first}-{last:0{len(text)}d}")


def _read_weekday(found: re.Match[str], style: RuleStyle) -> Reading:
    return Date(weekday=WEEKDAYS[found["w"]])


def _read_weekdays(found: re.Match[str], style: RuleStyle) -> Reading:
    return DateRange(Date(weekday=WEEKDAYS[found["w"]]), Date(weekday=WEEKDAYS[found["w2"]]))


_REIGNS = "|".join(REIGNS)
_ERAS = "|".join(sorted(ERAS, key=len, reverse=True))
_ERA = f"(?P<era>公元|西元|{_ERAS})?"
_VALUES = {mark: max(place - 1, 0) for place, mark in enumerate(DIGIT)}
_OF_MONTH = "(?P<part>初|底|末|上旬|中旬|下旬)"
_DAY_WORD = rf"[日号](?!线)(?:[(]?{WEEKDAY}[)]?)?"
_DAY_ALONE = f"(?<=[一二三四五六七八九十]{{2}}){NEXT}(?![日号年月点时至到-])"
_PLAIN_YEAR_END = "(?![代级度])"
_NO_COUNT = rf"(?<![每{CHINESE}几0-9个])"

RULES = (
    rule(
        "date.full/2",
        "date",
        rf"{START}{_ERA}(?P<y>{ANY_YEAR})年(?P<m>{SMALL})月份?(?P<d>{SMALL})(?:{_DAY_WORD}|{_DAY_ALONE})",
        _read_date,
        needs="年",
    ),
    rule(
        "date.month_of_year/2",
        "date",
        rf"{START}{_ERA}(?P<y>{ANY_YEAR})年(?P<m>{SMALL})月份?{_OF_MONTH}?{NEXT}",
        _read_date,
        needs="年",
    ),
    rule(
        "date.day_of_month/1",
        "date",
        rf"""{START}{NO_YEAR_BEFORE}(?P<m>{SMALL})月(?P<d>{SMALL})
        (?:{_DAY_WORD}|{_DAY_ALONE})""",
        _read_date,
        needs="月",
    ),
    rule(
        "date.month/1",
        "date",
        rf"""{START}{NO_YEAR_BEFORE}(?P<m>{SMALL})月(?:份|{_OF_MONTH})?{NEXT}
        (?P<within>[内以之中])?(?![亮球饼刊票薪经个]|的?(?:身孕|胎|孕))""",
        _read_date,
        needs="月",
    ),
    rule(
        "date.year/2",
        "date",
        rf"""{START}(?:公元|西元)?(?P<y>{YEAR})年
        (?:第?(?P<quarter>[一二三四1-4])季度|{YEAR_PART})
        {_PLAIN_YEAR_END}{NEXT}""",
        _read_year,
        needs="年",
    ),
    rule(
        "date.short_year/1",
        "date",
        rf"{START}(?P<y>0[0-9])年{_PLAIN_YEAR_END}{NEXT}",
        _read_short_year,
        needs="年",
    ),
    rule(
        "date.range/2",
        "date",
        rf"""{START}(?=[0-9{CHINESE}])(?:(?P<y1>{YEAR})年?)?(?:(?P<m1>{SMALL})月?份?)?(?:(?P<d1>{SMALL})[日号]?)?
        {TO}(?:(?P<y2>{YEAR})年{_PLAIN_YEAR_END})?(?:(?P<m2>{SMALL})月份?)?
        (?:(?P<d2>{SMALL})[日号])?(?<=[年月日号份]){NEXT}""",
        _read_range,
        needs="至到-",
    ),
    rule(
        "date.era_range/1",
        "date",
        rf"""(?P<era>{_ERAS})(?P<y1>{ANY_YEAR})年?(?:(?P<m1>{SMALL})月份?(?:(?P<d1>{SMALL})[日号])?)?
        {TO}(?P=era)?(?:(?P<y2>{ANY_YEAR})年{_PLAIN_YEAR_END})?(?:(?P<m2>{SMALL})月份?)?
        (?:(?P<d2>{SMALL})[日号])?(?<=[年月日号份]){NEXT}""",
        _read_range,
        needs="至到-",
    ),
    # 民国九十九、一百年 and 民国二十几年 are no numbers of years.
    rule(
        "date.era_years/1",
        "date",
        rf"""(?:(?:{_ERAS}|{_REIGNS}){ANY_YEAR}年?[、,及和与或]{ANY_YEAR}
        |(?:{_REIGNS}|(?:公元|西元)(?!{YEAR})){ANY_YEAR}年?{TO}{ANY_YEAR}
        |(?:{_ERAS}|{_REIGNS})[{CHINESE}0-9]*[几多余][{CHINESE}]*)年""",
        abstain,
        needs="年",
    ),
    rule(
        "date.months/1",
        "date",
        rf"{START}{SMALL}、{SMALL}月份?(?!份?{SMALL}[日号]){NEXT}",
        abstain,
        needs="、",
    ),
    rule(
        "date.business_year/1",
        "date",
        rf"""{START}(?P<y>{YEAR})(?:年?[至到]|[-/])(?P<z>[0-9]{{4}}|[0-9]{{2}}|[{DIGIT}]{{4}}|[{DIGIT}]{{2}})
        (?:财政|会计|财|学)?(?:年度|(?<=[学财])年)""",
        _read_business_year,
        needs="度学财",
    ),
    rule(
        "date.numeric/1",
        "date",
        rf"""{START}(?P<y>[12][0-9]{{3}})(?P<sep>[-/.])(?P<m>[0-9]{{1,2}})(?P=sep)
        (?P<d>[0-9]{{1,2}})(?![0-9A-Za-z]|[-/.:][0-9])""",
        _read_numeric,
        needs="-/.",
    ),
    rule(
        "date.weekday_range/1",
        "date",
        rf"""{_NO_COUNT}(?P<kind>星期|礼拜|周)(?P<w>[一二三四五六日天]){TO}
        (?:(?P=kind))?(?P<w2>[一二三四五六日天]){NEXT}""",
        _read_weekdays,
        needs="星礼周",
    ),
    rule(
        "date.weekday/1",
        "date",
        rf"{_NO_COUNT}{WEEKDAY}(?![次年期边天个种度到至之圈周月遍{CHINESE}])",
        _read_weekday,
        needs="星礼周",
    ),
)
