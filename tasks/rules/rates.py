"""Rules for rates, degrees and decimals behind the unit: 每小时120公里, 零下五度, 一米七五."""

import re
from dataclasses import replace
from decimal import Decimal

from tasks.rules.approximate import (
    APIECE,
    AROUND,
    MORE,
    PREFIX,
    UNIT_ENDS,
    amount_of,
    bounded,
)
from tasks.rules.numbers import CHINESE, read_number
from tasks.rules.rendering import BOUNDS, render
from tasks.rules.rule import Reading, abstain, number, rule
from tasks.rules.style import RuleStyle
from tasks.rules.units import COUNTS, CURRENCIES, alternatives
from tasks.rules.values import ABSTAIN, Amount, Measure, Money, Wording

_PER = {
    "小时": "hour", "秒": "second", "分钟": "minute", "天": "day", "年": "year", "公斤": "kilogram",
    "千克": "kilogram", "吨": "ton", "桶": "barrel", "平方米": "square meter", "公里": "kilometer",
    "平方公里": "square kilometer", "亩": "mu", "公顷": "hectare", "股": "share", "盎司": "ounce",
    "立方米": "cubic meter", "升": "liter", "人": "person", "月": "month", "周": "week",
    "日": "day", "户": "household", "斤": "jin", "晚": "night", "克": "gram", "磅": "pound",
    "件": "piece",
}  # fmt: skip
_DEGREES = {"摄氏": " celsius", "华氏": " fahrenheit", None: ""}


def _read_rate(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 每小时120公里, 120公里每小时 and 每桶60美元."""
    amount = amount_of(found)
    per, unit = found["per"] or found["per2"], found["u"]
    if not per:
        return None
    if amount is None or (found["per"] and found["per2"]):
        return ABSTAIN
    value = Money(amount, unit) if unit in CURRENCIES else Measure(amount, unit)
    return Wording(f"{render(value, style)} per {_PER[per]}")


def _read_degrees(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 零下五度, 零下20摄氏度 and 摄氏36度."""
    amount = amount_of(found)
    scale = "摄氏" if found["sign"] else found["before"] or found["behind"]
    if amount is None or found["rest"] or (found["before"] and found["behind"]):
        return ABSTAIN
    if not found["below"] and not scale:
        return None
    name = COUNTS["摄氏度"].many.removesuffix(" celsius") + _DEGREES[scale]
    if not found["below"]:
        return Wording(f"{render(amount, style)} {name}")
    if amount.high is not None or amount.bound not in ("exact", "about"):
        return ABSTAIN
    cold = render(replace(amount, bound="exact"), style)
    return Wording(f"{BOUNDS[amount.bound]}minus {cold} {name}")


def _read_part_behind(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 一米七五, 1米75, 两块五 and 一米七多: the digits behind the unit are decimals of it."""
    whole = read_number(found["n"])
    digits = "".join(_digit(mark) for mark in found["rest"])
    if whole is None or whole != int(whole) or found["some"]:
        return ABSTAIN
    amount = bounded(Amount(Decimal(f"{int(whole)}.{digits}")), found)
    if amount is None:
        return ABSTAIN
    if found["u"] == "米":
        return Measure(amount, "米")
    return Money(amount, "块") if len(digits) == 1 else ABSTAIN


def _read_magnitude(found: re.Match[str], style: RuleStyle) -> Reading:
    amount = amount_of(found)
    return ABSTAIN if amount is None else Wording(f"magnitude {render(amount, style)}")


def _digit(mark: str) -> str:
    return mark if mark.isascii() else str("零一二三四五六七八九".index(mark))


_PERS = alternatives(_PER)
_UNITS = alternatives([*COUNTS, *CURRENCIES])

RULES = (
    rule(
        "rate.per/4",
        "quantity",
        rf"""(?:每(?P<per>{_PERS}))?{PREFIX}{number()}(?P<u>{_UNITS}){UNIT_ENDS}
        (?:[每/](?P<per2>{_PERS}))?{AROUND}""",
        _read_rate,
        needs="每/",
    ),
    rule(
        "quantity.degrees/4",
        "quantity",
        rf"""(?P<below>零下)?(?P<before>摄氏|华氏)?{number()}(?P<behind>摄氏|华氏)?
        (?:度(?P<rest>[0-9一二三四五六七八九](?![0-9{CHINESE}点.个人天年月]))?(?![假过数])
        |(?P<sign>℃|°C)){AROUND}""",
        _read_degrees,
        needs="度℃°",
    ),
    # 9秒58 is a result of sports: nine seconds and 58 hundredths.
    rule(
        "quantity.hundredths/1",
        "quantity",
        rf"{number()}秒[0-9]{{1,2}}(?![0-9])",
        abstain,
        needs="秒",
    ),
    rule(
        "quantity.magnitude/1",
        "quantity",
        rf"里氏{number()}级",
        _read_magnitude,
        needs="氏",
    ),
    rule(
        "quantity.part_behind/4",
        "quantity",
        rf"""{PREFIX}{number()}(?P<u>米|块)(?P<rest>[0-9]{{1,2}}|(?:(?!{APIECE})[一二三四五六七八九]){{1,2}})
        (?![0-9十百千万亿点个米元])(?:(?P<over>{MORE})|(?P<some>几))?{AROUND}""",
        _read_part_behind,
        needs="米块",
    ),
)
