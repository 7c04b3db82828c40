"""Words that begin like a name: 高兴, 安全 and 时间表 are no persons.

A text is an ordinary word if the dictionary of the segmenter has it as anything but a name, if it
is in the list of phrases of pypinyin, or if the gazetteer has it as a place. Named here are the
names that these list, and words that the dictionary lists as names.
"""

from functools import cache
from typing import Any

from tasks.rules.foreign_names import TRANSLITERATED
from tasks.rules.gazetteer import is_disputed, look_up
from tasks.rules.surnames import COMPOUND

_PERSONS_TABLE = """
钟南山 王熙凤 向警予 黄兴 黄日华 屈原 海瑞 陆游 周恩来 孔融 甘宁 文丑 穆易 顾准 巴金 毕升 程志 石安
丘处机 闻一多 欧阳克 周作人 苏东坡 厉无畏 严义埙 周坤仁 张佑才 尧舜 高欢 周颠 王导 罗干 奉恒高
池际尚 林兆枢 万学文 解宝 卜式 许地山 海子 楼云 古力 英布 田单 文种 钟会 陆机 沈约 程咬金 高适
王之涣 朱棣 刘坤一 左权 周济 江平 韩非 高阳 申不害 万里 华佗 勾践 王蒙 丁宁 苏秦 范蠡 朱熹 向秀 时迁
应劭 全琮 扬雄 从维熙 后羿 秋瑾 霍去病 王石 白云飞 平儿 毛泽东 英达 回良玉 陈炯明 蒙恬 谢赫 庞德
杜威 江泽民 张靓颖 诸葛亮 毛遂 冯唐 陈世美 何仙姑 汪洋 申雪 应采儿 乐毅 邓小平 祢衡 车胄 乐进 燕肃
曲端 阴铿 应玚 万梓良 严剑葵 于平南 任家萱 何庆魁 刘彦彬 刘祉锋 周邦彦 唐安国 张安国 张治国 徐坤明
朱佑兰 李美淑 杨佑宁 杨惠珊 林佑威 林洋港 林熙蕾 梁建国 毛庆国 江和义 江建国 汤业国 汪铭珊 沈奕奕
潘坤龙 潘家蕃 潘梓年 王佑民 王治国 王言彬 罗仁淑 罗大佑 范晓萱 许立群 邓梓峰 邱淑贞 郑卫国 郑浩南
钟淑慧 陈佩珊 陈慧珊 陈璧君 韩安国 高建国 高惠彬 魏联军 黄品冠 黄品源 黄淑惠 吴兴国 沈家本 许定国
黄兴国 黄奕中 何无忌 史静寰 唐三省 孙德棣 孙运璿 方皓玟 李惟淼 李渭清 杨千嬅 梁从诫 江渭清 谢无忌
赵孟頫 赵文瑄 郑国锠 郑洞国 陈抒怡 雷抒雁 龙应台 卢庚戌 马建国 李珊珊 于洋 于丹 徐洋 徐海 方明 何力
高力 时卫国
"""
_PERSONS = frozenset(_PERSONS_TABLE.split())
_WORDS_TABLE = """
盖章 哈佛 东方红 东方人 马匹 陈述 陈列 陈旧 谢谢 左翼 温泉 施政 顾问 顾客 雷达 史上 安保 戴上 杨树
柳树 梅花 文明 丘陵 井然 井盖 仇富 付诸 付梓 付清 仲介 仲夏 仲秋 伏兵 伏法 元勋 元宝 元帅 冉冉 冷宫
冷清 冷笑 冷艳 冷锋 冷冽 凌厉 凌辱 凌迟 凌云 凌驾 刁民 刁蛮 利剑 利禄 刘海 劳顿 劳驾 包罗 包邮 卓绝
卓越 南征 印玺 印鉴 厉鬼 丛林 丛生 古文 古琴 古董 史官 史实 史诗 史前 司仪 吉兆 吉祥 吉日 周全 周密
乔木 乔迁 单飞 严冬 墨客 寿星 寿辰 寿礼 寿终 孔洞 季冬 季春 季后 宇航 安抚 安然 安逸 安静 安谧 安闲
安危 安神 宗庙 宣言 宣明 容纳 容颜 封印 封城 封国 尚武 尤物 屈尊 屠城 屠夫 屠宰 山岚 山洪 山涧 岳丈
岳母 崔巍 崇尚 崇拜 崇高 左倾 巫师 师傅 师兄 师生 师范 师娘 常客 常青 康复 康健 康乐 康强 廉政 弓弦
张力 张扬 张望 张罗 张开 张贴 张狂 张弛 徐徐 徐缓 惠民 惠临 惠顾 慕名 戚戚 怀春 戎马 戴孝 戴胜 扬言
扬琴 文宗 文武 文雅 文苑 文创 文青 文旅 于归 施恩 昌明 易懂 易主 晋升 晋级 曲奇 杜撰 杜绝 杜鹃 杜仲
林立 林木 林子 柏树 柳絮 柳眉 柴胡 柴薪 桂花 桂圆 桑拿 桑巴 桑树 桑蚕 桑梓 梁木 杨柳 杨桃 杨梅 楚楚
荣光 荣幸 荣归 荣获 荣登 荣耀 荣誉 檀香 权威 权衡 权贵 步履 武侠 武林 武德 武生 段子 毋忘 母爱 毛利
毛驴 毛巾 汪汪 汪洋 汲水 洪亮 洪峰 洪水 洪福 温文 温良 温雅 温顺 温馨 温驯 游弋 游侠 游春 乌云 乌青
乌龙 焦黄 熊熊 牛柳 牛毛 牛羊 牛马 甘甜 甘蓝 田园 田野 田螺 申雪 白兔 白吃 白布 白文 白旗 白昼 白杨
白玉 白痴 白皙 白米 白雪 白云 白霜 白领 白鹤 白鹭 盛世 盛夏 盛德 盛衰 盛赞 盘桓 卢布 矫健 矫正 石阶
祖先 祖宗 祖母 祝寿 祝福 祝贺 祝颂 谷仓 谷穗 童子 童星 童真 童谣 管窥 范畴 简章 籍贯 米仓 索道 罗汉
罗盘 耿直 耿耿 闻言 闻达 胡来 胡桃 胡琴 胡闹 胡子 艾草 艾滋 花剑 花展 花布 花旗 花旦 花环 花甲 花白
花蕾 花香 花火 苗木 苟安 英俊 英勇 英才 英杰 茅庐 荆棘 庄园 蔚蓝 蔚为 萧然 萧瑟 薄明 薄礼 姜黄 蓝图
蓝天 蓝领 芦笙 兰花 卫冕 卫星 卫护 谈天 诸君 诸如 谢世 谢幕 谢恩 丰年 丰登 贝雕 贺喜 贺年 贺岁 贺礼
宾客 宾朋 赖皮 赫赫 辛勤 农忙 农耕 达官 迟延 金刚 金印 金桔 金玉 金秋 金黄 钱财 钱粮 钟爱 钟楼 钟声
铁青 门第 关怀 陈兵 陈年 陈腐 陈设 陈迹 陈情 陈皮 陈醋 陶冶 陶然 陶醉 陆军 双喜 双赢 双飞 双拼 云彩
云霄 云霞 云云 雷声 雷霆 雷鸣 韩元 韩文 顾忌 顾惜 顾盼 余光 余晖 余波 余生 余震 余韵 余温 饶命 饶恕
马克 马虎 马达 马鞍 马甲 马群 腾飞 高僧 高升 高峰 高塔 高扬 高攀 高昂 高明 高朗 高潮 高耸 高薪 高超
高雅 高阶 高寿 高喊 鲁莽 鲍鱼 凤梨 麦子 麦穗 麦芽 麦田 麻利 麻木 麻醉 黄牛 黄玉 黄莺 黄绿 黄铜 黎明
黎民 黑客 黑陶 党纲 党羽 龙宫 龙虎 龙钟 龙飞 龙凤 索引 康庄 任重 訾议 缪误 沈默 南朝 唐僧 东西周
秦汉 魏晋 唐宋 宋元 明清 刘宋 赵宋 元末 明末 清末 唐末 汉末 隋唐 萧梁 东周 林郑 东德 毛塑像 海青天
向东 向南 向西 向北 向前 向后 向左 向右 向下 向往 向来 向导 向量 向阳 向日 向心 向外 向内 向晚 向学
成千 成万 成功 成为 成就 成天 成品 成套 成仁 成人 成真 成片 成群 成对 成年 成家 成分 成型 成形 成材
成像 成交 成效 成语 成因 成婚 成衣 成败 成精 成圣 成道 成龄 粟米 易经 李树 罗汉果 唐诗 唐装 唐突
唐花 于今 吕梁山 魏碑 崔嵬 廖廓 尹始 章鱼 龙井茶 覃思 霍霍 姬妾 栾树 郁金香 虞美人 岑寂 冯虚 倪端
万年青 万花筒 杜鹃花 康乃馨 金银花 满天星 水仙花 向日葵 含羞草 蒲公英 龙舌兰 石榴花 金龟子 萤火虫
花岗岩 石灰岩 贝多芬 马赛克 乌托邦 罗曼史 高尔夫 高跟鞋 金字塔 白血病 高血压 乔迁之喜 宫殿
"""
_WORDS = frozenset(_WORDS_TABLE.split())
_SELDOM_SURNAMES = frozenset(
    "别从后由千占仰信修储代公佛招敬斯暴束木树水源满漆练经融计言贯银阳阴隆鱼鲜年寒战时支智浑平"
    "和全应连明来过能相才典归观介令力呼冒青秋扶随寻线律掌资原宿沃蒙苍恭贡户况弘旷慎"
)
"""With one character more they are words (后来, 全家, 成功) far more often than names."""


