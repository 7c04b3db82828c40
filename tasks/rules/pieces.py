"""Tell yuan from pieces: 五十块 is money, 两块牌子 and 二百块砖 are not.

块 counts pieces as well as yuan, and rules see only the characters that they know. So what stands
behind 块 is looked at in the whole text. With 钱 behind it, or a currency, it is always money.
"""

import re

from tasks.rules.hits import Hit

_ENDS = re.compile(".*块[0-9一二三四五六七八九]?")
"""The hits in question: they end in 块, or in 块 and one digit (三块五花肉)."""
_FEW = re.compile("[一二三四五六七八九两]{1,2}块|[1-9]块")
"""So few pieces are as usual as so few yuan; 两三块 is among them."""
_GOES_ON = re.compile("[的了吧呢吗啊呀嘛就也都还左上下出整一每买卖给租]|[^\u4e00-\u9fff]|$")
"""What may stand behind an amount of money that does not name what is counted."""


def without_pieces(hits: list[Hit], folded: str) -> list[Hit]:
    """Drop the amounts of yuan that may be so many pieces.

    These are small amounts without 钱 (两块, 两三块), and amounts with a noun behind them.

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
    return (
        _FEW.fullmatch(folded, hit.start, hit.end) is not None
        or _GOES_ON.match(folded, hit.end) is None
    )
