"""Roads and addresses: large to small in Chinese, small to large in English.

北京市朝阳区建国路88号 is `No. 88 Jianguo Road, Chaoyang District, Beijing`. A side of a road stands
before its name (`West Nanjing Road`). 大街 is `Street`, 大道 `Avenue`; 长安街 is an avenue by
custom and stands in the gazetteer.
"""

import re

from tasks.rules.divisions import chain, specific
from tasks.rules.gazetteer import DIVISIONS, look_up
from tasks.rules.place_doubts import is_foreign
from tasks.rules.place_readings import is_transliterated, read_specific
from tasks.rules.rendering import ORDINAL_WORDS, ordinal
from tasks.rules.style import RuleStyle
from tasks.rules.whole_name import number

_ROADS = {
    "高速公路": "Expressway", "高架路": "Elevated Road", "环路": "Ring Road",
    "大道": "Avenue", "大街": "Street", "公路": "Highway", "胡同": "Hutong", "路": "Road",
    "街": "Street", "巷": "Lane",
}  # fmt: skip
_SIDES = {"东": "East", "西": "West", "南": "South", "北": "North", "中": "Middle"}
_NUMERAL = "[0-9]{1,5}|[一二三四五六七八九十百零〇]{1,6}"
_TAIL = re.compile(
    rf"(?:(?P<section>{_NUMERAL})段)?(?:(?P<lane>{_NUMERAL})[弄巷])?"
    rf"(?:(?P<no>{_NUMERAL}(?:-[0-9]+)?)号)?"
    rf"(?:(?P<building>{_NUMERAL})(?:号楼|[栋幢座]))?(?:(?P<floor>{_NUMERAL})[层楼])?(?:(?P<room>[0-9]{{1,5}})室)?"
)
_PARTS = (
    ("room", "Room {}"), ("floor", "Floor {}"), ("building", "Building {}"), ("no", "No. {}"),
)  # fmt: skip
_SHORT = {
    "京": "Beijing", "沪": "Shanghai", "津": "Tianjin", "渝": "Chongqing", "藏": "Tibet",
    "川": "Sichuan", "滇": "Yunnan", "黔": "Guizhou", "粤": "Guangdong", "港": "Hong Kong",
    "澳": "Macao", "台": "Taiwan", "闽": "Fujian", "新": "Xinjiang", "哈": "Harbin",
    "沈": "Shenyang", "杭": "Hangzhou", "昆": "Kunming", "蓉": "Chengdu",
}  # fmt: skip
"""The ends of a road between two places, where one character means one place."""
_ROAD_WORDS = {
    "解放": "Jiefang", "胜利": "Shengli", "幸福": "Xingfu", "科技": "Keji", "体育": "Tiyu",
    "珞喻": "Luoyu", "春熙": "Chunxi", "振兴": "Zhenxing", "交通": "Jiaotong", "劳动": "Laodong",
    "友谊": "Youyi", "解放碑": "Jiefangbei", "西大直": "Xidazhi", "东大直": "Dongdazhi",
    "民族": "Minzu", "团结": "Tuanjie", "创业": "Chuangye", "创新": "Chuangxin",
    "学院": "Xueyuan", "建国": "Jianguo", "大学": "Daxue", "文化": "Wenhua", "人民": "Renmin",
}  # fmt: skip
"""Common names of roads that characters alone would not read surely."""
_COMMON_TABLE = """
商业街 金融街 步行街 美食街 小吃街 酒吧街 唐人街 食街 林荫大道 机场路 海滨大道 滨海大道 香榭大道
好莱坞大道 日落大道 星光大道 美国路 过马路 压马路 石板路 丁字街 两步路 十一路 分头路 断头路
万宝路 林荫路 林阴路 林阴大道 地下街 烟花巷 高速路 虚电路 康庄大道 盘陀路 走弯路 走门路
留后路 环形路 上坡路 下坡路 回头路 走下坡路 走回头路
"""
_COMMON = frozenset(_COMMON_TABLE.split())
"""Words for kinds of road, and roads abroad."""
_RINGS = {"二": "Second", "三": "Third", "四": "Fourth", "五": "Fifth", "六": "Sixth"}
_RING = re.compile("([东西南北]?)([二三四五六])")
_SIDE_NUMBER = re.compile("[东西南北中][一二三四五六七八九]$")
"""中山东一路 has several English forms."""
_MAX_ADDRESS = 40
_ENDS_A_DIVISION = frozenset("省市县区镇乡村盟旗州")
"""No road begins inside a division."""


