"""What stands before a division's ending and is no name that pinyin writes.

Common words (贫困县), areas that are no division (工业园区), names in other languages (皇后区),
persons (朱祁镇), and names that the regions spell differently (新兴区).
"""

from functools import lru_cache
from typing import Any

from tasks.rules.known_persons import KNOWN
from tasks.rules.style import RuleStyle

_NOT_PINYIN_TABLE = """
新宿 涩谷 千代田 世田谷 江户川 目黑 品川 杉并 足立 葛饰 练马 江南 钟路 龙山 麻浦 永登浦
松坡 瑞草 中央 文京 台东 丰岛 前金 前镇 旗津 盐埕 苓雅 楠梓 亚太 欧元 亚运 奥运 宕昌
古城 林周 尼木 曲水 达孜 南木林 萨迦 拉孜 昂仁 白朗 仁布 康马 定结 仲巴 吉隆 萨嘎 岗巴
江达 贡觉 类乌齐 丁青 察雅 八宿 左贡 芒康 洛隆 边坝 工布江达 米林 波密 扎囊 贡嘎 桑日
琼结 曲松 措美 洛扎 加查 隆子 浪卡子 嘉黎 比如 聂荣 安多 申扎 班戈 巴青 尼玛 双湖 札达
日土 革吉 改则 措勤 壤塘 若尔盖 色达 石渠 德格 新龙 道孚 炉霍 理塘 巴塘 得荣 泽库 玛多
班玛 甘德 达日 久治 杂多 治多 卓尼 迭部 玛曲 皇后 大山 深山 高山 索霍 库克 中东 世博
贫困 边远 法拉盛 碌曲 托克托 昆都仑 巴彦浩特 可可托海 和布克赛尔
"""
NOT_PINYIN = frozenset(_NOT_PINYIN_TABLE.split())
"""Wards of Tokyo, Seoul and Kaohsiung, Tibetan and Mongolian names, and areas that are no division:
what no pinyin writes."""

_COUNTIES = frozenset(
    "易雄蠡唐献景威任磁涉魏邱滦蔚赵绛隰夏吉蒲祁沁兴岚临应代盂丰沛泾歙黟泗萧寿宿和单莘冠费莒曹滕高"
    "杞叶郏浚滑淇温范睢息嵩陕密辉邓林随道攸澧醴酃横藤渠达茂珙郫泸荣理开忠万户眉陇彬乾华洋勉佳葭岷"
    "徽礼成康文赣儋崖沙鄞嵊涿蓟定邳沧"
)
"""Counties, also former ones, whose name is one character; 各县 and 该县 are none."""
_PREFECTURES = frozenset(
    ["阿克苏", "喀什", "和田", "塔城", "阿勒泰", "阿里", "大兴安岭", "那曲", "昌都", "林芝",
     "山南", "日喀则", "海东", "吐鲁番", "哈密", "伊犁"]
)  # fmt: skip
"""What 地区 is a prefecture of, also formerly; elsewhere it is a region (北京地区)."""
_AREAS_TABLE = """
园 特 景 矿 林 牧 灾 社 小 校 时 战 市 疫 堂 禁 自贸 管理 边疆 保护 示范 试验 实验
度假 住宅 商业 工业 居民 生活 办公 旅游 高新 经开 保税 合作 隔离 安全 作战 服务 管制
老城 新城 旧城 主城 中心 核心 军 经济 体育 自治 开发 缓冲 占领 控制 山 行政 功能 胜利
解放 科技 友谊 交通 劳动 风化 金融 游览 戒严 讨论 沦陷 吸烟 市辖 近郊 农业 文化 红灯
敌占 无人 危险 贫民 棚户 污染 观光 评论 低速 保留 分割 启动 墓葬 建成 徒步 产粮 警备
军分 候机 免税 停车 使馆 教学 商务 特护 富人 租借 殖民 发达 沿海 内陆 边境 热带 寒带
非军事 选举 等候 休息 餐饮 购物 娱乐 教区 辖 国统 根据 有源 发球 轻击 铁票 长草
"""
_AREAS = tuple(_AREAS_TABLE.split())
"""What makes 区 an area and no district; 山 only in 大山区 and longer."""
_NOT_AREAS = frozenset(["沙市", "吉林", "榆林", "玉林", "桂林"])
"""Districts and cities whose last character would make them an area."""
_GENERICS = frozenset(
    "山沟口桥庄店子河湖湾头堡寨坪岭岗坡塘江关门屯营集渡埠井泉川原台亭楼墩圩坝洲州海港岛峪峡峰"
    "岩洞坑洋陂铺场窑坊林寺庙田家垭坳墟阁咀嘴浦滩崖潭涧垸塔村镇城巷市阳坞畈埔沙里观苑驿白"
)
"""The last character of a Chinese name of three: a kind of place."""
_TONGYONG = frozenset(["新兴", "前金", "前镇", "楠梓", "苓雅", "小港", "旗津", "凤山", "美浓"])
"""Districts of Kaohsiung, written in Tongyong or customary spellings there."""
_PHRASES = frozenset(
    ["朱祁镇", "城中村", "三家村", "杏花村", "新农村", "新乡村", "小同乡", "方镇", "藩镇", "新市镇"]
)
"""Words and a person that end like a division and are not in the dictionary as words."""
_SYLLABLES = frozenset("克勒斯尔姆萨噶嘎")
"""They write the sounds of other languages."""
_NAMES_IN_DICTIONARY = ("ns", "nr", "nt", "nz", "j")
"""Its tags of names; an abbreviation (j) is as often one."""


