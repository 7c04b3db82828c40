"""Organisations composed of a place and a kind: governments, courts, schools, banks, embassies.

The place must be known or readable, the kind must stand in a table; anything else abstains.
Numbered units of the civil kind are `No. 3 Middle School`, military ones `54th Army`.
"""

import re

from tasks.rules.divisions import chain
from tasks.rules.gazetteer import DIVISIONS, look_up
from tasks.rules.rendering import ORDINAL_WORDS, ordinal
from tasks.rules.style import RuleStyle
from tasks.rules.whole_name import number

_OF_A_LEVEL = {
    "人民政府": "People's Government", "政府": "Government", "人大常委会":
    "People's Congress Standing Committee", "人民代表大会常务委员会":
    "People's Congress Standing Committee", "人民代表大会": "People's Congress",
    "人大": "People's Congress", "委员会": "Committee", "党委": "Party Committee",
    "委": "Party Committee",
    "政协": "Committee of the Chinese People's Political Consultative Conference",
    "公安厅": "Public Security Department", "公安局": "Public Security Bureau",
    "教育厅": "Department of Education", "教育局": "Education Bureau",
    "财政厅": "Department of Finance", "财政局": "Finance Bureau",
    "交通厅": "Department of Transport", "交通局": "Transport Bureau",
    "卫生厅": "Department of Health", "卫生局": "Health Bureau",
    "环保局": "Environmental Protection Bureau", "环境保护局": "Environmental Protection Bureau",
    "统计局": "Bureau of Statistics", "司法局": "Justice Bureau", "民政局": "Civil Affairs Bureau",
    "水利厅": "Department of Water Resources", "水利局": "Water Resources Bureau",
    "农业厅": "Department of Agriculture", "审计局": "Audit Bureau", "旅游局": "Tourism Bureau",
    "纪委": "Commission for Discipline Inspection", "消防局": "Fire Department",
    "气象局": "Meteorological Bureau", "气象台": "Meteorological Observatory",
}  # fmt: skip
"""After 省, 市, 县, 区 and 自治区; `Guangdong Provincial`, `Beijing Municipal` stand before."""
_OF_A_REGION = frozenset(["人民政府", "人民代表大会", "党委"])
_LEVELS = {"省": "Provincial", "市": "Municipal", "县": "County", "区": "District"}
_COURTS = {
    "高级人民法院": "High People's Court", "中级人民法院": "Intermediate People's Court",
    "人民法院": "People's Court", "人民检察院": "People's Procuratorate",
    "地方法院": "District Court", "高等法院": "High Court",
}  # fmt: skip
_OF_A_PLACE = {
    "师范大学": "Normal University", "农业大学": "Agricultural University",
    "医科大学": "Medical University", "交通大学": "Jiaotong University",
    "大学": "University", "人民医院": "People's Hospital", "中心医院": "Central Hospital",
    "儿童医院": "Children's Hospital", "中医院": "Hospital of Traditional Chinese Medicine",
    "日报": "Daily", "晚报": "Evening News", "证券交易所": "Stock Exchange",
    "农村商业银行": "Rural Commercial Bank", "电视台": "Television Station",
    "商会": "Chamber of Commerce", "日报社": "Daily", "红十字会": "Red Cross Society",
    "中学": "Middle School", "小学": "Primary School", "高级中学": "Senior High School",
    "军区": "Military Region", "海事局": "Maritime Safety Administration",
    "海事法院": "Maritime Court", "铁路局": "Railway Bureau",
    "总工会": "Federation of Trade Unions",
    "作家协会": "Writers Association", "足球俱乐部": "Football Club",
}  # fmt: skip
_ABROAD = frozenset(["证券交易所", "商会", "红十字会"])
"""What is named like that of China abroad too; 罗马大学 has a name of its own."""
_NUMBERED = {
    "中学": "Middle School", "小学": "Primary School", "高级中学": "Senior High School",
    "高中": "Senior High School", "初级中学": "Junior High School",
    "实验小学": "Experimental Primary School",
    "人民医院": "People's Hospital", "医院": "Hospital",
    "中医院": "Hospital of Traditional Chinese Medicine",
    "人民法院": "People's Court", "中级人民法院": "Intermediate People's Court",
    "监狱": "Prison", "看守所": "Detention Center", "幼儿园": "Kindergarten",
    "机床厂": "Machine Tool Plant", "汽车制造厂": "Automobile Works", "水厂": "Water Plant",
    "检察分院": "Branch of People's Procuratorate", "外国语学校": "Foreign Language School",
}  # fmt: skip
_MILITARY = {
    "集团军": "Group Army", "军": "Army", "师": "Division", "旅": "Brigade", "团": "Regiment",
    "舰队": "Fleet", "步兵师": "Infantry Division", "装甲师": "Armored Division",
    "空降师": "Airborne Division", "骑兵师": "Cavalry Division", "方面军": "Front Army",
    "野战军": "Field Army", "委员会": "Committee",
    "国际": "International", "巡回法庭": "Circuit Court",
}  # fmt: skip
_SESSIONS = {
    "附属医院": "Affiliated Hospital", "届全国人民代表大会": "National People's Congress",
    "届全国人大": "National People's Congress", "届中央委员会": "Central Committee",
    "次全国代表大会": "National Congress", "届联合国大会": "United Nations General Assembly",
}  # fmt: skip
"""What is counted with an ordinal word: `16th National People's Congress`."""
_BANKING = frozenset(["city", "municipality", "territory"])
_UNIT = re.compile(
    r"(?P<place>.*?)第?(?P<n>[0-9]{1,4}|[一二三四五六七八九十百零〇]{1,6})(?P<kind>\D+)"
)
_EMBASSY = re.compile("(?P<home>.+?)(?:驻|駐)(?P<host>.+?)(?P<kind>大使馆|总领事馆|领事馆|大使)")
_MISSIONS = {"大使馆": "Embassy", "总领事馆": "Consulate General", "领事馆": "Consulate"}
_ARTICLE = frozenset(
    ["United States", "United Kingdom", "Netherlands", "Philippines", "United Arab Emirates",
     "Russian Federation", "Republic of Korea", "European Union",
     "Democratic Republic of the Congo",
     "Maldives", "Bahamas", "Dominican Republic", "Central African Republic", "Gambia"]
)  # fmt: skip
_ABBREVIATED = {
    "中": "中国", "华": "中国", "美": "美国", "英": "英国", "法": "法国",
    "德": "德国", "日": "日本", "俄": "俄罗斯",
    "韩": "韩国", "印": "印度", "加": "加拿大", "澳": "澳大利亚", "意": "意大利", "朝": "朝鲜",
}  # fmt: skip
_ADJECTIVES = {
    "China": "Chinese", "United States": "American",
    "United Kingdom": "British", "France": "French",
    "Germany": "German", "Japan": "Japanese", "Russia": "Russian", "South Korea": "South Korean",
    "India": "Indian", "Canada": "Canadian", "Australia": "Australian", "Italy": "Italian",
    "Spain": "Spanish", "Iran": "Iranian", "Egypt": "Egyptian", "Vietnam": "Vietnamese",
    "Israel": "Israeli", "Turkey": "Turkish", "Brazil": "Brazilian", "Mexico": "Mexican",
    "Ukraine": "Ukrainian", "Sweden": "Swedish", "Thailand": "Thai", "Indonesia": "Indonesian",
}  # fmt: skip