def address(name: str, style: RuleStyle) -> str | None:
    """Translate a road with what follows and precedes it, or return None."""
    if len(name) > _MAX_ADDRESS:
        return None
    for found in _splits(name):
        tail = _TAIL.fullmatch(found["tail"])
        if tail is None:
            continue
        for start in range(max(len(found["name"]) - 2, 0), -1, -1):
            if start and found["name"][start] in _ENDS_A_DIVISION:
                continue
            road = _road(found["name"][start:], found["kind"], style)
            above = chain(found["name"][:start], style) if start else []
            if road is not None and above is not None:
                return _written(road, tail, above)
    return None


def _splits(name: str) -> list[re.Match[str]]:
    """List the places where a road may end, the last first."""
    kinds = "|".join(_ROADS)
    ends = [found.end() for found in re.finditer(kinds, name)]
    splits = [
        re.fullmatch(f"(?P<name>.+?)(?P<kind>{kinds})(?P<tail>.{{{len(name) - end}}})", name)
        for end in reversed(ends)
    ]
    return [found for found in splits if found]


def _road(name: str, kind: str, style: RuleStyle) -> str | None:
    """Translate a road by the gazetteer, or its name by pinyin, with the side before it."""
    known = look_up(name + kind, style.region)
    if known is not None:
        return known.english
    if kind in ("公路", "高速公路"):
        return _between(name, _ROADS[kind])
    numbered = _numbered(name, kind)
    if numbered is not None:
        return numbered
    side = _SIDES.get(name[-1], "") if len(name) > 2 else ""
    body = name[:-1] if side else name
    if not _may_be_a_name(body, name + kind):
        return None
    read = _ROAD_WORDS.get(body) or _spelled(body, style)
    if not read:
        return None
    parts = [read, side] if style.region == "taiwan" else [side, read]
    return " ".join([*filter(None, parts), _ROADS[kind]])


def _between(name: str, kind: str) -> str | None:
    """Translate a road between two places or through three: 川藏 before 公路."""
    ends = [_SHORT.get(character) for character in name]
    return f"{'-'.join(filter(None, ends))} {kind}" if len(ends) in (2, 3) and all(ends) else None


def _numbered(name: str, kind: str) -> str | None:
    """Translate 第五 before 大街, 二十四 before 街, 北三 before 环路."""
    if kind == "环路" and (ring := _RING.fullmatch(name)):
        return f"{_SIDES.get(ring[1], '')} {_RINGS[ring[2]]} Ring Road".strip()
    if not name.startswith("第") and ("十" not in name or kind != "街"):
        return None
    value = number(name.removeprefix("第"))
    if not value:
        return None
    spelled = ORDINAL_WORDS[value] if value < len(ORDINAL_WORDS) else ordinal(value)
    return f"{spelled} {_ROADS[kind]}"


def _may_be_a_name(body: str, road: str) -> bool:
    """Say whether what stands before a road may be a Chinese name; 香榭丽舍 is none."""
    if len(body) < 2 or body[-1] in "铁公高" or body[0] == "第" or road in _COMMON:
        return False
    if _SIDE_NUMBER.search(body) or body[-1] == "环":
        return False
    return len(body) == 2 or body[-1] in "内外" or body in _ROAD_WORDS or not is_foreign(body)


def _spelled(body: str, style: RuleStyle) -> str | None:
    """Spell the name of a road; a place whose English is no pinyin is not sure (拉萨路)."""
    known = look_up(body, style.region, DIVISIONS)
    if known is None or body == "陕西":
        return specific(body, style, "路")
    plain = read_specific(body, style.umlaut)
    if known.region == "world" or is_transliterated(body):
        return None
    return known.english if plain is None or plain.capitalize() == known.english else None


def _written(road: str, tail: re.Match[str], above: list[str]) -> str | None:
    """Put the parts of an address into English order."""
    numbers = {part: number(tail[part]) for part in ("section", "lane") if tail[part]}
    for part, _ in _PARTS:
        if tail[part] and "-" not in tail[part]:
            numbers[part] = number(tail[part])
    if None in numbers.values():
        return None
    words = [form.format(numbers.get(part, tail[part])) for part, form in _PARTS if tail[part]]
    if "section" in numbers:
        road = f"Section {numbers['section']}, {road}"
    if "lane" in numbers:
        road = f"Lane {numbers['lane']}, {road}"
    *rooms, house = words or [""]
    joint = " " if house.startswith("No.") and "," not in road else ", "
    street = f"{house}{joint}{road}" if house else road
    return ", ".join([*rooms, street, *reversed(above)])
