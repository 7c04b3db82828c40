"""Administrative divisions: one (枞阳县), or a chain from large to small (陕西省西安市雁塔区).

The ending is translated by a table, the specific part by the gazetteer or, on the mainland, by its
pinyin. A part that is unknown, or that regions write differently, makes the whole abstain.
"""

from tasks.rules.gazetteer import DIVISIONS, Entry, is_disputed, look_up
from tasks.rules.place_doubts import NOT_PINYIN, is_doubtful
from tasks.rules.place_readings import LONGEST, read_specific
from tasks.rules.style import RuleStyle

ENDINGS = {
    "特别行政区": "special administrative region", "自治区": "autonomous region",
    "地区": "prefecture", "新区": "new area", "街道": "subdistrict", "开发区": "development zone",
    "省": "province", "市": "", "县": "county", "区": "district", "镇": "town", "乡": "township",
    "村": "village", "盟": "league", "旗": "banner",
}  # fmt: skip
"""What follows the specific part; 市 is not written, as 成都市 and 成都 are one place."""
_PINYIN_ENDINGS = frozenset(["地区", "新区", "街道", "县", "区", "镇", "乡", "村"])
"""Endings whose specific part may be plain pinyin; leagues and banners have Mongolian
names, and the cities of China are known: any other is as likely foreign."""
_NOT_HONGKONG = frozenset(["市", "县", "镇", "乡", "街道", "新区", "地区"])
_AUTONOMOUS = {
    "自治州": "autonomous prefecture", "自治县": "autonomous county", "自治旗": "autonomous banner",
}  # fmt: skip
_PEOPLES = {
    "壮族": "Zhuang", "回族": "Hui", "满族": "Manchu",
    "苗族": "Miao", "彝族": "Yi", "土家族": "Tujia",
    "藏族": "Tibetan", "蒙古族": "Mongolian", "蒙古": "Mongolian", "侗族": "Dong", "布依族": "Buyi",
    "瑶族": "Yao", "白族": "Bai", "朝鲜族": "Korean", "哈尼族": "Hani", "黎族": "Li", "傣族": "Dai",
    "畲族": "She", "傈僳族": "Lisu", "仡佬族": "Gelao", "拉祜族": "Lahu", "水族": "Shui",
    "佤族": "Va", "纳西族": "Naxi", "羌族": "Qiang", "土族": "Tu", "仫佬族": "Mulao",
    "景颇族": "Jingpo", "毛南族": "Maonan", "撒拉族": "Salar", "保安族": "Bonan",
    "东乡族": "Dongxiang", "裕固族": "Yugur", "各族": "Multinational", "哈萨克": "Kazakh",
    "锡伯": "Xibe", "塔吉克": "Tajik", "怒族": "Nu", "独龙族": "Derung", "布朗族": "Blang",
    "普米族": "Primi", "鄂伦春": "Oroqen", "鄂温克族": "Ewenki",
}  # fmt: skip
_NUMBERED = frozenset(["东", "西", "南", "北", "中", "新", "旧", "老", "城", "郊", "山", "市"])
"""One character before 区 that only describes; 东区 is a different place in every city."""
MAX_CHAIN = 24
_WORDS = frozenset(["大城市"])
"""Words that look like a known name and its ending."""
_CENTERS = frozenset(["老城", "新城"])
"""Districts of some cities, and common words elsewhere."""
_FITTING = {
    "省": frozenset(["province"]), "市": DIVISIONS - {"province", "autonomous_region"},
}  # fmt: skip
"""The kinds of name that an ending follows, where not all do."""
_HONGKONG_DISTRICTS = frozenset(
    ["湾仔", "油尖旺", "深水埗", "九龙城", "黄大仙", "观塘", "荃湾", "屯门", "元朗", "大埔", "沙田",
     "西贡", "葵青", "离岛"]
)  # fmt: skip


def specific(name: str, style: RuleStyle, ending: str) -> str | None:
    """Return the English of a specific part before an ending, from the gazetteer or as pinyin."""
    known = look_up(name, style.region, DIVISIONS)
    if known is None and is_disputed(name, style.region) and ending in _NOT_HONGKONG:
        known = look_up(name, "mainland", DIVISIONS)
    if known is not None:
        if known.region == "world" and ending != "市":
            return None
        return None if " county" in known.english.casefold() else known.english
    if style.region in ("hongkong", "taiwan") or is_disputed(name, style.region):
        return None
    read = read_specific(name, style.umlaut)
    return read.capitalize() if read else None


