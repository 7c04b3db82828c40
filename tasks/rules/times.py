"""Rules for times of day. Relative words stay words: 昨晚八点 is never resolved against a clock."""

import re
from dataclasses import replace

from tasks.rules.approximate import LEFT_AND_RIGHT, SOME
from tasks.rules.calendar_parts import SMALL, read_small
from tasks.rules.dates import RULES as DATE_RULES
from tasks.rules.numbers import CHINESE
from tasks.rules.rendering import render
from tasks.rules.rule import TO, Reading, abstain, first_reading, rule
from tasks.rules.style import RuleStyle
from tasks.rules.values import ABSTAIN, Abstain, Clock, ClockRange, Date, Moment, Wording

_HALVES = {
    **dict.fromkeys(("上午", "早上", "早晨", "清晨", "凌晨", "清早", "早"), "am"),
    **dict.fromkeys(("今晨", "今早", "明早"), "am"),
    **dict.fromkeys(("下午", "午后", "傍晚"), "pm"),
    **dict.fromkeys(("晚上", "晚间", "昨晚", "今晚", "明晚", "当晚", "晚"), "evening"),
    **dict.fromkeys(("夜里", "深夜", "午夜"), "night"),
    **dict.fromkeys(("中午", "正午"), "noon"),
}
"""Words for a part of the day, and how they place an hour."""
_WHEN = {
    "昨晚": "last night", "今晚": "tonight", "明晚": "tomorrow night", "今晨": "this morning",
    "今早": "this morning", "明早": "tomorrow morning", "当晚": "that night",
}  # fmt: skip
_ZONES = {
    "北京时间": "beijing time", "当地时间": "local time", "台北时间": "taipei time",
    "纽约时间": "new york time", "伦敦时间": "london time", "巴黎时间": "paris time",
    "首尔时间": "seoul time", "平壤时间": "pyongyang time", "香港时间": "hong kong time",
    "东京时间": "tokyo time", "莫斯科时间": "moscow time",
    "美国东部时间": "eastern time", "格林尼治时间": "gmt", "格林威治时间": "gmt", "世界时": "utc",
}  # fmt: skip
_QUARTERS = {"一": 15, "三": 45, "1": 15, "3": 45}


def _hour(hour: int, half: str) -> int | None:
    """Place an hour on the 24-hour clock; None where it disagrees with the word or is ambiguous."""
    if half == "am":
        return hour if hour < 12 else None
    if half == "noon":
        return {11: 11, 12: 12, 1: 13, 13: 13}.get(hour)
    if half == "night" and hour < 6:
        return hour
    if hour == 12:
        return None if half == "pm" else 0
    first = {"pm": 1, "evening": 5, "night": 9}[half]
    return hour + 12 if first <= hour < 12 else hour if first + 12 <= hour < 24 else None


def _placed(clock: Clock, half: str) -> Clock | Abstain:
    """Place a time in the part of the day that a word names."""
    hour = _hour(clock.hour, _HALVES[half])
    if hour is None:
        return ABSTAIN
    named = _name(hour, clock) if _HALVES[half] != "am" or hour == 0 else ""
    return Clock(
        hour, clock.minute, clock.second, True, clock.zone, when=_WHEN.get(half, ""), named=named
    )


def _name(hour: int, clock: Clock) -> str:
    """Name the two full hours that have a name."""
    return "" if clock.minute or clock.second else {0: "midnight", 12: "noon"}.get(hour, "")


def _on_24_hours(clock: Clock) -> Clock | Abstain:
    if clock.hour == 24 and (clock.minute or clock.second):
        return ABSTAIN
    hour = clock.hour % 24
    return Clock(hour, clock.minute, clock.second, True, clock.zone, named=_name(hour, clock))


