"""How the specific part of a mainland place name is read, or that its reading is not sure.

Specific parts are one pinyin word (GB/T 28039, Chinese phonetic alphabet spelling rules for
geographical names). A character with one reading is read so; a few have one reading in place
names; whole names come first; any other character with several readings abstains.
"""

from functools import lru_cache

from tasks.rules.pinyin import Umlaut, readings, spell

NAMES = {
    "六安": "lu an", "六合": "lu he", "东阿": "dong e", "乐清": "yue qing", "乐亭": "lao ting",
    "乐山": "le shan", "乐平": "le ping", "乐陵": "lao ling", "乐至": "le zhi", "乐业": "le ye",
    "乐东": "le dong", "乐安": "le an", "乐昌": "le chang", "乐都": "le du", "长乐": "chang le",
    "新乐": "xin le", "平乐": "ping le", "昌乐": "chang le", "常乐": "chang le", "安乐": "an le",
    "民乐": "min le", "长子": "zhang zi", "单": "shan", "莘": "shen", "莘庄": "xin zhuang",
    "浚": "xun", "解": "xie", "解州": "xie zhou", "蔚": "yu", "叶": "ye", "费": "fei",
    "番禺": "pan yu", "蚌埠": "beng bu", "大埔": "da bu", "黄埔": "huang pu", "厦门": "xia men",
    "铅山": "yan shan", "洪洞": "hong tong", "尉犁": "yu li", "尉氏": "wei shi", "歙": "she",
    "浒墅关": "xu shu guan", "黄陂": "huang pi", "吴堡": "wu bu", "瓦窑堡": "wa yao bu",
    "柴沟堡": "chai gou bu", "十里堡": "shi li pu", "荥阳": "xing yang", "荥经": "ying jing",
    "筠连": "jun lian", "涡阳": "guo yang", "泌阳": "bi yang", "柞水": "zha shui",
    "闵行": "min hang", "太行": "tai hang", "行唐": "xing tang", "监利": "jian li",
    "东莞": "dong guan", "柏乡": "bai xiang", "西柏坡": "xi bai po", "泊头": "bo tou",
    "梁山泊": "liang shan po", "罗布泊": "luo bu po", "上犹": "shang you", "任丘": "ren qiu",
    "任": "ren", "中牟": "zhong mu", "牟平": "mu ping", "牟定": "mou ding", "冠": "guan",
    "台州": "tai zhou", "天台": "tian tai", "盱眙": "xu yi", "繁峙": "fan shi", "曲阜": "qu fu",
    "井陉": "jing xing", "渑池": "mian chi", "漯河": "luo he", "灞桥": "ba qiao",
    "鄱阳": "po yang", "珲春": "hun chun", "涪陵": "fu ling", "洗马": "xi ma", "朴子": "pu zi",
    "句容": "ju rong", "宿迁": "su qian", "宿州": "su zhou", "宿松": "su song", "宿豫": "su yu",
    "宿城": "su cheng", "郯城": "tan cheng", "枞阳": "zong yang", "覃塘": "qin tang",
    "禅城": "chan cheng", "磴口": "deng kou", "隆尧": "long yao", "鄄城": "juan cheng",
    "会理": "hui li", "会泽": "hui ze", "会宁": "hui ning", "会同": "hui tong",
    "会昌": "hui chang", "新会": "xin hui", "四会": "si hui", "车站": "che zhan",
    "射阳": "she yang", "射洪": "she hong", "兴国": "xing guo", "尖扎": "jian zha",
    "扎兰屯": "zha lan tun", "参": "shen", "峒": "dong", "查干湖": "cha gan hu",
    "藏": "zang", "北碚": "bei bei", "普陀": "pu tuo", "万州": "wan zhou", "咀头": "zui tou",
    "阿坝": "a ba", "长安": "chang an", "朝阳": "chao yang", "朝天": "chao tian",
    "朝天门": "chao tian men", "仙居": "xian ju", "诸暨": "zhu ji", "嵊州": "sheng zhou",
    "耒阳": "lei yang", "氹仔": "tai pa", "盖州": "gai zhou", "莆田": "pu tian",
    "圳": "zhen", "乾": "qian", "乾安": "qian an", "乾县": "qian xian", "适中": "shi zhong",
    "重庆": "chong qing", "重阳": "chong yang", "重固": "chong gu", "同乐": "tong le",
    "康乐": "kang le", "保亭": "bao ting", "古浪": "gu lang", "张掖": "zhang ye",
    "伽师": "jia shi", "于都": "yu du", "余干": "yu gan", "华": "hua", "员村": "yuan cun",
    "坊子": "fang zi", "屏南": "ping nan", "鲤城": "li cheng",
}  # fmt: skip
"""Names, without their ending, that characters alone would read wrongly or not surely."""

