"""Rules for halves and for durations in two units: 半年, 一半, 两年半, 三年零两个月."""

import re
from dataclasses import replace

from tasks.rules.approximate import AROUND, PREFIX, bound_before
from tasks.rules.numbers import NUMBER, is_plain, read_amount
from tasks.rules.rendering import BOUNDS, render, render_number
from tasks.rules.rule import Reading, abstain, number, rule
from tasks.rules.style import RuleStyle
from tasks.rules.units import COUNTS, alternatives
from tasks.rules.values import ABSTAIN, Amount, Bound, Measure, Wording

_HALVES = {
    "年": "half a year", "个月": "half a month", "天": "half a day", "小时": "half an hour",
    "个小时": "half an hour", "个世纪": "half a century", "世纪": "half a century",
    "个钟头": "half an hour",
}  # fmt: skip
_SMALLER = {
    "年": ("个月",), "个月": ("天",), "天": ("小时", "个小时"),
    "小时": ("分钟", "分"), "个小时": ("分钟", "分"), "分钟": ("秒", "秒钟"), "分": ("秒", "秒钟"),
}  # fmt: skip
"""Units and what may follow them in one duration."""
_SPELLED = [name for name, unit in COUNTS.items() if unit.spell and unit.many and name != "人"]
"""Durations: 三年半, 两个月半."""
_CLASSIFIED = [name[1:] for name in _SPELLED if name[0] == "个"]
"""Durations that are counted with 个: 三个半小时."""


def _read_and_more(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 两年半, 三个半小时, 三个多小时 and 三个来月; of 一个多小时 the words differ too much."""
    amount = read_amount(found["n"])
    if amount is None or not is_plain(amount) or amount.low > 20:
        return ABSTAIN
    unit = "个" + found["v"] if found["v"] else found["u"]
    if found["over"]:
        bound: Bound = "about" if found["over"] == "来" else "more"
        some = Measure(replace(amount, bound=bound), unit, spell=True)
        return ABSTAIN if amount.low == 1 else some
    return Wording(f"{_spelled(amount, style)} and a half {COUNTS[unit].many}")


def _read_half(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 半年, 近半个世纪 and 半年多."""
    bound = bound_before(found)
    if found["over"]:
        bound = "more" if bound == "exact" else "several"
    return ABSTAIN if bound == "several" else Wording(BOUNDS[bound] + _HALVES[found["u"]])


def _read_share(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 一半, 近一半 and 半数以上."""
    bound = bound_before(found)
    if found["around"] or found["just_over"]:
        said: Bound = "about" if found["around"] else "more"
        bound = said if bound == "exact" and not found["over"] else "several"
    elif found["over"]:
        bound = "more" if bound in ("exact", "more") else "several"
    return ABSTAIN if bound == "several" else Wording(BOUNDS[bound] + "half")


def _read_plan(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 五年计划; of 两年期 it is not sure whether it is a biennium."""
    amount = read_amount(found["n"])
    if amount is None or not is_plain(amount) or found["thing"] == "期":
        return ABSTAIN
    return Wording(f"{_spelled(amount, style)}-year plan") if 1 < amount.low <= 50 else None


def _read_two_units(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 两小时三十分钟; 1分57秒 is a result of sports, written `1:57`, more often than not."""
    parts = []
    if found["v"] not in _SMALLER[found["u"]]:
        return None
    if found["u"] == "分":
        return ABSTAIN
    for text, unit in (found.group("n", "u"), found.group("m", "v")):
        amount = read_amount(text)
        if amount is None or not is_plain(amount) or amount.low >= 1000:
            return ABSTAIN
        parts.append(render(Measure(amount, "分钟" if unit == "分" else unit, spell=True), style))
    return Wording(" and ".join(parts))


def _spelled(amount: Amount, style: RuleStyle) -> str:
    return render_number(amount.low, spell_up_to=style.spell_up_to)


RULES = (
    rule(
        "quantity.and_a_half/3",
        "quantity",
        rf"{number()}(?:(?P<u>{alternatives(_SPELLED)})半(?![径数年天月小个夜点])|个(?:半|(?P<over>[多来]))(?P<v>{alternatives(_CLASSIFIED)}))",
        _read_and_more,
        needs="半多来",
    ),
    rule(
        "quantity.half/2",
        "quantity",
        rf"""{PREFIX}(?<![个点年天月周时上下前后大夜多小])半(?P<u>{alternatives(_HALVES)})
        (?P<over>多)?(?![报刊度制薪检考程前后内空然假])""",
        _read_half,
        needs="半",
    ),
    rule(
        "fraction.half/2",
        "number",
        rf"{PREFIX}(?<![另上下前后大这那第])(?:一半|半数)(?P<over>以上)?{AROUND}(?![个点天年夜径])",
        _read_share,
        needs="半",
    ),
    # 过半数 is `a majority` in laws and `more than half` in news.
    rule("fraction.majority/1", "number", r"(?<!超)过半数", abstain, needs="过"),
    rule(
        "quantity.plan/1",
        "quantity",
        rf"{number()}年(?P<thing>期|计划|规划)",
        _read_plan,
        needs="年",
    ),
    rule(
        "quantity.two_units/1",
        "quantity",
        rf"""{number()}(?P<u>{alternatives(_SMALLER)})[零又]?
        (?P<m>{NUMBER})(?P<v>个月|天|个?小时|分钟|分(?![之])|秒钟?)""",
        _read_two_units,
        needs="年月天时分",
    ),
)
