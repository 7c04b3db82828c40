"""Invented names, dates and amounts of the sample, in both languages.

Names are put together from syllables; where one equals a real name, that is chance. Each kind comes
as a pool that is split before use, so that what the test part shows was never seen in training.
"""

import itertools
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from storage.records import Category
from tasks.sample.chunks import Chunk, order, pair, phrase

_Item = TypeVar("_Item")


def _words(text: str) -> list[str]:
    return text.split()


_SURNAMES = """
    王 Wang 李 Li 张 Zhang 刘 Liu 陈 Chen 杨 Yang 赵 Zhao 黄 Huang 周 Zhou 吴 Wu 徐 Xu 孙 Sun
    朱 Zhu 马 Ma 胡 Hu 郭 Guo 何 He 罗 Luo 梁 Liang 宋 Song 郑 Zheng 谢 Xie 韩 Han 唐 Tang 冯 Feng
    董 Dong 程 Cheng 曹 Cao 袁 Yuan 邓 Deng 许 Xu 傅 Fu 沈 Shen 彭 Peng 吕 Lyu 苏 Su 卢 Lu
    蒋 Jiang 蔡 Cai 贾 Jia
"""
_GIVEN_FIRST = """
    志 zhi 建 jian 国 guo 文 wen 晓 xiao 海 hai 玉 yu 秀 xiu 春 chun 永 yong 德 de 荣 rong 明 ming
    立 li 嘉 jia 思 si 振 zhen 继 ji 兆 zhao 景 jing
"""
_GIVEN_LAST = """
    强 qiang 华 hua 伟 wei 军 jun 芳 fang 英 ying 敏 min 刚 gang 峰 feng 林 lin 辉 hui 兰 lan
    霞 xia 梅 mei 杰 jie 涛 tao 鹏 peng 雪 xue 琳 lin 斌 bin 洁 jie 娟 juan 凯 kai
"""
_PLACE_FIRST = """
    荷 he 柳 liu 榆 yu 盐 yan 湖 hu 丰 feng 武 wu 临 lin 清 qing 石 shi 青 qing 白 bai 兴 xing
    平 ping 梅 mei 松 song 广 guang
"""
_PLACE_LAST = """
    阳 yang 浦 pu 江 jiang 川 chuan 溪 xi 陵 ling 林 lin 湾 wan 塘 tang 泉 quan 谷 gu 源 yuan
    峰 feng 山 shan 岭 ling
"""
_PLACE_KINDS = (("市", ""), ("省", "Province"), ("镇", "Town"))
_BRAND_FIRST = """
    中 zhong 天 tian 新 xin 联 lian 正 zheng 东 dong 恒 heng 金 jin 海 hai 凯 kai 华 hua 嘉 jia
    博 bo
"""
_BRAND_LAST = """
    利 li 安 an 通 tong 丰 feng 康 kang 泰 tai 达 da 力 li 信 xin 科 ke
"""
_ORGANIZATION_KINDS = (
    ("公司", "Company"),
    ("银行", "Bank"),
    ("集团", "Group"),
    ("大学", "University"),
    ("医院", "Hospital"),
    ("俱乐部", "Club"),
    ("基金会", "Foundation"),
    ("出版社", "Press"),
    ("电视台", "Television"),
    ("博物馆", "Museum"),
)
_REAL = frozenset(
    _words(
        """
        荷塘 柳江 柳林 柳泉 榆阳 榆林 盐山 盐源 湖山 武江 武川 武陵 武林 武山 临江 临川 临泉 临浦
        清江 清川 清浦 清泉 清溪 清源 石泉 石林 石塘 石湾 石岭 青山 青川 青阳 青浦 青江 青林 白山
        白塘 白林 兴山 平江 平阳 平山 平川 平泉 平谷 平陵 梅江 梅溪 梅山 梅岭 松江 松阳 松溪 松山
        松林 松岭 广阳 广陵 广源 丰源
        """
    )
)
"""Bases that are well-known real places."""

