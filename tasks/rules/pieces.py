"""Tell yuan from pieces: 五十块 is money, 两块牌子 and 二百块砖 are not.

块 counts pieces as well as yuan, and rules see only the characters that they know. So what stands
behind 块 is looked at in the whole text. With 钱 behind it, or a currency, it is always money.
"""

import re

from tasks.rules.approximate import APIECE
from tasks.rules.hits import Hit

_ENDS = re.compile(".*块[0-9一二三四五六七八九]?")
"""The hits in question: they end in 块, or in 块 and one digit (三块五花肉)."""
_FEW = re.compile("[一二三四五六七八九两]{1,2}块|[1-9]块")
"""So few pieces are as usual as so few yuan; 两三块 is among them."""
_GOES_ON = re.compile("包邮|[够的了吧呢吗啊呀嘛就也都还左上下出整一每买卖给租]|[^\u4e00-\u9fff]|$")
"""What may stand behind an amount of money that does not name what is counted."""
_PRICE_BEHIND = re.compile(APIECE)
_PRICE_BEFORE = re.compile(
    "(?:[只共才要]花|花(?:了|费)|[付赚罚涨亏]了?|罚款|便宜了?|票价|门票|价格|[单售标定]价|[收运学车]费|工资)$"
)
"""So many pieces are not paid, earned or saved; 卖了两块 and 给我两块 may be pieces."""
_LONGEST_BEFORE = 3


def without_pieces(hits: list[Hit], folded: str) -> list[Hit]:
    """Drop the amounts of yuan that may be so many pieces.

    These are small amounts without 钱 (两块, 两三块) that no word makes a price (花了两块), and
    amounts with a noun behind them.

    Args:
        hits: what the rules read.
        folded: the folded text, in which the hits have their places.
    """
    if "块" not in folded:
        return hits
    return [hit for hit in hits if not _may_be_pieces(hit, folded)]


def _may_be_pieces(hit: Hit, folded: str) -> bool:
    if not _ENDS.fullmatch(folded, hit.start, hit.end):
        return False
    if _GOES_ON.match(folded, hit.end) is None:
        return True
    return _FEW.fullmatch(folded, hit.start, hit.end) is not None and not _is_price(hit, folded)


def _is_price(hit: Hit, folded: str) -> bool:
    """Say whether the words around a small amount make it one of money."""
    before = folded[max(0, hit.start - _LONGEST_BEFORE) : hit.start]
    return (
        _PRICE_BEFORE.search(before) is not None or _PRICE_BEHIND.match(folded, hit.end) is not None
    )
