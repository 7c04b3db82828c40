"""Roads and addresses: large to small in Chinese, small to large in English.

北京市朝阳区建国路88号 is `No. 88 Jianguo Road, Chaoyang District, Beijing`. A side of a road stands
before its name (`West Nanjing Road`). 大街 is `Street`, 大道 `Avenue`; 长安街 is an avenue by
custom and stands in the gazetteer.
"""

import re

from tasks.rules.divisions import chain, specific
from tasks.rules.gazetteer import look_up
from tasks.rules.style import RuleStyle
from tasks.rules.whole_name import number

_ROADS = {
    "大道": "Avenue", "大街": "Street", "公路": "Highway", "胡同": "Hutong", "路": "Road",
    "街": "Street", "巷": "Lane",
}  # fmt: skip
_SIDES = {"东": "East", "西": "West", "南": "South", "北": "North", "中": "Middle"}
_NUMERAL = "[0-9]{1,4}|[一二三四五六七八九十百零〇]{1,6}"
_TAIL = re.compile(
    rf"(?:(?P<section>{_NUMERAL})段)?(?:(?P<lane>{_NUMERAL})[弄巷])?"
    rf"(?:(?P<no>{_NUMERAL}(?:-[0-9]+)?)号)?"
    rf"(?:(?P<building>{_NUMERAL})号?[楼栋])?(?:(?P<floor>{_NUMERAL})[层樓])?(?:(?P<room>[0-9]{{1,5}})室)?"
)
_PARTS = (
    ("room", "Room {}"), ("floor", "Floor {}"), ("building", "Building {}"), ("no", "No. {}"),
)  # fmt: skip
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
        for start in range(len(found["name"]) - 1):
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
    side = _SIDES.get(name[-1], "") if len(name) > 2 else ""
    body = name[:-1] if side else name
    if len(body) < 2 or body[-1] in "铁公高":
        return None
    read = specific(body, style, "路")
    return f"{side} {read} {_ROADS[kind]}".strip() if read else None


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