_USUAL = {
    "长": "chang", "朝": "chao", "重": "chong", "厦": "xia", "什": "shi", "都": "du",
    "会": "hui", "藏": "zang", "葛": "ge", "曾": "zeng", "广": "guang", "茄": "qie",
    "台": "tai", "车": "che", "禅": "chan", "涪": "fu", "区": "qu", "圳": "zhen", "佛": "fo",
}  # fmt: skip
"""Their first reading in a dictionary is not that of place names."""

_SURE = frozenset(
    "市家石溪南大平白宁沙和古土青合万庄太格路塔达王池化明地温浩哈治六洋红园潭鹿港甘百盛寺夏齐其包沱"
    "吴寨干澄蔡居余佛咸彦英蒲艾枝冷屯敦景杜谷丁于团桐可感草霍思潼叶角怀汕汾察渠女冯尚彭封施卜登昆月"
    "暨杉果桃甸沈湛焦童芦足圣磺方沂休信墅陶司舒尾斗甫野承招耳泥皇末介姚奇墨前肥积灯增有奥波邑陆巨房"
    "揭亨无伯杭柴梧横汪漯烟祁莫聊若菏董蛇裴赫邓邢年游露冉汗喜熟度拱支陀曾坳枇杷栖淡湟潘潢尹鼎立越虹"
    "祠郴劲正相应当兴县中上下少子水纪许丽蒙溧瑞仁泉内外江河湖山川海东西北城州岭峰峡阳阴日新安康宜春"
    "夹种洞仓宝丰隆龙凤头口门关桥坪坝塘坡岗冈沟井坑坂垭洼湾浦浜渡埠集店铺营旗堰闸圩崖岩仙灵香花"
    "观盖绿落舍作朱胡纳亚氏红番食鲜燕要和车间便传令为片拉奔雀散难教结号划好发重空当场乌"
) - frozenset("番圩车重当便传为片教结好发难散种间")
"""Characters with several readings of which only the first one is met in place names."""

_TRANSLITERATING = frozenset("尔克勒斯图布拉鲁姆萨吐噶嘎塔奇措勃仑泽帕扎木达巴吉特罗伊莫维纳内里亚")
_CLEARLY = frozenset("尔克勒斯噶嘎姆萨勃矶")
"""A name with two transliterating signs, one of them clear, or three, is no plain Chinese name."""

LONGEST = 4


def read_specific(name: str, umlaut: Umlaut = "u") -> str | None:
    """Spell a Simplified specific part (枞阳, not 枞阳县) as one word, or None where not sure."""
    if not 1 <= len(name) <= LONGEST or is_transliterated(name):
        return None
    syllables = _whole(name)
    return spell(syllables, umlaut=umlaut) if syllables else None


def is_transliterated(name: str) -> bool:
    """Say whether a name renders the sounds of another language, as 巴音郭楞 does."""
    signs = sum(character in _TRANSLITERATING for character in name)
    clear = any(character in _CLEARLY for character in name)
    return signs >= 3 or (signs >= 2 and clear) or (clear and len(name) > 3)


@lru_cache(maxsize=16384)
def _whole(name: str) -> tuple[str, ...] | None:
    if name in NAMES:
        return tuple(NAMES[name].split())
    syllables = tuple(_usual_reading(character) for character in name)
    return None if "" in syllables else syllables


def _usual_reading(character: str) -> str:
    """Return the reading of a character in place names; empty where none is sure."""
    if not "\u4e00" <= character <= "\u9fff":
        return ""
    if character in _USUAL:
        return _USUAL[character]
    found = readings(character)
    if len(found) == 1 or (found and character in _SURE):
        return found[0]
    return ""