def _raw(found: re.Match[str], suffix: str) -> Clock | Abstain:
    """Read the digits of one time from the groups that end with `suffix`, not placed in the day."""
    groups = found.groupdict()
    hour, minute = read_small(groups["hour" + suffix]), read_small(groups["minute" + suffix])
    second = read_small(groups["second" + suffix])
    if groups["half" + suffix]:
        minute = 30
    if groups["quarter" + suffix]:
        minute = _QUARTERS[groups["quarter" + suffix]]
    if hour is None or hour > 24 or (groups["minute" + suffix] and minute is None):
        return ABSTAIN
    if max(minute or 0, second or 0) > 59:
        return ABSTAIN
    return Clock(hour, minute, second, zone=_ZONES.get(found["zone"] or "", ""))


def _clock(found: re.Match[str], suffix: str, half: str | None) -> Clock | Abstain:
    """Read one time; 点 without a word for the part of the day leaves a.m. and p.m. open."""
    clock = _raw(found, suffix)
    if isinstance(clock, Abstain):
        return clock
    if half:
        return _placed(clock, half)
    if found["mark" + suffix] == "时" or clock.hour > 12 or clock.hour == 0:
        return _on_24_hours(clock)
    if clock.minute is not None:
        return clock
    exact = found["mark" + suffix] == "点钟" or found["exact" + suffix]
    return replace(clock, copied=f"{clock.hour} o'clock") if exact else ABSTAIN


def _roughly(found: re.Match[str], reading: Reading) -> Reading:
    """Say of a time with one word of approximation around it that it is only about then."""
    said = [word for word in map(found.groupdict().get, ("roughly", "about")) if word]
    if not isinstance(reading, Clock) or not said:
        return reading
    return ABSTAIN if len(said) > 1 else replace(reading, about=True)


