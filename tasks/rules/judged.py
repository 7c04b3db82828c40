"""Which Chinese values a translation has to keep, and which it may drop.

Not judged: `数百` and neighbours named in one breath (三四个), counts up to ten (一个, 两名), one
or two of a unit (一年, 两天), ordinals without a noun up to three, and English words that stand for
a value (`twice`): language drops and adds these freely. Nor 里, of which names are made (八里).
"""

from dataclasses import dataclass
from typing import Literal

from tasks.rules.agreement import ends, unit_name
from tasks.rules.grammar import ValueMatch
from tasks.rules.values import (
    Amount,
    Clock,
    ClockRange,
    Date,
    DateRange,
    Era,
    Fraction,
    Measure,
    Moment,
    Money,
    Ordinal,
    Share,
    Value,
)

JudgedKind = Literal[
    "date", "time", "era", "percent", "fraction", "money", "measure", "ordinal", "number"
]
"""Kinds of values, by which the guard counts."""

SMALL_COUNT = 10
"""Bare counts up to this are not judged: 两名 may be `both`, 一个 `a`."""
SMALL_MEASURE = 2
"""Amounts of a unit up to this are not judged: 一年 may be `annual`, 两天 `a couple of days`."""
SMALL_ORDINAL = 3
"""Ordinals without a noun up to this are not judged: 第一 may be `best`."""

_BY_TYPE: dict[type[Value], JudgedKind] = {
    Date: "date", DateRange: "date", Clock: "time", ClockRange: "time", Moment: "time",
    Era: "era", Share: "percent", Fraction: "fraction", Money: "money", Measure: "measure",
    Amount: "number", Ordinal: "ordinal",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """A Chinese value that the English has to hold."""

    start: int
    """First character in the Chinese text."""
    end: int
    """Behind its last character."""
    kind: JudgedKind
    value: Value


def judged(match: ValueMatch) -> Judged | None:
    """Return a match as a value that a translation has to keep, or None if it may drop it."""
    kind = _BY_TYPE.get(type(match.value))
    if kind is None or not _is_firm(match.value):
        return None
    if isinstance(match.value, Measure) and unit_name(match.value.unit) in ("", "person"):
        kind = "number"
    return Judged(match.start, match.end, kind, match.value)


def _is_firm(value: Value) -> bool:
    match value:
        case Ordinal():
            return value.first > (1 if value.noun else SMALL_ORDINAL)
        case Amount():
            return _is_said_exactly(value) and max(ends(value)) > SMALL_COUNT
        case Measure():
            if unit_name(value.unit) == "li":
                return False
            counts = unit_name(value.unit) in ("", "person")
            small = SMALL_COUNT if counts else SMALL_MEASURE
            return _is_said_exactly(value.amount) and _is_beyond(value.amount, small)
        case Money() | Share():
            return _is_said_exactly(value.amount)
        case _:
            return True


def _is_beyond(amount: Amount, small: int) -> bool:
    """Say whether an amount is large, or not whole: half a meter is said."""
    return any(not -small <= end <= small or end.denominator > 1 for end in ends(amount))


def _is_said_exactly(amount: Amount) -> bool:
    return amount.bound != "several" and not amount.alternative
