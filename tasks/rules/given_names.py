"""How the characters of a given name are read in Mandarin.

A character with several readings has one in given names by this table, which is the documented
policy: 乐 Le, 行 Xing, 重 Chong, 朝 Chao, 茜 Qian, 长 Chang. Pairs that are words keep the
reading of the word: 朝晖 Zhaohui, 参天 Cantian. Where no reading prevails (藏, 降, 角, 省) the name
abstains. Everything else has the first reading of pypinyin.
"""

from tasks.rules.pinyin import readings

_READINGS = """
bo:薄 bu:卜 chang:长長 chong:重 chun:淳 di:地 du:都 e:娥 fo:佛 gai:盖蓋 heng:珩 huan:还還
ji:济濟 jing:靓靚 jun:隽雋 le:乐樂勒 lü:绿綠 lun:纶綸 lei:磊 mu:牟 qian:茜 qi:亓 qiao:翘翹
sha:莎 shan:单單 sheng:晟 shen:参參葚 shi:什 shuai:率 si:偲 su:宿 xi:系係 xia:厦廈 xin:莘昕
yu:於予尉 yue:说說 yun:筠 zeng:曾 zhan:湛 zheng:徵征 zhong:种種 zhuo:着 xing:行 chao:朝
chan:婵嬋 dan:丹 hong:虹红紅 ying:英映影 rui:芮 wan:菀 shu:淑舒 guan:莞 zhen:蓁甄 qin:芩
chuan:传傳 xun:洵 hao:翯 tao:焘燾
"""
_PAIRS = """
zhao_hui:朝晖/朝暉/朝辉/朝輝 zhao_xia:朝霞 zhao_xi:朝曦/朝夕 zhao_lu:朝露 zhao_hua:朝华/朝華
can_tian:参天/參天 zhong_yuan:重远/重遠 """
_UNSETTLED = frozenset("藏降角省")
_NOT_IN_NAMES = frozenset(
    "的了吗嗎呢吧嘛我你您他她它们們这這哪没沒就很还還把被给給让讓些个個么麼什是谁誰咱啥"
)

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
    if not _NOT_IN_NAMES.isdisjoint(given):
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
