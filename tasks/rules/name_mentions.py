"""Find personal names in running text: only between an office or a mark and a cue behind.

A name is a surname and one or two characters, with an office (部长, 教授) or a mark before it,
and a verb of speech, a title or a mark right behind it. At least one of the two sides must be a
word: two marks alone are no evidence. What stands there must pass `render_person` for the region.
"""

import re
from collections.abc import Iterator

from tasks.rules.hits import Hit
from tasks.rules.honorifics import TITLES
from tasks.rules.names import render_person
from tasks.rules.ordinary_words import is_ordinary_word
from tasks.rules.style import RuleStyle
from tasks.rules.surnames import COMMON, COMPOUND
from tasks.text.english import tokenise

_OFFICE_TABLE = """
国家主席 主席 总理 副总理 部长 副部长 省长 副省长 市长 副市长 县长 区长 局长 副局长 厅长 院长
副院长 校长 副校长 处长 司长 副司长 主任 副主任 书记 副书记 秘书长 副秘书长 委员长 发言人 教授
副教授 研究员 院士 博士 会长 副会长 董事长 总经理 总裁 副总裁 首席执行官 记者 律师 导演 主编
教练 主教练 队长 选手
總理 部長 省長 市長 縣長 區長 局長 廳長 院長 校長 處長 司長 書記 秘書長 委員長 發言人 會長 董事長
總經理 總裁 記者 律師 導演 議員
"""
_SPEECH_TABLE = """
表示 说 指出 认为 介绍 告诉 强调 称 透露 解释 坦言 宣布 分析 回忆 补充 呼吁 建议 接受 主持 会见 出席
說 認為 介紹 告訴 強調 稱 解釋 建議
"""
_SURNAME = f"(?:{'|'.join(COMPOUND)}|[{''.join(sorted(COMMON))}])"
_NAME = rf"(?P<name>{_SURNAME}[\u4e00-\u9fff]{{1,2}}?)"
_LONG_NAME = rf"(?P<name>{_SURNAME}[\u4e00-\u9fff]{{2}})"
"""Two characters with nothing but a verb behind them are as often the name of a foreigner."""
_MARK = "[，。；：、！？“”‘’（）《》,;:!?()\\s]"
_OFFICE = "|".join(sorted(_OFFICE_TABLE.split(), key=len, reverse=True))
_SPEECH = "|".join(_SPEECH_TABLE.split())
_AFTER_NAME = "|".join(TITLES)

_RULES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("person.office/1", re.compile(rf"(?:{_OFFICE}){_NAME}(?={_MARK}|$|{_SPEECH})")),
    ("person.speech/1", re.compile(rf"(?:^|{_MARK}){_LONG_NAME}(?={_SPEECH})")),
    ("person.title/1", re.compile(rf"(?:^|{_MARK}){_NAME}(?={_AFTER_NAME})")),
)
_FUNCTION_WORDS = frozenset(
    "时也还则已后前等将对向就所并又再曾均在与和及都只并未不可能要会这那此其同则却便即仍才最"
)
_ABROAD = re.compile("韩国|朝鲜|越南|日本|新加坡|马来西亚|美籍|华裔|韓國|朝鮮|馬來西亞|華裔")
_OTHER_REGIONS = re.compile("香港|澳门|台湾|台北|臺灣|台灣|澳門")
"""A sentence that names another country or region may speak of its people, who spell otherwise."""


def find_mentions(text: str, style: RuleStyle) -> Iterator[Hit]:
    """Yield the names of a text in the order of the rules; they may overlap.

    Args:
        text: any text.
        style: names are found only where it asks for them and says the region.
    """
    if not style.person_names or style.region == "unknown" or _ABROAD.search(text):
        return
    if style.region == "mainland" and _OTHER_REGIONS.search(text):
        return
    for rule, pattern in _RULES:
        for found in pattern.finditer(text):
            name = found["name"]
            if _is_doubtful(name):
                continue
            english = render_person(name, style.region, style)
            if english:
                start, end = found.span("name")
                target = " ".join(tokenise(english[0].lower()))
                yield Hit(start, end, target, "person", rule)


def _is_doubtful(name: str) -> bool:
    """Say whether a hit could be no name: a word and more (王子 and 明), or holds an adverb."""
    if not _FUNCTION_WORDS.isdisjoint(name[1:]) or name[0] in "于於曾":
        return True
    return len(name) > 2 and name[:2] not in COMPOUND and is_ordinary_word(name[:2])
