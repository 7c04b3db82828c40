"""Set phrases, names of places and persons that hold a numeral and name no number.

三天两头 is `every other day`, 十万八千里 `a world apart`, 三元里 a village: nothing inside of them
is read. Where a phrase says a number after all (二十四节气) it is not listed. Written from general
knowledge; texts are folded before they are searched, so 三天兩頭 is found as well.
"""

import re

from tasks.rules.hits import Hit
from tasks.rules.honorifics import TITLES
from tasks.rules.surnames import COMMON, COMPOUND

_SAYINGS = """
三天两头 三天打鱼 两天晒网 三年五载 三年两载 三年五年 三年不鸣 三年之艾 三年有成 三年无改 一年半载
一年四季 年复一年 三十而立 四十不惑 四十而不惑 五十而知天命 五十知天命 六十而耳顺 六十耳顺
七十古来稀 七十而从心 三十老娘 三十未立 七老八十 三十年河东 三十年河西 十年河东 十年河西 十年树木
百年树人 十年寒窗 十年磨一剑 十年如一日 十年生死 十年怕井绳 十年九旱 十年九不遇 台下十年功
百年好合 百年之好 百年偕老 百年大计 百年孤独 千年万年 万年青 五百年前是一家 一万年太久
五十步笑百步 五十步与百步 行百里者半九十 百步穿杨 百尺竿头 百里挑一 千里挑一 十里洋场 十里长街
十万八千里 十万火急 十万个为什么 一万个为什么 扶摇直上九万里 八千里路云和月 三千里江山 八百里加急
八百里秦川 八百里洞庭 三百六十五里路 三百六十行 七十二行 三十六行 三十六计 三十六策 七十二变
七十二般 七十二贤 七十二地煞 三十六天罡 十八般 五百罗汉 八百罗汉 三十二相八十种好 九九八十一难
二十八宿 六十甲子 六十花甲 六十四卦 三千世界 三千宠爱 三千佳丽 三千弱水 弱水三千 佳丽三千
三千烦恼丝 三百千 九重天 白发三千丈 飞流直下三千尺 一落千丈 光芒万丈 万丈深渊 万丈高楼 万丈光芒
怒火万丈 豪情万丈 雄心万丈 魔高一丈 道高一尺 一丈青 三寸不烂 三寸之舌 三寸舌 三寸金莲 三寸丁
三尺童子 三尺讲台 三尺青锋 三尺白绫 三尺之冰 三尺微命 三尺剑 三尺龙泉 冰冻三尺 垂涎三尺 入木三分
举头三尺 头上三尺 六尺之躯 六尺巷 七尺男儿 七尺之躯 七尺身躯 八尺男儿 五尺之童 不为五斗米 五斗柜
才高八斗 八斗之才 一百二十个心 一百二十个不愿意 一百个放心 一百个愿意 一百八十度大转弯 一千零一夜
一千个读者 九千岁 八千岁 万岁爷 万万岁 千千岁 八九十枝 七上八下 七十三八十四 二一添作五 三七二十一
三下五除二 此地无银三百两 半斤八两 四两拨千斤 两千年问题 二十五史 二十四史 二十四孝 二十四桥
五十弦 三十辐 诗三百 唐诗三百首 宋词三百首 三十功名 十万大山 四十好几 三十好几 五十好几 六十好几
三十晚上 大年三十 腊月三十 除夕三十 三人成虎 三人行必 二人转 两人世界 二人世界 二人台 士别三日
三岁看大 三岁看老 七岁看老 三分钟热度 五分钟热度 一成不变 二十年目睹之怪现状
"""
_PLACES = (
    "[一二三四五六七八九]元(?:里(?![面外边头程])|[桥坊巷村宫县殿]|区(?![间别分]))"
    "|[二三四五六七八九十]{1,3}里(?:[铺屯堡庄店台墩牌堤塘岗渠街巷崖井甸岙畈堰墟圩]|山(?!路))"
)
_ROUNDLY = "[百千万]儿[一二三四五六七八九]?[十百千]|[百千万]单[一二三四五六七八九]"
_NO_NAMES = set("万于余方高任向")
_SURNAMES = "|".join([f"[{''.join(sorted(COMMON - _NO_NAMES))}]", *sorted(COMPOUND)])
_PERSONS = (
    f"(?:{_SURNAMES})[一二三四五六七八九十百千万]{{2,4}}"
    f"(?:{'|'.join(title for title in TITLES if title != '代表')})"
)


_BESIDE = set("余程钟张周严段何曾许钱金石田林马唐江夏史雷龙丁谢顾毛白陆范叶孙梁武孔汤苏贺黄莫")
"""Surnames that are more often the end of a word before a number: 课程三百, 其余三百."""
_CALLED = """
村民 居民 市民 公民 农民 渔民 牧民 股民 网民 工人 军人 商人 老人 病人 证人 犯人 职工 员工 民工 矿工
学生 医生 先生 女生 男生 考生 教师 老师 律师 厨师 护士 战士 司机 记者 读者 作者 学者 患者
被告 原告 嫌疑人 当事人 负责人 发言人 创始人 被告人 志愿者 消费者
"""
"""What stands before a name and says who that is."""
_NAMED = re.compile(
    rf"(?:(?:^|[^\u4e00-\u9fff]|{'|'.join(_CALLED.split())})(?!付)(?:{_SURNAMES})"
    f"|[{''.join(sorted(COMMON - _BESIDE - _NO_NAMES - {'付'}))}])$"
)
"""A text that ends so goes on with a given name: 陈三百 is somebody, not `Chen 300`."""
_GIVEN = re.compile("[一二三四五六七八九十百千万]{2}")
_LONGEST_NAMED = max(map(len, COMPOUND)) + max(map(len, _CALLED.split()))


def _alternatives() -> str:
    """Return a pattern of all sayings, parted by their first character, which few texts have."""
    rests: dict[str, list[str]] = {}
    for phrase in sorted(set(_SAYINGS.split()), key=lambda phrase: (-len(phrase), phrase)):
        rests.setdefault(phrase[0], []).append(phrase[1:])
    return "|".join(f"{first}(?:{'|'.join(found)})" for first, found in rests.items())


_PATTERN = re.compile(f"{_PERSONS}|{_alternatives()}|{_PLACES}|{_ROUNDLY}")
_AROUND = 12
"""No phrase is longer: a hit inside of one stands so near to its ends."""
_HOLDS_NUMERAL = re.compile("[一二三四五六七八九十百千万两]")


def outside_set_phrases(hits: list[Hit], folded: str) -> list[Hit]:
    """Drop the hits that share a character with a set phrase; one that is longer stays. Drop bare
    numbers that are given names.

    Args:
        hits: what the rules read.
        folded: the folded text, in which the hits have their places.
    """
    return [
        hit
        for hit in hits
        if not _is_in_set_phrase(hit, folded) and not _is_given_name(hit, folded)
    ]


def _is_given_name(hit: Hit, folded: str) -> bool:
    if not hit.rule.startswith("number.bare/") or not _GIVEN.fullmatch(folded, hit.start, hit.end):
        return False
    before = folded[max(0, hit.start - _LONGEST_NAMED) : hit.start]
    return _NAMED.search(before) is not None


def _is_in_set_phrase(hit: Hit, folded: str) -> bool:
    if not _HOLDS_NUMERAL.search(folded, hit.start, hit.end):
        return False
    near = _PATTERN.finditer(folded, max(0, hit.start - _AROUND), hit.end + _AROUND)
    return any(
        found.start() < hit.end
        and hit.start < found.end()
        and hit.end - hit.start <= found.end() - found.start()
        for found in near
    )