def organization(name: str, style: RuleStyle) -> tuple[str, str] | None:
    """Translate an organisation; returns its English and the name of the rule."""
    for rule, read in _READERS:
        english = read(name, style)
        if english is not None:
            return english, rule
    return None


def _parted(name: str, kinds: dict[str, str]) -> tuple[str, str] | None:
    """Cut the longest kind off the end of a name; what stands before is not empty."""
    if not name.endswith(tuple(kinds)):
        return None
    kind = max((k for k in kinds if name.endswith(k)), key=len)
    return (name.removesuffix(kind), kind) if name != kind else None


def _place(name: str, style: RuleStyle) -> str | None:
    """Write a chain of divisions as one attribute, and a level as part of it."""
    parts = chain(name, style)
    return " ".join(parts) if parts else None


def _of_a_level(name: str, style: RuleStyle) -> str | None:
    parted = _parted(name, _OF_A_LEVEL)
    if parted is None or parted[0][-1] not in _LEVELS:
        return None
    body, kind = parted
    parts = chain(body, style)
    if not parts:
        return None
    if body.endswith("自治区"):
        return f"{_OF_A_LEVEL[kind]} of {parts[0]}" if kind in _OF_A_REGION else None
    if body.endswith("新区"):
        return " ".join([*parts, _OF_A_LEVEL[kind]])
    level = _LEVELS[body[-1]]
    last = re.sub(" (?:province|county|district)$", "", parts[-1], flags=re.IGNORECASE)
    return " ".join([*parts[:-1], last, level, _OF_A_LEVEL[kind]])


