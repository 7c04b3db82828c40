"""Rules for dates that are only about right: 2003年前后, 三月二十日左右, 九十年代前后, 周三前后,
第三季度前后."""

import re

from tasks.rules import dates, eras, ordinals, reigns
from tasks.rules.approximate import LEFT_AND_RIGHT, PREFIX
from tasks.rules.calendar_parts import NEXT, NO_YEAR_BEFORE, START
from tasks.rules.numbers import CHINESE
from tasks.rules.rendering import render
from tasks.rules.rule import Reading, Rule, first_reading, number, rule
from tasks.rules.style import RuleStyle
from tasks.rules.values import ABSTAIN, Date, Era, Ordinal, Wording

_DATES: tuple[Rule, ...] = (*dates.RULES, *eras.RULES, *reigns.RULES)
_DAY = re.compile("[0-9]{1,2}[日号]|[一二三四五六七八九十廿卅]{1,3}[日号]")


def _read_around(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read a date with 左右 or 前后 behind it; ranges and bare days may mean something else."""
    text = found["date"]
    if _DAY.fullmatch(text) or text[0] == "每":
        return ABSTAIN
    date = first_reading(_DATES, text, style)
    if date is None:
        return None
    if found["pre"] or not isinstance(date, Date | Era | Wording):
        return ABSTAIN
    return Wording(f"around {render(date, style)}")


def _read_around_place(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 第三季度前后 and 第二周左右."""
    place = first_reading(ordinals.RULES, found["date"], style)
    return Wording(f"around the {render(place, style)}") if isinstance(place, Ordinal) else None


def _read_duration(found: re.Match[str], style: RuleStyle) -> Reading:
    """Abstain of 十年前后: about ten years, around the tenth one, or before them and after."""
    return None if first_reading(_DATES, found["date"], style) is not None else ABSTAIN


def _read_around_before(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 大约2003年 and 约2003年; 约 before a day may be to agree on it."""
    date = first_reading(_DATES, found["date"], style)
    if not isinstance(date, Date) or (found["pre"] == "约" and (date.month or not date.year)):
        return None
    return Wording(f"around {render(date, style)}")


_ERAS = "|".join(sorted({*reigns.ERAS, *reigns.REIGNS}, key=len, reverse=True))
_MARKS = f"0-9{CHINESE}元年月日号初上中下旬底末半份世纪代第季度个叶期-"

_WEEKDAY = "(?:星期|礼拜|周)[一二三四五六日天]"
_DATE = rf"""(?P<date>(?:(?:{_ERAS}|公元前?|西元前?|农历|阴历|[上本]个?世)[{_MARKS}]
        |{START}{NO_YEAR_BEFORE}[0-9{CHINESE}])[{_MARKS}至到/.]{{0,24}}
        (?:[年月日号初末底旬纪代份叶期度]|-[0-9]{{1,2}}|(?<=月[一二三四五六七八九十]{{2}}))
        (?:[(]?{_WEEKDAY}[)]?)?|每?{_WEEKDAY})"""
_FRONT_AND_BACK = f"前后(?![0-9{CHINESE}几数共历持相夹呼矛对加总])"
_BEFORE = "(?P<pre>大约|大概|(?<![预条合节纽违契公立相制签誓大])约)"

RULES = (
    rule(
        "date.around/1",
        "date",
        rf"""{_BEFORE}?{_DATE}(?:{LEFT_AND_RIGHT}|(?<=年)上下(?![半文册卷两])
        |{_FRONT_AND_BACK})""",
        _read_around,
        needs="左前上",
    ),
    rule(
        "date.around_place/1",
        "date",
        rf"""(?P<date>第(?:[0-9]{{1,4}}|[{CHINESE}]{{1,8}})(?:季度|天|周|个月|世纪))
        (?:{LEFT_AND_RIGHT}|{_FRONT_AND_BACK})""",
        _read_around_place,
        needs="第",
    ),
    rule(
        "quantity.before_and_after/1",
        "quantity",
        rf"""{PREFIX}(?P<date>{number()}(?:年|天|周|个?(?:月|星期|小时|季度|世纪)|分钟))[半多]?
        {_FRONT_AND_BACK}(?!来)""",
        _read_duration,
        needs="前",
    ),
    rule(
        "date.around_before/1",
        "date",
        rf"{_BEFORE}{_DATE}{NEXT}(?![代级度间])",
        _read_around_before,
        needs="约概",
    ),
)