@cache
def _dictionary() -> Any:
    """Return a segmenter with its dictionary; loading it takes a tenth of a second."""
    import rjieba

    return rjieba.Jieba()


@cache
def _phrases() -> Any:
    """Return the words whose readings pypinyin lists: hardly any of them is a name."""
    from pypinyin.phrases_dict import phrases_dict

    return phrases_dict


@cache
def _converter() -> Any:
    import opencc

    return opencc.OpenCC("t2s")


def simplified(text: str) -> str:
    """Return a text in Simplified characters, to look it up; what is written keeps its own."""
    return str(_converter().convert(text))


_NOUN_ENDINGS = frozenset("性化感学家水塔士物力机星法众度心客会网论书史人儿子派教词花草树岛官")
"""Behind a word they make a noun: 安全 and 性."""


def _is_place(text: str) -> bool:
    return look_up(text, "unknown") is not None or is_disputed(text, "unknown")


def is_ordinary_word(text: str) -> bool:
    """Say whether a text in Simplified characters is a word and no personal name.

    Transliterated names of foreigners, as far as the dictionary marks them, count as words.
    """
    if text in _PERSONS:
        return False
    if text in _WORDS or text in _phrases() or _is_place(text):
        return True
    if len(text) == 2 and text[0] in _SELDOM_SURNAMES:
        return True
    if len(text) > 2 and text[:2] in COMPOUND:
        return False
    if len(text) == 3 and text[2] in _NOUN_ENDINGS and is_ordinary_word(text[:2]):
        return True
    words = _dictionary()
    if not words.has_word(text):
        return False
    tag = str(words.tag(text, False)[0][1])
    if tag == "nrt":
        return not TRANSLITERATED.isdisjoint(text[1:])
    return not tag.startswith("nr")
