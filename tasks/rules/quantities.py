"""Rules for counts, measures and durations."""

import re
from decimal import Decimal

from tasks.rules.approximate import AROUND, PREFIX, UNIT_ENDS, amount_of
from tasks.rules.numbers import is_plain, read_amount
from tasks.rules.rendering import render_number
from tasks.rules.rule import Reading, number, number_range, rule
from tasks.rules.style import RuleStyle
from tasks.rules.units import COUNTS, alternatives
from tasks.rules.values import ABSTAIN, Amount, Measure, Wording

_CALENDAR_YEAR = re.compile("0[0-9]|[12][0-9]{3}|[一二][零〇一二三四五六七八九]{3}")
"""What the rules of dates read as a year."""
_ROUND_YEARS = re.compile("[345]0|[1-9][05]0|[0-9]+\\.[0-9]+")
"""Arabic years that are surely a duration; 21年 and 618年 may be years of a calendar."""


def _read_measure(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read an amount of a unit; classifiers (个, 名) leave only the number."""
    unit = found["u"]
    if unit == "年" and _CALENDAR_YEAR.fullmatch(found["n"]):
        return None
    amount = amount_of(found)
    if amount is None or found.groupdict().get("u1") not in (None, unit):
        return ABSTAIN
    if unit == "年":
        return _read_years(found["n"], amount)
    return _read_unit(found["n"], unit, amount)


def _read_unit(text: str, unit: str, amount: Amount) -> Reading:
    """Read any unit but years; one of a thing is too often no count (一人, 一天, 一个)."""
    if (text, unit) == ("四", "周"):
        return ABSTAIN
    if amount == Amount(Decimal(1), digits=amount.digits) and COUNTS[unit].spell:
        return None
    small = amount.low <= 10 and is_plain(amount)
    if small and not COUNTS[unit].many and (unit != "个" or amount.low <= 2):
        return None
    return Measure(amount, unit, spell=COUNTS[unit].spell)


def _read_years(text: str, amount: Amount) -> Reading:
    """Tell a duration from a year: 三百年 against 2003年, 21年."""
    if amount.bound == "several" and amount.low == 10:
        return Wording("decades")
    if not is_plain(amount):
        return Measure(amount, "年", spell=True)
    if amount.low == 1:
        return None
    digit_by_digit = len(text) > 1 and not re.search("[十百千万亿廿卅,]", text)
    if digit_by_digit and not _ROUND_YEARS.fullmatch(text):
        return ABSTAIN
    return Measure(amount, "年", spell=True)


def _read_and_a_half(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 两年半 and 三个半小时."""
    amount = read_amount(found["n"])
    if amount is None or not is_plain(amount) or amount.low > 20:
        return ABSTAIN
    unit = COUNTS[found["u"] or ("个月" if found["v"] == "月" else found["v"])]
    return Wording(f"{_spelled(amount, style)} and a half {unit.many}")


def _read_half(found: re.Match[str], style: RuleStyle) -> Reading:
    return Wording("half a century" if found["u"] == "世纪" else "half an hour")


def _read_plan(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 五年计划; of 两年期 it is not sure whether it is a biennium."""
    if _CALENDAR_YEAR.fullmatch(found["n"]):
        return None
    amount = read_amount(found["n"])
    if amount is None or not is_plain(amount) or found["thing"] == "期":
        return ABSTAIN
    return Wording(f"{_spelled(amount, style)}-year plan") if 1 < amount.low <= 50 else ABSTAIN


def _spelled(amount: Amount, style: RuleStyle) -> str:
    return render_number(amount.low, spell_up_to=style.spell_up_to)


def _read_days(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 十五日内, where 日 can only be a duration."""
    amount = amount_of(found)
    if amount is None or amount.low == 1:
        return None
    return Measure(amount, "天", spell=True)


_UNITS = alternatives(COUNTS)

RULES = (
    rule(
        "quantity.measure/1",
        "quantity",
        rf"{PREFIX}{number()}(?P<u>{_UNITS}){UNIT_ENDS}{AROUND}",
        _read_measure,
    ),
    rule(
        "quantity.measure_range/1",
        "quantity",
        rf"{PREFIX}{number_range(between=f'(?P<u1>{_UNITS})?')}(?P<u>{_UNITS}){UNIT_ENDS}{AROUND}",
        _read_measure,
        needs="至到-",
    ),
    rule(
        "quantity.and_a_half/1",
        "quantity",
        rf"{number()}(?:(?P<u>年|天|周|小时)半(?![数年])|个半(?P<v>小时|月))",
        _read_and_a_half,
        needs="半",
    ),
    rule(
        "quantity.half/1",
        "quantity",
        r"(?<![个点年])半个?(?P<u>小时|世纪)",
        _read_half,
        needs="半",
    ),
    rule(
        "quantity.days/1",
        "quantity",
        rf"{number()}日(?=内|以内|之内|以上|以下|以前|以后|前(?![述项])|后|期间)",
        _read_days,
        needs="日",
    ),
    rule(
        "quantity.plan/1",
        "quantity",
        rf"{number()}年(?P<thing>期|计划|规划)",
        _read_plan,
        needs="年",
    ),
)
