"""Rules for parts of a unit: 百分之一秒, 三尺八, 三斤六两; and for parts of large numbers."""

import re
from decimal import Decimal

from tasks.rules.approximate import AROUND, PREFIX, amount_of, bounded
from tasks.rules.numbers import (
    CHINESE,
    NO_NUMERAL_BEFORE,
    NUMBER,
    RIGHT,
    SEVERAL,
    is_plain,
    read_amount,
)
from tasks.rules.rendering import BOUNDS, WORDS, render
from tasks.rules.rule import TO, Reading, abstain, number, rule
from tasks.rules.style import RuleStyle
from tasks.rules.units import COUNTS, CURRENCIES, alternatives
from tasks.rules.values import ABSTAIN, Amount, Measure, Wording

_PARTS = {"百": "hundredth", "千": "thousandth", "万": "ten-thousandth"}
_PHYSICAL = (
    "秒", "秒钟", "毫秒", "分钟", "小时", "个小时", "公里", "千米", "米", "公尺", "厘米", "公分",
    "毫米", "微米", "纳米", "英里", "英尺", "英寸", "海里", "光年", "平方公里", "平方米", "公顷",
    "亩", "立方米", "立方厘米", "吨", "公吨", "公斤", "千克", "克", "毫克", "微克", "斤", "磅",
    "盎司", "升", "公升", "毫升", "加仑", "伏", "伏特", "尺", "寸",
)  # fmt: skip
"""Units that percents are hardly ever followed by: 百分之五 may be said of 人, 年 and 元."""
_NOT_THE_UNIT = (
    "(?!(?<=秒)[杀表针]|(?<=米)[粉饭兰勒尔面色制酒]|(?<=克)[拉里林罗什扣服制己隆强]"
    "|(?<=升)[高级值至到幅降破温学息为了上入迁职]|(?<=斤)斤|(?<=磅)礴|(?<=吨)位|(?<=伏)[击特法线]|(?<=尺)[寸度子码]|(?<=寸)[步心土]|(?<=亩)产)"
)
_INSIDE = {"丈": "尺", "尺": "寸", "石": "斗", "斤": "两", "亩": "分", "公斤": "两", "寸": "分"}
"""Old units and the tenth of them that is said in one breath with them."""
_TENTHS = (
    "尺", "丈", "寸", "斤", "里", "亩", "石", "公里", "公斤", "吨", "升", "磅", "加仑", "英尺",
    "英里", "厘米", "公分", "元",
)  # fmt: skip
_NAMES = {"两": "liang"}
_SURE_PAIRS = ("丈", "尺", "石", "斤")


def _read_part_of_unit(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 百分之一秒 as `one hundredth of a second`; more than nine of them are not said so."""
    amount = amount_of(found)
    if amount is None or found["last"] or amount.high is not None or amount.low not in _FEW:
        return ABSTAIN
    if found["u"] not in COUNTS:
        return ABSTAIN  # 百分之一度: of an angle or of a temperature
    many = "" if amount.low == 1 else "s"
    unit = COUNTS[found["u"]].one
    article = "an" if unit[0] in "aeio" or unit == "hour" else "a"
    part = f"{WORDS[int(amount.low)]} {_PARTS[found['per']]}{many}"
    return Wording(f"{BOUNDS[amount.bound]}{part} of {article} {unit}")


def _read_tenths_behind(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 三尺八: the digit behind the unit counts tenths; of 三斤六 and 三里五 it is not sure."""
    whole = read_amount(found["n"])
    if whole is None or not is_plain(whole) or whole.low % 1:
        return ABSTAIN
    if found["u"] not in ("尺", "丈") or len(found["rest"]) > 1:
        return ABSTAIN
    amount = bounded(Amount(whole.low + Decimal(_DIGITS.index(found["rest"])) / 10), found)
    return ABSTAIN if amount is None else Measure(amount, found["u"])


def _read_two_old_units(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 三斤六两 and 五尺六寸; 一亩三分 is a saying, and a 两 of a 公斤 is no tenth."""
    unit, small = found["u"], found["v"]
    if _INSIDE[unit] != small:
        return None
    first, last = read_amount(found["n"]), read_amount(found["m"])
    if first is None or last is None or unit not in _SURE_PAIRS:
        return ABSTAIN
    if any(found.group("pre", "some", "around", "just_over")):
        return ABSTAIN
    if not is_plain(first) or not is_plain(last) or not 0 < last.low < 10:
        return ABSTAIN
    name = _NAMES.get(small) or COUNTS[small].many
    return Wording(f"{render(Measure(first, unit), style)} {render(last, style)} {name}")


_FEW = frozenset(map(Decimal, range(1, 10)))
_DIGITS = "零一二三四五六七八九"
_BEGINS_A_COUNT = (
    f"[0-9{CHINESE}点分角成折倍号时月日秒条本支只张台次度代级楼行门口根棵头匹双群批组场"
    "层栋间道幅枚颗氧氯硫聚甲维星元]"
)
"""Behind a digit: it counts something else, as in 三公里五名."""

RULES = (
    rule(
        "fraction.of_unit/1",
        "quantity",
        rf"""{NO_NUMERAL_BEFORE}{PREFIX}(?P<per>[百千万])分之(?P<n>{NUMBER})
        (?P<last>{TO}(?:(?P=per)分之)?{NUMBER})?
        (?P<u>{alternatives(_PHYSICAL)}|度(?![过假数]))
        {_NOT_THE_UNIT}{AROUND}""",
        _read_part_of_unit,
        needs="分",
    ),
    # Parts of 十万, 百万 or 一百: neither a percent nor a number alone.
    rule(
        "fraction.large/1",
        "number",
        rf"{PREFIX}(?:{SEVERAL}|[{CHINESE}几0-9]){{1,12}}[百千万亿]分之{NUMBER}{RIGHT}{AROUND}",
        abstain,
        needs="分",
    ),
    rule(
        "quantity.tenths_behind/1",
        "quantity",
        rf"""{PREFIX}{number()}(?P<u>{alternatives(_TENTHS)})
        (?P<rest>[二三四五六七八九]{{1,2}}|(?<=[尺丈])一)
        (?!{_BEGINS_A_COUNT}|{alternatives([*COUNTS, *CURRENCIES])}){AROUND}""",
        _read_tenths_behind,
        needs="尺丈寸斤里亩石吨升磅仑分米元",
    ),
    rule(
        "quantity.two_old_units/1",
        "quantity",
        rf"""{PREFIX}{number()}(?P<u>{alternatives(_INSIDE)})(?P<m>[0-9]|[一二两三四五六七八九])
        (?P<v>[尺寸斗两分])(?![之钟寸步心土争志别布点])(?P<some>[半多余来])?{AROUND}""",
        _read_two_old_units,
        needs="尺寸斗两分",
    ),
)
