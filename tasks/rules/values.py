"""What the rules read: exact values without any language in them.

A rule reads a value; `rendering.py` writes it. No floats anywhere: amounts are `Decimal`.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

Bound = Literal["exact", "more", "about", "nearly", "less", "least", "most", "several"]
"""How an amount is meant: 300多 is more than 300, 数百 is several times 100."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, or a range from `low` to `high`."""

    low: Decimal
    high: Decimal | None = None
    bound: Bound = "exact"
    digits: bool = False
    """Written in Arabic digits only: copied with all its digits, never as `1.2 million`."""
    alternative: bool = False
    """`low` and `high` are neighbours named in one breath (三四): `three or four`."""


@dataclass(frozen=True, slots=True)
class Measure:
    """An amount of a unit."""

    amount: Amount
    unit: str
    """Key of a table of units; empty for a bare count."""
    spell: bool = False
    """Small amounts of this unit are spelled out."""


@dataclass(frozen=True, slots=True)
class Money:
    """An amount of a currency."""

    amount: Amount
    currency: str
    """Key of the table of currencies."""


@dataclass(frozen=True, slots=True)
class Share:
    """An amount of hundredths, or of percentage points."""

    amount: Amount
    unit: Literal["percent", "percentage points"]


@dataclass(frozen=True, slots=True)
class Fraction:
    """`numerator` of `denominator` equal parts."""

    numerator: int
    denominator: int
    bound: Bound = "exact"


@dataclass(frozen=True, slots=True)
class Ordinal:
    """A place in a row, alone (`16th`) or naming a thing (`article 34-1`)."""

    first: int
    last: int | None = None
    noun: str = ""
    after: bool = False
    """The noun stands after an ordinal (`third quarter`), not before a number (`article 3`)."""
    branch: int | None = None
    """The 1 of `article 34-1`."""


@dataclass(frozen=True, slots=True)
class Date:
    """A date of the Gregorian calendar, full or partial."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    part: str = ""
    """`the end of`, `early` and the like, written before the year or month."""
    weekday: str = ""
    before_christ: bool = False


@dataclass(frozen=True, slots=True)
class DateRange:
    """From one date to another, both included."""

    first: Date
    last: Date


@dataclass(frozen=True, slots=True)
class Era:
    """A century or a decade."""

    start: int
    """Number of the century, or first year of the decade."""
    kind: Literal["century", "decade"]
    part: str = ""


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `half` says whether a.m. or p.m. is known."""

    hour: int
    """0 to 23; 1 to 12 where `half` is unknown."""
    minute: int | None = None
    second: int | None = None
    half: bool = False
    """The half of the day is known, so a.m. or p.m. is written."""
    zone: str = ""
    when: str = ""
    """`last night` and the like, written after the time."""
    named: str = ""
    """`noon` or `midnight`, which replaces the digits."""
    copied: str = ""
    """Digits to be written as they are: `08:15`."""
    about: bool = False
    """It is only about that time."""


@dataclass(frozen=True, slots=True)
class ClockRange:
    """From one time to another."""

    first: Clock
    last: Clock


@dataclass(frozen=True, slots=True)
class Moment:
    """A time on a date."""

    date: Date
    clock: Clock


@dataclass(frozen=True, slots=True)
class Wording:
    """English that stands for the whole, where no number is left to write (`quadrupled`)."""

    text: str


class Abstain:
    """Says that a reading exists and must not be guessed; it keeps shorter readings away too."""


ABSTAIN: Final = Abstain()

Value = (
    Amount
    | Measure
    | Money
    | Share
    | Fraction
    | Ordinal
    | Date
    | DateRange
    | Era
    | Clock
    | ClockRange
    | Moment
    | Wording
)
