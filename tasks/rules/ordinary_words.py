"""Words that begin like a name: 高兴, 安全 and 时间表 are no persons.

A text is an ordinary word if the dictionary of the segmenter has it as anything but a name. Named
here are the names that this dictionary lists as other words, and words that it lists as names.
"""

from functools import cache
from typing import Any

from tasks.rules.known_persons import TRANSLITERATED
from tasks.rules.surnames import COMPOUND

_PERSONS_TABLE = """
钟南山 王熙凤 向警予 黄兴 黄日华 屈原 海瑞 陆游 周恩来 孔融 甘宁 文丑 穆易 顾准 巴金 毕升 程志
石安 丘处机 闻一多 欧阳克 周作人 苏东坡 厉无畏 严义埙 周坤仁 张佑才 尧舜 高欢 平儿 周颠 王导
罗干 奉恒高 池际尚 林兆枢 万学文
"""
_PERSONS = frozenset(_PERSONS_TABLE.split())
_WORDS_TABLE = """
马拉松 盖章 盖世 哈佛 微生物 东方红 东方人 东方学 太史公 王朝 王国 王后 王子 王室 王位 王牌
王冠 王府 张家口 石家庄 张家港 张家界 马来西亚 马六甲 黄石 黄山 黄冈 金门 金山 平安 国庆 何况
何必 应当 应有 时任 时代 全体 全国 高度 高校 马匹 万岁 万能 白宫 白银 白菜 向上 向着 黄金 黄海
黄埔 黄浦 东北 东南 东方 东部 华东 华北 华南 华中 华西 华人 华侨 华裔 明星 明朝 江南 江北 江西
江苏 陈述 陈列 陈旧 谢谢 谢意 解放 解决 解释 解除 许多 许可 曾经 左右 左翼 连续 温室 温泉 费用
施工 施行 施政 严格 严厉 顾问 顾客 雷达 史上 方便 贝壳 查询 查处 查获 查明 区别 区域 任务 任期
任命 单位 单独 单一 安装 安排 安保 包装 包裹 高层 高速 高温 常委 常见 成立 成长 成员 程度 程序
戴上 党员 党派 邓小平理论 丁香 杨树 柳树 梅花 李子 桃子 马车 马路 牛奶 牛肉 羊肉 熊猫 龙舟
鱼类 云南 海南 湖南 河南 苏州 徐州 郑州 温州 杭州 钟表 钱包 石头 水果 火车 金属 银行 铁路 武器
文化 文明 文字 申请 申报 路线 路口 关于 关系 关注 关心 习惯 习俗 万一 千万 百万 余额 余下 章程
季节 年轻 年度 月份 时刻 计划 计算 纪念 纪律 管理 管辖 支持 支付 施压
"""
_WORDS = frozenset(_WORDS_TABLE.split())


@cache
def _dictionary() -> Any:
    """Return a segmenter with its dictionary; loading it takes a tenth of a second."""
    import rjieba

    return rjieba.Jieba()


@cache
def _converter() -> Any:
    import opencc

    return opencc.OpenCC("t2s")


def simplified(text: str) -> str:
    """Return a text in Simplified characters, to look it up; what is written keeps its own."""
    return str(_converter().convert(text))


def is_ordinary_word(text: str) -> bool:
    """Say whether a text in Simplified characters is a word and no personal name.

    Transliterated names of foreigners, as far as the dictionary marks them, count as words.
    """
    if text in _PERSONS:
        return False
    if text in _WORDS:
        return True
    if len(text) > 2 and text[:2] in COMPOUND:
        return False
    words = _dictionary()
    if not words.has_word(text):
        return False
    tag = str(words.tag(text, False)[0][1])
    if tag == "nrt":
        return not TRANSLITERATED.isdisjoint(text[1:])
    return not tag.startswith("nr")