MONTHS = _words("""
    January February March April May June
    July August September October November December
""")
_DIGITS_ZH = "〇一二三四五六七八九"


@dataclass(frozen=True, slots=True)
class Name:
    """A name as the dictionary lists it; words are separated by blanks."""

    source: str
    target: str
    category: Category

    def chunk(self) -> Chunk:
        """Make it a marked phrase; its words are linked one to one, or all to all."""
        sources, targets = self.source.split(), self.target.split()
        if len(sources) == len(targets):
            words = order([pair(s, t) for s, t in zip(sources, targets, strict=True)])
        else:
            words = pair(self.source, self.target)
        return phrase(words, self.category)


def _table(text: str) -> list[tuple[str, str]]:
    items = text.split()
    return list(zip(items[::2], items[1::2], strict=True))


def all_people() -> list[Name]:
    """List every person that the sample can name."""
    given = [
        (first + last, (first_en + last_en).capitalize())
        for (first, first_en), (last, last_en) in itertools.product(
            _table(_GIVEN_FIRST), _table(_GIVEN_LAST)
        )
    ]
    return _one_reading(
        Name(surname + zh, f"{surname_en} {en}", "person")
        for (surname, surname_en), (zh, en) in itertools.product(_table(_SURNAMES), given)
    )


def _one_reading(names: Iterable[Name]) -> list[Name]:
    """Keep the first of names that are equal in English: a new one must be new on both sides."""
    first: dict[str, Name] = {}
    for name in names:
        first.setdefault(name.target, name)
    return list(first.values())


def all_places() -> list[Name]:
    """List every place that the sample can name; a base has one kind only, so a name has one
    reading."""
    bases = itertools.product(_table(_PLACE_FIRST), _table(_PLACE_LAST))
    names = []
    for number, ((first, first_en), (last, last_en)) in enumerate(bases):
        kind, kind_en = _PLACE_KINDS[number % len(_PLACE_KINDS)]
        if first + last not in _REAL:
            english = f"{(first_en + last_en).capitalize()} {kind_en}".strip()
            names.append(Name(first + last + kind, english, "location"))
    return _one_reading(names)


def all_organizations() -> list[Name]:
    """List every organisation that the sample can name."""
    brands = itertools.product(_table(_BRAND_FIRST), _table(_BRAND_LAST))
    names = []
    for number, ((first, first_en), (last, last_en)) in enumerate(brands):
        for kind, kind_en in (_ORGANIZATION_KINDS * 2)[number % 10 : number % 10 + 3]:
            english = f"{(first_en + last_en).capitalize()} {kind_en}"
            names.append(Name(f"{first}{last} {kind}", english, "organization"))
    return _one_reading(names)


def date_chunk(year: int, month: int, day: int, form: str) -> Chunk:
    """Write a day as a phrase.

    Args:
        year: of four digits.
        month: 1 to 12.
        day: 1 to 28.
        form: `full` 2003年3月20日, `day` 3月20日, or `chinese` 三月二十日.
    """
    digits = form != "chinese"
    parts_year = order([pair(str(year), str(year)), pair("年", "")])
    parts_month = pair(f"{month if digits else numeral_zh(month)} 月", MONTHS[month - 1])
    day_words = pair(str(day) if digits else numeral_zh(day), str(day))
    parts_day = order([day_words, pair("日", "")])
    comma = pair("", ",")
    if form == "full":
        source = [parts_year, parts_month, parts_day, comma]
        chunk = order(source, [parts_month, parts_day, comma, parts_year])
    else:
        chunk = order([parts_month, parts_day])
    return phrase(chunk, "date")


def numeral_zh(value: int) -> str:
    """Write 1 to 99 in Chinese."""
    tens, ones = divmod(value, 10)
    text = ("" if tens < 2 else _DIGITS_ZH[tens]) + ("十" if tens else "")
    return text + (_DIGITS_ZH[ones] if ones else "")


