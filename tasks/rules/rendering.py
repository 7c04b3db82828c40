"""Write values in English, lower-cased and tokenised (`march 20 , 2003`); read nothing.

Every function returns words separated by single blanks, and `tasks/text/english.py` cuts its output
into exactly these words.
"""

from decimal import Decimal

from tasks.rules.style import RuleStyle
from tasks.rules.units import COUNTS, CURRENCIES
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
    Wording,
)

WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
ORDINAL_WORDS = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
]
MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]

_TEENS = (
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = (
    (Decimal(10) ** 15, "quadrillion"),
    (Decimal(10) ** 12, "trillion"),
    (Decimal(10) ** 9, "billion"),
    (Decimal(10) ** 6, "million"),
)
BOUNDS = {
    "exact": "", "more": "more than ", "about": "about ", "nearly": "nearly ", "less": "less than ",
    "least": "at least ", "most": "at most ", "several": "",
}  # fmt: skip
_SEVERAL = {
    10: "dozens", 100: "hundreds", 10**3: "thousands", 10**4: "tens of thousands",
    10**5: "hundreds of thousands", 10**6: "millions", 10**7: "tens of millions",
    10**8: "hundreds of millions", 10**9: "billions", 10**10: "tens of billions",
    10**11: "hundreds of billions", 10**12: "trillions",
}  # fmt: skip


def render_number(value: Decimal, *, digits: bool = False, spell_up_to: int = 0) -> str:
    """Write a number: `1,345`, `1.69 billion`, `-2.5`, or `three` up to `spell_up_to`."""
    if 0 <= value <= spell_up_to and value == value.to_integral_value():
        return WORDS[int(value)]
    if not digits:
        for size, name in _SCALES:
            scaled = value / size
            if abs(scaled) >= 1 and scaled == round(scaled, 3):
                return f"{_plain(scaled)} {name}"
    return f"{value:,f}"


def _plain(value: Decimal) -> str:
    return f"{value.normalize():,f}"


def render_amount(amount: Amount, *, spell_up_to: int = 0, unit: bool = False) -> str:
    """Write a number or range with its approximation; `unit` says that a noun follows."""
    if amount.bound == "several":
        return _SEVERAL[int(amount.low)] + (" of" if unit else "")
    low = render_number(amount.low, digits=amount.digits, spell_up_to=spell_up_to)
    if amount.high is None:
        return BOUNDS[amount.bound] + low
    high = render_number(amount.high, digits=amount.digits, spell_up_to=spell_up_to)
    if low in WORDS and high not in WORDS:
        low = render_number(amount.low)
    joint = "or" if amount.alternative and amount.high < 20 else "to"
    return f"{BOUNDS[amount.bound]}{_shared_scale(low, high)} {joint} {high}"


def _shared_scale(low: str, high: str) -> str:
    """Write `3 to 5 million`, not `3 million to 5 million`."""
    number, _, scale = low.partition(" ")
    return number if scale and high.endswith(" " + scale) else low


def _is_one(amount: Amount) -> bool:
    return amount.low == 1 and amount.high is None and amount.bound != "several"


def _measure(value: Measure, style: RuleStyle) -> str:
    spell = style.spell_up_to if value.spell else 0
    unit = COUNTS[value.unit] if value.unit else COUNTS["个"]
    name = unit.one if _is_one(value.amount) else unit.many
    number = render_amount(value.amount, spell_up_to=spell, unit=bool(name))
    return f"{number} {name}".rstrip()


def _money(value: Money, style: RuleStyle) -> str:
    key = value.currency
    if key in ("元", "块", "块钱") and style.region == "taiwan":
        key = "新台币"
    currency = CURRENCIES[key]
    if (style.money_symbols or key == "$") and currency.symbol and value.amount.bound != "several":
        bound = BOUNDS[value.amount.bound]
        number = render_amount(value.amount)[len(bound) :]
        return f"{bound}{currency.symbol} {number}"
    name = currency.one if _is_one(value.amount) else currency.many
    return f"{render_amount(value.amount, unit=True)} {name}"


def _share(value: Share, style: RuleStyle) -> str:
    number = render_amount(value.amount)
    if value.amount.low < 0:
        number = "minus " + number.replace("-", "")
    if value.unit == "percentage points":
        return f"{number} percentage point" + ("" if _is_one(value.amount) else "s")
    return f"{number} %" if style.percent_sign else f"{number} percent"


def _fraction(value: Fraction, style: RuleStyle) -> str:
    top, bottom = value.numerator, value.denominator
    bound = BOUNDS[value.bound]
    if bottom > 10 or top > 10:
        return f"{bound}{top} / {bottom}"
    joint = "-" if style.hyphenate_fractions else " "
    if bottom == 2:
        return f"{bound}one{joint}half"
    part = "quarter" if bottom == 4 else ORDINAL_WORDS[bottom]
    return f"{bound}{WORDS[top]}{joint}{part}" + ("s" if top > 1 else "")


def ordinal(number: int) -> str:
    """Write `1st`, `112th`, `103rd`."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}" + {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def ordinal_word(number: int) -> str:
    """Write an ordinal below 100 as one word: `sixty-ninth`."""
    if number <= 10:
        return ORDINAL_WORDS[number]
    if number < 20:
        return _TEENS[number - 11]
    tens, ones = divmod(number, 10)
    if ones == 0:
        return _TENS[tens - 2].removesuffix("y") + "ieth"
    return f"{_TENS[tens - 2]}-{ORDINAL_WORDS[ones]}"


def _spelled_ordinal(number: int, style: RuleStyle) -> str:
    if style.spell_ordinals and number < 100:
        return ordinal_word(number)
    return ORDINAL_WORDS[number] if number <= min(style.spell_up_to, 10) else ordinal(number)


def _ordinal(value: Ordinal, style: RuleStyle) -> str:
    if not value.noun:
        return _spelled_ordinal(value.first, style)
    if value.after:
        return f"{_spelled_ordinal(value.first, style)} {value.noun}"
    number = f"{value.first}" + (f"-{value.branch}" if value.branch else "")
    if value.last is None:
        return f"{value.noun} {number}"
    return f"{value.noun}s {number} to {value.last}"


def render_date(date: Date, style: RuleStyle) -> str:
    """Write a full or partial date; the comma before the year is a word of its own."""
    month = MONTHS[date.month - 1] if date.month else ""
    year = "" if date.year is None else f"{date.year}" + (" bc" if date.before_christ else "")
    if date.day and style.day_first:
        text = f"{date.day} {month} {year}"
    elif date.day:
        text = f"{month} {date.day}" + (f" , {year}" if year else "")
    else:
        text = f"{month} {year}"
    weekday = f"{date.weekday} , " if date.weekday and text.strip() else date.weekday
    return " ".join(f"{weekday} {date.part} {text}".split()).replace("mid- ", "mid-")


def _date_range(value: DateRange, style: RuleStyle) -> str:
    first, last = value.first, value.last
    if first.day and first.year == last.year and first.month == last.month and last.day:
        days = f"{first.day} to {last.day}"
        month = MONTHS[(first.month or 1) - 1]
        year = "" if first.year is None else f" , {first.year}"
        return (
            f"{days} {month}{year}".replace(" , ", " ")
            if style.day_first
            else f"{month} {days}{year}"
        )
    if first.year == last.year and last.year is not None:
        first = Date(month=first.month, day=first.day, part=first.part)
    return f"{render_date(first, style)} to {render_date(last, style)}"


def _era(value: Era) -> str:
    part = f"{value.part} " if value.part else ""
    if value.kind == "century":
        return f"{part}the {ordinal(value.start)} century"
    return f"the {part}{value.start}s".replace("mid- ", "mid-")


def render_clock(clock: Clock) -> str:
    """Write a time of day: `4:30 p.m.`, `noon`, `8:05`, `about 3 p.m.`."""
    if clock.copied or clock.named:
        time = clock.copied or clock.named
    else:
        hour = (clock.hour + 11) % 12 + 1 if clock.half else clock.hour
        time = f"{hour}" if clock.minute is None else f"{hour}:{clock.minute:02d}"
        if clock.second is not None:
            time += f":{clock.second:02d}"
        if clock.half:
            time += " a.m." if clock.hour < 12 else " p.m."
    about = BOUNDS["about"] if clock.about else ""
    return " ".join(f"{about}{time} {clock.zone} {clock.when}".split())


def _clock_range(value: ClockRange) -> str:
    first, last = render_clock(value.first), render_clock(value.last)
    for half in (" a.m.", " p.m."):
        if first.endswith(half) and last.endswith(half):
            first = first.removesuffix(half)
    return f"{first} to {last}"


def render(value: Value, style: RuleStyle) -> str:
    """Write any value in the given style."""
    match value:
        case Amount():
            return render_amount(value)
        case Measure():
            return _measure(value, style)
        case Money():
            return _money(value, style)
        case Share():
            return _share(value, style)
        case Fraction():
            return _fraction(value, style)
        case Ordinal():
            return _ordinal(value, style)
        case Wording():
            return value.text
        case _:
            return _render_time(value, style)


def _render_time(
    value: Date | DateRange | Era | Clock | ClockRange | Moment, style: RuleStyle
) -> str:
    match value:
        case Date():
            return render_date(value, style)
        case DateRange():
            return _date_range(value, style)
        case Era():
            return _era(value)
        case Clock():
            return render_clock(value)
        case ClockRange():
            return _clock_range(value)
        case Moment():
            joint = "at" if value.clock.copied else "on"
            time, date = render_clock(value.clock), render_date(value.date, style)
            return f"{date} {joint} {time}" if value.clock.copied else f"{time} {joint} {date}"
