"""Fold a text for the rules, character by character: the length, and so every offset, stays.

Full width becomes half width, Traditional numerals and units become Simplified, all dashes one
dash. Only the rules see the folded text.
"""

_TRADITIONAL = dict(
    zip(
        "萬億兩點負貳參叄叁陸個餘幾數來號條項屆幣圓塊釐鐘時間歲週長噸畝頃磅兆韓歐鎊盧羅農曆曜禮拜際當"
        "國華歷紀從達約過將滿開頁節輪階級層樓連隊種類門課臺張棟輛雙對齊頭隻匹顆條線發電爾馬亞澳趟場陣聲聯緒順豐統禎樂慶貞觀擔陰臘財會學處達級後",
        "万亿两点负贰叁叁叁陆个余几数来号条项届币元块厘钟时间岁周长吨亩顷磅兆韩欧镑卢罗农历曜礼拜际当"
        "国华历纪从达约过将满开页节轮阶级层楼连队种类门课台张栋辆双对齐头只匹颗条线发电尔马亚澳趟场阵声联绪顺丰统祯乐庆贞观担阴腊财会学处达级后",
        strict=True,
    )
)
_FULL_WIDTH = {chr(0xFF01 + offset): chr(0x21 + offset) for offset in range(94)}
_OTHERS = {
    **dict.fromkeys("～〜–—―−‐‑‒﹣", "-"),
    "　": " ", "\u00a0": " ", "\t": " ",
    "○": "〇", "Ｏ": "〇", "﹪": "%", "﹐": ",", "﹒": ".", "︰": ":",
    "•": "·", "‧": "·", "・": "·",
    "￥": "¥", "￡": "£", "圆": "元", "歴": "历",
}  # fmt: skip
_TABLE = str.maketrans({**_TRADITIONAL, **_FULL_WIDTH, **_OTHERS})


def fold(text: str) -> str:
    """Return the folded text, as long as the text."""
    return text if text.isascii() else text.translate(_TABLE)
