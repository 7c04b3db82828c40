"""Rules for percents, per mille, percentage points, fractions and multiples."""

import re
from dataclasses import replace
from decimal import Decimal

from tasks.rules.approximate import AROUND, PREFIX, amount_of, bounded
from tasks.rules.numbers import (
    CHINESE,
    LEFT,
    NO_NUMERAL_BEFORE,
    NUMBER,
    OF_NAMES,
    RIGHT,
    is_plain,
    read_number,
)
from tasks.rules.rendering import render, render_amount, render_number
from tasks.rules.rule import TO, Reading, abstain, number, number_range, rule
from tasks.rules.style import RuleStyle
from tasks.rules.values import ABSTAIN, Amount, Bound, Fraction, Share, Wording

_PARTS_OF_PERCENT = {"百": 0, "千": 1, "万": 2, "%": 0, "‰": 1}
"""How many decimal places a share is moved to be in percent: laws write 千分之三 as 0.3 percent."""


def _read_per(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 百分之三点五, 负百分之二, 百分之八至百分之十五 and 百分之三四十."""
    text = found["n"]
    amount = Amount(Decimal(100)) if text == "百" else _per_amount(found)
    if amount is None:
        return ABSTAIN
    if found["minus"]:
        if amount.high is not None or amount.bound != "exact":
            return ABSTAIN
        amount = Amount(-amount.low)
    return _percent(amount, found["per"])


def _per_amount(found: re.Match[str]) -> Amount | None:
    if found["m"] == "百":
        low = read_number(found["n"])
        return None if low is None or low >= 100 else Amount(low, Decimal(100))
    return amount_of(found)


def _read_sign(found: re.Match[str], style: RuleStyle) -> Reading:
    amount = amount_of(found)
    return ABSTAIN if amount is None else _percent(amount, found["per"])


def _percent(amount: Amount, per: str) -> Share:
    """Move the decimal point, so that every share is in percent."""
    places = _PARTS_OF_PERCENT[per]
    if places == 0:
        return Share(amount, "percent")
    high = None if amount.high is None else _moved(amount.high, places)
    return Share(replace(amount, low=_moved(amount.low, places), high=high), "percent")


def _moved(value: Decimal, places: int) -> Decimal:
    moved = value.scaleb(-places).normalize()
    return moved.quantize(Decimal(1)) if moved == moved.to_integral_value() else moved


def _read_points(found: re.Match[str], style: RuleStyle) -> Reading:
    amount = amount_of(found)
    return ABSTAIN if amount is None else Share(amount, "percentage points")


def _read_fraction(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 三分之二: the denominator comes first."""
    bottom, top = read_number(found["n"]), read_number(found["m"])
    if bottom is None or top is None:
        return ABSTAIN
    if bottom != int(bottom) or top != int(top) or not 0 < top < bottom:
        return ABSTAIN
    around = bounded(Amount(Decimal(1)), found)
    if around is None:
        return ABSTAIN
    fraction = Fraction(int(top), int(bottom), around.bound)
    return _mixed(found["whole"][:-1], fraction, style) if found["whole"] else fraction


def _mixed(whole: str, fraction: Fraction, style: RuleStyle) -> Reading:
    """Read 一又二分之一 as words."""
    number = read_number(whole)
    if number is None or number != int(number) or fraction.bound != "exact":
        return ABSTAIN
    part = "a half" if fraction.denominator == 2 else render(fraction, style)
    return Wording(f"{render_number(number, spell_up_to=style.spell_up_to)} and {part}")


def _read_tenths(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 三成, 七成五, 七成半 and 三成多."""
    amount = amount_of(found)
    ones = Decimal(5) if found["ones"] == "半" else read_number(found["ones"] or "零")
    ends = () if amount is None else (amount.low, amount.high or amount.low)
    if amount is None or ones is None or any(end != int(end) or not 1 <= end <= 9 for end in ends):
        return None
    if ones and amount.high is not None:
        return ABSTAIN
    high = None if amount.high is None else 10 * amount.high
    return Share(replace(amount, low=10 * amount.low + ones, high=high, digits=False), "percent")


def _read_tenths_range(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 三至四成."""
    amount = amount_of(found)
    if amount is None or amount.high is None or not 1 <= amount.low < amount.high <= 10:
        return None
    return Share(replace(amount, low=10 * amount.low, high=10 * amount.high), "percent")


def _read_discount(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 打七折: the price falls by what is missing to ten tenths."""
    digits = [read_number(digit) for digit in found["n"] or found["two"]]
    if not 1 <= len(digits) <= 2 or any(digit is None or not 1 <= digit <= 9 for digit in digits):
        return ABSTAIN
    paid = sum(int(digit or 0) * size for digit, size in zip(digits, (10, 1), strict=False))
    return Wording(f"{100 - paid} percent off")


def _read_doublings(found: re.Match[str], style: RuleStyle) -> Reading:
    times = read_number(found["n"])
    names = {1: "doubled", 2: "quadrupled", 3: "increased eightfold"}
    return Wording(names[int(times)]) if times in names else ABSTAIN


def _read_multiple(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 三倍, but not growth by so many times, which is used in two ways."""
    amount = amount_of(found)
    if amount is None or amount.bound == "several":
        return ABSTAIN
    if found["growth"]:
        once = amount.low == 1 and found["growth"] != "多" and amount.bound in _DOUBLED
        return Wording(_DOUBLED[amount.bound]) if once else ABSTAIN
    if amount.low <= 1:
        return ABSTAIN
    if amount.low == 2 and is_plain(amount):
        return Wording("twice")
    return Wording(f"{render_amount(amount, spell_up_to=style.spell_up_to)} times")


def _read_multiple_range(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 二至三倍."""
    amount = amount_of(found)
    if amount is None or found["growth"]:
        return ABSTAIN
    return Wording(f"{render_amount(amount, spell_up_to=style.spell_up_to)} times")


_DOUBLED: dict[Bound, str] = {
    "exact": "doubled", "nearly": "nearly doubled", "about": "about doubled",
    "more": "more than doubled",
}  # fmt: skip
_GROWTH = "(?P<growth>(?:增长|增加|提高|上升|上涨|扩大|增|涨|升|多)了?)?"
RULES = (
    rule(
        "percent.written/4",
        "quantity",
        rf"""{NO_NUMERAL_BEFORE}{PREFIX}(?P<minus>负)?(?P<per>[百千万])分之
        (?P<n>百(?![{CHINESE}]|分[之位])|{NUMBER}){RIGHT}
        (?:{TO}(?:(?P=per)分之)?(?P<m>百|{NUMBER}){RIGHT})?{AROUND}""",
        _read_per,
        needs="分",
    ),
    rule(
        "percent.sign/4",
        "quantity",
        rf"{PREFIX}{number()}(?P<per>[%‰])(?P<over>多(?!{OF_NAMES}|[数种个年少人家次项地]))?{AROUND}",
        _read_sign,
        needs="%‰",
    ),
    rule(
        "percent.sign_range/3",
        "quantity",
        rf"{PREFIX}{number_range(between='%?')}(?P<per>[%‰]){AROUND}",
        _read_sign,
        needs="%‰",
    ),
    rule(
        "percent.points/3",
        "quantity",
        rf"{PREFIX}{number()}个?百分点{AROUND}",
        _read_points,
        needs="点",
    ),
    rule(
        "percent.points_range/3",
        "quantity",
        rf"{PREFIX}{number_range(between='(?:个?百分点)?')}个?百分点{AROUND}",
        _read_points,
        needs="点",
    ),
    # 三成强 and 百分之五弱 say a little more and a little less.
    rule(
        "percent.and_some/1",
        "quantity",
        rf"{LEFT}(?:(?:[百千万]|{NUMBER})分之{NUMBER}|{NUMBER}[%‰成])[强弱](?![烈大制调势化硬迫行者小点国权])",
        abstain,
        needs="强弱",
    ),
    rule(
        "fraction.written/3",
        "number",
        rf"{PREFIX}(?P<whole>{NUMBER}又)?{number()}分之(?P<m>{NUMBER}){RIGHT}{AROUND}",
        _read_fraction,
        needs="分",
    ),
    rule(
        "percent.tenths/5",
        "quantity",
        rf"{PREFIX}{number()}成(?P<ones>[一二三四五六七八九]|半(?![年数]))?(?P<over>多(?!{OF_NAMES}|[数种个]))?{AROUND}(?![立员为本功果就长人年交套群份分都])",
        _read_tenths,
        needs="成",
    ),
    rule(
        "percent.tenths_range/3",
        "quantity",
        rf"{PREFIX}{number_range(between='成?')}成{AROUND}(?![立员为本功果就长人年交套群份分都])",
        _read_tenths_range,
        needs="成",
    ),
    rule(
        "percent.discount/2",
        "quantity",
        rf"(?:打(?P<n>{NUMBER})|{LEFT}(?P<two>[一二三四五六七八九]{{2}}))折(?![叠磨扣旧腾射断])",
        _read_discount,
        needs="折",
    ),
    rule(
        "multiple.doubled/2",
        "quantity",
        r"翻了?(?P<n>[一二两三四])番",
        _read_doublings,
        needs="番",
    ),
    rule(
        "multiple.times/5",
        "quantity",
        rf"{_GROWTH}{PREFIX}{number()}倍(?![数率增半])(?P<over>多(?!{OF_NAMES}|[种样于少]))?{AROUND}",
        _read_multiple,
        needs="倍",
    ),
    rule(
        "multiple.range/3",
        "quantity",
        rf"{_GROWTH}{PREFIX}{number_range(between='倍?')}倍(?![数率增半]){AROUND}",
        _read_multiple_range,
        needs="倍",
    ),
)