def _court(name: str, style: RuleStyle) -> str | None:
    parted = _parted(name, _COURTS)
    if parted is None or "第" in name:
        return None
    body, kind = parted
    parts = chain(body, style)
    if not parts:
        return None
    if len(parts) > 1 and parts[0].endswith(" province"):
        return f"{' '.join(parts[1:])} {_COURTS[kind]} of {parts[0]}"
    return f"{re.sub(' province$', '', ' '.join(parts))} {_COURTS[kind]}"


def _of_a_place(name: str, style: RuleStyle) -> str | None:
    parted = _parted(name, _OF_A_PLACE)
    if parted is None or "第" in name or style.region == "taiwan":
        return None
    known = look_up(parted[0], style.region, DIVISIONS)
    if known is not None and known.region in ("world", "taiwan") and parted[1] not in _ABROAD:
        return None
    place = _place(parted[0], style)
    return f"{place} {_OF_A_PLACE[parted[1]]}" if place else None


def _bank(name: str, style: RuleStyle) -> str | None:
    if not name.endswith("银行") or len(name) < 4:
        return None
    known = look_up(name.removesuffix("银行"), style.region, _BANKING)
    return f"Bank of {known.english}" if known else None


def _numbered(name: str, style: RuleStyle) -> str | None:
    found = _UNIT.fullmatch(name)
    if found is None or "第" not in name:
        return None
    value, kind = number(found["n"]), found["kind"]
    if not value:
        return None
    place = ""
    if found["place"]:
        read = _place(found["place"], style)
        if read is None:
            return None
        place = read + " "
    spelled = ORDINAL_WORDS[value] if value < len(ORDINAL_WORDS) else ordinal(value)
    if name == f"第{found['n']}{kind}" and kind in _SESSIONS:
        return f"{spelled} {_SESSIONS[kind]}"
    if kind in _NUMBERED:
        return f"{place}No. {value} {_NUMBERED[kind]}"
    if kind in _MILITARY and not place:
        return f"{spelled} {_MILITARY[kind]}"
    return None


def _embassy(name: str, style: RuleStyle) -> str | None:
    found = _EMBASSY.fullmatch(name)
    if found is None or found["kind"] not in _MISSIONS:
        return None
    kinds = (
        frozenset(["country"]) if found["kind"] == "大使馆" else frozenset(["country"]) | _BANKING
    )
    home = look_up(_ABBREVIATED.get(found["home"], found["home"]), style.region, kinds)
    host = look_up(_ABBREVIATED.get(found["host"], found["host"]), style.region, kinds)
    if home is None or host is None or home.kind != "country":
        return None
    article = "the " if host.english in _ARTICLE else ""
    mission = _MISSIONS[found["kind"]]
    adjective = _ADJECTIVES.get(home.english)
    if adjective:
        return f"{adjective} {mission} in {article}{host.english}"
    owner = f"the {home.english}" if home.english in _ARTICLE else home.english
    return f"{mission} of {owner} in {article}{host.english}"


def _branch(name: str, style: RuleStyle) -> str | None:
    """Translate a state body with its country before it: 中国外交部."""
    for country in ("中华人民共和国", "中国"):
        body = look_up(name.removeprefix(country), "mainland", frozenset(["state"]))
        if name.startswith(country) and body and body.english.startswith("Ministry"):
            nation = "the People's Republic of China" if len(country) > 2 else "China"
            return f"{body.english} of {nation}"
    return None


_READERS = (
    ("organization.numbered/1", _numbered), ("organization.embassy/1", _embassy),
    ("organization.court/1", _court), ("organization.level/1", _of_a_level),
    ("organization.bank/1", _bank), ("organization.state/1", _branch),
    ("organization.place/1", _of_a_place),
)  # fmt: skip
