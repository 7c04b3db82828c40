"""Read numbers in English words and digits, exactly: `two hundred and five`, `1.3 million`, `21st`.

A number is a sum of groups below a thousand (or digits), each times a scale, and the scales fall:
`one million three hundred thousand`. Not here: fractions alone
(`english_fractions.py`), what is counted, shares, dates.
"""

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from tasks.rules.english_words import (
    COLLECTIVES,
    LOOKAHEAD,
    MULTIPLIERS,
    ORDINALS,
    PARTS,
    SCALE_ORDINALS,
    SCALES,
    SHORT_SCALES,
    SMALL,
    SMALL_ORDINALS,
    TENS,
    TENS_ORDINALS,
    Words,
    is_digits,
)

Exact = int | Fraction

MAX_DIGITS = 30
"""Longer runs of digits are no numbers but codes."""
_SUFFIXES = ("st", "nd", "rd", "th")
_NO_LIMIT = 10**60


class Number(NamedTuple):
    """A number that was read, and what is needed to read on from it."""

    value: Exact
    end: int
    """Place behind its last word."""
    scale: int = 1
    """What its last group was multiplied with: 10^6 in `3.5 million`."""
    ordinal: bool = False
    spelled: bool = False
    """Its first group was written in words."""


@lru_cache(maxsize=64)
def read_number(words: Words, place: int) -> Number | None:
    """Read the number that begins at a place, or None if none begins there.

    A word of scale (`hundred`, `million`, `dozen`) may begin it, as in `a hundred`. Some places are
    remembered, since the readers of times, dates and lists all ask for the same ones.
    """
    number = _read_joined(words, place)
    if number is None or words.texts[place - 1] != "between":
        return number
    return _first_of_two(words, place, number)


def _first_of_two(words: Words, place: int, joined: Number) -> Number:
    """Read `two hundred` in `between two hundred and three thousand`, which is no single number."""
    if words.texts[joined.end] == "and":
        return joined
    until = place + LOOKAHEAD
    if "and" not in words.texts[place:until]:
        return joined
    until = words.texts.index("and", place, until)
    blank = [""] * LOOKAHEAD
    before = Words([*words.texts[place:until], *blank], words.starts[place : until + LOOKAHEAD])
    first = _read_joined(before, 0)
    if first is None or place + first.end != until or _read_joined(words, until + 1) is None:
        return joined
    return first._replace(end=until)


def _read_joined(words: Words, place: int) -> Number | None:
    """Read a number, with `and` in it wherever a number can have one."""
    if words.texts[place] in COLLECTIVES:
        return _read_groups(words, place, Number(1, place, spelled=True))
    group = _read_group(words, place)
    return None if group is None else _read_groups(words, place, group)


def _read_groups(words: Words, place: int, group: Number) -> Number:
    """Read on from the first group: its scale, then smaller groups."""
    spelled = group.spelled
    total: Exact = 0
    limit = _NO_LIMIT
    while True:
        scaled = read_scale(words, group)
        if scaled.scale >= limit:
            return Number(total, place, limit, spelled=spelled)
        total, place, limit = total + scaled.value, scaled.end, scaled.scale
        following = None if scaled.ordinal or limit == 1 else _next_group(words, place, limit)
        if following is None:
            return Number(total, place, limit, scaled.ordinal, spelled)
        group = following


def _next_group(words: Words, place: int, limit: int) -> Number | None:
    """Read the group behind a scale, where one follows and it continues the number."""
    joint = place
    if words.texts[joint] in ("and", ",", "-"):
        joint += 1
    if joint > place and words.texts[joint] == "and":
        joint += 1
    group = _read_group(words, joint, limit)
    if group is None or group.value >= limit or not isinstance(group.value, int):
        return None
    if group.spelled:
        return group if words.texts[place] != "," or _is_scaled(words, group) else None
    return group if joint == place and _is_scaled(words, group) else None


def _is_scaled(words: Words, group: Number) -> bool:
    return group.value >= 100 or words.texts[group.end] in SCALES


def read_scale(words: Words, group: Number) -> Number:
    """Multiply a group with the scales behind it: `five hundred thousand`, `3bn`, `two dozen`."""
    value, place, scale = group.value, group.end, 1
    if group.ordinal:
        return group
    while True:
        text = words.texts[place]
        after_hyphen = words.texts[place + 1] if text == "-" else text
        size = MULTIPLIERS.get(after_hyphen)
        if size is None:
            break
        place, scale = place + 1 + (text == "-"), scale * size
        if scale > _NO_LIMIT:
            return group
    text = words.texts[place]
    if scale == 1 and not group.spelled and text in SHORT_SCALES and words.touches(place):
        place, scale = place + 1, SHORT_SCALES[text]
    elif text in SCALE_ORDINALS:
        return Number(value * scale * SCALE_ORDINALS[text], place + 1, 1, True, group.spelled)
    value *= scale
    if scale > 1 and words.is_followed_by(place, "and", "a", "half"):
        value, place = as_whole(value + Fraction(scale, 2)), place + 3
    return Number(value, place, scale, spelled=group.spelled)


