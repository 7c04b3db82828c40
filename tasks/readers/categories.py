"""Guess the category of a dictionary's entry from its two texts, where neither user nor file says
it.

Only names are told apart, and only where both sides agree: the English is capitalised and the
Chinese ends, or begins, as names of a kind do. Everything else is a term.
"""

import re

from storage.records import Category

_LOCATION = re.compile(
    r"(?:省|市|县|縣|区|區|州|郡|镇|鎮|乡|鄉|村|岛|島|群岛|群島|半岛|半島|山|山脉|山脈|河|江|湖|海|洋|湾|灣"
    r"|海峡|海峽|沙漠|高原|平原|盆地|港|国|國)"
)
_ORGANIZATION = re.compile(
    r"(?:公司|集团|集團|银行|銀行|大学|大學|学院|學院|委员会|委員會|协会|協會|学会|學會|联盟|聯盟|组织|組織"
    r"|基金会|基金會|法院|检察院|檢察院|党|黨|部|局|署|厅|廳|通讯社|通訊社|出版社|俱乐部|俱樂部)"
)
_BEFORE_PLACE = 1
"""A name has at least this many characters before the word for its kind: 海 alone is no name."""
_YEARS = re.compile(r"\([^()]*\d{3,4}\s*[-–—][^()]*\)|\(born \d{4}|\(\d{4}\s*[-–—]\s*\)")
_SURNAMES = {
    "王": "Wang", "李": "Li", "张": "Zhang", "張": "Zhang", "刘": "Liu", "劉": "Liu",
    "陈": "Chen", "陳": "Chen", "杨": "Yang", "楊": "Yang", "黄": "Huang", "黃": "Huang",
    "赵": "Zhao", "趙": "Zhao", "吴": "Wu", "吳": "Wu", "周": "Zhou", "徐": "Xu",
    "孙": "Sun", "孫": "Sun", "马": "Ma", "馬": "Ma", "朱": "Zhu", "胡": "Hu", "郭": "Guo",
    "何": "He", "林": "Lin", "高": "Gao", "罗": "Luo", "羅": "Luo", "郑": "Zheng", "鄭": "Zheng",
    "梁": "Liang", "谢": "Xie", "謝": "Xie", "宋": "Song", "唐": "Tang", "许": "Xu", "許": "Xu",
    "韩": "Han", "韓": "Han", "邓": "Deng", "鄧": "Deng", "冯": "Feng", "馮": "Feng",
    "曹": "Cao", "彭": "Peng", "曾": "Zeng", "肖": "Xiao", "萧": "Xiao", "蕭": "Xiao",
    "田": "Tian", "董": "Dong", "潘": "Pan", "袁": "Yuan", "蔡": "Cai", "蒋": "Jiang",
    "蔣": "Jiang", "余": "Yu", "于": "Yu", "杜": "Du", "叶": "Ye", "葉": "Ye", "程": "Cheng",
    "魏": "Wei", "苏": "Su", "蘇": "Su", "吕": "Lü", "呂": "Lü", "丁": "Ding", "任": "Ren",
    "卢": "Lu", "盧": "Lu", "姚": "Yao", "沈": "Shen", "钟": "Zhong", "鍾": "Zhong",
    "姜": "Jiang", "崔": "Cui", "谭": "Tan", "譚": "Tan", "陆": "Lu", "陸": "Lu", "范": "Fan",
    "汪": "Wang", "廖": "Liao", "石": "Shi", "金": "Jin", "韦": "Wei", "韋": "Wei", "毛": "Mao",
}  # fmt: skip
"""Frequent surnames with their reading; both scripts."""
_NAME_CHARACTERS = range(2, 5)
_SMALL_WORDS = frozenset(
    {"of", "the", "and", "for", "in", "on", "at", "to", "de", "la", "van", "von"}
)


def guess_category(source: str, target: str, remark: str = "") -> Category:
    """Guess what kind of name an entry is; `term` unless both sides say otherwise.

    Args:
        source: Chinese.
        target: English, with its case.
        remark: what the dictionary says beside the translation.
    """
    if not _is_capitalised(target):
        return "term"
    if _YEARS.search(remark) or _is_person(source, target):
        return "person"
    if _ends_as(_ORGANIZATION, source):
        return "organization"
    return "location" if _ends_as(_LOCATION, source) else "term"


def _is_capitalised(target: str) -> bool:
    words = [word for word in target.split() if word not in _SMALL_WORDS]
    return bool(words) and all(word[:1].isupper() for word in words)


def _is_person(source: str, target: str) -> bool:
    words = target.split()
    if "·" in source or "‧" in source:
        return len(words) > 1
    reading = _SURNAMES.get(source[:1])
    return (
        reading is not None
        and len(source) in _NAME_CHARACTERS
        and len(words) > 1
        and reading in (words[0].rstrip(","), words[-1])
        and not _ends_as(_ORGANIZATION, source)
        and len(words) <= len(source)
    )


def _ends_as(kinds: re.Pattern[str], source: str) -> bool:
    return any(
        kinds.fullmatch(source, start)
        for start in range(max(len(source) - 3, _BEFORE_PLACE), len(source))
    )