def _known_division(name: str, style: RuleStyle) -> Entry | None:
    return look_up(name, style.region, DIVISIONS)


_ALL_ENDINGS = (*_AUTONOMOUS, *ENDINGS)


def division(name: str, style: RuleStyle) -> str | None:
    """Translate one division with its ending, or a bare one of the gazetteer."""
    known = _known_division(name, style)
    if known is not None:
        return known.english
    if not name.endswith(_ALL_ENDINGS):
        return None
    for ending, english in {**_AUTONOMOUS, **ENDINGS}.items():
        if name.endswith(ending) and len(name) > len(ending):
            body = name.removesuffix(ending)
            if ending in _AUTONOMOUS:
                return _autonomous(body, english, style)
            read = _ended(body, ending, style)
            return f"{read} {english}".rstrip() if read else None
    return None


def _ended(body: str, ending: str, style: RuleStyle) -> str | None:
    """Read the specific part of a division whose ending is known."""
    if len(body) == 1 and (ending != "县" or body in _NUMBERED):
        return None
    if ending == "区" and body in _CENTERS:
        return None
    if len(body) > 3 and any(_known_division(body[:length], style) for length in (2, 3)):
        return None
    known = _known_division(body, style)
    if known is None:
        unsure = ending not in _PINYIN_ENDINGS or is_doubtful(body, ending, style)
        return None if unsure else specific(body, style, ending)
    if not _fits(known, body, ending, style):
        return None
    if ending == "区" and known.region == "hongkong" and body not in _HONGKONG_DISTRICTS:
        return _on_the_mainland(body, style)
    return specific(body, style, ending)


def _fits(known: Entry, body: str, ending: str, style: RuleStyle) -> bool:
    """Say whether an ending may follow a name of the gazetteer."""
    if ending == "地区" or body in NOT_PINYIN:
        return not is_doubtful(body, ending, style)
    if body + ending in _WORDS:
        return False
    return body == "吉林" or known.kind in _FITTING.get(ending, DIVISIONS)


def _on_the_mainland(body: str, style: RuleStyle) -> str | None:
    """Read 长洲 of 长洲区, an island of Hong Kong and a district of Wuzhou."""
    read = read_specific(body, style.umlaut) if style.region == "mainland" else None
    return read.capitalize() if read else None


def _autonomous(body: str, ending: str, style: RuleStyle) -> str | None:
    """Translate 长阳土家族 before 自治县: the place, then its peoples."""
    peoples: list[str] = []
    while True:
        people = max(
            (p for p in _PEOPLES if body.endswith(p) and len(body) > len(p)), key=len, default=""
        )
        if not people:
            break
        peoples.insert(0, _PEOPLES[people])
        body = body.removesuffix(people)
    read = specific(body, style, "县") if peoples else None
    *first, last = peoples or [""]
    named = f"{', '.join(first)} and {last}" if first else last
    return f"{read} {named} {ending}" if read else None


def chain(name: str, style: RuleStyle) -> list[str] | None:
    """Translate a chain of divisions; the parts come in the order of the text, large to small."""
    if len(name) > MAX_CHAIN:
        return None
    for length in range(len(name), 1, -1):
        head, rest = name[:length], name[length:]
        if rest and not _may_end_a_part(head, style):
            continue
        first = division(head, style)
        if first is not None and not (rest and _swallows(head, style)):
            if not rest:
                return [first]
            others = chain(rest, style)
            if others is not None:
                return [first, *others]
    return None


def _may_end_a_part(head: str, style: RuleStyle) -> bool:
    if head.endswith((*ENDINGS, *_AUTONOMOUS)):
        return True
    known = _known_division(head, style)
    return known is not None and known.kind not in ("town", "district")


def _swallows(head: str, style: RuleStyle) -> bool:
    """Say whether a would-be part is more than one: a known division with more behind it."""
    if _known_division(head, style) is not None:
        return False
    return any(
        _known_division(head[:length], style) is not None and head[:length].endswith(tuple(ENDINGS))
        for length in range(2, min(len(head), LONGEST + 3))
    )
