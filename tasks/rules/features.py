"""Geographic features, stations and sights: a known or plain name and its kind (郑州东站)."""

from collections.abc import Mapping

from tasks.rules.divisions import chain, specific
from tasks.rules.gazetteer import DIVISIONS, look_up
from tasks.rules.place_doubts import is_foreign
from tasks.rules.style import RuleStyle

_NATURAL = {
    "江": "River", "河": "River", "湖": "Lake", "山": "Mountain", "海峡": "Strait",
    "半岛": "Peninsula", "群岛": "Islands", "岛": "Island", "平原": "Plain", "盆地": "Basin",
    "沙漠": "Desert", "高原": "Plateau", "草原": "Grassland", "湾": "Bay", "山脉": "Mountains",
    "峡谷": "Canyon", "瀑布": "Waterfall", "油田": "Oilfield",
}  # fmt: skip
"""Features whose specific part must be known: 伊利湖 is Lake Erie, 宋江 a man."""
_PLAIN = {"水库": "Reservoir", "大桥": "Bridge", "古镇": "Ancient Town"}
"""Features whose specific part may be plain pinyin."""
_PROVINCIAL = frozenset(["博物馆", "博物院", "图书馆", "体育馆", "体育场"])
"""What a province has as `Hunan Provincial Museum`."""
_CROSSED = frozenset(["river", "sea", "lake"])
"""Kinds of water that a bridge is named after."""
_BUILT = {
    "国际机场": "International Airport", "机场": "Airport", "火车站": "Railway Station",
    "东站": "East Railway Station", "西站": "West Railway Station",
    "南站": "South Railway Station", "北站": "North Railway Station",
    "博物馆": "Museum", "博物院": "Museum", "图书馆": "Library", "动物园": "Zoo",
    "植物园": "Botanical Garden", "体育馆": "Gymnasium",
    "体育场": "Stadium", "大剧院": "Grand Theater",
    "海关": "Customs", "国家森林公园": "National Forest Park", "森林公园": "Forest Park",
    "国家级自然保护区": "National Nature Reserve", "自然保护区": "Nature Reserve",
    "地铁站": "Metro Station", "长江大桥": "Yangtze River Bridge", "港": "Port",
    "经济技术开发区": "Economic and Technological Development Zone",
    "高新技术产业开发区": "High-Tech Industrial Development Zone",
    "自由贸易试验区": "Pilot Free Trade Zone", "工业园区": "Industrial Park",
    "自贸区": "Free Trade Zone",
    "经济特区": "Special Economic Zone",
}  # fmt: skip
"""What belongs to a place; its name must be a known place or a chain of divisions."""


def _longest_first(kinds: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(kinds.items(), key=lambda item: -len(item[0])))


_BUILT_BY_LENGTH = _longest_first(_BUILT)
_NATURAL_BY_LENGTH = _longest_first({**_NATURAL, **_PLAIN})


def feature(name: str, style: RuleStyle) -> str | None:
    """Translate a feature, or return None where a part of it is not known."""
    for ending, english in _BUILT_BY_LENGTH:
        if name.endswith(ending) and len(name) > len(ending):
            owner = _owner(name.removesuffix(ending), style)
            if owner and ending in _PROVINCIAL:
                owner = owner.replace(" province", " Provincial")
            return f"{owner} {english}" if owner else None
    for ending, english in _NATURAL_BY_LENGTH:
        if name.endswith(ending) and len(name) > len(ending) + 1:
            read = _body(name.removesuffix(ending), ending, style)
            return f"{read} {english}" if read else None
    return None


def _owner(name: str, style: RuleStyle) -> str | None:
    """Write a chain of known places as one attribute: `Beijing Chaoyang District`."""
    known = look_up(name, style.region, DIVISIONS)
    if known is not None:
        return known.english
    parts = chain(name, style)
    return " ".join(parts) if parts else None


def _body(body: str, ending: str, style: RuleStyle) -> str | None:
    """Return the specific part of a feature: a known place of China, or pinyin where safe."""
    known = look_up(body, style.region, DIVISIONS)
    if known is not None:
        return None if known.region in ("world", "taiwan") else known.english
    if ending not in _PLAIN:
        return None
    crossed = look_up(body, style.region) if ending == "大桥" else None
    if crossed is not None:
        return crossed.english if crossed.kind in _CROSSED else None
    if is_foreign(body) or (ending == "大桥" and body[-1] in "湾江河海"):
        return None
    return specific(body, style, ending)
