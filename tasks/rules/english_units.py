"""What stands behind or before an English number: percent signs, currencies, units. Tables only."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Literal

from tasks.rules.english_words import Words
from tasks.rules.units import COUNTS, CURRENCIES

Phrase = tuple[str, ...]
Table = Mapping[str, list[tuple[Phrase, str]]]
"""Phrases by their first word, the longest first, each with its key."""

SHARES = {
    ("%",): "percent", ("percent",): "percent", ("per", "cent"): "percent", ("pct",): "percent",
    ("per", "mille"): "per mille", ("‰",): "per mille", ("permille",): "per mille",
    ("percentage", "point"): "points", ("percentage", "points"): "points",
    ("percent", "point"): "points", ("percent", "points"): "points", ("pp",): "points",
    ("%", "points"): "points", ("basis", "point"): "basis points",
    ("basis", "points"): "basis points", ("bps",): "basis points",
}  # fmt: skip
SHARE_SIZES: Mapping[str, tuple[Literal["percent", "points"], Fraction]] = {
    "percent": ("percent", Fraction(1)), "per mille": ("percent", Fraction(1, 10)),
    "points": ("points", Fraction(1)), "basis points": ("points", Fraction(1, 100)),
}  # fmt: skip
"""Kind of value of each share, and what one of it is in percent or percentage points."""

_BRITISH = (("meter", "metre"), ("liter", "litre"), ("ton", "tonne"), ("gram", "gramme"))
_ABBREVIATIONS = {
    "km": "kilometer", "kms": "kilometer", "cm": "centimeter", "mm": "millimeter", "m": "meter",
    "kg": "kilogram", "kgs": "kilogram", "g": "gram", "mg": "milligram", "ha": "hectare",
    "hr": "hour", "hrs": "hour", "min": "minute", "mins": "minute", "sec": "second",
    "secs": "second", "yr": "year", "yrs": "year", "ft": "foot", "lb": "pound", "lbs": "pound",
    "oz": "ounce", "mw": "megawatt", "kw": "kilowatt", "kwh": "kilowatt-hour", "mph": "mile",
    "kph": "kilometer", "yard": "yard", "yards": "yard", "decade": "decade", "decades": "decade",
    "fortnight": "fortnight", "fortnights": "fortnight", "yearly": "year", "℃": "degree celsius",
    "people": "person", "persons": "person", "month": "month", "hz": "hertz",
    "khz": "kilohertz", "mhz": "megahertz", "ghz": "gigahertz", "gw": "gigawatt",
}  # fmt: skip
_SHORT_SQUARES = {"km2": "square kilometer", "m2": "square meter", "m3": "cubic meter"}

_DOLLARS = {"us": "美元", "hk": "港元", "nt": "新台币", "a": "澳元", "c": "加元", "s": "新元"}
SYMBOLS = {"$": "$", "€": "欧元", "£": "英镑", "¥": "日元"}
CODES = {
    "usd": "美元", "hkd": "港元", "ntd": "新台币", "twd": "新台币", "rmb": "人民币",
    "cny": "人民币", "eur": "欧元", "gbp": "英镑", "jpy": "日元", "renminbi": "人民币",
    "aud": "澳元", "cad": "加元", "sgd": "新元", "chf": "瑞士法郎", "krw": "韩元",
    "yuan": "人民币",
}  # fmt: skip
"""Codes and names that stand before or behind an amount."""


def _split(name: str) -> Phrase:
    """Cut a name as the text is cut: `kilowatt-hours` is three words."""
    return tuple(name.replace("-", " - ").split())


def _currency_names() -> Iterator[tuple[Phrase, str]]:
    for key, currency in CURRENCIES.items():
        for name in (currency.one, currency.many):
            yield _split(name), key
            if name.startswith("us "):
                yield ("u", ".", "s", ".", name[3:]), key
                yield ("american", name[3:]), key
            if key == "日元":
                yield ("japanese", name), key
            if key == "英镑":
                yield ("british", name), key
    yield ("chinese", "yuan"), "人民币"
    yield ("taiwan", "dollars"), "新台币"
    yield ("nt", "dollars"), "新台币"
    yield from (((code,), key) for code, key in CODES.items())


def _unit_names() -> Iterator[tuple[Phrase, str]]:
    for unit in COUNTS.values():
        if not unit.one:
            continue
        key = "year" if unit.one == "year old" else unit.one
        for name in (unit.one, unit.many):
            yield _split(name), key
            for american, british in _BRITISH:
                if american in name:
                    yield _split(name.replace(american, british)), key
    yield from (((short,), key) for short, key in _ABBREVIATIONS.items())
    for name, key in _SHORT_SQUARES.items():
        yield (name[:-1], name[-1]), key
    for shape, sign in (("square", "sq"), ("cubic", "cu")):
        yield from (((sign, short), f"{shape} {_ABBREVIATIONS[short]}") for short in ("km", "m"))


def _table(phrases: Iterable[tuple[Phrase, str]]) -> Table:
    table: dict[str, list[tuple[Phrase, str]]] = {}
    for phrase, key in phrases:
        entries = table.setdefault(phrase[0], [])
        if all(known != phrase for known, _ in entries):
            entries.append((phrase, key))
    for entries in table.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return table


_SHARES = _table(SHARES.items())
_CURRENCIES = _table(_currency_names())
_UNITS = _table(_unit_names())


def share_at(words: Words, place: int) -> tuple[str, int] | None:
    """Return the share whose sign or name stands at a place, and the place behind it."""
    return _entry_at(_SHARES, words, place)


def currency_at(words: Words, place: int) -> tuple[str, int] | None:
    """Return the currency (key of `units.CURRENCIES`) that stands behind an amount."""
    return _entry_at(_CURRENCIES, words, place)


def unit_at(words: Words, place: int) -> tuple[str, int] | None:
    """Return the unit (its English name, one of it) at a place, and the place behind it."""
    return _entry_at(_UNITS, words, place)


def _entry_at(table: Table, words: Words, place: int) -> tuple[str, int] | None:
    place += words.texts[place] == "-"
    for phrase, key in table.get(words.texts[place], ()):
        if len(phrase) == 1 or tuple(words.texts[place : place + len(phrase)]) == phrase:
            return key, place + len(phrase)
    return None


def currency_before(words: Words, place: int) -> tuple[str, int] | None:
    """Return the currency whose sign or code stands before an amount, and where that begins."""
    before = words.texts[place - 1] if place else ""
    if before in CODES:
        return CODES[before], place - 1
    if before not in SYMBOLS:
        return None
    letters = words.texts[place - 2] if place > 1 else ""
    if before == "$" and letters in _DOLLARS:
        return _DOLLARS[letters], place - 2
    return SYMBOLS[before], place - 1


_DIMENSIONS = {
    "length": "meter kilometer centimeter millimeter micrometer nanometer mile foot inch yard li",
    "area": "hectare acre mu square",
    "volume": "liter milliliter gallon barrel cubic",
    "mass": "gram kilogram milligram microgram ton pound ounce jin",
    "frequency": "hertz kilohertz megahertz gigahertz",
    "power": "watt kilowatt megawatt gigawatt",
    "temperature": "celsius fahrenheit",
}
_DIMENSION_OF = {name: each for each, names in _DIMENSIONS.items() for name in names.split()}


def dimension(unit: str) -> str:
    """Return what a unit measures where texts convert it: `length`, `area`...; else empty."""
    first, _, last = unit.partition(" ")
    return _DIMENSION_OF.get(first) or _DIMENSION_OF.get(last or first, "")
