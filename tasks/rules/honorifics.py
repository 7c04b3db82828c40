"""What stands behind a surname and is no given name: offices, kin, ranks, rulers and groups."""

_TITLE_TABLE = """
委员长 秘书长 董事长 总经理 委員長 秘書長 董事長 總經理 先生 女士 小姐 太太 夫人 老师 教授 博士 院士
医生 律师 法官 将军 主席 总统 总理 部长 省长 市长 县长 区长 局长 厅长 院长 校长 处长 科长 主任 书记
委员 议员 议长 代表 大使 司长 行长 总裁 经理 同志 同学 师傅 教练 导演 上将 中将 少将 大校 上校 律師
醫生 將軍 總統 總理 部長 省長 市長 縣長 區長 局長 廳長 院長 校長 處長 科長 書記 委員 議員 議長 司長
行長 總裁 經理 老師 同學 師傅 教練 導演 上將 中將 少將 法師 法师 爵士 特首
"""
TITLES = tuple(_TITLE_TABLE.split())
"""They stand before or behind a name and are no part of it; longer ones first."""

_RANK_TABLE = """
皇后 太后 贵妃 皇妃 王妃 公主 太子 皇帝 大帝 天皇 世子 郡主 丞相 宰相 员外 掌柜 大夫 大人 大娘 大爷
大妈 大叔 大婶 大嫂 大姐 大哥 阿姨 爷爷 奶奶 叔叔 伯伯 姑娘 公子 老爷 少爷 道长 真人 夫子 老汉 老板
老总 工头 婆婆 妈妈 爸爸 同学 公公 姑姑 舅舅 伯母 伯父 家人 氏族 皇朝 王朝 时代 时期 年间 姥姥 和尚
道士 尼姑 二姐 三姐 大仙 长老 居士 大侠 少侠 世兄 师兄 侍郎 尚书 县令 知府 太守 刺史 将领 元帅 参谋
团长 营长 连长 排长 军长 师长 司机 护士 警官 组长 班长 队长 会长 社长 台长 馆长 所长 站长 厂长 店长
村长 镇长 乡长 州长 首相 大臣 议长 领导 爱卿 老二 老三 老大 老五 老头 婆子 娘娘 法王 天师 真君 半仙
"""
_GROUPS_TABLE = """
公司 集团 大学 银行 医院 学校 工厂 夫妇 夫妻 兄弟 姐妹 父子 母子 父女 母女 两家 二人 两人
三人 家族 两姓 兄妹 师徒
"""
_GROUPS = frozenset(_GROUPS_TABLE.split())
"""What follows the surnames of several persons."""
_NO_NAMES = frozenset(_RANK_TABLE.split()) | _GROUPS | frozenset(TITLES)
_NO_NAME = frozenset(
    "家姓总省市县村镇乡庄队族字府店厂老工上下内外帝王公侯后局处厅姐哥叔姨嫂婆爷妈爸奶婶舅"
    "所院部室党人女男们妃太"
)
"""Single characters that, behind a surname, are no given name: 陈总, 周公, 汉朝, 李姐."""
_REALMS = frozenset("夏商周秦汉晋隋唐宋辽金元明清魏蜀吴齐楚燕赵韩梁陈鲁卫郑蔡曹越滕薛")
_TEMPLE_NAMES = frozenset(
    "太高世中睿玄肃代德顺宪穆敬文武宣懿僖昭哀真仁英神哲徽钦孝光宁理度恭端圣显景成"
)


def is_no_given_name(surname: str, given: str) -> bool:
    """Say whether what follows a surname, in Simplified characters, names no single person.

    Offices (王教授), kin (陈叔), ranks (杨贵妃), groups (李氏, 张某) and rulers by realm (周文王,
    唐太宗) are meant.
    """
    if given in _NO_NAME or given in _NO_NAMES or "某" in given or "氏" in given:
        return True
    return surname in _REALMS and (given in ("朝", "国", "代") or _is_ruler(given))


def _is_ruler(given: str) -> bool:
    if len(given) != 2:
        return False
    return given[1] in "帝王公侯后" or (given[1] in "宗祖" and given[0] in _TEMPLE_NAMES)
