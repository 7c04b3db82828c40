"""Every value that the digits and numerals of a text could mean, however unlikely.

The opposite of the grammar: nothing may be called wrong that has an explanation, so any reading of
any run of digits counts, also within words, codes and list numbers.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from tasks.rules.agreement import PERIODS, REPUBLIC, EnglishSide, ends
from tasks.rules.calendar_parts import WEEKDAY, WEEKDAYS
from tasks.rules.english_numbers import MAX_DIGITS, Exact, digits_value
from tasks.rules.english_values import EnglishValue
from tasks.rules.english_words import MONTH_NUMBERS
from tasks.rules.fold import fold
from tasks.rules.grammar import ValueMatch
from tasks.rules.numbers import CHINESE, read_amount
from tasks.rules.values import Clock, ClockRange, Date, DateRange, Era, Moment
from tasks.rules.values import Fraction as Parts

_DIGITS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})++(?:\.[0-9]++)?|[0-9]++(?:\.[0-9]++)?")
_SHORT_DIGITS = re.compile("(?<![0-9])(?<![0-9],)[0-9]++(?!,[0-9]{3}(?![0-9]))")
_ODD_GROUPS = re.compile("[0-9]{1,4}(?:[ .,][0-9]{3}){1,5}(?![0-9])")
"""Groups of three with other signs than commas: `5 700`, `100.000`, `1500,000`."""
_NUMERALS = re.compile(f"[0-9{CHINESE}点.,]++")
_FEW_DIGITS = re.compile("[零〇一二三四五六七八九两]{1,4}")
"""Chinese digits without a scale may be several numbers: 三五 is three to five."""
_SCALED = re.compile("(?<![0-9.,])[0-9.,]{1,30}+(?=[十百千万亿])")
"""Digits before a scale are no number of their own: the 3.5 of 3.5亿."""
_LARGE_SCALE = re.compile("[万亿]")
_WEEKDAY = re.compile(WEEKDAY.replace("周", "[周週]"))
_RELATIVE = re.compile(
    "[今明昨去前当當同本上次翌隔][年日天晚晨早夜周週月]|[前后後]天|[这這那]天|元旦|国庆|圣诞|除夕"
)
_ROMAN = re.compile(r"\b(?=[ivx])(x{0,3})(ix|iv|v?i{0,3})\b", re.ASCII)
_LETTERED = re.compile(r"\b[A-Za-z]{4,}\s([A-Z])\b")
"""`item D` may be the fourth."""
_MILITARY = re.compile(r"\b([01][0-9]|2[0-3])([0-5][0-9])(?![0-9])")
_PREFIXED = re.compile(
    r"(?<![a-z])(k|kilo|m|mega|g|giga|t|tera)-?"
    r"(?:hz|hertz|cycles?|va|v|volts?|w|wh|watts?|bytes?|bits?|b)(?![a-z])"
)
"""Units with a prefix that the other side may count in, and write in full: MHz and 百万赫."""
_POWERS = re.compile(
    r"([0-9]{1,15}(?:\.[0-9]{1,15})?)\s?[x×*·]\s?10(?:\s?\^\s?([0-9]{1,2})|([⁰¹²³⁴-⁹]{1,2}))"
)
_MONTH = re.compile(rf"(?<![a-z])(?:{'|'.join(MONTH_NUMBERS)})(?![a-z])")
_PREFIX_POWERS = {"k": 1, "m": 2, "g": 3, "t": 4}
_FULL_STOP_IN_NUMBER = re.compile("(?<=[0-9])。(?=[0-9])")
"""A Chinese full stop in the place of a decimal point."""
_CHANGE = re.compile("[减降跌缩增涨升加]")
"""Growth may be told by how much, or to what: 减少二成 is `to 80 percent`."""
_ROMAN_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_LENGTHS = {"months": (1, 3, 12), "days": (1, 7, 30, 365), "minutes": (1, 60, 1440)}
"""Lengths of time that a number may count, in months, days or minutes."""


def with_all_digits(side: EnglishSide, english: str) -> EnglishSide:
    """Add to an English text the numbers of all its digits, Roman numerals and lettered items."""
    lower = english.lower()
    numbers = set(_digit_runs(english))
    numbers.update(
        10 * len(found[1]) + _ROMAN_ONES.index(found[2]) for found in _ROMAN.finditer(lower)
    )
    numbers.update(ord(found[1]) - ord("A") + 1 for found in _LETTERED.finditer(english))
    numbers.update(_powers(english))
    numbers.update(_without_hundred(side.values))
    numbers.update(
        number * size for size in _prefix_sizes(lower) for number in (numbers | side.numbers)
    )
    months = {number for number in numbers if isinstance(number, int) and 1 <= number <= 12}
    months.update(MONTH_NUMBERS[found[0]] for found in _MONTH.finditer(lower))
    clocks = [Clock(int(found[1]), int(found[2])) for found in _MILITARY.finditer(english)]
    return replace(
        side,
        numbers=side.numbers | numbers,
        unitless=side.unitless | numbers,
        months=side.months | months,
        clocks=[*side.clocks, *clocks],
    )


def _digit_runs(text: str) -> Iterator[Exact]:
    """Yield the numbers that runs of digits can be, with and without group commas and decimals."""
    for pattern in (_DIGITS, _SHORT_DIGITS):
        for found in pattern.finditer(text):
            if len(found[0]) <= MAX_DIGITS:
                yield digits_value(found[0])
    for found in _ODD_GROUPS.finditer(text):
        yield int("".join(mark for mark in found[0] if mark in "0123456789"))


def _powers(text: str) -> Iterator[Exact]:
    """Yield `5 x 10^9` and `5×10⁹` written out."""
    for found in _POWERS.finditer(text):
        power = found[2] or "".join(str(unicodedata.digit(mark)) for mark in found[3])
        yield digits_value(found[1]) * 10 ** int(power)


def _prefix_sizes(lower: str) -> set[int]:
    """Return the thousands by which a number before `MHz` or `gigabytes` may be written larger."""
    powers = [_PREFIX_POWERS[found[1][0]] for found in _PREFIXED.finditer(lower)]
    return {1000**power for power in range(1, max(powers, default=0) + 1)}


def _without_hundred(values: Sequence[EnglishValue]) -> Iterator[int]:
    """Yield `three sixty-three` as 363."""
    whole = [
        (each.value, each.start, each.end)
        for each in values
        if each.kind in ("number", "measure") and isinstance(each.value, int)
    ]
    for (hundreds, _, end), (rest, start, _) in pairwise(whole):
        if start == end + 1 and 1 <= hundreds <= 9 and 10 <= rest <= 99:
            yield 100 * hundreds + rest


@dataclass(frozen=True, slots=True)
class Possible:
    """What a Chinese text could say."""

    numbers: frozenset[Exact]
    weekdays: frozenset[str]
    has_half: bool
    has_discount: bool
    has_change: bool
    has_century: bool
    counts_from_1912: bool
    is_relative: bool
    """It names a year or day by when it is read (今年, 昨日)."""

    def explains(self, value: EnglishValue) -> bool:
        """Say whether an English value could come from this text."""
        match value.value:
            case Date():
                return self._explains_date(value.value)
            case Era():
                start = value.value.start
                return start in self.numbers or start % 100 in self.numbers
            case Clock():
                return self._explains_clock(value.value)
            case _:
                return self._explains_number(value.value, value.kind, value.unit)

    def _explains_date(self, date: Date) -> bool:
        if self.is_relative:
            return True
        parts = [part for part in (date.month, date.day) if part is not None]
        if any(part not in self.numbers for part in parts):
            return False
        if date.weekday and not parts and date.weekday not in self.weekdays:
            return False
        if date.year is None or date.year in self.numbers:
            return True
        short = date.year - REPUBLIC if self.counts_from_1912 else date.year % 100
        return short in self.numbers

    def _explains_clock(self, clock: Clock) -> bool:
        minute = clock.minute or 0
        known = minute in self.numbers or minute in (0, 15, 30, 45)
        return known and any(
            hour in self.numbers for hour in (clock.hour, clock.hour % 12, clock.hour % 12 + 12)
        )

    def _explains_number(self, number: Exact, kind: str, unit: str) -> bool:
        candidates = {number, -number}
        if kind in ("percent", "points", "fraction"):
            candidates |= {100 * number, Fraction(number, 100)}
            if self.has_discount:
                candidates |= {100 - number, 10 - Fraction(number, 10)}
            if self.has_change:
                whole = 1 if kind == "fraction" else 100
                candidates |= {whole - number, number - whole}
        if self.has_half:
            candidates |= {number - Fraction(1, 2), 2 * number}
        if unit in PERIODS:
            base, size = PERIODS[unit]
            candidates |= {Fraction(number * size, length) for length in _LENGTHS[base]}
            candidates |= {Fraction(number * size, 1200)} if self.has_century else set()
            if self._explains_sum(number * size):
                return True
        return not candidates.isdisjoint(self.numbers)

    def _explains_sum(self, months: Exact) -> bool:
        """Say whether a length of time could be so many years and months (一年六个月)."""
        return any(
            Fraction(months - rest, 12) in self.numbers for rest in self.numbers if rest < 12
        )


def possible_values(chinese: str, matches: Iterable[ValueMatch]) -> Possible:
    """Collect what a Chinese text could say; `matches` are what the grammar read in it."""
    folded = fold(chinese)
    tight = _FULL_STOP_IN_NUMBER.sub(".", folded.replace(" ", ""))
    numbers: set[Exact] = set(_digit_runs(_SCALED.sub("", tight)))
    for run in _NUMERALS.finditer(tight):
        for text in _parts(run[0]):
            amount = read_amount(text)
            if amount is not None:
                numbers.update(ends(amount))
    for match in matches:
        numbers.update(_numbers_meant(match.value))
    return Possible(
        frozenset(numbers),
        frozenset(WEEKDAYS[found["w"]] for found in _WEEKDAY.finditer(folded)),
        "半" in folded,
        "折" in folded,
        _CHANGE.search(folded) is not None,
        "世纪" in folded,
        "民国" in folded,
        _RELATIVE.search(folded) is not None,
    )


def _parts(run: str) -> Sequence[str]:
    """Return a run of numerals, its beginnings up to 万 and 亿, its end, and parts of digits."""
    if len(run) > MAX_DIGITS:
        return []
    if _FEW_DIGITS.fullmatch(run):
        return [run[a:b] for a in range(len(run)) for b in range(a + 1, len(run) + 1)]
    places = [found.end() for found in _LARGE_SCALE.finditer(run)]
    return [run, *(run[:place] for place in places), *(run[place:] for place in places[-1:])]


def _numbers_meant(value: object) -> Iterator[Exact]:
    """Yield the numbers that a date, time, era or fraction means, however it writes them."""
    match value:
        case Date():
            yield from (part for part in (value.year, value.month, value.day) if part)
        case DateRange():
            yield from _numbers_meant(value.first)
            yield from _numbers_meant(value.last)
        case Moment():
            yield from _numbers_meant(value.date)
            yield from _numbers_meant(value.clock)
        case ClockRange():
            yield from _numbers_meant(value.first)
            yield from _numbers_meant(value.last)
        case Clock():
            yield value.hour
            yield value.minute or 0
        case Era():
            yield value.start
        case Parts():
            yield Fraction(value.numerator, value.denominator)
