"""Read English numbers with what they count: shares, money, measures, ordinals, ranges, multiples.

The first number of a range or list shares what stands behind the last (`3 to 5 million yuan`,
`10 and 12 percent`).
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from tasks.rules.english_fractions import read_fraction, read_out_of
from tasks.rules.english_numbers import Exact, Number, read_number
from tasks.rules.english_units import (
    SHARE_SIZES,
    SYMBOLS,
    currency_at,
    currency_before,
    share_at,
    unit_at,
)
from tasks.rules.english_words import (
    COLLECTIVES,
    MULTIPLES,
    SCALE_ORDINALS,
    SHORT_SCALES,
    Words,
    is_digits,
)

QuantityKind = Literal[
    "number", "ordinal", "fraction", "multiple", "percent", "points", "money", "measure"
]
PERIODS = frozenset(["decade", "decades", "century", "fortnight"])
"""Units of time that stand for one of themselves."""
_RANGE = frozenset(["to", "-", "through"])
_LIST = frozenset(["and", "or", ",", "&"])
_SKIPPED = frozenset(["and", "or", *SYMBOLS])
_MAX_LISTED = 6
_BIG_LETTERS = SHORT_SCALES | {"m": 10**6, "b": 10**9}
"""Scales that may stand apart behind a currency (`$ 5 m`), or only there, since `5m` are meters."""


class Quantity(NamedTuple):
    """A number, what it counts, and the words it covers, `[first, end)`."""

    kind: QuantityKind
    value: Exact
    first: int
    end: int
    unit: str = ""
    certain: bool = True


class Counted(NamedTuple):
    """What signs or words around a number say that it counts, and where they end."""

    kind: QuantityKind
    unit: str
    size: Exact
    end: int


def read_quantities(words: Words, place: int) -> list[Quantity]:
    """Read the number that begins at a place, in each of its readings; empty if none begins."""
    text = words.texts[place]
    if text in MULTIPLES:
        return [Quantity("multiple", MULTIPLES[text], place, place + 1, certain=False)]
    if text in PERIODS or text == "quarter":
        return list(_period(words, place))
    fraction = read_fraction(words, place)
    number = fraction or read_number(words, place)
    if number is None:
        return []
    if text in COLLECTIVES:
        if place == 0 or words.texts[place - 1] not in ("a", "an", "per", "-"):
            return []
        place -= 1
    if number.ordinal:
        return list(_ordinal(words, place, number))
    kind: QuantityKind = "fraction" if fraction and fraction.value < 1 else "number"
    return [*_amount(words, place, number, kind), *_other_readings(words, place, number, kind)]


def _other_readings(
    words: Words, place: int, number: Number, kind: QuantityKind
) -> Iterator[Quantity]:
    """Yield `one millionth` as an ordinal, and `two out of three` as a fraction."""
    if kind == "fraction" and words.texts[number.end - 1] in SCALE_ORDINALS:
        yield Quantity("ordinal", number.value.denominator, place, number.end, certain=False)
    part = read_out_of(words, place)
    if part is not None:
        yield Quantity("fraction", part.value, place, number.end, certain=False)


def _period(words: Words, place: int) -> Iterator[Quantity]:
    """Yield one `decade`, `century` or `quarter`, which is a fourth as well."""
    unit = unit_at(words, place)
    if unit is not None:
        yield Quantity("measure", 1, place, unit[1], unit[0], certain=False)
    if words.texts[place] == "quarter":
        yield Quantity("fraction", Fraction(1, 4), place, place + 1, certain=False)


def _ordinal(words: Words, place: int, number: Number) -> Iterator[Quantity]:
    """Yield an ordinal; `a third` is a fraction as well, and `second` a unit of time."""
    certain = words.texts[number.end - 1] != "second" and not _is_in_name(words, place)
    yield Quantity("ordinal", number.value, place, number.end, certain=certain)
    if place and words.texts[place - 1] == "a" and number.value > 2:
        yield Quantity("fraction", Fraction(1) / number.value, place, number.end, certain=False)


def _amount(words: Words, place: int, number: Number, kind: QuantityKind) -> Iterator[Quantity]:
    """Yield a number with what it counts, which may be said behind a later number only."""
    counted = _counted(words, place, number, kind)
    sign = -1 if _is_negative(words, place) else 1
    first = place - (sign < 0)
    certain = not _is_in_name(words, place) and not _is_list_number(words, place, number)
    certain = certain and "dozen" not in words.texts[number.end - 1]
    if counted.kind != kind or number.scale > 1:
        if counted.kind == "money" and number.scale == 1:
            rest = _shared(words, place, number, kind)
            scaled = [each for each in rest if each.kind == "money" and each.value != number.value]
            yield from scaled
            certain = certain and not scaled
        value = sign * number.value * counted.size
        yield Quantity(counted.kind, value, first, counted.end, counted.unit, certain)
        if counted.kind == kind:
            yield from _shared(words, place, number, kind)
        return
    shared = list(_shared(words, place, number, kind))
    yield from shared
    certain = certain and not shared and not _is_odd(words, place, number)
    yield Quantity(kind, sign * number.value, first, number.end, "", certain)


def _shared(words: Words, place: int, number: Number, kind: QuantityKind) -> Iterator[Quantity]:
    """Yield a number with the scale and the unit that a later number of its row shares with it."""
    behind, certain = number, True
    for _ in range(_MAX_LISTED):
        joint = words.texts[behind.end]
        if joint not in _RANGE and joint not in _LIST:
            return
        certain = certain and joint in _RANGE
        place_of_next = behind.end + 1 + (words.texts[behind.end + 1] in _SKIPPED)
        following = read_fraction(words, place_of_next) or read_number(words, place_of_next)
        if following is None or following.ordinal:
            return
        counted = _counted(words, place_of_next, following, kind)
        if counted.kind != kind or following.scale > 1:
            yield from _with_shared(words, place, number, following, counted, certain=certain)
            return
        behind = following


def _with_shared(
    words: Words, place: int, number: Number, last: Number, counted: Counted, *, certain: bool
) -> Iterator[Quantity]:
    """Yield the readings of a number with the scale or unit of the last of its row."""
    scales = {1}
    if number.scale == 1 and last.scale > 1 and number.value * last.scale < last.value:
        scales = {last.scale} if certain and number.end - place == 1 else {1, last.scale}
    for scale in sorted(scales):
        value = number.value * scale * counted.size
        alone = certain and len(scales) == 1
        yield Quantity(counted.kind, value, place, number.end, counted.unit, alone)


@lru_cache(maxsize=64)
def _counted(words: Words, place: int, number: Number, kind: QuantityKind) -> Counted:
    """Read the share, currency or unit of a number, which all numbers of a list ask about."""
    share = share_at(words, number.end)
    if share is not None:
        name, size = SHARE_SIZES[share[0]]
        return Counted(name, "", size, share[1])
    before = currency_before(words, place)
    if before is not None:
        big = _BIG_LETTERS.get(words.texts[number.end], 1) if number.scale == 1 else 1
        return Counted("money", before[0], big, number.end + (big > 1))
    currency = currency_at(words, number.end)
    if currency is not None:
        return Counted("money", currency[0], 1, currency[1])
    of = kind == "fraction" and words.texts[number.end] in ("a", "an")
    unit = unit_at(words, number.end + of)
    return (
        Counted(kind, "", 1, number.end)
        if unit is None
        else Counted("measure", unit[0], 1, unit[1])
    )


def _is_negative(words: Words, place: int) -> bool:
    """Say whether a minus stands before, not a hyphen or a dash between words."""
    before = words.texts[place - 1] if place else ""
    if before in ("minus", "negative"):
        return True
    return before == "-" and words.touches(place) and not words.touches(place - 1)


def _is_in_name(words: Words, place: int) -> bool:
    """Say whether letters stand on the number: `G20`, `F-16`, `COVID-19`; `mid-` is no name."""
    if not words.touches(place) or not is_digits(words.texts[place]):
        return False
    before = words.texts[place - 1]
    if before in _JOINED and words.touches(place - 1):
        word = words.texts[place - 2]
        return word.isalpha() and word not in _PREFIXES and words.touches(place - 1)
    return before.isalpha() or before in _CODE


_JOINED = frozenset("-/.:")
_CODE = frozenset("_#@")
_PREFIXES = frozenset(["mid", "pre", "post", "non", "over", "under", "some", "the", "to", "and"])


def _is_list_number(words: Words, place: int, number: Number) -> bool:
    """Say whether a number counts the item of a list: `3.` or `(11)` before its text."""
    before, after = words.texts[place - 1] if place else "", words.texts[number.end]
    if not is_digits(words.texts[place]):
        return False
    return (before == "(" and after == ")") or (place == 0 and after in (".", ")", "、", ":"))


def _is_odd(words: Words, place: int, number: Number) -> bool:
    """Say whether signs around a bare number make it part of something longer, or `one` alone."""
    texts = words.texts
    if texts[place] == "one" and number.end == place + 1:
        return True
    if not is_digits(texts[place]):
        return False
    after = texts[number.end]
    if words.touches(number.end) and (after.isalpha() or after in _CODE):
        return True
    if after == "," and words.touches(number.end) and words.touches(number.end + 1):
        return is_digits(texts[number.end + 1])
    glued = words.touches(number.end) and words.touches(number.end + 1) and after in _JOINED
    before = words.touches(place) and texts[place - 1] in _JOINED and words.touches(place - 1)
    return glued or before
