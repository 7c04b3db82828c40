"""How the characters of a given name are read in Mandarin.

A character with several readings has one in given names by this table, which is the documented
policy: 乐 Le, 行 Xing, 重 Chong, 朝 Chao, 茜 Qian, 长 Chang, 镐 Hao. Pairs that are words keep the
reading of the word: 朝晖 Zhaohui, 参天 Cantian. Where no reading prevails (藏, 降, 角, 省) the name
abstains. Everything else has the first reading of pypinyin. Written from general knowledge and
compared with the pinyin of the persons in CC-CEDICT.
"""

from tasks.rules.ordinary_words import simplified
from tasks.rules.pinyin import readings

_READINGS = """
bo:薄 bu:卜 chang:长長 chong:重 chun:淳 di:地 du:都 e:娥 fo:佛 gai:盖蓋 heng:珩 huan:还還
ji:济濟 jing:靓靚 jun:隽雋 le:乐樂勒 lü:绿綠 lun:纶綸 lei:磊 qian:茜 qi:亓 qiao:翘翹
sha:莎 sheng:晟 shen:参參葚 shi:什 shuai:率 si:偲 su:宿 xi:系係 xia:厦廈 xin:莘昕
yu:於予 yue:说說 yun:筠 zeng:曾 zhan:湛 zheng:徵征 zhong:种種 zhuo:着 xing:行 chao:朝
chan:婵嬋 dan:丹 hong:虹红紅 ying:英映影 rui:芮 wan:菀 shu:淑舒 guan:莞 zhen:蓁甄 qin:芩
hao:镐鎬 zhuo:焯琢 fu:芾父 si:似俟 zhen:缜縝帧幀 hu:鹄鵠 qiao:峤嶠 dan:单單 zi:兹
chuan:传傳 xun:洵 tao:焘燾
"""
_PAIRS = """
zhao_hui:朝晖/朝暉/朝辉/朝輝 zhao_xia:朝霞 zhao_xi:朝曦/朝夕 zhao_lu:朝露 zhao_hua:朝华/朝華
can_tian:参天/參天 zhong_yuan:重远/重遠
"""
_UNSETTLED = frozenset("藏降角省")
_NEVER_IN_NAMES = frozenset(
    "的了吗嗎呢吧嘛我你您他她它们們这這哪没沒就很还還把被给給让讓些个個么麼什是谁誰咱啥"
)
_SELDOM_IN_NAMES = frozenset(
    "鸡面者车母词体酒犬色鸫蛋粉狗剂菜糖管虫饼圈拳鞋驾气包乳灯棒套射论豆座笔症鳽牌裤鹬线院话"
    "鲸类营点带刀尾架层巾鸭区蜂鹎屋液囊脸框酱味拐扣团恋汁眼网块婆口打顶菇着蛇鹞椒菌麻胶指爵"
    "值箱料栈熟食钥奴筵税浆课版冢仔级蟹纸婿壳祠爷控绒掌藤背嘴贴档炉热猫暴虾齿糠砂冷勺间隼浴压"
    "丸膝鞭婚钳灸室阵屁帮丑街等锅簇餐便汛匠币肉配尸宴柜敷衫链妇钻看奶锤宅称转速泥突舱危枕筋媒"
    "位锁玩毒货医刹站结摆账案臂狂使摇翅诊调轴吏店嫖裙旅帽腿沟租剧锯鸽误刑饺逆卷灌鼠吹场槽皂弹"
    "猴胆叉酥驳狼磷股怒碳脉薯尿床谣串取喉纹候凶舌涩到券挡瓣杯库罪码板员费厂船饭油桌椅墙部局派"
    "们段件条份项处坑馆号报刊票债灾衣钉锈铺坝泡垫垃圾奖罚刷削剥劈割裂缝洗澡晒烧烤煮炒炖蒸烟茶"
    "笺"
)
"""Simplified characters of many words and of hardly any given name: 安全带 and 金字塔 are none."""

_BY_CHARACTER = {
    character: reading
    for reading, _, characters in (group.partition(":") for group in _READINGS.split())
    for character in characters
}
_BY_PAIR = {
    pair: reading.split("_")
    for reading, _, pairs in (group.partition(":") for group in _PAIRS.split())
    for pair in pairs.split("/")
}


def read_given(given: str) -> list[str] | None:
    """Read a given name as syllables without tones, ü written `ü`; None where it is uncertain."""
    if not _NEVER_IN_NAMES.isdisjoint(given) or not _SELDOM_IN_NAMES.isdisjoint(simplified(given)):
        return None
    if given in _BY_PAIR:
        return _BY_PAIR[given]
    syllables = [_read(character) for character in given]
    return [syllable for syllable in syllables if syllable] if all(syllables) else None


def _read(character: str) -> str | None:
    if character in _UNSETTLED:
        return None
    known = _BY_CHARACTER.get(character)
    if known:
        return known
    found = readings(character)
    return found[0].replace("v", "ü") if found else None
