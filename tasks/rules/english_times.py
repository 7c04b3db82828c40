"""Read times of day in English: `9:30 a.m.`, `9 pm`, `half past two`, `14:00`, `noon`."""

from typing import NamedTuple

from tasks.rules.english_numbers import Number, read_number
from tasks.rules.english_words import SMALL, TENS, Words, is_digits
from tasks.rules.values import Clock

NAMED = {"noon": 12, "midday": 12, "midnight": 0}
_AFTERNOON = ("afternoon", "evening")
_TO, _PAST = ("to", "before", "till"), ("past", "after")
_QUARTER, _HALF = 15, 30
_MINUTES = frozenset(word for word, value in (SMALL | TENS).items() if 10 <= value < 60)


class ReadTime(NamedTuple):
    """A time, the place behind its last word, and whether it can be nothing else."""

    value: Clock
    end: int
    certain: bool = True


def read_time(words: Words, place: int) -> ReadTime | None:
    """Read the time that begins at a place, or None if none does.

    Hours are 0 to 23 where the half of the day is known (`Clock.half`).
    """
    text = words.texts[place]
    if text in NAMED:
        return ReadTime(Clock(NAMED[text], half=True, named=text), place + 1)
    if is_digits(text):
        return _in_digits(words, place) or _full_hour(words, place) or _around_hour(words, place)
    return _around_hour(words, place) or _full_hour(words, place) or _hour_and_minute(words, place)


def _in_digits(words: Words, place: int) -> ReadTime | None:
    """Read `9:30`, `14:00:05`, `9.30 a.m.`; a time with a full stop needs its half of the day."""
    hour, separator, minute = words.texts[place].partition(".")
    end, second = place + 1, None
    if not separator and words.texts[end] == ":" and words.touches(end):
        minute, end = words.texts[end + 1], end + 2
        if words.texts[end] == ":" and _is_sixtieth(_whole_seconds(words.texts[end + 1])):
            second, end = int(_whole_seconds(words.texts[end + 1])), end + 2
    elif not separator:
        return None
    if not (hour.isdigit() and len(hour) <= 2 and int(hour) <= 24 and _is_sixtieth(minute)):
        return None
    clock = Clock(int(hour), int(minute), second)
    half = _half_of_day(words, end)
    if half is None:
        return None if separator else ReadTime(_on_24_hours(clock), end, int(hour) < 24)
    return _placed(clock, half)


def _whole_seconds(text: str) -> str:
    """Take the milliseconds from `45,896` and `45.896`."""
    return text[:2] if text[2:3] in ",." else text


def _is_sixtieth(text: str) -> bool:
    return len(text) == 2 and text.isdigit() and int(text) < 60


def _on_24_hours(clock: Clock) -> Clock:
    """Say that the half of the day is known where only a 24-hour clock has the hour."""
    known = clock.hour > 12 or clock.hour == 0
    return Clock(clock.hour % 24, clock.minute, clock.second, half=known)


def _placed(clock: Clock, half: tuple[bool, int]) -> ReadTime | None:
    after_noon, end = half
    if clock.hour > 12:
        return ReadTime(Clock(clock.hour % 24, clock.minute, clock.second, half=True), end)
    hour = clock.hour % 12 + 12 * after_noon
    return ReadTime(Clock(hour, clock.minute, clock.second, half=True), end)


def _half_of_day(words: Words, place: int) -> tuple[bool, int] | None:
    """Read `a.m.`, `pm`, `in the afternoon`, `at night`: whether after noon, and what is behind."""
    texts = words.texts
    if texts[place] in ("am", "pm"):
        return texts[place] == "pm", place + 1
    if texts[place] in ("a", "p") and texts[place + 2] in ("m", "m.") and texts[place + 1] == ".":
        return texts[place] == "p", place + 3 + (texts[place + 3] == ".")
    if texts[place] == "noon":
        return True, place + 1
    if texts[place] == "in" and texts[place + 1] == "the":
        if texts[place + 2] == "morning":
            return False, place + 3
        return (True, place + 3) if texts[place + 2] in _AFTERNOON else None
    return (True, place + 2) if words.is_followed_by(place, "at", "night") else None


def _full_hour(words: Words, place: int) -> ReadTime | None:
    """Read `9 a.m.`, `nine o'clock`, `3 in the afternoon`."""
    number = _hour(words, place)
    if number is None:
        return None
    end = number.end
    exact = words.is_followed_by(end, "o", "'", "clock")
    end += 3 * exact
    half = _half_of_day(words, end)
    if half is not None:
        return _placed(Clock(int(number.value)), half)
    return ReadTime(Clock(int(number.value)), end) if exact else None


def _hour_and_minute(words: Words, place: int) -> ReadTime | None:
    """Read `eight-thirty`, `nine forty-five`, which may also be two numbers."""
    hour = SMALL.get(words.texts[place], 0)
    joint = place + 1 + (words.texts[place + 1] == "-")
    if not 1 <= hour <= 12 or words.texts[joint] not in _MINUTES:
        return None
    minute = read_number(words, joint)
    if minute is None or minute.ordinal or minute.scale != 1 or not 10 <= minute.value < 60:
        return None
    half = _half_of_day(words, minute.end)
    clock = Clock(hour, int(minute.value))
    placed = None if half is None else _placed(clock, half)
    return placed or ReadTime(clock, minute.end, joint > place + 1)


def _hour(words: Words, place: int) -> Number | None:
    number = read_number(words, place)
    if number is None or number.ordinal or number.value.denominator != 1 or number.scale != 1:
        return None
    return number if 0 <= number.value <= 24 else None


def _around_hour(words: Words, place: int) -> ReadTime | None:
    """Read `half past two`, `a quarter to five`, `ten minutes past three`."""
    texts = words.texts
    if texts[place] == "half" and texts[place + 1] == "past":
        return _shifted(words, place + 2, _HALF)
    if texts[place] == "quarter":
        minutes, end = _QUARTER, place + 1
    else:
        number = read_number(words, place)
        if number is None or not 0 < number.value < 30 or number.value.denominator != 1:
            return None
        minutes, end = int(number.value), number.end
        end += texts[end] in ("minutes", "minute")
    if texts[end] in _PAST:
        return _shifted(words, end + 1, minutes)
    return _shifted(words, end + 1, -minutes) if texts[end] in _TO else None


def _shifted(words: Words, place: int, minutes: int) -> ReadTime | None:
    """Read the hour at a place, and move it by minutes; `five to eight` is also a range."""
    number = _hour(words, place)
    if number is None or not 1 <= number.value <= 12:
        return None
    hour = int(number.value) if minutes > 0 else (int(number.value) + 10) % 12 + 1
    clock = Clock(hour, minutes % 60)
    half = _half_of_day(words, number.end)
    placed = None if half is None else _placed(clock, half)
    sure = minutes in (_QUARTER, -_QUARTER, _HALF)
    return (placed or ReadTime(clock, number.end))._replace(certain=sure)
