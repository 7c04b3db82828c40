"""Read dates in English: days, months, years, weekdays, decades and centuries, in all usual orders.

`march 20 , 2003`, `20th of March 2003`, `2003-03-20`, `March 5 to 8`, `the 1980s`, `221 B.C.`. A
date in digits that two orders can read (`3/4/2003`) is given in both.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tasks.rules.calendar_parts import is_possible
from tasks.rules.english_numbers import Number, read_number
from tasks.rules.english_words import (
    DECADES,
    MONTH_NUMBERS,
    SHORT_MONTHS,
    TENS,
    WEEKDAYS,
    Words,
    is_digits,
)
from tasks.rules.values import Date, Era

_JOINTS = frozenset(["-", "to", "and", "or", "through", "until", "till", ",", "&"])
_RANGE = frozenset(["-", "to", "through", "until", "till"])
_WORDS_TOO = frozenset(["march", "may", "mar", "dec", "sun", "sat"])
"""Names of months that are other words as well."""
FIRST_YEAR, LAST_YEAR = 1000, 2199
"""Four digits between these may be a year."""
_MAX_DAYS = 8
"""Days listed before or behind one month (`5 , 6 and 7 march`)."""
_REACH = 6 * _MAX_DAYS
"""Words that so many days and their joints cover at most."""


class Read(NamedTuple):
    """A date or era, the place behind its last word, and whether it can be nothing else."""

    value: Date | Era
    end: int
    certain: bool = True


def read_dates(words: Words, place: int) -> list[Read]:
    """Read the dates that begin at a place; several where days share a month, or readings differ.

    Args:
        words: the text.
        place: of a digit, number word, month, weekday or decade.

    Returns:
        What was read; empty if no date begins here.
    """
    text = words.texts[place]
    if text in MONTH_NUMBERS:
        return _month_first(words, place)
    if text in WEEKDAYS:
        return [Read(Date(weekday=WEEKDAYS[text]), place + 1)]
    if text in DECADES:
        return _decade_word(words, place)
    if is_digits(text):
        return _in_digits(words, place) or _day_first(words, place) or _year_like(words, place)
    return _day_first(words, place) or _spelled_year(words, place)


def _month(words: Words, place: int) -> tuple[int, int] | None:
    """Return the number of the month at a place, and the place behind its name."""
    number = MONTH_NUMBERS.get(words.texts[place])
    if number is None:
        return None
    dotted = words.texts[place] in SHORT_MONTHS and words.texts[place + 1] == "."
    return number, place + 1 + dotted


def _month_first(words: Words, place: int) -> list[Read]:
    """Read `March 20, 2003`, `march 5 to 8`, `March 2003` and `March`."""
    found = _month(words, place)
    if found is None:
        return []
    month, end = found
    days = list(_days(words, end + (words.texts[end] == "the"), month))
    if days:
        return _with_year(words, month, days)
    year, behind = _year_behind(words, end)
    if year is not None:
        return [Read(Date(year, month), behind)]
    short = words.texts[place] in SHORT_MONTHS and words.texts[place + 1] != "."
    return [Read(Date(month=month), end, not short and words.texts[place] not in _WORDS_TOO)]


def _with_year(words: Words, month: int, days: list[tuple[int, int, bool]]) -> list[Read]:
    """Give the days behind a month the year behind the last; `5 , 20 people` may end after 5."""
    year, end = _year_behind(words, days[-1][1])
    alone, end_alone = _year_behind(words, days[0][1])
    if alone is not None:
        return [Read(Date(alone, month, days[0][0]), end_alone)]
    if year is None:
        return [Read(Date(None, month, day), behind, sure) for day, behind, sure in days]
    return [Read(Date(year, month, day), end) for day, _, _ in days]


def _days(words: Words, place: int, month: int) -> Iterator[tuple[int, int, bool]]:
    """Yield days of a month in a row: day, place behind, whether it surely belongs to the month."""
    sure = True
    for _ in range(_MAX_DAYS):
        day = _day(words, place)
        if day is None or not is_possible(None, month, int(day.value)):
            return
        if words.texts[day.end] in (":", "%") or words.texts[day.end] in ("percent", "million"):
            return
        yield int(day.value), day.end, sure
        joint = day.end
        if words.texts[joint] not in _JOINTS:
            return
        sure = sure and words.texts[joint] in _RANGE
        place = joint + 1 + (words.texts[joint + 1] in ("the", "and"))


def _day(words: Words, place: int) -> Number | None:
    """Read a number that may be a day: 1 to 31, not scaled."""
    text = words.texts[place]
    if is_digits(text) and (len(text) > 2 or not text.isdigit()):
        return None
    number = read_number(words, place)
    if number is None or number.scale != 1 or not 1 <= number.value <= 31:
        return None
    return number if number.value.denominator == 1 else None


def _year_behind(words: Words, place: int) -> tuple[int | None, int]:
    """Read the year behind a day or month, after a comma or `of`; None if none is there."""
    joint = place + (words.texts[place] in (",", "of", "in", "-", "/"))
    text = words.texts[joint]
    if len(text) == 4 and text.isdigit() and FIRST_YEAR <= int(text) <= LAST_YEAR:
        if words.touches(joint + 1) and words.texts[joint + 1].isalpha():
            return None, place
        return int(text), joint + 1
    if text == "'" and len(words.texts[joint + 1]) == 2 and words.texts[joint + 1].isdigit():
        return _short_year(int(words.texts[joint + 1])), joint + 2
    spelled = _spelled_year(words, joint)
    if spelled and isinstance(spelled[0].value, Date):
        return spelled[0].value.year, spelled[0].end
    return None, place


def _short_year(digits: int) -> int:
    return 1900 + digits if digits >= 50 else 2000 + digits


def _day_first(words: Words, place: int) -> list[Read]:
    """Read `20 March 2003`, `5 to 8 March`, `the 20th of march` and `20-Mar-2003`."""
    days: list[int] = []
    if MONTH_NUMBERS.keys().isdisjoint(words.texts[place : place + _REACH]):
        return []
    for _ in range(_MAX_DAYS):
        day = _day(words, place)
        if day is None:
            return []
        days.append(int(day.value))
        behind = day.end + (words.texts[day.end] in ("of", "-"))
        month = _month(words, behind)
        if month is not None:
            ambiguous = words.texts[behind] == "may" and words.texts[day.end] != "of"
            return _dated(words, days, *month, ambiguous=ambiguous)
        if words.texts[day.end] not in _JOINTS:
            return []
        place = day.end + 1 + (words.texts[day.end + 1] in ("the", "and"))
    return []


def _dated(words: Words, days: list[int], month: int, end: int, *, ambiguous: bool) -> list[Read]:
    """Give days before a month this month and its year; `5 may` without a year may be words."""
    if not all(is_possible(None, month, day) for day in days):
        return []
    year, end = _year_behind(words, end)
    sure = year is not None or not ambiguous
    return [Read(Date(year, month, day), end, sure) for day in days]


def _in_digits(words: Words, place: int) -> list[Read]:
    """Read `2003-03-20`, `2003/3/20`, `20.3.2003`, `3/20/2003`; both readings of `3/4/2003`."""
    if words.touches(place) and words.texts[place - 1] in "-/.":
        return []
    cut = _three_numbers(words, place)
    if cut is None:
        return []
    first, second, third, end = cut
    if len(first) == 4:
        orders = [(first, second, third)]
    elif len(third) == 4:
        orders = [(third, first, second), (third, second, first)]
    else:
        return []
    dates = dict.fromkeys(
        (int(year), int(month), int(day))
        for year, month, day in orders
        if int(year) and int(month) and is_possible(int(year), int(month), int(day))
    )
    return [Read(Date(*date), end, len(dates) == 1) for date in dates]


def _three_numbers(words: Words, place: int) -> tuple[str, str, str, int] | None:
    """Cut three whole numbers with one sign between them, without blanks."""
    texts = words.texts
    if "." in texts[place]:
        first, _, second = texts[place].partition(".")
        third = texts[place + 2] if texts[place + 1] == "." else ""
        end = place + 3
    else:
        first, second, third = texts[place], texts[place + 2], texts[place + 4]
        end = place + 5
        if texts[place + 1] not in ("-", "/") or texts[place + 1] != texts[place + 3]:
            return None
    parts = (first, second, third)
    if not all(part.isdigit() and len(part) in (1, 2, 4) for part in parts):
        return None
    if not all(words.touches(at) for at in range(place + 1, end)):
        return None
    return first, second, third, end


def _year_like(words: Words, place: int) -> list[Read]:
    """Read digits as a year, decade or century: `2003`, `221 BC`, `1980s`, `21st century`."""
    text = words.texts[place]
    if not text.isdigit() or len(text) > 4:
        return []
    number, end = int(text), place + 1
    if _stands_for_decade(words, end) and number % 10 == 0 and len(text) in (2, 4):
        start = number if number >= FIRST_YEAR else 1900 + number
        end += 1 + (words.texts[end] == "'")
        return [Read(Era(start, "decade"), end, number >= FIRST_YEAR)]
    christ = _christ(words, end)
    if christ is not None and number:
        return [Read(Date(number, before_christ=christ[0]), christ[1])]
    if words.is_followed_by(place - 1, "'") and len(text) == 2 and words.touches(place):
        return [Read(Date(_short_year(number)), end, False)]
    if len(text) == 4 and FIRST_YEAR <= number <= LAST_YEAR:
        return [Read(Date(number), end)]
    return []


def _stands_for_decade(words: Words, place: int) -> bool:
    if words.texts[place] == "'":
        place += 1
    return words.texts[place] == "s" and words.touches(place)


def _christ(words: Words, place: int) -> tuple[bool, int] | None:
    """Read `BC`, `B.C.`, `BCE`, `AD` and `CE`: whether before, and the place behind."""
    text = words.texts[place]
    if text in ("bc", "bce"):
        return True, place + 1
    if text in ("ad", "ce"):
        return False, place + 1
    for first, before in (("b", True), ("a", False)):
        last = "c" if before else "d"
        if words.is_followed_by(place, first, ".", last):
            return before, place + 3 + (words.texts[place + 3] == ".")
    return None


def _spelled_year(words: Words, place: int) -> list[Read]:
    """Read `nineteen ninety-eight` and `twenty twenty`."""
    first = read_number(words, place)
    if first is None or not first.spelled or first.ordinal or not 10 <= first.value <= 21:
        return []
    joint = first.end + (words.texts[first.end] == "-")
    if words.texts[joint] in DECADES:
        start = int(first.value) * 100 + DECADES[words.texts[joint]]
        return [Read(Era(start, "decade"), joint + 1)]
    if words.texts[joint] not in TENS and not 10 <= _plain(words, joint) <= 19:
        return []
    last = read_number(words, joint)
    if last is None or not last.spelled or last.ordinal or last.scale != 1:
        return []
    if last.value.denominator != 1 or not 10 <= last.value <= 99:
        return []
    sure = 16 <= first.value <= 20
    return [Read(Date(int(first.value) * 100 + int(last.value)), last.end, sure)]


def _plain(words: Words, place: int) -> int:
    number = None if is_digits(words.texts[place]) else read_number(words, place)
    whole = number is not None and number.value.denominator == 1 and not number.ordinal
    return int(number.value) if number is not None and whole else 0


def _decade_word(words: Words, place: int) -> list[Read]:
    """Read `the eighties`, which may also be an age."""
    return [Read(Era(1900 + DECADES[words.texts[place]], "decade"), place + 1, False)]


def read_century(words: Words, number: Number) -> Read | None:
    """Read `century` behind an ordinal: `21st century`, `nineteenth-century`."""
    if not number.ordinal or number.value.denominator != 1:
        return None
    place = number.end + (words.texts[number.end] == "-")
    if words.texts[place] not in ("century", "centuries"):
        return None
    christ = _christ(words, place + 1)
    end = place + 1 if christ is None else christ[1]
    return Read(Era(int(number.value), "century"), end)