def _read_clock(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read one time: 下午三时, 上午十点左右."""
    return _roughly(found, _read_exactly(found))


def _read_exactly(found: re.Match[str]) -> Reading:
    """Read one time; 早一点 and 晚一点 are no times but `a little earlier`."""
    is_later = found["day"] in ("早", "晚") and found["hour"] == "一" and found["mark"] == "点"
    is_bare = not any(found.group("exact", "half", "quarter", "minute"))
    if found["other"] or (is_later and is_bare):
        return ABSTAIN
    clock = _clock(found, "", found["day"])
    if isinstance(clock, Abstain) or found["day"] or clock.minute is not None or clock.zone:
        return clock
    return (
        clock
        if clock.named or clock.copied or (found["mark"] == "时" and clock.hour > 12)
        else ABSTAIN
    )


def _read_range(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read a range; the end inherits the part of the day of the beginning."""
    half, half_of_end = found["day"], found["day2"] or found["day"]
    if half_of_end and not found["day2"] and read_small(found["hour2"]) == 12:
        half_of_end = "中午" if _HALVES[half_of_end] == "am" else half_of_end
    first, last = _clock(found, "1", half), _clock(found, "2", half_of_end)
    if not isinstance(first, Clock) or not isinstance(last, Clock) or first.when:
        return ABSTAIN
    return _around_range(found, ClockRange(first, last))


def _around_range(found: re.Match[str], value: ClockRange) -> Reading:
    """Say which ends are only about right; one word for both may stand before or behind them."""
    begins, ends = found["about1"], found["about"]
    if found["roughly"] or (ends and ends != "许" and not begins):
        return ABSTAIN
    first, last = (
        replace(clock, about=bool(about))
        for clock, about in ((value.first, begins), (value.last, ends))
    )
    return ClockRange(first, last)


def _read_digital(found: re.Match[str], style: RuleStyle) -> Reading:
    """Copy 08:15, or write it with a.m. and p.m. where a word says which."""
    hour, minute = int(found["hour"]), int(found["minute"])
    second = int(found["second"]) if found["second"] else None
    if hour > 24 or minute > 59 or (second or 0) > 59:
        return ABSTAIN
    clock = Clock(hour, minute, second, zone=_ZONES.get(found["zone"] or "", ""))
    if found["day"]:
        return _roughly(found, _placed(clock, found["day"]))
    return _roughly(found, replace(clock, copied=found["time"]))


def _read_digital_range(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 9:00-17:00 and 上午9:00至下午5:00."""
    clocks = []
    for text, half in ((found["first"], found["day"]), (found["last"], found["day2"])):
        hour, minute = map(int, text.split(":"))
        clock: Clock | Abstain = Clock(hour, minute, copied=text)
        if half:
            clock = _placed(Clock(hour, minute), half)
        if isinstance(clock, Abstain) or hour > 24 or minute > 59:
            return ABSTAIN
        clocks.append(clock)
    if found["day"] and not found["day2"]:
        return ABSTAIN
    last = replace(clocks[1], zone=_ZONES.get(found["zone"] or "", ""))
    return _around_range(found, ClockRange(clocks[0], last))


def _read_before(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 差五分八点 and 八点差五分: five minutes before eight."""
    hour = read_small(found["hour"])
    missing = 15 if found["quarter"] else read_small(found["minute"])
    if found["other"] or not hour or not missing or hour > 12 or missing > 30:
        return ABSTAIN
    clock = Clock((hour + 10) % 12 + 1, 60 - missing, zone=_ZONES.get(found["zone"] or "", ""))
    return _placed(clock, found["day"]) if found["day"] else clock


def _read_moment(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read a time that follows a date, each by its own rules."""
    date = first_reading(DATE_RULES, found["date"], style)
    clock = first_reading(CLOCK_RULES, found["clock"], style)
    if not isinstance(date, Date) or not isinstance(clock, Clock):
        return ABSTAIN if date is ABSTAIN or clock is ABSTAIN else None
    return Moment(date, replace(clock, about=clock.about or bool(found["about"])))


def _rises(clocks: ClockRange) -> bool:
    """Say whether a range ends after it begins, on the same day."""
    first, last = ((clock.hour, clock.minute or 0) for clock in (clocks.first, clocks.last))
    return first < last


def _read_range_on_date(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 3月5日上午9时至11时 and 3月5日上午9时许至11时许."""
    date = first_reading(DATE_RULES, found["date"], style)
    clocks = first_reading(CLOCK_RULES, found["clock"], style)
    if date is None or clocks is None:
        return None
    if not isinstance(date, Date) or not isinstance(clocks, ClockRange) or not _rises(clocks):
        return ABSTAIN
    return Wording(f"{render(clocks, style)} on {render(date, style)}")


def _time(suffix: str = "") -> str:
    """Return the pattern of an hour with its minutes; the groups end with `suffix`."""
    s = suffix
    return rf"""(?P<hour{s}>{SMALL})
        (?P<mark{s}>点钟?|时(?![间候代期而常分刻有就被才都的段速装任已起]))(?P<exact{s}>整)?
        (?:(?P<half{s}>半)|(?P<quarter{s}>[一三13])刻钟?
        |(?P<minute{s}>{SMALL})分(?![之钟])(?:(?P<second{s}>{SMALL})秒)?)?"""


_HALF = "|".join(sorted(_HALVES, key=len, reverse=True))
_ZONE = rf"(?:(?P<zone>{'|'.join(_ZONES)}))?"
_ROUGHLY = "(?P<roughly>大约|大概)?"
"""约 alone is not taken: 约下午三点见面 is to agree on it."""
_ABOUT = f"(?P<about>{SOME}|{LEFT_AND_RIGHT}|前后)?"
_ABOUT_FIRST = _ABOUT.replace("<about>", "<about1>")
_ROUGHLY_BOTH = "(?P<roughly>大约|大概|约)?"
_DAY = rf"{_ZONE}(?P<other>(?:{_HALF})(?=(?:{_HALF})))?(?P<day>{_HALF})?"
_START = rf"(?<![{CHINESE}0-9A-Za-z几数第])(?<![0-9][.,:/-])"
_NEXT = rf"(?![{CHINESE}0-9几])"
_MISSING = rf"差(?:(?P<minute>{SMALL})分|(?P<quarter>一)刻)"
_MARKS = "0-9零〇一二三四五六七八九十两"
CLOCK_RULES = (
    rule(
        "time.clock/4",
        "time",
        rf"{_ROUGHLY}{_DAY}{_START}{_time()}{_NEXT}{_ABOUT}",
        _read_clock,
        needs="点时",
    ),
    # 九点过五分 is no nine o'clock.
    rule(
        "time.past_by/1",
        "time",
        rf"{_DAY}{_START}{SMALL}点(?:钟)?[过欠](?:{SMALL}分|[一三]刻)",
        abstain,
        needs="过欠",
    ),
    # 六点多 is some time after six.
    rule(
        "time.past/1",
        "time",
        rf"{_DAY}{_START}{_time()}多(?![次个名条种项家人年])",
        abstain,
        needs="多",
    ),
    rule(
        "time.clock_range/2",
        "time",
        rf"""{_ROUGHLY_BOTH}{_DAY}{_START}{_time("1")}{_ABOUT_FIRST}{TO}
        (?P<day2>{_HALF})?{_time("2")}{_NEXT}{_ABOUT}""",
        _read_range,
        needs="至到-",
    ),
    rule(
        "time.digital/3",
        "time",
        rf"""{_ROUGHLY}{_ZONE}(?P<day>{_HALF})?{_START}
        (?P<time>(?P<hour>[0-9]{{1,2}}):(?P<minute>[0-9]{{2}})(?::(?P<second>[0-9]{{2}}))?)
        (?![0-9A-Za-z:]){_ABOUT}""",
        _read_digital,
        needs=":",
    ),
    rule(
        "time.digital_range/2",
        "time",
        rf"""{_ROUGHLY_BOTH}{_ZONE}(?P<day>{_HALF})?{_START}
        (?P<first>[0-9]{{1,2}}:[0-9]{{2}}){_ABOUT_FIRST}{TO}
        (?P<day2>{_HALF})?(?P<last>[0-9]{{1,2}}:[0-9]{{2}})(?![0-9A-Za-z:]){_ABOUT}""",
        _read_digital_range,
        needs=":",
    ),
    rule(
        "time.before/2",
        "time",
        rf"{_DAY}{_MISSING}(?P<hour>{SMALL})点{_NEXT}",
        _read_before,
        needs="差",
    ),
    rule(
        "time.lacking/1",
        "time",
        rf"{_DAY}{_START}(?P<hour>{SMALL})点{_MISSING}{_NEXT}",
        _read_before,
        needs="差",
    ),
)
_ON_DATE = rf"""(?P<date>[{_MARKS}廿卅年月民国公元中华]{{1,20}}[日号]
        (?:[(]?(?:星期|周|礼拜)[一二三四五六日天][)]?)?
        |[12][0-9]{{3}}(?:[-/.][0-9]{{1,2}}){{2}})[ ]?"""
_SOME_CLOCK = rf"[^{_MARKS},.\ ]{{0,10}}[{_MARKS}点时分秒半刻钟:]{{2,18}}"
RULES = (
    *CLOCK_RULES,
    rule(
        "time.moment/4",
        "time",
        rf"{_START}{_ON_DATE}(?P<clock>{_SOME_CLOCK}){_ABOUT}{_NEXT}",
        _read_moment,
        needs="点时:",
    ),
    rule(
        "time.range_on_date/1",
        "time",
        rf"""{_START}{_ON_DATE}(?P<clock>{_SOME_CLOCK}{_ABOUT_FIRST}{TO}{_SOME_CLOCK}
        (?:许|左右|前后)?){_NEXT}""",
        _read_range_on_date,
        needs="至到-",
    ),
)
