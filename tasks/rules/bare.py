"""Rules for numbers without a unit.

Small bare numbers in running text (一, 两, 十五) are left alone: too many words hold them. Long
runs of Arabic digits are telephone numbers or codes and are left alone too.
"""

import re

from tasks.rules.approximate import AROUND, PREFIX, amount_of
from tasks.rules.numbers import is_plain
from tasks.rules.rule import Reading, number, number_range, rule
from tasks.rules.style import RuleStyle
from tasks.rules.values import ABSTAIN, Amount, Measure

_AMBIGUOUS = re.compile(
    "二百五|十四五|[零〇一二三四五六七八九]点[一二三四五六七八九]|[^0-9]*[.·].*"
)
"""A fool, a five-year plan, times of day that look like decimals (三点五), and days (五·四)."""
_NOT_A_PART = "(?!会计年|学年|[大年月日号时点分秒角%‰成折倍·世周])"
"""Behind the number stands nothing that another rule has read, or refused to read."""


def _read_bare(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read a number where it is long enough to be surely one."""
    amount, text = amount_of(found), found["n"]
    if found["listed"]:
        return ABSTAIN if len(text) > 1 and not text.isascii() else None
    if found["just_over"]:
        return ABSTAIN  # 三十出头: in their early thirties, or just over thirty.
    if amount is None or found["counted"] or _AMBIGUOUS.fullmatch(text):
        return ABSTAIN if len(text) > 1 else None
    if found["pre"] or found["around"]:
        return amount if amount.low > 2 else None
    if text.isascii():
        return amount if "," in text or "." in text or " " in text else None
    return _read_written(text, amount)


def _read_written(text: str, amount: Amount) -> Reading:
    if amount.high is not None:
        return amount if re.search("[十百千万亿]", text) else ABSTAIN
    if is_plain(amount) and not re.search("[十百千万亿廿卅拾佰仟点负]", text):
        return None
    sure = amount.low > 20 or amount.low < 0 or "点" in text or not is_plain(amount)
    return amount if sure and len(text) > 1 else None


def _read_range(found: re.Match[str], style: RuleStyle) -> Reading:
    """Read 四到六; Arabic digits with a dash are too often codes and scores."""
    if found["n"].isascii() and found["m"].isascii() and "-" in found[0]:
        return None
    amount = amount_of(found)
    if amount is None:
        return ABSTAIN
    small = amount.low <= 10 and amount.high is not None and amount.high <= 10
    return Measure(amount, "", spell=small)


RULES = (
    rule(
        "number.bare/5",
        "number",
        rf"(?P<listed>\()?(?<!月){PREFIX}{number()}{_NOT_A_PART}(?P<counted>计)?(?(listed)\)){AROUND}",
        _read_bare,
    ),
    rule(
        "number.range/4",
        "number",
        rf"{PREFIX}{number_range()}{_NOT_A_PART}{AROUND}",
        _read_range,
        needs="至到-",
    ),
)
