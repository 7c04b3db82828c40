"""Say whether a Chinese value stands in an English text, in whatever equivalent writing.

亿 against billion, years of the Republic of China against ours, 成 against percent, 半 against
half, a range against its two ends, 三个月 against a quarter. Agreement is by value: currencies and
units other than those of time are not compared, since texts leave them out or put others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from tasks.rules.english_numbers import Exact
from tasks.rules.english_values import EnglishValue
from tasks.rules.units import COUNTS
from tasks.rules.values import (
    Amount,
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
    Wording,
)
from tasks.rules.values import Fraction as Parts

REPUBLIC = 1911
"""The year before the first of the Republic of China."""
PERIODS: dict[str, tuple[str, int]] = {
    "month": ("months", 1), "quarter": ("months", 3), "year": ("months", 12),
    "decade": ("months", 120), "century": ("months", 1200), "day": ("days", 1),
    "week": ("days", 7), "fortnight": ("days", 14), "minute": ("minutes", 1),
    "hour": ("minutes", 60),
}  # fmt: skip
"""Units of time that are whole multiples of another: the other, and how many."""

Period = tuple[str, Exact]
"""A length of time in months, days or minutes."""


@dataclass(frozen=True, slots=True)
class EnglishSide:
    """The values of an English text, in the sets that questions are asked about."""

    values: Sequence[EnglishValue]
    numbers: frozenset[Exact]
    """Of all kinds but parts of dates."""
    unitless: frozenset[Exact]
    """Those whose unit is not said, or is no unit of time."""
    periods: frozenset[Period]
    years: frozenset[int]
    months: frozenset[int]
    days: frozenset[tuple[int | None, int]]
    """Month and day."""
    weekdays: frozenset[str]
    eras: frozenset[tuple[int, str]]
    clocks: Sequence[Clock]


NOTHING = EnglishSide(
    (), frozenset(), frozenset(), frozenset(), frozenset(), frozenset(), frozenset(), frozenset(),
    frozenset(), (),
)  # fmt: skip
"""A text without values."""


def english_side(values: Sequence[EnglishValue]) -> EnglishSide:
    """Sort the values of an English text into sets."""
    dates = [each.value for each in values if isinstance(each.value, Date)]
    amounts = [each for each in values if isinstance(each.value, (int, Fraction))]
    numbers = frozenset(_exact(each) for each in amounts)
    years = frozenset(date.year for date in dates if date.year is not None)
    return EnglishSide(
        values=values,
        numbers=numbers | years,
        unitless=frozenset(_exact(each) for each in amounts if each.unit not in PERIODS),
        periods=frozenset(
            _period(_exact(each), each.unit) for each in amounts if each.unit in PERIODS
        ),
        years=years,
        months=frozenset(date.month for date in dates if date.month is not None),
        days=frozenset((date.month, date.day) for date in dates if date.day is not None),
        weekdays=frozenset(date.weekday for date in dates if date.weekday),
        eras=frozenset(
            (each.value.start, each.value.kind) for each in values if isinstance(each.value, Era)
        ),
        clocks=[each.value for each in values if isinstance(each.value, Clock)],
    )


def _exact(value: EnglishValue) -> Exact:
    assert isinstance(value.value, (int, Fraction))
    return value.value


def _period(amount: Exact, unit: str) -> Period:
    base, size = PERIODS[unit]
    return base, amount * size


def holds(side: EnglishSide, value: Value) -> bool:
    """Say whether an English text holds a Chinese value or an equivalent; a wording has none."""
    match value:
        case Amount():
            return _holds_all(side.numbers, value)
        case Money():
            return _holds_all(side.numbers, value.amount)
        case Measure():
            return _holds_measure(side, value)
        case Share():
            return all(_holds_share(side, number) for number in ends(value.amount))
        case Parts():
            part = Fraction(value.numerator, value.denominator)
            return part in side.numbers or part * 100 in side.numbers
        case Ordinal():
            parts = (value.first, value.last, value.branch)
            return all(part in side.numbers for part in parts if part) or _holds_century(
                side, value
            )
        case Wording():
            return False
        case _:
            return _holds_time(side, value)


def _holds_time(
    side: EnglishSide, value: Date | DateRange | Era | Clock | ClockRange | Moment
) -> bool:
    match value:
        case Date():
            return _holds_date(side, value)
        case DateRange() | ClockRange():
            return _holds_time(side, value.first) and _holds_time(side, value.last)
        case Era():
            return _holds_era(side, value)
        case Clock():
            return _holds_clock(side, value)
        case Moment():
            return _holds_date(side, value.date) and _holds_clock(side, value.clock)


def ends(amount: Amount) -> list[Exact]:
    """Return the number, or both ends of the range."""
    low = exact(amount.low)
    return [low] if amount.high is None else [low, exact(amount.high)]


def exact(value: Decimal) -> Exact:
    """Return a decimal number as `int` where it is whole, else as `Fraction`."""
    top, bottom = value.as_integer_ratio()
    return top if bottom == 1 else Fraction(top, bottom)


def _holds_all(numbers: frozenset[Exact], amount: Amount) -> bool:
    return all(number in numbers or -number in numbers for number in ends(amount))


def _holds_measure(side: EnglishSide, value: Measure) -> bool:
    unit = unit_name(value.unit)
    if unit not in PERIODS:
        return _holds_all(side.numbers, value.amount)
    return all(
        number in side.unitless or _period(number, unit) in side.periods
        for number in ends(value.amount)
    )


@lru_cache(maxsize=1024)
def unit_name(unit: str) -> str:
    """Return the English name of one unit, as English values carry it; empty for a bare count."""
    name = COUNTS[unit].one if unit else ""
    return "year" if name == "year old" else name


def _holds_share(side: EnglishSide, number: Exact) -> bool:
    return (
        abs(number) in side.unitless
        or number in side.unitless
        or (Fraction(number, 100) in side.unitless)
    )


def _holds_date(side: EnglishSide, date: Date) -> bool:
    if date.year is not None and not holds_year(side, date.year):
        return False
    if date.month is not None and date.day is not None:
        return (date.month, date.day) in side.days or (
            date.month in side.months and date.day in side.numbers
        )
    if date.month is not None:
        return date.month in side.months
    if date.day is not None:
        return date.day in side.numbers or any(date.day == day for _, day in side.days)
    return date.year is not None or not date.weekday or date.weekday in side.weekdays


def holds_year(side: EnglishSide, year: int) -> bool:
    """Say whether a year stands in the text, in our count or in that of the Republic of China."""
    return year in side.numbers or year - REPUBLIC in side.numbers


def _holds_era(side: EnglishSide, era: Era) -> bool:
    if (era.start, era.kind) in side.eras or era.start in side.numbers:
        return True
    return era.kind == "century" and (100 * (era.start - 1), "decade") in side.eras


def _holds_century(side: EnglishSide, ordinal: Ordinal) -> bool:
    return ordinal.noun.startswith("century") and (ordinal.first, "century") in side.eras


def _holds_clock(side: EnglishSide, clock: Clock) -> bool:
    if any(same_time(clock, other) for other in side.clocks):
        return True
    return not clock.minute and (clock.hour in side.numbers or clock.hour % 12 in side.numbers)


def same_time(first: Clock, second: Clock) -> bool:
    """Say whether two times are one; where the half of the day is open, either half will do."""
    if (first.minute or 0, first.second or 0) != (second.minute or 0, second.second or 0):
        return False
    both_known = first.half and second.half
    return (first.hour - second.hour) % (24 if both_known else 12) == 0
