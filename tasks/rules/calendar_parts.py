"""Small parts shared by the rules of dates and of times: patterns, numbers below 100, weekdays."""

import calendar

from tasks.rules.numbers import CHINESE, read_integer

START = rf"(?<![{CHINESE}0-9几数第个])(?<![A-Za-z](?=[0-9]))(?<![0-9][.,:/-])"
"""A year, month, day or hour may begin here; digits that follow a letter are part of a name."""
NO_YEAR_BEFORE = r"(?<![0-9零〇一二三四五六七八九]年)"
"""Not the rest of a date whose year could not be read."""
NEXT = rf"(?![{CHINESE}0-9])"
"""A date or time may end here."""
SMALL = r"(?:[0-9]{1,2}|[零〇][0-9一二三四五六七八九]?|[一二三四五六七八九十廿卅两]{1,3})"
"""A number below 100, not yet read."""
DIGIT = "零〇一二三四五六七八九"

WEEKDAYS = {
    "一": "monday", "二": "tuesday", "三": "wednesday", "四": "thursday", "五": "friday",
    "六": "saturday", "日": "sunday", "天": "sunday",
}  # fmt: skip
WEEKDAY = "(?:星期|礼拜|周)(?P<w>[一二三四五六日天])"


def read_small(text: str | None) -> int | None:
    """Read a month, day, hour or minute: 5, 05, 五, 零五, 零5, 廿五."""
    if not text:
        return None
    if text[0] in "零〇":
        text = text[1:] or "零"
    return int(text) if text.isascii() else read_integer(text)


def read_year(text: str | None) -> int | None:
    """Read a year in digits or words; 元年 is the first."""
    if not text:
        return None
    if text == "元":
        return 1
    if text.isascii():
        return int(text)
    text = text.replace("0", "〇")
    if len(text) == 2 and all(mark in DIGIT for mark in text):
        return int("".join(str(max(DIGIT.index(mark) - 1, 0)) for mark in text))
    return read_integer(text)


def is_possible(year: int | None, month: int | None, day: int | None) -> bool:
    """Say whether a partial date exists; without a year February has 29 days."""
    if month is not None and not 1 <= month <= 12:
        return False
    if day is None:
        return True
    if month is None:
        return 1 <= day <= 31
    return 1 <= day <= calendar.monthrange(year or 2000, month)[1]
