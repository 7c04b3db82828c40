"""Rules for amounts of money."""

import re
from decimal import Decimal

from tasks.rules.approximate import APIECE, AROUND, PREFIX, UNIT_ENDS, UNIT_TAIL, amount_of
from tasks.rules.numbers import CHINESE, LEFT, NUMBER, RIGHT, is_plain, read_digit
from tasks.rules.rule import Reading, number, number_range, rule
from tasks.rules.style import RuleStyle
from tasks.rules.units import CURRENCIES, SIGNS, alternatives
from tasks.rules.values import ABSTAIN, Amount, Money

_MONEY = alternatives(CURRENCIES)
_ENDS = "".join(name[-1] for name in CURRENCIES)
_SIGN = f"(?<![A-Za-z])(?:{alternatives(SIGNS)})"
_NAMED = alternatives(name for name in CURRENCIES if name not in ("元", "块", "块钱", "$", "美金"))
_BEFORE = f"(?P<before>{_NAMED}|{_SIGN})?"

_COUNTS_ON = f"(?!{APIECE})[{CHINESE}0-9点.个名位家项件人元块角毛分年月日天]"
_TAIL = f"(?:(?P<tail>(?!{APIECE})[一二三四五六七八九])(?!{_COUNTS_ON}))?"
"""两块两毛五: the digit behind the tenths are hundredths, unless it counts something."""


def _read_money(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read an amount with its currency before it, behind it or on both sides."""
    amount = amount_of(found)
    groups = found.groupdict()
    before, after = groups.get("before") or "", groups.get("c") or ""
    before = _currency_of_sign(SIGNS.get(before, before), after, style)
    if (
        amount is None
        or before == "?"
        or _disagree(before, after)
        or groups.get("c1") not in (None, after)
    ):
        return ABSTAIN
    if after == "块" and groups.get("half") and not found[0].endswith("钱"):
        return ABSTAIN  # pieces as well
    changed = groups.get("jiao") or groups.get("fen")
    if amount.low == 1 and after in ("块", "元") and not before and not changed:
        return None
    if changed:
        amount = _with_small_change(amount, groups["jiao"], groups["fen"] or groups["tail"])
    return ABSTAIN if amount is None else Money(amount, before or after)


def _currency_of_sign(before: str, after: str, style: RuleStyle) -> str:
    """Read ¥ as yuan, but where it may as well be yen as `?`."""
    if before != "¥":
        return before
    return "?" if style.region in ("taiwan", "hongkong") and after != "元" else "人民币"


def _disagree(before: str, after: str) -> bool:
    """Say whether the currencies before and behind an amount differ; 元 may mean any dollar."""
    return bool(before and after and after != "元" and before != after)


def _with_small_change(amount: Amount, jiao: str | None, fen: str | None) -> Amount | None:
    """Add tenths and hundredths: 三元五角 is 3.5."""
    if not is_plain(amount):
        return None
    total = amount.low
    for text, size in ((jiao, "0.1"), (fen, "0.01")):
        small = read_digit(text) if text else None
        if text and small is None:
            return None
        if small is not None:
            total += small * Decimal(size)
    return Amount(total)


def _read_small_change(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 八角五分, 两毛钱 and 三毛五钱; 五角 alone is a shape as well, 三毛 a name."""
    amount = _with_small_change(Amount(Decimal(0)), found["jiao"], found["fen"] or found["tail"])
    return ABSTAIN if amount is None else Money(amount, "元")


RULES = (
    rule(
        "money.amount/7",
        "quantity",
        rf"""{PREFIX}{_BEFORE}{number()}(?P<c>{_MONEY}){UNIT_ENDS}{UNIT_TAIL}(?(over)钱?)(?(half)钱?)(?:人民币|[整正])?
        (?:(?P<jiao>{NUMBER})[角毛]{_TAIL})?(?:(?P<fen>{NUMBER})分(?![之钟]))?
        (?(jiao)钱?)(?(fen)钱?){AROUND}""",
        _read_money,
        needs=_ENDS,
    ),
    rule(
        "money.small_change/2",
        "quantity",
        rf"""{LEFT}(?P<jiao>[{CHINESE}0-9])[角毛]
        (?:(?P<fen>[{CHINESE}0-9])分(?![之钟])钱?|(?P<tail>[一二三四五六七八九])?钱)""",
        _read_small_change,
        needs="角毛",
    ),
    rule(
        "money.range/2",
        "quantity",
        rf"""{PREFIX}{_BEFORE}{number_range(between=f"(?P<c1>{_MONEY})?")}
        (?P<c>{_MONEY}){UNIT_ENDS}""",
        _read_money,
        needs="至到-",
    ),
    rule(
        "money.sign/2",
        "quantity",
        rf"(?P<before>{_NAMED}|{_SIGN})(?P<n>{NUMBER}){RIGHT}(?!{_MONEY})",
        _read_money,
        needs=_ENDS + "".join(SIGNS),
    ),
)