def money_chunk(hundred_thousands: int, currency: str) -> Chunk:
    """Write an amount of money as a phrase.

    Args:
        hundred_thousands: the amount, in units of 100,000; 10 or more.
        currency: `yuan` or `dollar`.
    """
    if hundred_thousands >= 1000:
        amount = pair(f"{_shortest(hundred_thousands, 1000)} 亿", _large(hundred_thousands))
    else:
        amount = pair(f"{hundred_thousands * 10} 万", _large(hundred_thousands))
    unit = pair("美元", "US dollars") if currency == "dollar" else pair("元", "yuan")
    return phrase(order([amount, unit]), "quantity")


def _large(hundred_thousands: int) -> str:
    if hundred_thousands >= 10_000:
        return f"{_shortest(hundred_thousands, 10_000)} billion"
    return f"{_shortest(hundred_thousands, 10)} million"


def _shortest(value: int, unit: int) -> str:
    """Write value / unit, where unit is a power of ten, without trailing zeros."""
    whole, rest = divmod(value, unit)
    decimals = str(rest).zfill(len(str(unit)) - 1).rstrip("0")
    return f"{whole}.{decimals}" if decimals else str(whole)


def percent_chunk(tenths: int) -> Chunk:
    """Write a share of `tenths` tenths of a percent as a phrase."""
    value = _shortest(tenths, 10)
    return phrase(order([pair(value, value), pair("%", "percent")]), "quantity")


def number_chunk(value: int) -> Chunk:
    """Write a number of people as a phrase, in Chinese with its counting word."""
    return phrase(order([pair(str(value), f"{value:,}"), pair("名", "")]), "number")


def distance_chunk(kilometres: int) -> Chunk:
    """Write a distance as a phrase."""
    return phrase(
        order([pair(str(kilometres), f"{kilometres:,}"), pair("公里", "kilometers")]), "quantity"
    )


@dataclass(frozen=True, slots=True)
class Pools:
    """What one part of the sample may name; no two parts share anything."""

    people: tuple[Name, ...]
    places: tuple[Name, ...]
    organizations: tuple[Name, ...]
    days: tuple[tuple[int, int, int], ...]
    amounts: tuple[int, ...]
    """Whole numbers from which money, shares, counts and distances are made."""


def split_pools(
    rng: random.Random, shares: dict[str, float], limits: dict[str, int]
) -> dict[str, Pools]:
    """Shuffle what there is and deal it out to the parts.

    Args:
        rng: source of chance.
        shares: part name to its share of everything; the shares sum to at most 1.
        limits: most people, places and organisations over all parts, by those three words.
    """
    days = list(itertools.product(range(1985, 2010), range(1, 13), range(1, 29)))
    by_calendar_day = [(m, d) for m, d in itertools.product(range(1, 13), range(1, 29))]
    people = _some(rng, all_people(), limits["people"])
    places = _some(rng, all_places(), limits["places"])
    organizations = _some(rng, all_organizations(), limits["organizations"])
    amounts = _some(rng, list(range(11, 1000)), 989)
    calendar = _some(rng, by_calendar_day, len(by_calendar_day))
    pools = {}
    start = 0.0
    for part, share in shares.items():
        window = (start, start + share)
        mine = set(_slice(calendar, window))
        pools[part] = Pools(
            tuple(_slice(people, window)),
            tuple(_slice(places, window)),
            tuple(_slice(organizations, window)),
            tuple(day for day in days if day[1:] in mine),
            tuple(_slice(amounts, window)),
        )
        start += share
    return pools


def _some(rng: random.Random, items: list[_Item], most: int) -> list[_Item]:
    return rng.sample(items, min(most, len(items)))


def _slice(items: list[_Item], window: tuple[float, float]) -> list[_Item]:
    return items[round(window[0] * len(items)) : round(window[1] * len(items))]
