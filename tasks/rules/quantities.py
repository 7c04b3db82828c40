"""Rules for counts, measures and durations."""

import re

from tasks.rules.approximate import AROUND, PREFIX, SOME, UNIT_ENDS, UNIT_TAIL, amount_of
from tasks.rules.numbers import is_plain
from tasks.rules.rule import Reading, abstain, number, number_range, rule
from tasks.rules.style import RuleStyle
from tasks.rules.units import COUNTS, alternatives
from tasks.rules.values import ABSTAIN, Amount, Measure, Wording

_CALENDAR_YEAR = re.compile("0[0-9]|[12][0-9]{3}|[一二][零〇0一二三四五六七八九]{3}")
"""What the rules of dates read as a year."""
_OLD_UNITS = frozenset("里丈尺寸石担斗顷")
"""One of them is a figure of speech: 一寸土地 is every inch of it."""
_ROUND_YEARS = re.compile("[345]0|[1-9][05]0|[0-9]+\\.[0-9]+")
"""Arabic years that are surely a duration; 21年 and 618年 may be years of a calendar."""


def _read_measure(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read an amount of a unit; classifiers (个, 名) leave only the number."""
    unit = found["u"]
    if unit == "年" and _CALENDAR_YEAR.fullmatch(found["n"]):
        return None
    groups = found.groupdict()
    if groups.get("half") and COUNTS[unit].spell:
        return None if COUNTS[unit].many else ABSTAIN
    amount = amount_of(found)
    if amount is None or groups.get("u1") not in (None, unit):
        return ABSTAIN
    over = groups.get("over") or groups["just_over"]
    if over and _is_unsure_over(unit, over, amount):
        return ABSTAIN
    if unit == "年":
        unsure = groups.get("around") and _may_be_a_year(found["n"], amount)
        return ABSTAIN if unsure else _read_years(found["n"], amount)
    return _read_unit(found["n"], unit, amount)


def _is_unsure_over(unit: str, over: str, amount: Amount) -> bool:
    """Say whether 多 or 出头 behind a unit is left alone: 三个多…, 百人多…, 一年多 (`over a year`)
    and 三十岁出头 (`in their early thirties`).
    """
    if (unit, over) == ("岁", "出头"):
        return True
    return unit == "人" or not COUNTS[unit].many or (COUNTS[unit].spell and amount.low == 1)


def _read_unit(text: str, unit: str, amount: Amount) -> Reading:
    """Read any unit but years; one of a thing is too often no count (一人, 一天, 一个)."""
    if (text, unit) == ("四", "周"):
        return ABSTAIN
    if amount.low == 1 and is_plain(amount) and (COUNTS[unit].spell or unit in _OLD_UNITS):
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
    if _may_be_a_year(text, amount):
        return ABSTAIN
    return Measure(amount, "年", spell=True)


def _may_be_a_year(text: str, amount: Amount) -> bool:
    """Say whether a year of the calendar is as likely: 21年, 两千零八年."""
    if 1000 < amount.low <= 2100 and amount.low % 100 and not text[0].isascii():
        return True
    digit_by_digit = len(text) > 1 and not re.search("[十百千万亿廿卅,]", text)
    return digit_by_digit and not _ROUND_YEARS.fullmatch(text)


def _read_days(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 十五日内, where 日 can only be a duration."""
    amount = amount_of(found)
    if amount is None or amount.low == 1:
        return None
    return Measure(amount, "天", spell=True)


_UNITS = alternatives(COUNTS)

RULES = (
    rule(
        "quantity.measure/5",
        "quantity",
        rf"{PREFIX}{number()}(?P<u>{_UNITS}){UNIT_ENDS}{UNIT_TAIL}{AROUND}",
        _read_measure,
        needs="".join(name[-1] for name in COUNTS),
    ),
    rule(
        "quantity.measure_range/4",
        "quantity",
        rf"{PREFIX}{number_range(between=f'(?P<u1>{_UNITS})?')}(?P<u>{_UNITS}){UNIT_ENDS}{AROUND}",
        _read_measure,
        needs="至到-",
    ),
    # 三个亿 is 300 million, and 两个万亿级产业 are two of a kind.
    rule(
        "quantity.of_scale/1",
        "quantity",
        rf"{number()}个[多余]?[百千]?[万亿]",
        abstain,
        needs="万亿",
    ),
    # 三百许 and 三里许 are about so much, in a style that few write.
    rule(
        "quantity.some/1",
        "quantity",
        rf"{number()}(?:{alternatives(name for name in COUNTS if name != '年')})?{SOME}",
        abstain,
        needs="许",
    ),
    rule(
        "quantity.days/1",
        "quantity",
        rf"{number()}日(?=内|以内|之内|以上|以下|以前|以后|前(?![述项])|后|期间)",
        _read_days,
        needs="日",
    ),
)
