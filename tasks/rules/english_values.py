"""Read the values of an English text: numbers, shares, money, measures, dates, times of day.

The counterpart of `grammar.py` for the other side of a pair, and no rule of the memory: it is
there to say whether the values of two sides agree (`guard.py`). It reads every usual way to write a
value, in any case, tokenised or not. Where words have two readings it gives both and calls none
certain.
"""

from dataclasses import dataclass
from typing import Literal

from tasks.rules.english_dates import Read, read_century, read_dates
from tasks.rules.english_numbers import Exact, read_number
from tasks.rules.english_quantities import PERIODS, Quantity, read_quantities
from tasks.rules.english_times import NAMED, read_time
from tasks.rules.english_words import (
    COLLECTIVES,
    DECADES,
    MONTH_NUMBERS,
    MULTIPLES,
    ORDINALS,
    SMALL,
    TENS,
    WEEKDAYS,
    Words,
    cut,
)
from tasks.rules.values import Clock, Date, Era

Kind = Literal[
    "number", "ordinal", "fraction", "multiple", "percent", "points", "money", "measure", "date",
    "era", "time",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class EnglishValue:
    """A value that an English text holds."""

    kind: Kind
    value: Exact | Date | Era | Clock
    """Exact: `int` or `Fraction`; percents and percentage points in hundredths."""
    start: int
    """First character in the text."""
    end: int
    """Behind its last character."""
    unit: str = ""
    """Name of one of what is measured (`kilometer`), or a key of `units.CURRENCIES`."""
    certain: bool = True
    """It is a value, and this one; false for `one`, `5 may`, `G20`, list numbers and the like."""


_LEADS = frozenset(
    {*SMALL, *TENS, *ORDINALS, *COLLECTIVES, *DECADES, *MONTH_NUMBERS, *WEEKDAYS, *NAMED}
    | {*MULTIPLES, *PERIODS, "half", "quarter"}
)
"""Words that begin a value."""


def read_english(text: str) -> list[EnglishValue]:
    """Read the values of an English text.

    Args:
        text: any text; normal or tokenised, any case.

    Returns:
        Values by their place in the text. Two readings of the same words are two values, of which
        none is certain; certain values do not overlap.
    """
    words = cut(text)
    found: list[EnglishValue] = []
    behind = 0
    for place, word in enumerate(words.texts):
        if place >= behind and (word in _LEADS or "0" <= word[:1] <= "9"):
            behind = _read_at(words, place, found)
    return found


def _read_at(words: Words, place: int, found: list[EnglishValue]) -> int:
    """Add the values that begin at a place; returns the place from which to read on."""
    time = read_time(words, place)
    if time is not None:
        found.append(_value(words, "time", time.value, place, time.end, certain=time.certain))
        if time.certain:
            return time.end
    dates = read_dates(words, place) or _century(words, place)
    quantities = read_quantities(words, place)
    certain = [date for date in dates if date.certain]
    if _is_bare_year(certain) and any(each.kind in _COUNTED for each in quantities):
        dates, certain = [], []
    if words.texts[place] in DECADES:
        ages = Quantity("number", DECADES[words.texts[place]], place, place + 1, certain=False)
        quantities = [ages]
    for date in dates:
        kind: Kind = "era" if isinstance(date.value, Era) else "date"
        found.append(_value(words, kind, date.value, place, date.end, certain=date.certain))
    if certain:
        return max(date.end for date in certain)
    found.extend(_counted(words, each, alone=not dates) for each in quantities)
    return max((each.end for each in quantities), default=place + 1)


_COUNTED = frozenset(["percent", "points", "money", "measure", "ordinal"])


def _value(
    words: Words, kind: Kind, value: Date | Era | Clock, place: int, end: int, *, certain: bool
) -> EnglishValue:
    return EnglishValue(kind, value, words.starts[place], words.end(end - 1), certain=certain)


def _counted(words: Words, each: Quantity, *, alone: bool) -> EnglishValue:
    start, end = words.starts[each.first], words.end(each.end - 1)
    return EnglishValue(each.kind, each.value, start, end, each.unit, each.certain and alone)


def _century(words: Words, place: int) -> list[Read]:
    number = read_number(words, place)
    century = None if number is None else read_century(words, number)
    return [] if century is None else [century]


def _is_bare_year(dates: list[Read]) -> bool:
    """Say whether the only date is four digits that may be an amount as well."""
    if len(dates) != 1 or not isinstance(dates[0].value, Date):
        return False
    date = dates[0].value
    return not (date.month or date.weekday or date.before_christ)
