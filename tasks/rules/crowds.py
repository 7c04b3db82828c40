"""Rules for numbers that are named only by their size: 上百人, 成千上万, 数以万计, 三、四个."""

import re

from tasks.rules.approximate import UNIT_ENDS
from tasks.rules.numbers import CHINESE, read_amount
from tasks.rules.rule import Reading, rule
from tasks.rules.style import RuleStyle
from tasks.rules.units import COUNTS, CURRENCIES, alternatives
from tasks.rules.values import ABSTAIN, Amount, Measure, Money, Value, Wording

_SAYINGS = {
    "成千上万": "thousands", "成百上千": "hundreds", "成千累万": "thousands",
    "千千万万": "thousands",
    "数以百计": "hundreds", "数以千计": "thousands", "数以万计": "tens of thousands",
    "数以十万计": "hundreds of thousands", "数以百万计": "millions",
    "数以千万计": "tens of millions", "数以亿计": "hundreds of millions",
}  # fmt: skip


def _of_unit(amount: Amount, unit: str | None) -> Value:
    """Count a unit or currency, or nothing that has a name."""
    if not unit:
        return amount
    return Money(amount, unit) if unit in CURRENCIES else Measure(amount, unit, COUNTS[unit].spell)


def _read_upwards(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 上百人: as many as come in hundreds, which is what 数百人 says."""
    amount = read_amount("数" + found["scale"])
    return ABSTAIN if amount is None else _of_unit(amount, found["u"])


def _read_saying(found: re.Match[str], style: RuleStyle) -> Reading:
    return Wording(_SAYINGS[found["saying"]] + (" of" if found["of"] else ""))


def _read_neighbours(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 三、四个 and 五、六百人: neighbours named in one breath with a sign between them."""
    amount = read_amount(found["a"] + found["b"] + found["scale"])
    return ABSTAIN if amount is None else _of_unit(amount, found["u"])


_UNITS = alternatives([*COUNTS, *CURRENCIES])
_NEIGHBOURS = "|".join(
    f"(?<={a}、){b}" for a, b in zip("一二两三四五六七八", "二三三四五六七八九", strict=True)
)

RULES = (
    rule(
        "number.upwards/1",
        "number",
        rf"""(?<![以之向往加史世网路线会场地早晚楼身手天海马船岛境面村街头桌墙纸车山床早晚])
        上(?P<scale>[百千]万|[百千]亿|百|千|万|亿)(?:(?P<u>{_UNITS}){UNIT_ENDS}|(?![{CHINESE}0-9分]))""",
        _read_upwards,
        needs="上",
    ),
    rule(
        "number.saying/1",
        "number",
        rf"(?P<saying>{'|'.join(_SAYINGS)})(?P<of>的)?",
        _read_saying,
        needs="上以千",
    ),
    rule(
        "number.neighbours/2",
        "number",
        rf"""(?<![{CHINESE}0-9、第])(?P<a>[一二两三四五六七八])、(?P<b>{_NEIGHBOURS})
        (?P<scale>[十百千万亿]{{0,3}})(?P<u>{_UNITS}){UNIT_ENDS}(?!全面|意识|自信|[级者款项条])""",
        _read_neighbours,
        needs="、",
    ),
)