def _read_group(words: Words, place: int, limit: int = _NO_LIMIT) -> Number | None:
    """Read digits, or words below a thousand, with a fraction behind: `two and a half`."""
    text = words.texts[place]
    group = _read_digits(words, place) if is_digits(text) else _read_hundreds(words, place, limit)
    if group is None or group.ordinal:
        return group
    part, end = read_part_behind(words, group.end)
    return group._replace(value=as_whole(group.value + part), end=end) if part else group


def _read_digits(words: Words, place: int) -> Number | None:
    text = words.texts[place]
    if len(text) > MAX_DIGITS:
        return None
    value = digits_value(text)
    if words.texts[place + 1] in _SUFFIXES and words.touches(place + 1):
        return Number(value, place + 2, ordinal=True)
    return Number(value, place + 1)


def digits_value(text: str) -> Exact:
    """Return the value of digits with group commas and a decimal point."""
    whole, _, decimals = text.replace(",", "").replace(" ", "").partition(".")
    if not decimals:
        return int(whole)
    return as_whole(Fraction(int(whole + decimals), 10 ** len(decimals)))


def as_whole(value: Exact) -> Exact:
    """Return a value as `int` where it is whole."""
    return value.numerator if value.denominator == 1 else value


def _read_hundreds(words: Words, place: int, limit: int) -> Number | None:
    """Read words below ten thousand that have no other scale than `hundred`.

    What stands behind `hundred` begins another number if it is hundreds again, or has a scale that
    does not fall below the limit: `one thousand two hundred | and six thousand`.
    """
    first = read_tens(words, place)
    if first is None or first.ordinal:
        return first
    joint = first.end + (words.texts[first.end] == "-")
    if words.texts[joint] != "hundred":
        return first
    value = first.value * 100
    place = joint + 1
    after = place
    for sign in ("-", "and", "-"):
        after += words.texts[after] == sign
    rest = read_tens(words, after)
    if rest is None or rest.value == 0 or _begins_another(words, rest, limit):
        return Number(value, place, spelled=True)
    return Number(value + rest.value, rest.end, ordinal=rest.ordinal, spelled=True)


def _begins_another(words: Words, rest: Number, limit: int) -> bool:
    scale = MULTIPLIERS.get(words.texts[rest.end], 1)
    return scale == 100 or scale >= limit


def read_tens(words: Words, place: int) -> Number | None:
    """Read words below a hundred: `twenty-one`, `twelfth`, `fifty first`."""
    text = words.texts[place]
    if text in SMALL:
        return Number(SMALL[text], place + 1, spelled=True)
    if text in SMALL_ORDINALS or text in TENS_ORDINALS:
        return Number(ORDINALS[text], place + 1, ordinal=True, spelled=True)
    if text not in TENS:
        return None
    value, after = TENS[text], place + 1 + (words.texts[place + 1] == "-")
    ones = words.texts[after]
    if 0 < SMALL.get(ones, 0) < 10:
        return Number(value + SMALL[ones], after + 1, spelled=True)
    if 0 < SMALL_ORDINALS.get(ones, 0) < 10:
        return Number(value + SMALL_ORDINALS[ones], after + 1, ordinal=True, spelled=True)
    return Number(value, place + 1, spelled=True)


def read_part_behind(words: Words, place: int) -> tuple[Exact, int]:
    """Read `and a half`, `-and-three-quarters` or ` 1/2` behind a whole number; 0 if there is none.

    Returns:
        The fraction, below 1, and the place behind it.
    """
    texts = words.texts
    joint = place + (texts[place] == "-")
    if texts[joint] == "and":
        top = _behind(words, joint)
        count = {"a": 1, "one": 1, "three": 3}.get(texts[top], 0)
        part = _behind(words, top)
        size = PARTS.get(texts[part], 0) if count else 0
        if size in (2, 4) and count < size:
            return Fraction(count, size), part + 1
    elif is_digits(texts[place]):
        fraction = read_slash(words, place)
        if fraction is not None and fraction.value.denominator <= 16:
            return fraction.value, fraction.end
    return 0, place


def _behind(words: Words, place: int) -> int:
    """Return the place of the next word that is no hyphen."""
    return place + 1 + (words.texts[place + 1] == "-")


def read_slash(words: Words, place: int) -> Number | None:
    """Read `1/3` and `1 / 3`."""
    if words.texts[place + 1] != "/" or not is_digits(words.texts[place + 2]):
        return None
    if max(len(words.texts[place]), len(words.texts[place + 2])) > MAX_DIGITS:
        return None
    top, bottom = digits_value(words.texts[place]), digits_value(words.texts[place + 2])
    if not isinstance(top, int) or not isinstance(bottom, int) or not 0 < top < bottom:
        return None
    return Number(Fraction(top, bottom), place + 3)