def is_doubtful(body: str, ending: str, style: RuleStyle) -> bool:
    """Say whether a specific part that is in no table could be no name that pinyin writes.

    Args:
        body: Simplified, without its ending.
        ending: of the division; a road has its own rules.
        style: the region of the text.
    """
    if ending == "地区":
        return body not in _PREFECTURES
    if body in NOT_PINYIN or body.endswith(("矿", "新", "自治")) or body + ending in KNOWN:
        return True
    if ending == "县" and len(body) == 1:
        return body not in _COUNTIES
    if body in _TONGYONG and style.region != "mainland":
        return True
    return (
        is_foreign(body)
        or (ending == "区" and _is_area(body))
        or body + ending in _PHRASES
        or (ending != "区" and is_common_word(body + ending))
    )


def _is_area(body: str) -> bool:
    if body in _NOT_AREAS:
        return False
    kind = max((area for area in _AREAS if body.endswith(area)), key=len, default="")
    return bool(kind) and not (kind == "山" and len(body) < 3)


def is_foreign(body: str) -> bool:
    """Say whether a name may render another language: a foreign syllable, or no kind of place."""
    if len(body) > 2 and body[0] in "市省县区镇乡村":
        return True
    return (
        not _SYLLABLES.isdisjoint(body)
        or (len(body) == 3 and body[-1] not in _GENERICS)
        or len(body) > 3
    )


@lru_cache(maxsize=4096)
def is_common_word(text: str) -> bool:
    """Say whether the dictionary of the segmenter has a text, as anything but a name."""
    words = _dictionary()
    if not words.has_word(text):
        return False
    return not str(words.tag(text, False)[0][1]).startswith(_NAMES_IN_DICTIONARY)


@lru_cache(maxsize=1)
def _dictionary() -> Any:
    """Return a segmenter with its dictionary; loading it takes a tenth of a second."""
    import rjieba

    return rjieba.Jieba()


def segment(text: str) -> frozenset[int]:
    """Return the borders between the words of a text, its ends among them."""
    borders, place = [0], 0
    for word in _dictionary().cut(text, True):
        place += len(word)
        borders.append(place)
    return frozenset(borders)
