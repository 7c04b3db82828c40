"""Read fractions in English: `two thirds`, `3/4`, `half a million`, `two out of three`."""

from fractions import Fraction

from tasks.rules.english_numbers import (
    Number,
    as_whole,
    read_number,
    read_scale,
    read_slash,
    read_tens,
)
from tasks.rules.english_words import COLLECTIVES, PARTS, Words, is_digits

_ARTICLES = ("a", "an")


def read_fraction(words: Words, place: int) -> Number | None:
    """Read `two thirds`, `one-half`, `3/4`, `a quarter`, `half a million`, or None."""
    text = words.texts[place]
    if text == "half":
        joint = place + 1 + (words.texts[place + 1] in (*_ARTICLES, "-"))
        if words.texts[joint] in COLLECTIVES:
            scaled = read_scale(words, Number(1, joint, spelled=True))
            return scaled._replace(value=as_whole(Fraction(scaled.value, 2)))
        return Number(Fraction(1, 2), place + 1, spelled=True)
    if text in _ARTICLES:
        size = PARTS.get(words.texts[place + 1])
        return Number(Fraction(1, size), place + 2, spelled=True) if size else None
    if is_digits(text):
        return read_slash(words, place)
    return _read_spelled_fraction(words, place)


def read_out_of(words: Words, place: int) -> Number | None:
    """Read `two out of three` and `one in five`, or None; the latter may mean a place."""
    top = read_number(words, place)
    if top is None or top.ordinal:
        return None
    joint = top.end
    if words.is_followed_by(joint, "out", "of"):
        joint += 1
    elif words.texts[joint] != "in":
        return None
    joint += 1 + (words.texts[joint + 1] == "every")
    bottom = read_number(words, joint)
    if bottom is None or bottom.ordinal or not 0 < top.value < bottom.value <= 1000:
        return None
    return Number(as_whole(Fraction(top.value) / bottom.value), bottom.end)


def _read_spelled_fraction(words: Words, place: int) -> Number | None:
    """Read `two thirds` and `one-third`."""
    top = read_tens(words, place)
    if top is None or top.ordinal:
        return None
    part = top.end + (words.texts[top.end] == "-")
    size = PARTS.get(words.texts[part])
    if not size or not isinstance(top.value, int) or not 0 < top.value < size:
        return None
    if (top.value == 1) != (words.texts[part][-1] != "s" and words.texts[part] != "halves"):
        return None
    return Number(Fraction(top.value, size), part + 1, spelled=True)
